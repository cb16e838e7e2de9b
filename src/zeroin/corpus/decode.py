"""Decode the bytes of a file to text; recognise binary files."""

import codecs
import re
from contextlib import suppress
from typing import NamedTuple

from zeroin.patterns import lazy_pattern

_SNIFFED = 8_192  # first bytes, which tell text from binary, as in git and grep
_BOMS = (  # longest first: the UTF-16 mark begins the UTF-32 one
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_CONTROL = bytes(set(range(32)) - set(b"\t\n\v\f\r\x08\x1b"))
_MAX_CONTROL = 0.05  # of the sniffed bytes; Latin-1 text has next to none
_PDF = b"%PDF-"  # may begin with kilobytes of text
_LFS_POINTER = b"version https://git-lfs.github.com/spec/v1\n"
_LFS_MAX_BYTES = 1_024  # the limit of the LFS specification
_SPACE = 64  # characters before the bracket of a notebook, at most
# PEP 263 and its like in other languages. Only character sets: codecs such as rot13 or unicode_escape are not text.
_DECLARED = lazy_pattern(rb"coding[:=]\s*([-\w.]{2,20})")
_CHARSETS = lazy_pattern(
    r"(?:iso-?8859|latin|cp125|windows-125|koi8|gb|euc|big5|shift|sjis|cp932|cp949|cp1251|mac)[-\w.]*", re.I
)


class Decoded(NamedTuple):
    """Text of a file; `skipped` says why there is none ("" if there is)."""

    text: str
    skipped: str = ""


def decode(data: bytes, language: str = "") -> Decoded:
    """Return the text of `data`: Unicode, with or without a mark, else a declared character set, else Latin-1.

    `skipped` is "binary" or "LFS pointer". Never raises; a byte order mark is not part of the text. A notebook, which
    is a file of Python to us, is read as its code (`notebook_code`).
    """
    found = _decode(data)
    if language != "python" or not found.text[:_SPACE].lstrip().startswith("{"):
        return found
    from zeroin.corpus.notebook import notebook_code

    return Decoded(notebook_code(found.text))


def _decode(data: bytes) -> Decoded:
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return Decoded(data[len(mark) :].decode(encoding, "replace"))
    head = data[:_SNIFFED]
    if head.startswith(_PDF):
        return Decoded("", "binary")
    if b"\0" in head:
        encoding = _utf16_by_zeros(head)
        return Decoded(data.decode(encoding, "replace")) if encoding else Decoded("", "binary")
    if len(data) <= _LFS_MAX_BYTES and data.startswith(_LFS_POINTER):
        return Decoded("", "LFS pointer")
    try:
        return Decoded(data.decode())
    except UnicodeDecodeError as error:
        # A file that was cut at a byte limit ends inside a character.
        if error.reason == "unexpected end of data" and len(data) - error.start < 4:
            return Decoded(data.decode("utf-8", "replace"))
    if len(head) - len(head.translate(None, _CONTROL)) > _MAX_CONTROL * len(head):
        return Decoded("", "binary")
    return Decoded(_legacy(data))


def _utf16_by_zeros(head: bytes) -> str:
    """Return the UTF-16 encoding of ASCII-like text without a mark (every other byte is zero), "" if it is none."""
    even, odd = head[0::2], head[1::2]
    if not odd:
        return ""
    zeros_even, zeros_odd = even.count(0) / len(even), odd.count(0) / len(odd)
    for encoding, zeros, others, letters in (
        ("utf-16-le", zeros_odd, zeros_even, even),
        ("utf-16-be", zeros_even, zeros_odd, odd),
    ):
        if zeros > 0.7 and others < 0.02 and len(letters.translate(None, _CONTROL)) > 0.95 * len(letters):
            return encoding
    return ""


def _legacy(data: bytes) -> str:
    """Return the text in the character set that it declares, else in Latin-1, which decodes anything."""
    declared = _DECLARED.search(b"\n".join(data[:400].split(b"\n", 2)[:2]))
    name = declared[1].decode("ascii") if declared else ""
    if _CHARSETS.fullmatch(name):
        with suppress(LookupError, UnicodeDecodeError):  # declared wrongly
            return data.decode(name)
    return data.decode("latin-1")
