"""Where to begin to read a file of an overview: at its opening comment, else at its central or its first definition.

Licences, directives and imports stand before both and say nothing of the file.
"""

import posixpath
import re
from collections.abc import Iterator, Sequence

from zeroin.evaluate.spans.candidates import is_comment, label_of, top_of
from zeroin.index.view import View
from zeroin.patterns import lazy_pattern
from zeroin.tree import Definition
from zeroin.types import Role, Span

_LINES = 16  # of each file
_LEAST_WORDS = 5  # of a comment that says anything
# How a comment of several lines begins and ends.
_BLOCKS = {"/*": "*/", '"""': '"""', "'''": "'''", "{-": "-}", "(*": "*)", "--[[": "]]", "<!--": "-->"}
_OTHERS = lazy_pattern(
    r"copyright|licen[cs]e|\(c\)|©|all rights reserved|created by|generated\b|\bvim?:|-\*-|eslint|pylint|prettier|"
    r"tslint|@ts-|rubocop|frozen_string|swiftlint|clang-format|\bpragma\b|\bregion\b|^\W*include\b",
    re.IGNORECASE,
)
_OVERLOAD = lazy_pattern(r"\s*@(?:\w+\.)?overload\b")
_WORDS = lazy_pattern(r"[^\W\d_]{2,}")
_BEFORE_COMMENTS = ("#!", "<?php", "<?hh", "%YAML")
_SMALL = frozenset({"constant", "variable", "property", "field", "macro", "key", "import"})
_AROUND = frozenset({"namespace", "package", "module", "ns"})


def opening_of(view: View, doc: int) -> tuple[Span, ...]:
    """Return the lines of a file that an overview shows."""
    last = max(1, int(view.snapshot.lines[doc]))
    head = Span(1, min(_LINES, last), "", "head of file", 1.0)
    if view.snapshot.role(doc) is Role.DOC:
        return (head,)
    rows = view.text(doc).split("\n")[:last]
    for start, end in _comments(rows):
        text = " ".join(rows[start - 1 : end])
        if len(_WORDS.findall(text)) >= _LEAST_WORDS and not _OTHERS.search(text):
            return (Span(start, min(start + _LINES - 1, last), "", "opening comment", 1.0),)
    stem = posixpath.basename(view.paths[doc]).partition(".")[0]
    ordered = sorted(view.snapshot.symbols.of_document(doc), key=lambda d: (d.start, -d.end))
    definition = _central(ordered, stem.replace("_", "").replace("-", "").lower(), rows)
    if definition is None:
        return (head,)
    start = _comment_above(definition.start, rows)
    return (Span(start, min(start + _LINES - 1, last), label_of(definition), "definition", 1.0),)


def _central(definitions: Sequence[Definition], stem: str, rows: Sequence[str]) -> Definition | None:
    """Return the type or function that is named like the file, else `main`, else the first; else any definition.

    The first two are outermost ones: a method may have any name.
    """
    able: list[Definition] = []
    outermost: list[Definition] = []
    for definition in definitions:
        size = definition.end - definition.start
        around = definition.kind in _AROUND
        if not size or definition.kind in _SMALL or (around and 2 * size <= len(rows)) or _is_stub(definition, rows):
            continue
        able.append(definition)
        if not around and (not outermost or definition.start > outermost[-1].end):
            outermost.append(definition)
    for name in (stem, "main"):
        for definition in outermost:
            if definition.name.replace("_", "").lower() == name:
                return definition
    return able[0] if able else next((d for d in definitions if d.kind not in _AROUND), None)


def _is_stub(definition: Definition, rows: Sequence[str]) -> bool:
    """Tell whether a definition only declares one of the forms in which a function may be called."""
    return any(map(_OVERLOAD.match, rows[top_of(definition, rows) - 1 : definition.start]))


def _comment_above(start: int, rows: Sequence[str]) -> int:
    """Find the first line of the comment directly above a line, however long it is; else the line itself."""
    while start > 1 and is_comment(rows[start - 2]):
        start -= 1
        if rows[start - 1].rstrip().endswith("*/"):
            start = next((n for n in range(start, 0, -1) if "/*" in rows[n - 1]), start)
    return start


def _comments(rows: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the first and the last line of each comment before the first line of code."""
    at = 0
    while at < len(rows):
        row, first = rows[at].strip(), at
        if not row or row.startswith(_BEFORE_COMMENTS):
            at += 1
            continue
        begin = next((begin for begin in _BLOCKS if row.startswith(begin)), "")
        if begin:
            end = _BLOCKS[begin]
            if end not in row[len(begin) :]:
                at = next((n for n in range(at + 1, len(rows)) if end in rows[n]), len(rows) - 1)
            at += 1
        else:
            while at < len(rows) and is_comment(rows[at]) and rows[at].strip() != "#":
                at += 1
            if at == first:
                return
        yield first + 1, at
