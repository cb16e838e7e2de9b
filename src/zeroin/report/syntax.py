"""A light colouring of code: comments, strings, numbers and keywords, by language family. Linear, and never wrong
about the text itself: the pieces of a line always join to that line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

Piece = tuple[str, str]  # kind ("" for plain text) and text

_SLASH = "c cpp csharp java javascript typescript tsx jsx go rust kotlin swift scala php zig dart groovy"
_HASH = "python ruby bash shell sh yaml toml elixir perl r make makefile dockerfile cmake php nix julia ini properties"
_DASH = "lua sql haskell elm ada"
_KEYWORDS = frozenset(
    """
    abstract and as assert async await begin break case catch class const continue crate def default defer defmodule
    defp del do elif else elsif end enum except explicit export extends extern final finally fn for from func function
    go goto guard if impl implements import in include inline instanceof interface internal is lambda let local loop
    match mod module move mut namespace new not object of open operator or override package pass private protected
    protocol pub public raise readonly ref require rescue return sealed select self static struct super switch then
    this throw throws trait try type typedef typeof union unless unsafe until use using val var virtual void when
    where while with yield bool char double float int long short string true false nil null none None True False
    Self usize u8 u16 u32 u64 i8 i16 i32 i64 f32 f64 str
    """.split()
)
_PROSE = frozenset({"markdown", "text", "rst", "html", "xml", "css", "json", "csv"})


@dataclass(frozen=True, slots=True)
class _Family:
    tokens: re.Pattern[str]
    blocks: dict[str, str]  # what opens a stretch over several lines, and what closes it


def _family(language: str) -> _Family | None:
    if not language or language in _PROSE:
        return None
    comments, blocks = [], {}
    if language in _SLASH.split():
        comments.append("//")
        blocks["/*"] = "*/"
    if language in _HASH.split():
        comments.append("#")
    if language in _DASH.split():
        comments.append("--")
    if language == "lua":
        blocks["--[["] = "]]"
    if language == "haskell":
        blocks["{-"] = "-}"
    if language in ("python", "kotlin", "scala", "swift", "elixir", "toml", "java"):
        blocks['"""'] = '"""'
    if language in ("python", "toml"):
        blocks["'''"] = "'''"
    if language in ("javascript", "typescript", "tsx", "jsx", "go"):
        blocks["`"] = "`"
    char_only = language in (
        "rust",
        "c",
        "cpp",
        "csharp",
        "java",
        "go",
        "kotlin",
        "scala",
        "swift",
        "zig",
        "haskell",
    )
    single = r"'(?:\\[^\n]{1,8}?|[^'\\\n])'" if char_only else r"'(?:[^'\\\n]|\\.)*+'"
    parts = [f"(?P<open>{'|'.join(map(re.escape, sorted(blocks, key=len, reverse=True)))})"] if blocks else []
    if comments:
        parts.append(f"(?P<comment>(?:{'|'.join(map(re.escape, comments))}).*)")
    parts.append(rf'(?P<string>"(?:[^"\\\n]|\\.)*+"|{single})')
    parts.append(r"(?P<number>(?<!\w)\d[\w.]*+)")
    parts.append(r"(?P<word>[^\W\d]\w*+)")
    return _Family(re.compile("|".join(parts)), blocks)


def coloured(rows: Sequence[str], language: str) -> Iterator[tuple[Piece, ...]]:
    """Each of `rows`, from the top of a file on, as pieces: comment, string, number, keyword or plain."""
    family = _family(language)
    closing = ""
    for row in rows:
        if family is None:
            yield (("", row),)
            continue
        pieces, closing = _row(row, family, closing)
        yield tuple(pieces)


def _row(row: str, family: _Family, closing: str) -> tuple[list[Piece], str]:
    """The pieces of one row; `closing` is what ends the stretch that it starts in, or that it leaves open."""
    pieces: list[Piece] = []
    at = 0
    if closing:
        end = row.find(closing)
        if end < 0:
            return [(_kind(closing), row)], closing
        at = end + len(closing)
        pieces.append((_kind(closing), row[:at]))
    while (match := family.tokens.search(row, at)) is not None:
        if match.start() > at:
            pieces.append(("", row[at : match.start()]))
        kind, text = match.lastgroup or "", match[0]
        if kind == "open":
            closing = family.blocks[text]
            end = row.find(closing, match.end())
            if end < 0:
                pieces.append((_kind(closing), row[match.start() :]))
                return pieces, closing
            at = end + len(closing)
            pieces.append((_kind(closing), row[match.start() : at]))
            continue
        if kind == "word":
            kind = "keyword" if text in _KEYWORDS else ""
        pieces.append((kind, text))
        at = match.end()
    if at < len(row):
        pieces.append(("", row[at:]))
    return pieces, ""


def _kind(closing: str) -> str:
    return "comment" if closing in ("*/", "-}", "]]") else "string"
