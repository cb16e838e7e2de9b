"""A task's text → parts by kind: prose, code, errors, traces; forms' boilerplate is dropped here.

One pass over the lines. Nothing here weighs anything: kinds only.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from zeroin.query import traces
from zeroin.query.boilerplate import checkbox, is_filler, is_log_line, is_loud, is_pledge, is_version_line, section_of
from zeroin.query.traces import Trace
from zeroin.query.weights import MAX_LINE_CHARS, MAX_TITLE_CHARS
from zeroin.terms import WORD


class Kind(StrEnum):
    """What a part of a task is."""

    PROSE = "prose"
    WEAK = "weak"  # prose where forms ask for other things: version sections, checklists, template headings
    COMPONENT = "component"  # the form's field that names the place
    CODE = "code"
    SOURCE = "source"  # source lines and functions shown by a trace, quiet log lines
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Part:
    """A run of text of one kind; `language` is a fence's info word."""

    kind: Kind
    text: str
    language: str = ""


@dataclass(slots=True)
class Segments:
    """A task told apart."""

    title: str = ""
    parts: list[Part] = field(default_factory=list)
    traces: list[Trace] = field(default_factory=list)


_ANSI = re.compile(r"\x1b\[[0-9;?]{0,20}[A-Za-z]|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u200b-\u200f\u2028-\u202e\ufeff]")
_IMAGE = re.compile(r"!\[[^\]\n]{0,300}\]\([^)\n]{0,2000}\)|<img\b[^<>]{0,2000}>", re.IGNORECASE)
_TAG = re.compile(
    r"</?(?:a|b|i|em|strong|br|p|div|span|details|summary|table|thead|tbody|tr|td|th|h[1-6]|ul|ol|li|kbd|sub|sup|hr|"
    r"picture|source|center|font|u|s|small|blockquote|tt|dl|dt|dd)(?:\s[^<>]{0,1000})?/?>",
    re.IGNORECASE,
)
_PRE = re.compile(r"<pre\b[^<>]{0,300}>(?:\s{0,4}<code\b[^<>]{0,300}>)?|<code\b[^<>]{0,300}>(?=\s{0,4}\n)", re.IGNORECASE)
_PRE_END = re.compile(r"(?:</code>\s{0,4})?</pre>|(?<=\n)\s{0,4}</code>", re.IGNORECASE)
_CODE_TAG = re.compile(r"</?(?:code|tt|samp)\b[^<>]{0,300}>", re.IGNORECASE)
_FENCE = re.compile(r"^\s{0,12}(?:>\s{0,2})?(`{3,}|~{3,}|´{3,})\s{0,4}\{?\.?([\w+#-]{0,40})[^`\n]{0,200}$")
_HEADING = re.compile(r"^\s{0,3}(#{1,6})\s{0,6}(?=\S)(.{1,300})$")
_BOLD = re.compile(r"^\s{0,3}(?:[-*+]\s)?(?:\*\*|__)([^*_\n][^*\n]{0,200}?)(?:\*\*|__)\s{0,3}:?\s*$")
_BOLD_LEAD = re.compile(r"^\s{0,3}(?:\*\*|__)([^*_\n][^*\n]{0,100}?):?(?:\*\*|__):?\s{1,4}(?=\S)(.*)$")
_LABEL = re.compile(r"^\s{0,3}([A-Z][\w '/&()-]{2,60}|[A-Z][A-Z /]{2,40}):\s*$")
_UNDERLINE = re.compile(r"^\s{0,3}(?:={3,}|-{3,})\s*$")
_LIST_ITEM = re.compile(r"^\s{0,20}(?:[-*+•]|\d{1,3}[.)])\s")
_REPL = re.compile(r"^\s{0,12}(?:>>>|\.\.\.|In \[\d{1,6}\]:|Out\[\d{1,6}\]:|\$ |PS [A-Z]:|irb\()")
_CODEY = re.compile(
    r"^\s{0,40}(?:import [\w.{*'\"]|from [\w.]{1,100} import |def \w+\(|class \w+[:({]|func \w*\(|fn \w+[(<]|#include\b|"
    r"public |private |(?:const|let|var) \w+ ?=|return\b.*;$|package [\w.]+;?$|use [\w:]+;|@\w+\()|[;{}]\s*$|^\s*</?\w[^>]*>\s*$"
)
_TITLE_LABEL = re.compile(
    r"^[#*_\s\"']{0,12}(?:issue title|title|issue|pr title|bug report|feature request|summary)\s{0,3}[*_]{0,3}\s{0,3}:\s{0,3}[*_]{0,3}\s{0,3}(?=\S)",
    re.IGNORECASE,
)
_TAGS = re.compile(
    r"^(?:[\[(【](?:bug|feature(?: request)?|fr|feat|enhancement|question|docs?|documentation|rfc|rfe|proposal|request|issue)"
    r"[^\])】\n]{0,20}[\])】]\s{0,3}:?\s{0,3}|(?:bug|feature request|feature|enhancement|question)\s?:\s{1,3})+",
    re.IGNORECASE,
)
_INLINE_HEADING = re.compile(r"\s#{2,6}\s")
_SENTENCE_END = re.compile(r"(?<=[.!?。！？])\s")


