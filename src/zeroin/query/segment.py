"""Splits a task's text into title and parts by kind (prose, code, errors, traces) in one pass over its lines; drops
the boilerplate of forms. Assigns kinds, no weights.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from zeroin.patterns import lazy_pattern
from zeroin.query import markup, traces
from zeroin.query.tables import SYNTAX
from zeroin.query.traces import LineKind, Trace
from zeroin.query.weights import MAX_LINE_CHARS, MAX_LINES, MAX_TITLE_CHARS
from zeroin.terms import WORD


class Kind(StrEnum):
    PROSE = "prose"
    WEAK = "weak"  # prose where forms ask for other things: version sections, checklists, template headings
    COMPONENT = "component"  # the form's field that names the place
    CODE = "code"
    SOURCE = "source"  # source lines and functions shown by a trace, quiet log lines
    ERROR = "error"


class Part(NamedTuple):
    """A run of text of one kind; `language` is a fence's info word."""

    kind: Kind
    text: str
    language: str = ""


@dataclass(slots=True)
class Segments:
    title: str = ""
    parts: list[Part] = field(default_factory=list)
    traces: list[Trace] = field(default_factory=list)


_COMPONENT_CHARS = 100  # a longer line below the heading "Component" is prose
_SENTENCE_WORDS = 8  # fewer words in a description of the machine, or in a block, are no sentence

_BOLD_LEAD = lazy_pattern(r"^\s{0,3}(?:\*\*|__)([^*_\n][^*\n]{0,100}?):?(?:\*\*|__):?\s{1,4}(?=\S)(.*)$")
_LABEL = lazy_pattern(r"^\s{0,3}([A-Z][\w '/&()-]{2,60}|[A-Z][A-Z /]{2,40}):\s*$")
_UNDERLINE = lazy_pattern(r"^\s{0,3}(?:={3,}|-{3,})\s*$")
_LIST_ITEM = lazy_pattern(r"^\s{0,20}(?:[-*+•]|\d{1,3}[.)])\s")
_REPL = lazy_pattern(r"^\s{0,12}(?:>>>|\.\.\.|In \[\d{1,6}\]:|Out\[\d{1,6}\]:|\$ |PS [A-Z]:|irb\()")
_LOUD = lazy_pattern(r"\b(?:ERROR|FATAL|CRITICAL|SEVERE|Exception|Error|error|panic|failed|Failed)\b")
_MARKS = lazy_pattern(r"[{}()\[\];=<>$|/\\_:#\"'@*&%^~0-9]")

_INLINE_HEADING = lazy_pattern(r"\s#{2,6}\s")
_MAX_TITLE_LINES = 200  # first lines of a task in which a title is looked for
# Marks of an error with a place, as no prose has them (Ruby, Kotlin, TypeScript, C#, Clojure): a title with one is also
# read as a part of the trace.
_PLACED = lazy_pattern(r":in |: file://|\(\d{1,9}(?:,\d{1,9})?\) ?: |\.clj[cs]?:\d")
_SENTENCE_END = lazy_pattern(r"(?<=[.!?。！？])\s")


def segment(text: str) -> Segments:
    """Return the parts of a task. Linear in its length; never raises."""
    lines = [line[:MAX_LINE_CHARS] for line in markup.clean(text).split("\n", MAX_LINES)[:MAX_LINES]]
    title, start, rest = title_of(lines)
    if rest:
        lines = [*lines[:start], *rest, *lines[start:]]
    walker = _Walker(Segments(title), lines, start)
    walker.run()
    return walker.out


