"""Bytes → text: every encoding that docs/SOURCES.md names, and what is no text."""

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zeroin.corpus.decode import Decoded, decode

TEXT = "def größe():\n    return 'naïve'\n" * 3


@pytest.mark.parametrize(
    "data",
    [
        TEXT.encode(),
        codecs.BOM_UTF8 + TEXT.encode(),
        TEXT.encode("utf-16"),
        codecs.BOM_UTF16_BE + TEXT.encode("utf-16-be"),
        TEXT.encode("utf-16-le"),
        TEXT.encode("utf-16-be"),
        codecs.BOM_UTF32_LE + TEXT.encode("utf-32-le"),
        TEXT.encode("latin-1"),
    ],
)
def test_text_is_recognised(data):
    assert decode(data) == Decoded(TEXT)


def test_a_declared_character_set_is_used():
    text = "# -*- coding: shift_jis -*-\nname = '日本語'\n"
    assert decode(text.encode("shift_jis")).text == text
    assert decode("# coding: koi8-r\n# Привет\n".encode("koi8-r")).text.endswith("Привет\n")


@pytest.mark.parametrize("name", ["rot13", "hex", "unicode_escape", "zlib", "nonsense", "gb-nonsense"])
def test_a_codec_that_is_no_character_set_is_not(name):
    data = f"# coding: {name}\n".encode() + b"\xe9t\xe9\n"
    assert decode(data).text == data.decode("latin-1")


@pytest.mark.parametrize(
    "data",
    [
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(range(256)) * 20,
        b"\x7fELF\x02\x01\x01\0" + bytes(200),
        bytes(range(1, 256)) * 40,
        bytes(100),
        b"%PDF-1.4\n1 0 obj\n",
        b"text\n" * 100 + b"\0",
    ],
)
def test_binary(data):
    assert decode(data).skipped == "binary" and decode(data).text == ""


def test_a_pointer_to_a_large_file_elsewhere():
    data = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n"
    assert decode(data).skipped == "LFS pointer"
    assert decode(data + b"x" * 2_000).skipped == ""


def test_a_character_cut_in_two_at_the_end_does_not_change_the_encoding():
    assert decode("größe €".encode()[:-1]).text.startswith("größe ")


def test_nothing_is_text():
    assert decode(b"") == decode(codecs.BOM_UTF8)


@given(st.binary(max_size=400))
def test_any_bytes_are_decoded_or_skipped(data):
    found = decode(data)
    assert bool(found.skipped) <= (found.text == "")


@given(st.text(alphabet=st.characters(blacklist_categories=("Cs",), blacklist_characters="\0\ufeff"), max_size=200))
def test_utf8_survives(text):
    found = decode(text.encode())
    assert found.skipped or found.text == text
