"""Definitions and comments of code without a grammar, by regular expressions that take linear time.

The end of a definition is estimated: its span reaches to the next definition that is indented no deeper, or to the end
of the file.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import islice
from typing import Any, NamedTuple

from zeroin.beside import key_by_word, table_beside
from zeroin.parsing.import_statements import imports_of
from zeroin.parsing.outline import Outline, RawDefinition, nested
from zeroin.patterns import lazy_pattern
from zeroin.tree import Import

_MAX_DEFINITIONS = 5_000
_MAX_IMPORTS = 2_000
_NO_NAMES = frozenset("if for while switch catch return else new throw case do try with is of in the a an and".split())
_IMPORT = lazy_pattern(
    r"^[ \t]*(?:(?:import|from|use|using|require|require_relative|include|load|source|open|library|export|part)\b"
    r"|#[ \t]*(?:include|import)\b|@(?:import|use|forward)\b)[^\n]{1,300}",
    re.MULTILINE,
)
_IMPORT_PATH = lazy_pattern(r"[\"'<]([^\"'<>\n]+)[\"'>]|\b([A-Za-z_][\w.:/\\-]*)\s*;?\s*$")
_WITH_IMPORTS = frozenset(
    "protobuf thrift dart groovy objc d perl r julia nim crystal ocaml fsharp css elm purescript erlang clojure "
    "solidity make cmake v".split()
)
Offset = Callable[[int], int]


class _Pattern(NamedTuple):
    """A pattern of definitions: `unnamed` is their kind without a keyword; with `whole`, a match may end one."""

    find: re.Pattern[str]
    unnamed: str
    whole: bool


@cache
def _patterns(language: str) -> tuple[_Pattern, ...]:
    known: Mapping[str, dict[str, Any]] = table_beside(__file__, "generic.toml")["definitions"]
    own = [each for each in known.values() if language in each["languages"].split()] or [known["any"]]
    return tuple(_Pattern(_compiled(each), each.get("unnamed", "function"), "whole" in each) for each in own)


@cache
def _comments(language: str) -> re.Pattern[str]:
    """Return the pattern of comments (group `c`) and strings (`s`)."""
    styles: Mapping[str, dict[str, Any]] = table_beside(__file__, "generic.toml")["comments"]
    own = (style for style in styles.values() if language in style["languages"].split())
    return _compiled(next(own, styles["both"]), re.IGNORECASE)


def _compiled(row: Mapping[str, Sequence[str]], flags: int = 0) -> re.Pattern[str]:
    text = "".join(row["pattern"])
    for name, part in table_beside(__file__, "generic.toml")["parts"].items():
        text = text.replace(f"<<{name}>>", "".join(part))
    return re.compile(text, re.MULTILINE | flags)


def generic_outline(text: str, source: bytes, language: str) -> Outline:
    """Return what regular expressions find in code: byte offsets are into `source`, the UTF-8 of `text`."""
    out = Outline()
    offset = _byte_offsets(text, source)
    matches = list(_comments(language).finditer(text))
    blank = [match.span() for match in matches if match.lastgroup == "c"]
    out.spans = [(offset(m.start()), offset(m.end()), m.lastgroup == "c") for m in matches]
    starts = [0, *(m.end() for m in re.finditer("\n", text))]
    out.found = list(_definitions(text, language, starts, offset, blank))
    out.imports = list(_imports(text, language, starts))
    return out


def repaired(language: str, source: bytes, out: Outline) -> list[RawDefinition]:
    """Return the definitions of an outline, and those that regular expressions find where the grammar failed."""
    text = source.decode("latin-1")  # one character a byte: offsets agree
    starts = [0, *(m.end() for m in re.finditer("\n", text))]
    blank = sorted((start, end) for start, end, _ in out.spans)
    known = {(f.name, f.name_line) for f in out.found} | {(f.name, f.name_line - 1) for f in out.found}
    rows = [(bisect_right(starts, start) - 1, bisect_right(starts, end) + 1) for start, end in out.errors]
    added = []
    for item in _definitions(text, language, starts, lambda at: at, blank):
        item.name = item.name.encode("latin-1").decode("utf-8", "replace")
        inside = any(first <= item.name_line <= last for first, last in rows)
        if inside and known.isdisjoint({(item.name, item.name_line), (item.name, item.name_line - 1)}):
            added.append(item)
    return sorted([*out.found, *added], key=lambda f: (f.start, -f.end))


def _byte_offsets(text: str, source: bytes) -> Offset:
    """Return a function from offsets in text to offsets in its UTF-8; ascending arguments are cheap."""
    if len(text) == len(source):
        return lambda at: at
    last = last_byte = 0

    def offset(at: int) -> int:
        nonlocal last, last_byte
        if at < last:
            last = last_byte = 0
        last_byte += len(text[last:at].encode("utf-8", "replace"))
        last = at
        return last_byte

    return offset


def _definitions(
    text: str, language: str, starts: list[int], offset: Offset, blank: list[tuple[int, int]]
) -> Iterator[RawDefinition]:
    """Yield the definitions of a text whose lines begin at `starts`, outside of the comments `blank`."""
    # Line → indent, name, kind, offset, last line where the match tells it; the first pattern wins.
    rows: dict[int, tuple[int, str, str, int, int]] = {}
    comment_starts = [start for start, _ in blank]
    for pattern in _patterns(language):
        for match in pattern.find.finditer(text):
            groups = match.groupdict("")
            at = match.start() + len(groups["indent"])
            inside = bisect_right(comment_starts, at) - 1
            name, kind = _named(pattern.unnamed, groups)
            if name and name not in _NO_NAMES and (inside < 0 or at >= blank[inside][1]):
                indent = len(groups["indent"].expandtabs(4))
                whole = pattern.whole and not groups.get("name")
                last = bisect_right(starts, match.end()) if whole else len(starts)
                name = name.strip("\"'`:[]").rstrip(".")
                rows.setdefault(bisect_right(starts, at), (indent, name, kind, at, last))
            if len(rows) > _MAX_DEFINITIONS:
                break
    items = [(line, *rows[line]) for line in sorted(rows)]
    spans = nested([(line, indent) for line, indent, *_ in items], len(starts) - text.endswith("\n"))
    for (line, _, name, kind, at, last), (end, around) in zip(items, spans, strict=True):
        if name:
            first = offset(at)
            parent = items[around][2] if around >= 0 and line <= items[around][5] else ""
            yield RawDefinition(name[:200], kind, first, first, line, min(end, last), line, first, parent)


def _named(unnamed: str, groups: Mapping[str, str]) -> tuple[str, str]:
    """Return name and kind of a match; the name is "" where it defines nothing."""
    name = next(filter(None, map(groups.get, ("name", "name2", "name3", "name4", "first"))), "")
    kind = (groups.get("kind") or unnamed).lower().split()[0]
    if kind in ("let", "val") and "=" not in groups["after"]:
        return "", kind
    return name, key_by_word(__file__, "generic.toml", "kinds").get(kind, kind)


def _imports(text: str, language: str, starts: list[int]) -> Iterator[Import]:
    for match in islice(_IMPORT.finditer(text), _MAX_IMPORTS):
        line = bisect_right(starts, match.start())
        statement = match.group().strip()
        known = imports_of(language, statement, line)
        if not known and language in _WITH_IMPORTS:
            path = _IMPORT_PATH.search(statement)
            known = [Import(path[1] or path[2], (), line)] if path else []
        yield from known
