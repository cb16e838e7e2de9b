"""Adds to the query what a change names: symbols it defines or uses, words of its lines, files that it touches.

Of lock files, generated and vendored files and changelogs only the paths are read. Texts define no symbols: "this class
of problems" names none.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, Self

from zeroin.corpus.languages import TEXT_LANGUAGES, language_of
from zeroin.corpus.roles import is_bookkeeping
from zeroin.patterns import lazy_pattern
from zeroin.query import weights as w
from zeroin.query.builder import QueryBuilder
from zeroin.query.diff import added_lines, hunk_headers
from zeroin.query.names import is_common, is_identifier
from zeroin.query.tables import SYNTAX
from zeroin.terms import WORD
from zeroin.tree import Diff, DiffFile
from zeroin.types import Edit, Origin

_MAX_LINES = 4_000  # changed lines that are read, over all files
_MAX_LINE = 400
_MAX_PATHS = 200

_CALL = lazy_pattern(r"([A-Za-z_$][\w$]{0,100})\s?\(")
_CALL_IN_TEXT = lazy_pattern(r"([A-Za-z_$][\w$]{0,100})\(")  # "problems (see below)" is none
_COMMENT = lazy_pattern(r"\s{0,200}(?:#(?!\w)|//|/\*|\*\s|--\s|;;|%%)")
_DEFINING = ("defined", "defined_type", "defined_fn", "defined_value", "defined_let")
_PRIVATE = lazy_pattern(r"\s{0,200}(?:defp|defmacrop|private|fileprivate)\b")  # what no other file can use
# Languages in which an indented variable is that of a function; in Kotlin and Swift it may be a property.
_INDENTED = frozenset("javascript typescript tsx go".split())
_LOCAL = lazy_pattern(r"[ \t]{1,200}(?:const|let|var)\b")
_LOCAL_LET = lazy_pattern(r"\s{0,200}let\b")
_NOT_NAMES = frozenset(
    "if for while switch return catch elif match with sizeof typeof new and or not in await assert print".split()
)


def read_diff(bag: QueryBuilder, diff: Diff) -> None:
    """Add a change: symbols find its callers, words and paths find related files."""
    left = _MAX_LINES
    read = []
    for number, file in enumerate(diff.files):
        if number < _MAX_PATHS:
            bag.path(file.path, w.PATH_PROSE, Origin.DIFF, file.spans[0][0] if file.spans else None)
        if left > 0 and not is_bookkeeping(file.path):
            read.append(_Lines.of(file, left))
            left -= read[-1].size
    # A name that one file loses and another one gets.
    removed, added = ({n for one in read for n, e in one.edits.items() if e == edit} for edit in ("removed", "added"))
    for one in read:
        one.edits.update(dict.fromkeys(one.edits.keys() & removed & added, "moved"))
        _read_file(bag, one)


class _Lines(NamedTuple):
    """What a change does to a file: `headers` of its hunks, lines that only one side has, edits of names."""

    is_code: bool
    headers: Sequence[str]
    lines: Sequence[str]
    edits: dict[str, Edit]
    size: int  # lines of both sides

    @classmethod
    def of(cls, file: DiffFile, limit: int) -> Self:
        """Read at most `limit` lines of each side."""
        added, removed = added_lines(file)[:limit], file.removed.split("\n")[:limit]
        is_code = language_of(file.path) not in TEXT_LANGUAGES
        same = set(added) & set(removed)  # moved or re-indented lines
        old, new = ([line[:_MAX_LINE] for line in side if line not in same] for side in (removed, added))
        edits = _edits(_seen_outside(old, file.path), _seen_outside(new, file.path)) if is_code else {}
        headers = hunk_headers(file)[:limit] if is_code else ()
        return cls(is_code, headers, [*old, *new], edits, len(added) + len(removed))


def _read_file(bag: QueryBuilder, changed: _Lines) -> None:
    for header in changed.headers:
        inside: dict[str, Edit] = dict.fromkeys(_defined(header), "body")
        _symbols(bag, header, w.SYMBOL_DIFF_HUNK, w.SYMBOL_DIFF_HUNK * 0.5, inside)
    for line in filter(str.strip, changed.lines):
        if changed.is_code:
            _symbols(bag, line, w.SYMBOL_DIFF_DEFINED, w.SYMBOL_DIFF_USED, changed.edits)
        else:
            _used(bag, line, w.SYMBOL_DIFF_USED, _CALL_IN_TEXT)
        bag.text(line, Origin.DIFF)


def _seen_outside(lines: list[str], path: str) -> list[str]:
    """Return the lines that do not declare a variable within a function."""
    language = language_of(path)
    local = _LOCAL_LET if language == "rust" else _LOCAL if language in _INDENTED else None
    return lines if local is None else [line for line in lines if not local.match(line)]


def _edits(removed: Iterable[str], added: Iterable[str]) -> dict[str, Edit]:
    """Return what a change does to the names whose defining lines it changes; of private ones, only what it adds."""
    before = {name for line in removed if not _PRIVATE.match(line) for name in _defined(line)}
    after = {name for line in added for name in _defined(line)}
    edits: dict[str, Edit] = dict.fromkeys(before & after, "signature")
    edits |= dict.fromkeys(before - after, "removed")
    return edits | dict.fromkeys(after - before, "added")


def _defined(line: str) -> set[str]:
    """Return names that a line defines; a comment defines none."""
    if _COMMENT.match(line):
        return set()
    names = {match[1] for kind in _DEFINING for match in SYNTAX.pattern(kind).finditer(line)}
    if not names:
        method = SYNTAX.pattern("method").match(line)
        if method and method[1] not in _NOT_NAMES:
            names.add(method[1])
    return {name for name in names if not is_common(name)}


def _symbols(bag: QueryBuilder, line: str, defined: float, used: float, edits: Mapping[str, Edit]) -> None:
    for name in sorted(_defined(line)):
        bag.symbol(name, defined, Origin.DIFF, edits.get(name, ""))
    _used(bag, line, used, _CALL)


def _used(bag: QueryBuilder, line: str, weight: float, call: re.Pattern[str]) -> None:
    for match in call.finditer(line):
        if match[1] not in _NOT_NAMES and not is_common(match[1]):
            bag.symbol(match[1], weight, Origin.DIFF)
    for word in WORD.findall(line):
        if is_identifier(word) and not is_common(word):
            bag.symbol(word, weight * 0.7, Origin.DIFF)
