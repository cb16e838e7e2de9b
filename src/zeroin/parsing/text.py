"""Outline text formats: the sections of prose, the keys of configuration, the ids of markup."""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from zeroin.parsing.outline import nested
from zeroin.patterns import lazy_pattern
from zeroin.tree import Definition, Import

_DATA = frozenset("json csv xml yaml".split())
MAX_DATA_CHARS = 200_000  # read of a file whose format is mostly data
_MAX_KEYS = 300
_MAX_TITLE = 160

Headings = Iterable[tuple[int, int, str]]  # line, level, title


class TextOutline(NamedTuple):
    """A text split for the index: `text` for the text field, `comments` for the comment field."""

    text: str
    comments: str = ""
    definitions: tuple[Definition, ...] = ()
    imports: tuple[Import, ...] = ()


def text_outline(text: str, language: str) -> TextOutline:
    """Return the outline of a text file; a format without a reader of its own is plain text."""
    if language in _DATA:
        text = text[:MAX_DATA_CHARS]
    if language in _HEADINGS:
        headings = [(line, level, _title(raw)) for line, level, raw in _HEADINGS[language](text.split("\n"))]
        return TextOutline(text, definitions=_nested(headings, "section", text))
    if language in ("yaml", "toml", "ini"):
        body, comments = _line_comments(text, "#;" if language == "ini" else "#")
        return TextOutline(body, comments, _outer_keys(text, _YAML_KEY) if language == "yaml" else _tables(text))
    if language == "json":
        return TextOutline(text, definitions=_outer_keys(text, _JSON_KEY))
    if language in ("html", "xml"):
        return _markup(text, ids=language == "html")
    return TextOutline(text)


def _lines(text: str) -> int:
    return text.count("\n") + (not text.endswith("\n"))


# --- prose --------------------------------------------------------------------------------------

_FENCE = lazy_pattern(r"^ {0,3}(`{3,}|~{3,})")
_ATX = lazy_pattern(r"^ {0,3}(#{1,6})[ \t]+(\S.*)$")
_UNDERLINE = lazy_pattern(r"(?:={2,}|-{2,})\s*$")
_NO_TITLE = (">", "-", "*", "+", "|")
_LINK = lazy_pattern(r"!?\[([^\[\]]{0,200})\](?:\([^()\n]{0,500}\)|\[[^\[\]]{0,200}\])?")
_MARKUP_OF_TITLE = lazy_pattern(r"<[^<>]{0,300}>|\{#[\w-]+\}|[*`]")


_FRONT_MATTER = {"---": ":", "+++": "="}  # its first and last line, and what follows its keys
_MAX_FRONT_MATTER = 200  # lines


def _markdown(rows: list[str]) -> Headings:
    """Yield the title that front matter gives, and headings outside of fenced code."""
    fence = previous = ""
    front = _front_matter(rows)
    for number, row in enumerate(rows[:front], 1):
        key, _, title = row.partition(_FRONT_MATTER[rows[0].rstrip()])
        if key.strip() == "title" and (title := title.strip().strip("\"'")):
            yield number, 1, title
    for number, row in enumerate(rows[front:], front + 1):
        mark = _FENCE.match(row)
        if mark:
            if not fence:
                fence = mark[1]
            elif mark[1][0] == fence[0] and len(mark[1]) >= len(fence):
                fence = ""
            previous = ""
        if mark or fence:
            continue
        heading = _ATX.match(row)
        if heading:
            yield number, len(heading[1]), heading[2]
        elif _UNDERLINE.match(row) and previous.strip() and not previous.lstrip().startswith(_NO_TITLE):
            yield number - 1, 1 if row[0] == "=" else 2, previous
        previous = "" if heading else row


def _front_matter(rows: Sequence[str]) -> int:
    """Count the lines of the front matter of a page, 0 where it has none."""
    first = rows[0].rstrip()
    if first not in _FRONT_MATTER or not _PAIR.match(rows[1] if len(rows) > 1 else ""):
        return 0
    return next((n for n, row in enumerate(rows[1:_MAX_FRONT_MATTER], 2) if row.rstrip() == first), 0)


