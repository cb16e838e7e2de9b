"""The title of a task: its first line, or the first line of an issue form's body."""

from __future__ import annotations

from collections.abc import Sequence

from zeroin.patterns import lazy_pattern
from zeroin.query.boilerplate import checkbox, is_filler, section_of
from zeroin.query.markup import BOLD, FENCE, HEADING
from zeroin.query.tables import SYNTAX
from zeroin.query.traces import LineKind, scan
from zeroin.query.weights import MAX_TITLE_CHARS
from zeroin.terms import WORD

_INLINE_HEADING = lazy_pattern(r"\s#{2,6}\s")
_MAX_TITLE_LINES = 200  # a task without a title in these has none
# In errors that name a place as no prose does (of Ruby, Kotlin, TypeScript, C#): such a line is read as a part of the
# trace, too.
_PLACED = lazy_pattern(r":in |: file://|\(\d{1,9}(?:,\d{1,9})?\) ?: ")
_SENTENCE_END = lazy_pattern(r"(?<=[.!?。！？])\s")


def plain_title(line: str) -> str:
    """Return a title line without mark-up, label (`Title:`) and tags (`[BUG]`)."""
    line = SYNTAX.pattern("title_label").sub("", line, count=1)
    line = line.strip().lstrip("#").strip()
    line = line.strip('*_"“” ').rstrip("#").strip()
    rest = SYNTAX.pattern("tags").sub("", line, count=1).strip()
    return rest if WORD.search(rest) else line


def title_of(lines: Sequence[str]) -> tuple[str, int, list[str]]:
    """Return the title, how many lines need not be read again, and further lines that were on its own line."""
    for count, line in enumerate(lines[:_MAX_TITLE_LINES], 1):
        if not line.strip() or is_filler(line):
            continue
        kinds = scan(lines[count - 1 : count + 1]).kinds
        # The type of an error above its frames says less than they do, a message more.
        bare = kinds == (LineKind.ERROR, LineKind.FRAME) and " " not in line.strip().rstrip(":")
        traced = kinds[0] in (LineKind.FRAME, LineKind.MARK)
        if FENCE.match(line) or traced or bare or checkbox(line):
            break
        text = plain_title(line)
        section, heading = section_of(text), HEADING.match(line) or BOLD.match(line)
        of_form = (heading and section) or not WORD.search(text) or section in ("template", "duties")
        if not of_form or section == "machine" or len(lines) == 1:
            placed = kinds[0] is LineKind.ERROR and _PLACED.search(line)
            return _cut(text, count - bool(placed))
    return "", 0, []


def _cut(text: str, count: int) -> tuple[str, int, list[str]]:
    """Return what `title_of` does of a title line, the last of `count` lines."""
    heading = _INLINE_HEADING.search(text)
    if heading:
        rest = [line for piece in _INLINE_HEADING.split(text)[1:] for line in _unfold(f"### {piece}")]
        return plain_title(text[: heading.start()])[:MAX_TITLE_CHARS], count, rest
    if len(text) <= MAX_TITLE_CHARS:
        return text, count, []
    end = _SENTENCE_END.search(text[:MAX_TITLE_CHARS])
    size = end.start() if end else text.rfind(" ", 0, MAX_TITLE_CHARS)
    size = size if size > 0 else MAX_TITLE_CHARS
    return text[:size], count, [text[size:]]


def _unfold(piece: str) -> list[str]:
    """An inline section `### Expected behavior The text`: heading words that are a template's, then the text."""
    words = piece.split(" ")
    for size in range(min(6, len(words)), 1, -1):
        if section_of(" ".join(words[1:size])):
            return [" ".join(words[:size]), " ".join(words[size:])]
    return [piece.lstrip("# ")]
