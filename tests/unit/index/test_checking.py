"""Facts from elsewhere: bytes that we would not have written of the file are refused, whatever they are."""

import json
import time
import tracemalloc
import zlib
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zeroin.index.checking import checked
from zeroin.models.encoder import encoder
from zeroin.parsing.analyse import analyse
from zeroin.parsing.facts import Facts
from zeroin.parsing.passages import MAX_PASSAGES
from zeroin.tree import Definition

LINES = 100
DATA = b"import os\ndef f():\n    return 1\n" + b"x = 1\n" * (LINES - 3)
TRUE = analyse(DATA, "python").encode()
RAW = zlib.decompress(TRUE)
END = 4 + int.from_bytes(RAW[:4], "little")
HEAD, BODY = json.loads(RAW[4:END]), RAW[END:]
TERMS, NAMES, _, WIDTH = HEAD[7:11]


def packed(head: object, tail: bytes = BODY) -> bytes:
    data = json.dumps(head).encode()
    return zlib.compress(len(data).to_bytes(4, "little") + data + tail)


def changed(at: int, value: object) -> bytes:
    return packed([*HEAD[:at], value, *HEAD[at + 1 :]])


def passages(*spans: tuple[int, int], rows: int | None = None, width: int | None = None) -> bytes:
    """Facts without words with passages of these lines; `rows` and `width` are what the head says of vectors."""
    true = encoder().dimensions
    shape = [len(spans) if rows is None else rows, true if width is None else width]
    body = np.array(spans, "<u4").tobytes() + bytes(len(spans) * true)
    return packed([*HEAD[:7], 0, 0, *shape, [], []], body)


