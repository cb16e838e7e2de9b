"""Text-like formats: prose by its sections, configuration by its keys."""

from __future__ import annotations

import re
from dataclasses import dataclass

from zeroin.tree import Definition, Import

TEXT_LANGUAGES = frozenset(
    "text markdown rst asciidoc org tex latex html xml svg yaml toml json json5 jsonc jsonl ini cfg properties env"
    " editorconfig csv tsv log gitignore requirements lock diff patch po plist ignore mdx rmd rdoc man pod jupyter"
    " notebook".split()
)
_DATA = frozenset("json jsonl csv tsv xml svg lock log po plist yaml jupyter notebook".split())
MAX_DATA_CHARS = 200_000  # what is read of formats that are mostly data
_MAX_KEYS = 300
_MAX_TITLE = 160


def _lines(text: str) -> int:
    return text.count("\n") + (not text.endswith("\n"))


@dataclass(frozen=True, slots=True)
class TextOutline:
    """A text split for the index: `text` for the text field, `comments` for the comment field."""

    text: str
    comments: str = ""
    definitions: tuple[Definition, ...] = ()
    imports: tuple[Import, ...] = ()


def text_outline(text: str, language: str) -> TextOutline:
    """The outline of a text-like file; formats without a reader of their own are plain text."""
    if language in _DATA:
        text = text[:MAX_DATA_CHARS]
    if language in ("markdown", "mdx", "rmd"):
        return TextOutline(text, definitions=_sections(_markdown_headings(text), _lines(text)))
    if language in ("rst", "asciidoc"):
        headings = _rst_headings(text) if language == "rst" else _asciidoc_headings(text)
        return TextOutline(text, definitions=_sections(headings, _lines(text)))
    if language == "org":
        return TextOutline(text, definitions=_sections(_org_headings(text), _lines(text)))
    if language in ("yaml", "toml", "ini", "cfg", "properties", "editorconfig", "env"):
        body, comments = _line_comments(text, "#;" if language in ("ini", "cfg", "editorconfig") else "#")
        keys = _yaml_keys(text) if language == "yaml" else _table_keys(text)
        return TextOutline(body, comments, keys)
    if language in ("json", "json5", "jsonc", "lock"):
        return TextOutline(text, definitions=_json_keys(text))
    if language in ("html", "xml", "svg"):
        return _markup(text, ids=language == "html")
    return TextOutline(text)


# --- prose --------------------------------------------------------------------------------------

_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})")
_ATX = re.compile(r"^ {0,3}(#{1,6})[ \t]+(\S.*)$")
_LINK = re.compile(r"!?\[([^\[\]]{0,200})\](?:\([^()\n]{0,500}\)|\[[^\[\]]{0,200}\])?")


_UNDERLINE = re.compile(r"(?:={2,}|-{2,})\s*$")
_NO_TITLE = (">", "-", "*", "+", "|")


def _title(raw: str) -> str:
    title = _LINK.sub(r"\1", raw)
    title = re.sub(r"<[^<>]{0,300}>|\{#[\w-]+\}|[*`]", "", title)
    return " ".join(title.rstrip("# \t").split())[:_MAX_TITLE]


def _markdown_headings(text: str) -> list[tuple[int, int, str]]:
    """(line, level, title) of headings outside fenced code."""
    out: list[tuple[int, int, str]] = []
    fence = ""
    previous = ""
    for number, row in enumerate(text.split("\n"), 1):
        mark = _FENCE.match(row)
        if mark:
            if not fence:
                fence = mark[1]
            elif mark[1][0] == fence[0] and len(mark[1]) >= len(fence):
                fence = ""
            previous = ""
            continue
        if fence:
            continue
        heading = _ATX.match(row)
        if heading:
            out.append((number, len(heading[1]), _title(heading[2])))
        elif _UNDERLINE.match(row) and previous.strip() and not previous.lstrip().startswith(_NO_TITLE):
            out.append((number - 1, 1 if row[0] == "=" else 2, _title(previous)))
        previous = row if not heading else ""
    return out


_ADORNMENT = re.compile(r"^([=\-`:.'\"~^_*+#<>])\1{2,}\s*$")


def _rst_headings(text: str) -> list[tuple[int, int, str]]:
    """(line, level, title); the level is the order in which the adornment first appears."""
    rows = text.split("\n")
    levels: dict[tuple[str, bool], int] = {}
    out: list[tuple[int, int, str]] = []
    for index in range(1, len(rows)):
        mark = _ADORNMENT.match(rows[index])
        title = rows[index - 1].rstrip()
        if (
            not mark
            or not title.strip()
            or _ADORNMENT.match(title)
            or len(rows[index].rstrip()) < len(title.strip())
        ):
            continue
        above = index >= 2 and bool(_ADORNMENT.match(rows[index - 2])) and rows[index - 2][0] == mark[1]
        if title[0].isspace() and not above:
            continue
        level = levels.setdefault((mark[1], above), len(levels) + 1)
        out.append((index, level, _title(title)))
    return out


def _asciidoc_headings(text: str) -> list[tuple[int, int, str]]:
    found = ((n, re.match(r"(={1,6})[ \t]+(\S.*)$", row)) for n, row in enumerate(text.split("\n"), 1))
    return [(number, len(m[1]), _title(m[2])) for number, m in found if m]


def _org_headings(text: str) -> list[tuple[int, int, str]]:
    found = ((n, re.match(r"(\*{1,8})[ \t]+(\S.*)$", row)) for n, row in enumerate(text.split("\n"), 1))
    return [(number, len(m[1]), _title(m[2])) for number, m in found if m]


