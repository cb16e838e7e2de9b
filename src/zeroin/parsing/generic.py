"""Definitions and comments of code without a grammar, by regular expressions that take linear time.

What ends a definition is not known here: its span reaches to the next line that is indented no deeper and
opens another definition, or to the end of the file.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from itertools import islice

from zeroin.parsing.generic_patterns import (
    COMMENTS_OF_STYLE,
    DEFINITION,
    IMPORT,
    IMPORT_PATH,
    KINDS,
    NO_NAMES,
    PATTERNS,
    STYLE_OF,
    UNNAMED_KINDS,
    WITH_IMPORTS,
)
from zeroin.parsing.import_statements import imports_of
from zeroin.parsing.outline import Found, Outline
from zeroin.tree import Import

_MAX_DEFINITIONS = 5_000
_MAX_IMPORTS = 2_000
Offset = Callable[[int], int]


def generic_outline(text: str, source: bytes, language: str) -> Outline:
    """What regular expressions find in code: byte offsets are into `source`, the UTF-8 of `text`."""
    out = Outline()
    offset = _byte_offsets(text, source)
    style = COMMENTS_OF_STYLE[STYLE_OF.get(language, "both")]
    blank: list[tuple[int, int]] = []
    for match in style.finditer(text):
        is_comment = match.lastgroup == "c"
        start, end = match.span()
        if is_comment:
            blank.append((start, end))
        out.spans.append((offset(start), offset(end), is_comment))
    starts = [0, *(m.end() for m in re.finditer("\n", text))]
    out.found = list(_definitions(text, language, starts, offset, blank))
    out.imports = list(_imports(text, language, starts))
    return out


def repaired(language: str, source: bytes, out: Outline) -> list[Found]:
    """The definitions of an outline and those that regular expressions find where the grammar failed."""
    text = source.decode("latin-1")  # one character a byte: offsets agree
    starts = [0, *(m.end() for m in re.finditer("\n", text))]
    blank = sorted((start, end) for start, end, _ in out.spans)
    known = {(f.name, f.line) for f in out.found} | {(f.name, f.line - 1) for f in out.found}
    rows = [(bisect_right(starts, start) - 1, bisect_right(starts, end) + 1) for start, end in out.errors]
    added = []
    for item in _definitions(text, language, starts, lambda at: at, blank):
        item.name = item.name.encode("latin-1").decode("utf-8", "replace")
        inside = any(first <= item.line <= last for first, last in rows)
        if inside and (item.name, item.line) not in known and (item.name, item.line - 1) not in known:
            added.append(item)
    return sorted([*out.found, *added], key=lambda f: (f.start, -f.end))


def _byte_offsets(text: str, source: bytes) -> Offset:
    """A function from offsets in text to offsets in its UTF-8; ascending arguments are cheap."""
    if len(text) == len(source):
        return lambda at: at
    state = [0, 0]

    def offset(at: int) -> int:
        if at < state[0]:
            state[0] = state[1] = 0
        state[1] += len(text[state[0] : at].encode("utf-8", "replace"))
        state[0] = at
        return state[1]

    return offset


def _definitions(
    text: str, language: str, starts: list[int], offset: Offset, blank: list[tuple[int, int]]
) -> Iterator[Found]:
    rows = len(starts) - text.endswith("\n")
    seen: dict[int, tuple[int, str, str, int]] = {}
    comment_starts = [b[0] for b in blank]
    for pattern in PATTERNS.get(language, (DEFINITION,)):
        for match in pattern.finditer(text):
            groups = match.groupdict()
            name = next(filter(None, map(groups.get, ("name", "name2", "name3", "name4", "first"))), "")
            at = match.start() + len(groups.get("indent") or "")
            inside = bisect_right(comment_starts, at) - 1
            if not name or name in NO_NAMES or (inside >= 0 and at < blank[inside][1]):
                continue
            kind = (groups.get("kind") or UNNAMED_KINDS.get(pattern, "function")).lower().split()[0]
            if kind in ("let", "val") and "=" not in groups.get("after", ""):
                continue
            row = bisect_right(starts, at)
            indent = len((groups.get("indent") or "").expandtabs(4))
            seen.setdefault(row, (indent, name.strip("\"'`:[]").rstrip("."), KINDS.get(kind, kind), at))
            if len(seen) > _MAX_DEFINITIONS:
                break
    items = sorted(seen.items())
    ends = [rows] * len(items)
    stack: list[int] = []
    parents = [""] * len(items)
    for index, (row, (indent, _, _, _)) in enumerate(items):
        while stack and items[stack[-1]][1][0] >= indent:
            ends[stack.pop()] = row - 1
        if stack:
            parents[index] = items[stack[-1]][1][1]
        stack.append(index)
    for index, (row, (_, name, kind, at)) in enumerate(items):
        if name:
            first = offset(at)
            yield Found(
                name[:200], kind, first, first, row, max(row, ends[index]), row, first, parents[index]
            )


def _imports(text: str, language: str, starts: list[int]) -> Iterator[Import]:
    for match in islice(IMPORT.finditer(text), _MAX_IMPORTS):
        line = bisect_right(starts, match.start())
        statement = match.group().strip()
        known = imports_of(language, statement, line)
        if not known and language in WITH_IMPORTS:
            path = IMPORT_PATH.search(statement)
            known = [Import(path[1] or path[2], (), line)] if path else []
        yield from known