_ADORNMENT = lazy_pattern(r"^([=\-`:.'\"~^_*+#<>])\1{2,}\s*$")


def _rst(rows: list[str]) -> Headings:
    """Yield underlined titles; their levels are the order in which adornments first appear."""
    levels: dict[tuple[str, bool], int] = {}
    for index in range(1, len(rows)):
        mark = _ADORNMENT.match(rows[index])
        title = rows[index - 1].rstrip()
        if not mark or not title.strip() or _ADORNMENT.match(title) or len(mark[0].rstrip()) < len(title.strip()):
            continue
        above = index >= 2 and bool(_ADORNMENT.match(rows[index - 2])) and rows[index - 2][0] == mark[1]
        if above or not title[0].isspace():
            yield index, levels.setdefault((mark[1], above), len(levels) + 1), title


_ASCIIDOC = lazy_pattern(r"(={1,6})[ \t]+(\S.*)$")


def _asciidoc(rows: list[str]) -> Headings:
    matches = ((number, _ASCIIDOC.match(row)) for number, row in enumerate(rows, 1))
    return ((number, len(found[1]), found[2]) for number, found in matches if found)


_LATEX = lazy_pattern(
    r"[ \t]*\\(part|chapter|(?:sub){0,2}section|(?:sub)?paragraph)\*?[ \t]*(?:\[[^\[\]]{0,200}\])?\{(.{1,200})"
)
_LATEX_LEVELS = ("part", "chapter", "section", "subsection", "subsubsection", "paragraph", "subparagraph")
_LATEX_MARKUP = lazy_pattern(r"\\label\{[^{}]{0,200}\}?|\\[A-Za-z]+\*?[ \t]*|[{}~]")


def _latex(rows: list[str]) -> Headings:
    matches = ((number, _LATEX.match(row)) for number, row in enumerate(rows, 1))
    for number, found in matches:
        if found:
            yield number, _LATEX_LEVELS.index(found[1]) + 1, _LATEX_MARKUP.sub(" ", _braced(found[2]))


def _braced(text: str) -> str:
    """Return a text up to the brace that closes the one before it."""
    depth = 1
    for at, letter in enumerate(text):
        depth += (letter == "{") - (letter == "}")
        if not depth:
            return text[:at]
    return text


_HEADINGS = {"markdown": _markdown, "rst": _rst, "asciidoc": _asciidoc, "latex": _latex}


def _nested(rows: Sequence[tuple[int, int, str]], kind: str, text: str) -> tuple[Definition, ...]:
    """Turn rows (line, level, name) into definitions with the enclosing one as parent, without unnamed ones.

    A definition ends before the next row of the same or an outer level.
    """
    spans = nested([(line, level) for line, level, _ in rows], _lines(text))
    return tuple(
        Definition(name, kind, line, end, rows[around][2] if around >= 0 else "")
        for (line, _, name), (end, around) in zip(rows, spans, strict=True)
        if name
    )


def _title(raw: str) -> str:
    title = _MARKUP_OF_TITLE.sub("", _LINK.sub(r"\1", raw))
    return " ".join(title.rstrip("# \t").split())[:_MAX_TITLE]


# --- configuration ------------------------------------------------------------------------------

_YAML_KEY = lazy_pattern(r"^( *)(?:- +)?(\"[^\"\n]{1,80}\"|'[^'\n]{1,80}'|[\w$./][\w$./ -]{0,80}?)[ \t]*:(?=[ \t\r]|$)")
_NAMED_ITEM = lazy_pattern(r"[ -]*[\"']?name[\"']?[ \t]*:[ \t]+([^\s{}\[\]&*|>#!][^\n{}#]{0,80})(?:[ \t]#[^\n]*)?\r?$")
_JSON_KEY = lazy_pattern(r"^([ \t]*)(\"[^\"\n]{1,80}\")[ \t]*:")
_TABLE = lazy_pattern(r"^\s*\[{1,2}([^\[\]\n]{1,120})\]{1,2}\s*(?:[#;].*)?$")
_PAIR = lazy_pattern(r"^\s*([\w\"'][\w.\"' -]{0,80}?)\s*[=:](?!=)")


