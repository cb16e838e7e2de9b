"""Reads a change for what a reviewer needs: names it defines or uses, words of its lines, files that it touches."""

from __future__ import annotations

import re

from zeroin.query import weights as w
from zeroin.query.bag import Bag
from zeroin.query.diff import added_lines, hunk_headers
from zeroin.query.names import is_common, is_identifier
from zeroin.terms import WORD
from zeroin.types import Diff, DiffFile, Origin

_MAX_LINES = 4_000  # changed lines that are read, over all files
_MAX_LINE = 400
_MAX_PATHS = 200

_DEFINED = re.compile(
    r"\b(?:def|class|function|func|fn|type|struct|interface|enum|trait|record|module|namespace|object|protocol|"
    r"impl|macro_rules!|defp?|defmodule|sub|proc)"
    r"\s{1,4}(?:\([^)\n]{0,80}\)\s{0,2}|self\.)?([A-Za-z_$][\w$]{0,100})"
)
_DEFINED_VALUE = re.compile(
    r"^\s{0,40}(?:export |pub |public |private |protected |static |final )*(?:const|let|var|"
    r"val)\s{1,4}([A-Za-z_$][\w$]{0,100})\s{0,4}[:=]"
)
_METHOD = re.compile(
    r"^\s{0,40}(?:public|private|protected|internal|static|async|override|virtual|final|synchronized|"
    r"[\w<>\[\],?*&:]{1,60}\s)[^=;(]{0,160}?\b([A-Za-z_$][\w$]{0,100})\s?\([^;]{0,200}$"
)
_CALL = re.compile(r"([A-Za-z_$][\w$]{0,100})\s?\(")
_NOT_NAMES = frozenset(
    "if for while switch return catch elif match with sizeof typeof new and or not in await assert print".split()
)


def read_diff(bag: Bag, diff: Diff) -> None:
    """Adds a change: its callers are found by the symbols, its relatives by words and paths."""
    left = _MAX_LINES
    for number, file in enumerate(diff.files):
        if number < _MAX_PATHS:
            bag.path(file.path, w.PATH_PROSE, Origin.DIFF, file.spans[0][0] if file.spans else None)
        bag.text(file.path.rpartition("/")[2].partition(".")[0], Origin.PATH)
        if left > 0:
            left -= _read_file(bag, file, left)


def _read_file(bag: Bag, file: DiffFile, limit: int) -> int:
    added, removed = added_lines(file)[:limit], file.removed.split("\n")[:limit]
    for header in hunk_headers(file)[:limit]:
        _symbols(bag, header, w.SYMBOL_DIFF_HUNK, w.SYMBOL_DIFF_HUNK * 0.5)
    same = set(added) & set(removed)  # moved or re-indented lines say nothing
    for line in [*removed, *added]:
        if line in same or not line.strip():
            continue
        line = line[:_MAX_LINE]
        _symbols(bag, line, w.SYMBOL_DIFF_DEFINED, w.SYMBOL_DIFF_USED)
        bag.text(line, Origin.DIFF)
    return len(added) + len(removed)


def _symbols(bag: Bag, line: str, defined: float, used: float) -> None:
    names = {m[1] for m in _DEFINED.finditer(line)} | {m[1] for m in _DEFINED_VALUE.finditer(line)}
    if not names:
        method = _METHOD.match(line)
        if method and method[1] not in _NOT_NAMES:
            names.add(method[1])
    for name in sorted(names):
        if not is_common(name):
            bag.symbol(name, defined, Origin.DIFF)
    for match in _CALL.finditer(line):
        if match[1] not in _NOT_NAMES and not is_common(match[1]):
            bag.symbol(match[1], used, Origin.DIFF)
    for word in WORD.findall(line):
        if is_identifier(word) and not is_common(word):
            bag.symbol(word, used * 0.7, Origin.DIFF)