def _sections(headings: list[tuple[int, int, str]], lines: int) -> tuple[Definition, ...]:
    """Headings as definitions whose span reaches to the next heading of the same or a higher level."""
    ends = [lines] * len(headings)
    parents = [""] * len(headings)
    stack: list[int] = []
    for index, (line, level, _) in enumerate(headings):
        while stack and headings[stack[-1]][1] >= level:
            ends[stack.pop()] = line - 1
        if stack:
            parents[index] = headings[stack[-1]][2]
        stack.append(index)
    return tuple(
        Definition(title, "section", line, max(line, ends[i]), parents[i])
        for i, (line, _, title) in enumerate(headings)
        if title
    )


# --- configuration ------------------------------------------------------------------------------


def _line_comments(text: str, marks: str) -> tuple[str, str]:
    """The text without its comments, and the comments."""
    pattern = re.compile(rf"(?:^|(?<=[ \t]))[{marks}][^\n]*", re.MULTILINE)
    comments = "\n".join(pattern.findall(text))
    return (pattern.sub("", text), comments) if comments else (text, "")


_YAML_KEY = re.compile(
    r"^( *)(?:- +)?(\"[^\"\n]{1,80}\"|'[^'\n]{1,80}'|[\w$./][\w$./ -]{0,80}?)[ \t]*:(?=[ \t]|$)"
)


def _yaml_keys(text: str) -> tuple[Definition, ...]:
    """Keys of the two outer levels."""
    return _indented_keys(text, _YAML_KEY)


_JSON_KEY = re.compile(r"^([ \t]*)(\"[^\"\n]{1,80}\")[ \t]*:")


def _json_keys(text: str) -> tuple[Definition, ...]:
    return _indented_keys(text, _JSON_KEY)


def _indented_keys(text: str, pattern: re.Pattern[str]) -> tuple[Definition, ...]:
    keys: list[tuple[int, int, str]] = []  # line, indent, name
    rows = text.split("\n")
    for number, row in enumerate(rows, 1):
        match = pattern.match(row)
        if match:
            keys.append((number, len(match[1].expandtabs(4)), match[2].strip("\"'")))
    if not keys:
        return ()
    outer = min(indent for _, indent, _ in keys)
    out: list[tuple[int, int, str, str]] = []  # line, level, name, parent
    inner = top = -1
    parent = ""
    for number, indent, name in keys:
        if indent == outer:
            parent, inner, top = name, -1, number
            out.append((number, 1, name, ""))
        elif top > 0 and (inner < 0 or indent == inner):
            inner = indent
            out.append((number, 2, name, parent))
    out = out[:_MAX_KEYS]
    ends = [_lines(text)] * len(out)
    stack: list[int] = []
    for index, (number, level, _, _) in enumerate(out):
        while stack and out[stack[-1]][1] >= level:
            ends[stack.pop()] = number - 1
        stack.append(index)
    return tuple(
        Definition(name, "key", number, max(number, ends[i]), parent)
        for i, (number, _, name, parent) in enumerate(out)
    )


_TABLE = re.compile(r"^\s*\[{1,2}([^\[\]\n]{1,120})\]{1,2}\s*(?:[#;].*)?$")
_PAIR = re.compile(r"^\s*([\w\"'][\w.\"' -]{0,80}?)\s*[=:](?!=)")


def _table_keys(text: str) -> tuple[Definition, ...]:
    """`[tables]` with their span, and the keys in them."""
    rows = text.split("\n")
    tables: list[tuple[int, str]] = []
    out: list[Definition] = []
    for number, row in enumerate(rows, 1):
        table = _TABLE.match(row)
        if table:
            tables.append((number, table[1].strip()))
        elif len(out) < _MAX_KEYS:
            pair = _PAIR.match(row)
            if pair:
                out.append(
                    Definition(pair[1].strip("\"'"), "key", number, number, tables[-1][1] if tables else "")
                )
    for index, (number, name) in enumerate(tables[:_MAX_KEYS]):
        end = tables[index + 1][0] - 1 if index + 1 < len(tables) else _lines(text)
        out.append(Definition(name, "section", number, max(number, end)))
    return tuple(sorted(out, key=lambda d: (d.start, -d.end)))


# --- markup -------------------------------------------------------------------------------------

_MARKUP_COMMENT = re.compile(r"<!--(?:[^-]|-(?!->))*(?:-->)?")
_ID = re.compile(r"\bid=[\"']([\w:.-]{1,80})[\"']")
_SCRIPT = re.compile(
    r"<(?:script|link)\b[^<>]{0,300}?\b(?:src|href)=[\"']([^\"'<>]{1,300}\.(?:m?js|tsx?|css))[\"']"
)


def _markup(text: str, *, ids: bool) -> TextOutline:
    comments = "\n".join(_MARKUP_COMMENT.findall(text))
    body = _MARKUP_COMMENT.sub(lambda m: "\n" * m[0].count("\n"), text) if comments else text
    definitions: list[Definition] = []
    imports: list[Import] = []
    if ids:
        for number, row in enumerate(body.split("\n"), 1):
            if "=" not in row or len(definitions) >= _MAX_KEYS:
                continue
            definitions += [Definition(m[1], "id", number, number) for m in _ID.finditer(row)]
            imports += [Import(m[1], (), number) for m in _SCRIPT.finditer(row)]
    return TextOutline(body, comments, tuple(definitions), tuple(imports))