class _Walker:
    """One pass over the lines of the body."""

    def __init__(self, out: Segments, lines: list[str], start: int) -> None:
        self.out = out
        self.lines = lines
        self.at = start
        self.section = ""
        self.run_kind = Kind.PROSE
        self.run_lines: list[str] = []
        self.seen_logs: set[str] = set()
        self.closers = markup.closing_fences(lines)

    def run(self) -> None:
        lines = self.lines
        scan = traces.scan(_blanked(lines, self.closers, self.at))
        self.out.traces.extend(scan.traces)
        blank = True
        while self.at < len(lines):
            i, line = self.at, lines[self.at]
            self.at += 1
            if i in self.closers:
                end, language = self.closers[i]
                self._code(lines[i + 1 : end], language)
                self.at = end + 1
                continue
            if not line.strip():
                blank = True
                continue
            if scan.kinds[i]:
                self._trace_line(scan.kinds[i], scan.lines[i])
            elif blank and line.startswith(("    ", "\t")) and not self._in_list(line):
                self._indented(i)
            else:
                self._line(i, line)
            blank = False
        self._flush()

    def _emit(self, kind: Kind, line: str) -> None:
        if kind is not self.run_kind:
            self._flush()
            self.run_kind = kind
        self.run_lines.append(line)

    def _flush(self) -> None:
        if self.run_lines:
            self.out.parts.append(Part(self.run_kind, "\n".join(self.run_lines)))
        self.run_lines = []

    def _in_list(self, line: str) -> bool:
        if any(map(_LIST_ITEM.match, self.run_lines[-3:])):
            return not SYNTAX.pattern("codey").search(line)
        return _LIST_ITEM.match(line) is not None

    def _line(self, i: int, line: str) -> None:
        following = self.lines[i + 1] if i + 1 < len(self.lines) else ""
        if _UNDERLINE.match(line):
            return
        match = markup.HEADING.match(line) or markup.BOLD.match(line) or _LABEL.match(line)
        if match or (_UNDERLINE.match(following) and len(line) < 100 and not line.startswith(("|", "-"))):
            text = match.group(match.lastindex or 1) if match else line
            item = line.lstrip().startswith(("-", "*", "+")) and not line.lstrip().startswith("**")
            self._heading(plain_title(text).rstrip(":"), listed=item and self.section == "machine")
            return
        lead = _BOLD_LEAD.match(line)
        if lead and markup.section_of(lead.group(1)):
            self._heading(lead.group(1))
            line = lead.group(2)
        self._prose(line)

    def _heading(self, text: str, *, listed: bool = False) -> None:
        section = markup.section_of(text)
        if listed and not section:
            return  # a field of the machine's description
        self.section = section
        if not section:
            self._emit(Kind.PROSE, text)

    def _prose(self, line: str) -> None:
        box = markup.checkbox(line)
        if box is not None:
            ticked, text = box
            if not markup.is_pledge(text) and self.section != "duties":
                self._emit(Kind.PROSE if self.section == "component" and ticked else Kind.WEAK, text)
        elif markup.is_filler(line) or self.section == "duties":
            return
        elif markup.is_log_line(line):
            self._log(line)
        elif not markup.is_version_line(line):
            quoted = line.lstrip().startswith(">") and not _REPL.match(line)
            self._sentence(line.lstrip().lstrip("> ") if quoted else line)

    def _sentence(self, line: str) -> None:
        if _REPL.match(line) or (SYNTAX.pattern("codey").search(line) and not _LIST_ITEM.match(line)):
            self._emit(Kind.CODE, line)
        elif self.section == "component" and len(line) < _COMPONENT_CHARS:
            self._emit(Kind.COMPONENT, line)
        elif self.section != "machine":
            self._emit(Kind.PROSE, line)
        elif len(WORD.findall(line)) >= _SENTENCE_WORDS:
            self._emit(Kind.WEAK, line)

    def _log(self, line: str) -> None:
        shape = re.sub(r"[0-9a-f]{6,}|\d+", "0", line[:200])
        if shape in self.seen_logs:
            return
        self.seen_logs.add(shape)
        kind = Kind.ERROR if _LOUD.search(line[:400]) else Kind.SOURCE
        self._emit(kind, SYNTAX.pattern("stamp").sub("", line, count=1))

    def _trace_line(self, kind: LineKind, line: str) -> None:
        if kind in (LineKind.ERROR, LineKind.SOURCE):
            self._emit(Kind(kind), line)

    def _indented(self, start: int) -> None:
        block: list[str] = []
        for number, line in enumerate(self.lines[start:], start):
            if number in self.closers or (line.strip() and not line.startswith(("    ", "\t"))):
                break
            block.append(line[4:] if line.startswith("    ") else line.lstrip("\t"))
        self._code(block, "", scanned=True)
        self.at = start + len(block)

    def _code(self, block: Sequence[str], language: str, *, scanned: bool = False) -> None:
        """Add a snippet: prose, errors, traces and log lines in it as parts of their own, the rest as code."""
        self._flush()
        if language in ("markdown", "md", "quote") or (not language and _is_prose(block)):
            for line in filter(str.strip, block):
                self._emit(Kind.PROSE, line)
            return
        scan = traces.scan(block)
        if not scanned:
            self.out.traces.extend(scan.traces)
        lines: dict[str, LineKind] = {}
        for line, kind in zip(scan.lines, scan.kinds, strict=True):
            lines.setdefault(line, kind)
        kept: list[str] = []
        for line, kind in lines.items():
            if kind:
                self._trace_line(kind, line)
            elif markup.is_log_line(line):
                self._log(line)
            elif line.strip() and not markup.is_version_line(line):
                kept.append(line)
        self._flush()
        if kept and self.section not in ("machine", "duties"):
            self.out.parts.append(Part(Kind.CODE, "\n".join(kept), language))