def clean(text: str) -> str:
    """Text without control characters, comments, images and mark-up that says nothing."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    text = _ANSI.sub("", text)
    text = _without_comments(text)
    if "<" in text or "![" in text:
        text = _IMAGE.sub(" ", text)
        text = _PRE.sub("\n```\n", text)
        text = _PRE_END.sub("\n```\n", text)
        text = _CODE_TAG.sub("`", text)
        text = _TAG.sub(" ", text)
    return text


def _without_comments(text: str) -> str:
    if "<!--" not in text:
        return text
    out = []
    at = 0
    while True:
        start = text.find("<!--", at)
        if start < 0:
            out.append(text[at:])
            return "".join(out)
        end = text.find("-->", start)
        out.append(text[at:start])
        if end < 0:  # never closed: only this line is a comment
            end = text.find("\n", start)
            if end < 0:
                return "".join(out)
            at = end
        else:
            at = end + 3


def plain_title(line: str) -> str:
    """A title line without mark-up, label (`Title:`) and tags (`[BUG]`)."""
    line = _TITLE_LABEL.sub("", line, count=1)
    line = line.strip().lstrip("#").strip()
    line = line.strip("*_\"“” ").rstrip("#").strip()
    rest = _TAGS.sub("", line, count=1).strip()
    return rest if WORD.search(rest) else line


def segment(text: str) -> Segments:
    """The parts of a task. Linear in its length; never raises."""
    lines = [line[:MAX_LINE_CHARS] for line in clean(text).split("\n")]
    title, start, rest = _title(lines)
    if rest:
        lines = [*lines[:start], *rest, *lines[start:]]
    walker = _Walker(lines, start)
    walker.run()
    out = walker.out
    out.title = title
    return out


def _title(lines: Sequence[str]) -> tuple[str, int, list[str]]:
    """The title, the number of lines it took, and lines that its own line held besides."""
    i = 0
    while i < len(lines):
        line = lines[i]
        if not line.strip() or is_filler(line):
            i += 1
            continue
        if _FENCE.match(line) or traces.scan([line]).kinds[0]:
            return "", 0, []
        if checkbox(line):
            return "", 0, []
        heading = _HEADING.match(line) or _BOLD.match(line)
        candidate = plain_title(line)
        if (heading and section_of(candidate)) or not WORD.search(candidate) or section_of(candidate) in ("template", "duties"):
            if section_of(candidate) == "machine" or len(lines) == 1:
                break
            i += 1
            continue
        break
    if i >= len(lines):
        return "", 0, []
    text = plain_title(lines[i])
    cut = _INLINE_HEADING.search(text)
    if cut:
        rest = ["### " + piece for piece in _INLINE_HEADING.split(text)[1:]]
        rest = [line for piece in rest for line in _unfold(piece)]
        return plain_title(text[: cut.start()])[:MAX_TITLE_CHARS], i + 1, rest
    if len(text) <= MAX_TITLE_CHARS:
        return text, i + 1, []
    end = _SENTENCE_END.search(text[:MAX_TITLE_CHARS])
    size = end.start() if end else text.rfind(" ", 0, MAX_TITLE_CHARS)
    size = size if size > 0 else MAX_TITLE_CHARS
    return text[:size], i + 1, [text[size:]]


def _unfold(piece: str) -> list[str]:
    """An inline section `### Expected behavior The text`: heading words that are a template's, then the text."""
    words = piece.split(" ")
    for size in range(min(6, len(words)), 1, -1):
        if section_of(" ".join(words[1:size])):
            return [" ".join(words[:size]), " ".join(words[size:])]
    return [piece.lstrip("# ")]