def _line_comments(text: str, marks: str) -> tuple[str, str]:
    """Return the text without its comments, and the comments."""
    pattern = re.compile(rf"(?:^|(?<=[ \t]))[{marks}][^\n]*", re.MULTILINE)
    comments = "\n".join(pattern.findall(text))
    return (pattern.sub("", text), comments) if comments else (text, "")


def _outer_keys(text: str, pattern: re.Pattern[str]) -> tuple[Definition, ...]:
    """Return the keys of the two outermost levels, by indentation."""
    keys = [(number, m) for number, m in enumerate(map(pattern.match, text.split("\n")), 1) if m]
    # A tab reaches to the next multiple of four.
    indents = [len(m[1].expandtabs(4)) for _, m in keys] if "\t" in text else [m.end(1) for _, m in keys]
    outer = min(indents, default=0)
    inner = -1  # indentation of the second level below the current outer key; -1: unknown yet
    rows: list[tuple[int, int, str]] = []  # line, level, name
    for (number, match), indent in zip(keys, indents, strict=True):
        if indent == outer:
            inner = -1
            rows.append((number, 1, _item(match) or match[2].strip("\"'")))
        elif rows and inner in (-1, indent):
            inner = indent
            rows.append((number, 2, _item(match) or match[2].strip("\"'")))
    return _nested(rows[:_MAX_KEYS], "key", text)


def _item(match: re.Match[str]) -> str:
    """Return the name that an item of a list has as its first key: `- name: Install it.`; "" for any other key."""
    found = _NAMED_ITEM.match(match.string) if "-" in match.string[match.end(1) : match.start(2)] else None
    return found[1].strip().strip("\"'").rstrip(".") if found else ""


def _tables(text: str) -> tuple[Definition, ...]:
    """Return `[tables]` with their spans, and the keys in them."""
    tables: list[tuple[int, str]] = []
    out: list[Definition] = []
    for number, row in enumerate(text.split("\n"), 1):
        table = _TABLE.match(row)
        pair = None if table or len(out) >= _MAX_KEYS else _PAIR.match(row)
        if table:
            tables.append((number, table[1].strip()))
        elif pair:
            parent = tables[-1][1] if tables else ""
            out.append(Definition(pair[1].strip("\"'"), "key", number, number, parent))
    spans = nested([(line, 1) for line, _ in tables], _lines(text))[:_MAX_KEYS]
    out += [Definition(name, "section", line, end) for (line, name), (end, _) in zip(tables, spans, strict=False)]
    return tuple(sorted(out, key=lambda d: (d.start, -d.end)))


# --- markup -------------------------------------------------------------------------------------

_MARKUP_COMMENT = lazy_pattern(r"<!--(?:[^-]|-(?!->))*(?:-->)?")
_ID = lazy_pattern(r"\bid=[\"']([\w:.-]{1,80})[\"']")
_SCRIPT = lazy_pattern(r"<(?:script|link)\b[^<>]{0,300}?\b(?:src|href)=[\"']([^\"'<>]{1,300}\.(?:m?js|tsx?|css))[\"']")


def _markup(text: str, *, ids: bool) -> TextOutline:
    comments = "\n".join(_MARKUP_COMMENT.findall(text))
    body = _MARKUP_COMMENT.sub(lambda m: "\n" * m[0].count("\n"), text) if comments else text
    definitions: list[Definition] = []
    imports: list[Import] = []
    for number, row in enumerate(body.split("\n") if ids else (), 1):
        if "=" in row and len(definitions) < _MAX_KEYS:
            definitions += [Definition(m[1], "id", number, number) for m in _ID.finditer(row)]
            imports += [Import(m[1], (), number) for m in _SCRIPT.finditer(row)]
    return TextOutline(body, comments, tuple(definitions), tuple(imports))