def _is_prose(block: Sequence[str]) -> bool:
    """Tell whether an unlabelled block holds sentences and no code (issue forms fence everything)."""
    text = "\n".join(block)[:2_000]
    bare = len(_MARKS.findall(text)) < 0.02 * len(text)
    return bare and len(text.split()) >= _SENTENCE_WORDS and not any(_REPL.match(line) for line in block)


def _blanked(lines: Sequence[str], closers: dict[int, tuple[int, str]], start: int) -> list[str]:
    """Lines with fenced blocks and everything before `start` blank: those are scanned by themselves."""
    out = list(lines)
    for begin, end in ((0, start), *((opened, closed + 1) for opened, (closed, _) in closers.items())):
        out[begin:end] = [""] * (end - begin)
    return out


def plain_title(line: str) -> str:
    """Return a title line without mark-up, label (`Title:`) and tags (`[BUG]`)."""
    line = SYNTAX.pattern("title_label").sub("", line, count=1)
    line = line.strip().lstrip("#").strip()
    if not line.startswith("** ("):  # Elixir marks an error so
        line = line.strip('*_"“” ')
    line = line.rstrip("#").strip()
    rest = SYNTAX.pattern("tags").sub("", line, count=1).strip()
    return rest if WORD.search(rest) else line


def title_of(lines: Sequence[str]) -> tuple[str, int, list[str]]:
    """Return the title, the number of lines to skip, and the text of the title's line that belongs to the body."""
    for count, line in enumerate(lines[:_MAX_TITLE_LINES], 1):
        if not line.strip() or markup.is_filler(line):
            continue
        kinds = traces.scan(lines[count - 1 : count + 1]).kinds
        # An error type alone above its frames is no title, since they say more; one with a message is.
        bare = kinds == (LineKind.ERROR, LineKind.FRAME) and " " not in line.strip().rstrip(":")
        traced = kinds[0] in (LineKind.FRAME, LineKind.MARK)
        if markup.FENCE.match(line) or traced or bare or markup.checkbox(line):
            break
        text = plain_title(line)
        section, heading = markup.section_of(text), markup.HEADING.match(line) or markup.BOLD.match(line)
        of_form = (heading and section) or not WORD.search(text) or section in ("template", "duties")
        if not of_form or section == "machine" or len(lines) == 1:
            placed = kinds[0] is LineKind.ERROR and _PLACED.search(line)
            return _cut(text, count - bool(placed))
    return "", 0, []


def _cut(text: str, count: int) -> tuple[str, int, list[str]]:
    """Split a title line, the last of `count` lines; returns what `title_of` returns."""
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
    """Split an inline section `### Expected behavior The text` into the template's heading and the text."""
    words = piece.split(" ")
    for size in range(min(6, len(words)), 1, -1):
        if markup.section_of(" ".join(words[1:size])):
            return [" ".join(words[:size]), " ".join(words[size:])]
    return [piece.lstrip("# ")]