class _Walker:
    """One pass over the lines of the body."""

    def __init__(self, lines: list[str], start: int) -> None:
        self.lines = lines
        self.at = start
        self.out = Segments()
        self.section = ""
        self.run_kind = Kind.PROSE
        self.run_lines: list[str] = []
        self.seen_logs: set[str] = set()
        self.closers = _closing_fences(lines)

    def run(self) -> None:
        lines = self.lines
        scan = traces.scan(_blanked(lines, self.closers, self.at))
        self.out.traces.extend(scan.traces)
        blank = True
        while self.at < len(lines):
            i, line = self.at, lines[self.at]
            self.at += 1
            if i in self.closers:
                end = self.closers[i]
                match = _FENCE.match(line)
                self._code(lines[i + 1 : end], match.group(2).lower() if match else "")
                self.at = end + 1
                continue
            if not line.strip():
                blank = True
                continue
            if scan.kinds[i]:
                self._trace_line(scan.kinds[i], line)
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
        for previous in reversed(self.run_lines[-3:]):
            if _LIST_ITEM.match(previous):
                return not _CODEY.search(line)
        return _LIST_ITEM.match(line) is not None

    def _line(self, i: int, line: str) -> None:
        following = self.lines[i + 1] if i + 1 < len(self.lines) else ""
        if _UNDERLINE.match(line):
            return
        match = _HEADING.match(line) or _BOLD.match(line) or _LABEL.match(line)
        if match or (_UNDERLINE.match(following) and len(line) < 100 and not line.startswith(("|", "-"))):
            text = match.group(match.lastindex or 1) if match else line
            listed = self.section == "machine" and line.lstrip().startswith(("-", "*", "+")) and not line.lstrip().startswith("**")
            self._heading(plain_title(text).rstrip(":"), listed=listed)
            return
        lead = _BOLD_LEAD.match(line)
        if lead and section_of(lead.group(1)):
            self._heading(lead.group(1))
            line = lead.group(2)
        self._prose(line)

    def _heading(self, text: str, *, listed: bool = False) -> None:
        section = section_of(text)
        if listed and not section:
            return  # a field of the machine's description
        self.section = section
        if not section:
            self._emit(Kind.PROSE, text)

    def _prose(self, line: str) -> None:
        box = checkbox(line)
        if box is not None:
            ticked, text = box
            if not is_pledge(text) and self.section != "duties":
                self._emit(Kind.PROSE if self.section == "component" and ticked else Kind.WEAK, text)
            return
        if is_filler(line) or self.section == "duties":
            return
        if is_log_line(line):
            self._log(line)
            return
        if is_version_line(line):
            return
        if line.lstrip().startswith(">") and not _REPL.match(line):
            line = line.lstrip().lstrip("> ")
        if _REPL.match(line) or (_CODEY.search(line) and not _LIST_ITEM.match(line)):
            self._emit(Kind.CODE, line)
        elif self.section == "machine":
            if len(WORD.findall(line)) >= 8:
                self._emit(Kind.WEAK, line)
        elif self.section == "component":
            self._emit(Kind.COMPONENT if len(line) < 100 else Kind.PROSE, line)
        else:
            self._emit(Kind.PROSE, line)

    def _log(self, line: str) -> None:
        shape = re.sub(r"[0-9a-f]{6,}|\d+", "0", line[:200])
        if shape in self.seen_logs:
            return
        self.seen_logs.add(shape)
        self._emit(Kind.ERROR if is_loud(line) else Kind.SOURCE, line)

    def _trace_line(self, kind: str, line: str) -> None:
        if kind == traces.ERROR:
            self._emit(Kind.ERROR, line)
        elif kind == traces.SOURCE:
            self._emit(Kind.SOURCE, line)

    def _indented(self, start: int) -> None:
        end = start
        while end < len(self.lines) and end not in self.closers:
            line = self.lines[end]
            if line.strip() and not line.startswith(("    ", "\t")):
                break
            end += 1
        block = [line[4:] if line.startswith("    ") else line.lstrip("\t") for line in self.lines[start:end]]
        self._code(block, "", scanned=True)
        self.at = end

    def _code(self, block: Sequence[str], language: str, *, scanned: bool = False) -> None:
        """A snippet: errors and traces in it go their own ways, the rest is code."""
        self._flush()
        if language in ("markdown", "md", "quote") or (not language and _is_prose(block)):
            for line in block:
                if line.strip():
                    self._emit(Kind.PROSE, line)
            return
        scan = traces.scan(block)
        if not scanned:
            self.out.traces.extend(scan.traces)
        kept: list[str] = []
        seen: set[str] = set()
        for line, kind in zip(block, scan.kinds, strict=True):
            if not line.strip() or line in seen:
                continue
            seen.add(line)
            if kind:
                self._trace_line(kind, line)
            elif is_log_line(line):
                self._log(line)
            elif not is_version_line(line):
                kept.append(line)
        self._flush()
        if kept and self.section not in ("machine", "duties"):
            self.out.parts.append(Part(Kind.CODE, "\n".join(kept), language))


def _is_prose(block: Sequence[str]) -> bool:
    """Whether an unlabelled block holds sentences and no code (issue forms fence everything)."""
    text = "\n".join(block)[:2_000]
    words = text.split()
    if len(words) < 8:
        return False
    marks = sum(text.count(c) for c in "{}()[];=<>$|/\\_:#\"'@*&%^~0123456789")
    return marks < 0.02 * len(text) and not any(_REPL.match(line) for line in block)


def _closing_fences(lines: Sequence[str]) -> dict[int, int]:
    """Opening line → closing line of every fenced block; an unclosed fence opens nothing."""
    closers: dict[int, int] = {}
    opened = -1
    mark = ""
    for i, line in enumerate(lines):
        match = _FENCE.match(line)
        if match is None:
            continue
        fence, info = match.group(1), match.group(2)
        if opened < 0:
            opened, mark = i, fence
        elif fence[0] == mark[0] and len(fence) >= len(mark) and not info:
            closers[opened] = i
            opened = -1
        elif fence[0] == mark[0] and info and fence == mark:  # the last one was never closed
            opened, mark = i, fence
    return closers


def _blanked(lines: Sequence[str], closers: dict[int, int], start: int) -> list[str]:
    """Lines with fenced blocks and everything before `start` blank: those are scanned by themselves."""
    out = list(lines)
    out[:start] = [""] * start
    for opened, closed in closers.items():
        for i in range(opened, closed + 1):
            out[i] = ""
    return out
