"""Definitions and comments of code without a grammar, by regular expressions that take linear time.

The end of a definition is estimated: it reaches to the bracket or the `end` below it that is indented as deep, else to
the next definition that is indented no deeper, without the blank lines and comments before that one, or to the end of
the file.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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
_NAMED = frozenset({"function", "let", "method"})  # behind their keyword any word is a name: `function new(` of Haxe
_IMPORT = lazy_pattern(
    r"^[ \t]*(?:public[ \t]+(?:meta[ \t]+)?)?"
    r"((?:(?:import|from|use|using|require|require_relative|include|load|source|open|library|export|part)\b"
    r"|#[ \t]*(?:include|import)\b|@(?:import|use|forward)\b)[^\n]{1,300})",
    re.MULTILINE,
)
_IMPORT_PATH = lazy_pattern(r"[\"'<]([^\"'<>\n]+)[\"'>]|\b([A-Za-z_][\w.:/\\-]*)\s*;?\s*$")
_WITH_IMPORTS = frozenset(
    "protobuf thrift dart groovy d perl r julia nim crystal ocaml fsharp css elm purescript erlang clojure "
    "solidity make cmake v gleam haxe lean".split()
)
_WORD = lazy_pattern(r"\w+")
_MODULES = frozenset("elm purescript gleam haxe lean".split())  # where names and an alias may follow the module
_MODULE = lazy_pattern(r"(?:import|using)[ \t]+(?:all[ \t]+)?([A-Za-z]\w*(?:[./]\w+)*)")
Offset = Callable[[int], int]
# A line that ends a definition: a bracket, or `end` with what it ends. The end of a block, as `end if`, ends none.
_CLOSING = lazy_pattern(
    r"^([ \t]*)(?:\}|@end\b|(?:\{%-?[ \t]*)?end[ \t]*([a-z]\w*)?[ \t]*([\w.]*)[ \t]*(?:[;.,)]|-?%\})?[ \t\r]*$)",
    re.I | re.M,
)
_STATEMENT = frozenset("solidity protobuf thrift dart d java csharp glsl objc vala haxe jsonnet".split())  # ends in `;`
_PACKAGES = frozenset("groovy java kotlin scala go protobuf thrift rego".split())  # whose packages hold the whole file
_BLOCK = lazy_pattern(r"(?:^|[\s)=])\{")
_OFFSIDE = frozenset("nim gdscript fsharp coffee lean".split())  # what is indented deeper belongs to a definition
_WITHIN = frozenset({"function", "let", "val", "method", "constructor"})  # what these hold is local
_VALUES = frozenset({"let", "val"})
_MARKED = frozenset("interface implementation protocol".split())  # of Objective-C, up to `@end`
_ANONYMOUS = lazy_pattern(r"[\w\s]*->")  # behind the first parameter of a function without a name


class _Row(NamedTuple):
    """A line that defines something: `last` is the last line where the match tells it."""

    line: int
    indent: int
    depth: int  # of nesting: the indentation, but for what holds others that are indented as deep
    name: str
    kind: str
    at: int  # offset into the text
    last: int
    parent: str


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
    rows: dict[int, _Row] = {}  # by line; the first pattern wins
    comment_starts = [start for start, _ in blank]
    for pattern in _patterns(language):
        for match in pattern.find.finditer(text):
            groups = match.groupdict("")
            at = match.start() + len(groups["indent"])
            inside = bisect_right(comment_starts, at) - 1
            name, kind = _named(pattern.unnamed, groups)
            known = name not in _NO_NAMES or (kind in _NAMED and groups.get("kind", "") != "")
            if name and known and (inside < 0 or at >= blank[inside][1]):
                indent = len(groups["indent"].expandtabs(4))
                whole = pattern.whole and not groups.get("name")
                last = bisect_right(starts, match.end()) if whole else len(starts)
                name = _bare(name)
                parent = groups.get("first", "") if groups.get("name") else ""
                line = bisect_right(starts, at)
                depth = -1 if language == "objc" and kind in _MARKED else indent
                rows.setdefault(line, _Row(line, indent, depth, name, kind, at, last, parent))
            if len(rows) > _MAX_DEFINITIONS:
                break
    items = _outer(list(_continued(rows[line] for line in sorted(rows))))
    spans = nested([(row.line, row.depth) for row in items], len(starts) - text.endswith("\n"))
    ends = _Ends(text, language, starts, blank)
    reach: list[int] = []
    for row, (end, around) in zip(items, spans, strict=True):
        reach.append(min(row.last, ends.of(row, end)))
        while around >= 0 and reach[around] < row.line:
            around = spans[around][1]
        if around >= 0:
            reach[-1] = min(reach[-1], ends.inside(items[around], reach[around]))
        if row.name:
            first = offset(row.at)
            parent = row.parent or (items[around].name if around >= 0 else "")
            yield RawDefinition(row.name[:200], row.kind, first, first, row.line, reach[-1], row.line, first, parent)


def _outer(rows: Sequence[_Row]) -> list[_Row]:
    """Leave out the values that a function or another value holds: they are local."""
    kept: list[_Row] = []
    around: list[_Row] = []
    for row in rows:
        while around and around[-1].indent >= row.indent:
            around.pop()
        if row.kind in _VALUES and around and around[-1].kind in _WITHIN:
            continue
        around.append(row)
        kept.append(row)
    return kept


class _Ends:
    """Where the definitions of a text end, as its brackets, its indentation and its comments tell."""

    def __init__(self, text: str, language: str, starts: Sequence[int], blank: Sequence[tuple[int, int]]) -> None:
        self._language = language
        self._rows = text.split("\n")
        comment_starts = [start for start, _ in blank]
        self._empty = []  # of each line: whether it is blank or a comment
        for start, row in zip(starts, self._rows, strict=True):
            at = start + len(row) - len(row.lstrip())
            inside = bisect_right(comment_starts, at) - 1
            self._empty.append(not row.strip() or (inside >= 0 and at < blank[inside][1]))
        self._closing: dict[int, list[tuple[int, str, str]]] = {}  # line, word, name
        for found in _CLOSING.finditer(text):
            line = bisect_right(starts, found.start())
            opens = self._rows[line - 1].rstrip().endswith(("{", "=>"))  # `}) async {` ends the parameters of Dart
            if not self._empty[line - 1] and not opens:
                word, name = (found[2] or "").lower(), found[3] or ""
                word = "@end" if found[0].lstrip().startswith("@") else word
                self._closing.setdefault(len(found[1].expandtabs(4)), []).append((line, word, name.lower()))
        self._outdented = self._next_outdented() if language in _OFFSIDE else {}

    def of(self, row: _Row, end: int) -> int:
        """Return the last line of a definition that ends on line `end` at the latest."""
        if self._is_whole(row):
            return row.line
        end = min(end, self._outdented.get(row.line, end))
        if self._language == "erlang":
            return next((n for n in range(row.line, end + 1) if self._rows[n - 1].rstrip().endswith(".")), end)
        closing = self._closing.get(row.indent, [])
        for at in range(bisect_right(closing, (row.line + 1,)), bisect_right(closing, (end + 1,))):
            line, word, name = closing[at]
            if self._closes(row, word, name):
                return line
        while end > row.line and self._empty[end - 1]:
            end -= 1
        return end

    def inside(self, row: _Row, end: int) -> int:
        """Return the last line inside of a definition that ends on line `end`: the one before its bracket or `end`."""
        closing = self._closing.get(row.indent, [])
        at = bisect_right(closing, (end,))
        return end - 1 if at < len(closing) and closing[at][0] == end > row.line + 1 else end

    def _is_whole(self, row: _Row) -> bool:
        """Tell whether a definition ends on its first line: as a statement, with the bracket it opened, or `end`."""
        said = self._rows[row.line - 1].rstrip()
        if row.kind == "package" and self._language in _PACKAGES:
            return True
        if self._language in _STATEMENT and said.endswith(";") and "{" not in said:
            return True
        said = said.rstrip(",;")
        closed = said.endswith("}") and not said.endswith(("%}", "}}")) and said.count("{") == said.count("}")
        block = _BLOCK.search(said) if closed else None
        return block is not None or said.endswith(" end")

    @staticmethod
    def _closes(row: _Row, word: str, name: str) -> bool:
        """Tell whether `end` with a word and a name behind it ends a definition: `end Foo`, `end subroutine foo`."""
        kinds = key_by_word(__file__, "generic.toml", "kinds")
        own = row.name.lower()
        if word == "@end" or row.depth < 0:
            return word == "@end" and row.depth < 0
        return (
            word in ("", own, own.rpartition(".")[2])
            or kinds.get(word, word) == row.kind
            or (name != "" and name == own)
        )

    def _next_outdented(self) -> dict[int, int]:
        """Return, by line, the line before the next one that is indented no deeper, where there is one."""
        found: dict[int, int] = {}
        open_: list[tuple[int, int]] = []  # line, indentation
        for number, row in enumerate(self._rows, 1):
            if self._empty[number - 1] or row.lstrip()[0] in ")]}":
                continue
            indent = len(row.expandtabs(4)) - len(row.expandtabs(4).lstrip())
            while open_ and open_[-1][1] >= indent:
                found[open_.pop()[0]] = number - 1
            open_.append((number, indent))
        return found


def _named(unnamed: str, groups: Mapping[str, str]) -> tuple[str, str]:
    """Return name and kind of a match; the name is "" where it defines nothing."""
    name = next(filter(None, map(groups.get, ("name", "name2", "name3", "name4", "first"))), "")
    kind = (groups.get("kind") or unnamed).lower().split()[0]
    after = groups.get("after", "=")
    if (kind in _VALUES and after.strip() and "=" not in after) or (kind == "fun" and _ANONYMOUS.match(after)):
        return "", kind
    return name, key_by_word(__file__, "generic.toml", "kinds").get(kind, kind)


def _bare(name: str) -> str:
    """Return a name without the quotes around it; `f'` and the operator `[]=` are names as they are."""
    if not _WORD.search(name):
        return name
    return name.strip("\"'`:[]" if name[0] in "'[" else '"`:').rstrip(".")


def _continued(rows: Iterable[_Row]) -> Iterator[_Row]:
    """Yield rows; `and` of OCaml and F# has the kind of what it goes on with."""
    kinds: dict[int, str] = {}
    for row in rows:
        kind = kinds.get(row.indent, "let") if row.kind == "and" else row.kind
        kinds[row.indent] = kind
        yield row._replace(kind=kind)


def _imports(text: str, language: str, starts: list[int]) -> Iterator[Import]:
    for match in islice(_IMPORT.finditer(text), _MAX_IMPORTS):
        line = bisect_right(starts, match.start())
        statement = match[1].strip()
        known = imports_of(language, statement, line)
        if not known and language in _WITH_IMPORTS:
            path = _imported(language, statement)
            known = [Import(path, (), line)] if path else []
        yield from known


def _imported(language: str, statement: str) -> str:
    """Return what a statement imports, "" if nothing: `require(ok, "FAILED")` of Solidity is a call."""
    words: Mapping[str, str] = table_beside(__file__, "generic.toml")["imports"]
    first = _WORD.search(statement)
    if language in words and (first is None or first[0] not in words[language].split()):
        return ""
    if language in _MODULES:
        named = _MODULE.search(statement)
        return named[1] if named else ""
    path = _IMPORT_PATH.search(statement)
    return (path[1] or path[2]) if path else ""