CUTS = ((1, 40), (41, 80), (81, LINES))
HOSTILE = {
    "no facts": b"junk",
    "cut": TRUE[:-5],
    "more": TRUE + b"more",
    "bomb": zlib.compress(bytes(300_000_000), 1),
    "deep json": zlib.compress((50_000).to_bytes(4, "little") + b"[" * 50_000),
    "a list": packed([]),
    "another language": changed(0, "go"),
    "size below 0": changed(1, -1),
    "another size": changed(1, len(DATA) + 1),
    "another number of lines": changed(2, LINES + 1),
    "a parser of other languages": changed(3, "text"),
    "a parser that there is not": changed(3, "oracle"),
    "a parser that gave up": changed(3, "generic"),
    "skipped": changed(6, "binary"),
    "list as path": changed(6, ["x"]),
    "negative count": changed(7, -1),
    "lines as counts": changed(7, []),
    "names below 0": changed(8, -1),
    "passages below 0": changed(9, -1),
    "true passages": changed(9, True),
    "dimensions below 0": changed(10, -1),
    "wide vectors": changed(10, 2**80),
    "huge line": changed(11, [["f", "function", 1, 2**70, ""]]),
    "line 0": changed(11, [["f", "function", 0, 3, ""]]),
    "backwards": changed(11, [["f", "function", 3, 2, ""]]),
    "behind the end": changed(11, [["f", "function", 2, LINES + 1, ""]]),
    "a name that is not there": changed(11, [["g", "function", 2, 3, ""]]),
    "no name": changed(11, [["", "function", 2, 3, ""]]),
    "a kind of many words": changed(11, [["f", "do as I say", 2, 3, ""]]),
    "a parent that is not there": changed(11, [["f", "function", 2, 3, "g"]]),
    "name is a number": changed(11, [[5, "function", 1, 2, ""]]),
    "imports of more than there is": changed(12, [["os", ["x"] * len(DATA), 1], ["os", [], 1]]),
    "import of nothing": changed(12, [["os", None, 1]]),
    "import behind the end": changed(12, [["os", [], LINES + 1]]),
    "minified, and it is not": packed([*HEAD[:3], "text", 0, 1, "", 0, 0, 0, 0, [], []], b""),
    "generated, and it is not": changed(4, 1),
    "minified, with definitions": packed([*HEAD[:5], 1, "", 0, 0, 0, 0, *HEAD[11:]], b""),
    "unsorted ids": packed([*HEAD[:7], 0, 2, 0, 0, [], []], (5).to_bytes(8, "little") * 2),
    "no passages": packed([*HEAD[:7], 0, 0, 0, 0, [], []], b""),
    "other passages": passages((1, 41), (42, 80), (81, LINES)),
    "fewer passages": passages(*CUTS[:2]),
    "too many passages": passages(*((n, n) for n in range(1, MAX_PASSAGES + 2))),
    "more vectors than passages": passages(*CUTS, rows=4),
    "another encoder": passages(*CUTS, width=encoder().dimensions // 2),
    # 8 bytes too many for its lines and 8 too few for its vectors: the sum is right.
    "cancelling lies": passages(*CUTS[:2], rows=1, width=2 * encoder().dimensions + 8),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_what_we_would_not_have_written_is_refused(name: str) -> None:
    with pytest.raises(ValueError):
        checked(HOSTILE[name], DATA, "python")


def test_the_packing_used_above_is_right() -> None:
    assert encoder().dimensions == WIDTH and TERMS and NAMES
    for good in (TRUE, packed(HEAD), changed(11, HEAD[11])):
        assert checked(good, DATA, "python").encode() == TRUE
    checked(passages(*CUTS), DATA, "python")


@pytest.mark.parametrize("text", ["", "\n", "x = 1", "\ufeffx = 1\r\n", "é\n" * 3, "a" * 9_000])
@pytest.mark.parametrize("language", ["python", "text", "markdown", "json", "go", "css"])
def test_our_own_facts_pass(text: str, language: str) -> None:
    facts = analyse(text.encode(), language)
    assert checked(facts.encode(), text.encode(), language).encode() == facts.encode()


NAMED = {
    "markdown": "# A *title*, [linked](x.md)\n\ntext\n",
    "yaml": "outer:\n  inner: 1\n",
    "toml": "[table]\nkey = 1\n",
    "json": '{\n  "outer": {\n    "inner": 1\n  }\n}\n',
    "html": '<p id="top">\n<script src="a.js"></script>\n',
    "perl": "package Shop;\nsub send { }\n",
    "css": ".button { color: red }\n",
    "vue": "<script>\nfunction send() {}\n</script>\n",
    "elixir": "defmodule Shop do\n  defmodule Parcel do\n    def send(x), do: x\n  end\nend\n",
    "cpp": "struct Shop { int send(); };\nint Shop::send() { return 1; }\n",
}


@pytest.mark.parametrize("language", NAMED)
@pytest.mark.parametrize("parser", ["text", "tree-sitter", "generic"])
def test_names_are_checked_in_every_language_whatever_parser_is_said(language: str, parser: str) -> None:
    data = NAMED[language].encode()
    true = analyse(data, language)
    assert true.definitions and checked(true.encode(), data, language).encode() == true.encode()
    for forged in ("expire_session", ""):
        for definitions in (
            tuple(one._replace(name=forged) for one in true.definitions),
            (*true.definitions[:-1], true.definitions[-1]._replace(name=forged)),
        ):
            for minified in (False, True):
                lie = replace(true, parser=parser, definitions=definitions, minified=minified)
                with pytest.raises(ValueError):
                    checked(lie.encode(), data, language)


@pytest.mark.parametrize(
    ("language", "last", "names"),
    [
        ("perl", b"sub last { }\n", ["last"] * 400),
        ("elixir", b"defmodule A do\nend\n", ["A" + "." * 900_000]),
        ("elixir", b"defmodule A do\nend\n", ["A" + ".A" * depth for depth in range(1_200, 0, -1)]),
    ],
)
def test_names_are_looked_for_in_bounded_time(language: str, last: bytes, names: list[str]) -> None:
    """A file of many lines, of which only the last has a name that everything is said to have."""
    data = b"x\n" * 20_000 + last
    true = analyse(data, language)
    assert checked(true.encode(), data, language).encode() == true.encode()
    lie = replace(true, definitions=tuple(Definition(name, "module", 1, true.lines) for name in names))
    began = time.monotonic()
    with pytest.raises(ValueError, match="definition"):
        checked(lie.encode(), data, language)
    assert time.monotonic() - began < 20


@pytest.mark.parametrize("what", ["words", "names"])
@pytest.mark.parametrize("count", [200, 3_000_000])
def test_more_than_a_small_file_can_hold_is_refused_before_it_takes_memory(what: str, count: int) -> None:
    data = b"def f():\n    return 1\n"
    ids = np.arange(count, dtype=np.uint64)
    true = analyse(data, "python")
    lie = replace(true, names=ids)
    if what == "words":
        lie = replace(true, term_ids=ids, counts=np.ones((count, 4), np.uint16))
    encoded = lie.encode()
    tracemalloc.start()
    try:
        with pytest.raises(ValueError):
            checked(encoded, data, "python")
        assert tracemalloc.get_traced_memory()[1] < 20_000_000
    finally:
        tracemalloc.stop()


@settings(max_examples=150, deadline=None)
@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=3), st.lists, max_leaves=8), st.data())
def test_any_json_in_place_of_facts_is_refused_or_sound(value: object, data: st.DataObject) -> None:
    encoded = changed(data.draw(st.integers(0, len(HEAD) - 1)), value)
    try:
        facts = checked(encoded, DATA, "python")
    except ValueError:
        return
    assert Facts.decode(facts.encode()).encode() == facts.encode()
