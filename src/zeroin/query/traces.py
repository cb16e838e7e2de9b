"""Stack traces in a run of lines: which lines belong to them, their frames innermost first, their errors.

Families: Python (chained, IPython, rich, pytest), V8 and Firefox, Java/Kotlin/Scala, Clojure, C#, Go, Rust, Ruby, PHP,
Elixir, Lua, gdb and sanitizers; compilers and linters (`file:line:col: error`) are frames without an order.
"""

import re
from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from zeroin.patterns import lazy_pattern
from zeroin.query.frames import Frame, frame_at, frame_of, go_call, lint_line, path_alone, rust_symbol
from zeroin.query.tables import SYNTAX, Table


class LineKind(StrEnum):
    """What a line is: of no trace, a frame, code shown beneath a frame, an error message, or a mark of a trace."""

    NONE = ""
    FRAME = "frame"
    SOURCE = "source"
    ERROR = "error"
    MARK = "mark"


_INNERMOST_LAST = frozenset({"python", "pytest"})
_UNORDERED = frozenset({"compiler", "lint", "report"})

_TABLE = Table("frames")
_LEFT_EDGE = lazy_pattern(r"\s{0,8}[│|] ?")
_BOX = lazy_pattern(r"^[\s╭╰╮╯─━═┌┐└┘├┤+=~^*·.-]{3,}+(?:\s?(?:Traceback|Error)[^\n]{0,60})?[\s─╮]*$")
_NUMBERED = lazy_pattern(r"^\s{0,8}(?:-{1,}>|❱|>)?\s{0,8}\d{1,7}(?:\s|$)|^\s{0,12}\(\.\.\.\)")
_ARROW = lazy_pattern(r"^\s{0,12}-{1,9}> ?(\d{1,9})\b")
_CARETS = lazy_pattern(r"^\s{0,200}[\^~┬─]{1,200}[\s^~]{0,200}$")

# The prefix that a log put before a line of a trace, up to the beginning of that line.
_LOGGED = lazy_pattern(
    r"(.{2,120}?)(?=Traceback \(most|goroutine \d|stack (?:back|trace)|\s\s?File |\s{1,8}(?:at|from) \S|"
    r"#\d{1,3} |\s{1,8}\([\w. -]{1,60}\) \S|\s[ew]: file|\s(?:/|\.{0,2}[\w-]{1,40}[/.])\S{1,200}:\d{1,7})"
)
_LOG_MARKS = lazy_pattern(r"[\d\]|:>)]")
_NUMBER = lazy_pattern(r"\d+")
_MAX_PREFIXES = 4
# The first line of a Ruby trace is frame and message.
_RUBY_MESSAGE = lazy_pattern(r":\d{1,7}:in [`'][^'`\n]{1,200}': \S")
# The last line of a Python trace need not end in Error: `botocore.errorfactory.InvalidObjectState: text`.
_AFTER_FRAMES = lazy_pattern(r"^[\s│|]{0,4}[A-Za-z_][\w.]{1,160}(?:: [^\n]*|:?\s*)$")


class Trace(NamedTuple):
    """One traceback: frames innermost first. `ordered` is False for reports of compilers and linters."""

    frames: tuple[Frame, ...]
    ordered: bool = True


class Scan(NamedTuple):
    """The kind of each line, the traces, and the lines, those of traces without the prefixes of a log."""

    kinds: tuple[LineKind, ...]
    traces: tuple[Trace, ...]
    lines: tuple[str, ...]


def scan(lines: Sequence[str]) -> Scan:
    """Find the traces in some lines; linear in their number and length."""
    return _Scanner(lines).run()


def is_error(line: str) -> bool:
    """Whether a line is an error message by its form alone (`FooError: text`, `error[E0382]: text`, `panic: text`)."""
    return len(line) < 4_000 and (_TABLE.begins("typed_error", line) or _TABLE.begins("error", line))


class _Scanner:
    """One pass over lines; `block` are the frames of the trace that is open."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.raw = lines
        self.lines = _without_prefixes(lines)
        self.traces: list[Trace] = []
        self._reset()

    def _reset(self) -> None:
        self.block: list[Frame] = []
        self.symbol = ""  # a function line that waits for its file (Go, Rust)
        self.lint_path = ""
        self.in_trace = False  # a frame or a mark was seen and the block is not closed
        self.panicked = False  # Rust ≥ 1.73 prints the message on the next line

    def run(self) -> Scan:
        kinds = [LineKind.NONE] * len(self.lines)
        depth = -1  # indentation of the last Python frame
        gap = 0
        for i, raw in enumerate(self.lines):
            line = _inside(raw) if "│" in raw else raw
            if not line.strip():
                gap += 1
                continue
            if frame := frame_of(line):
                if gap > 1 and self.block and self.block[-1].family != frame.family:
                    self._close()
                kinds[i] = self._frame(line, frame)
                depth = _indent(line) if frame.family in _INNERMOST_LAST else -1
            else:
                following = self.lines[i + 1] if i + 1 < len(self.lines) else ""
                inside = 0 <= depth < _indent(line) and not gap
                kinds[i] = self._other(line, following, inside=inside, gap=gap)
                if kinds[i] is LineKind.NONE:
                    self._close()
                    depth = -1
            gap = 0
        self._close()
        read = (line if kind else raw for raw, line, kind in zip(self.raw, self.lines, kinds, strict=True))
        return Scan(tuple(kinds), tuple(self.traces), tuple(read))

    def _frame(self, line: str, frame: Frame) -> LineKind:
        if self.block and (self.block[-1].family in _UNORDERED) != (frame.family in _UNORDERED):
            self._close()
        if self.symbol and not frame.symbol and frame.origin == "own":
            frame = frame_at(frame.family, frame.path, frame.line, self.symbol)
        self.symbol = ""
        self.block.append(frame)
        self.in_trace = True
        if frame.family == "ruby":
            return LineKind.ERROR if _RUBY_MESSAGE.search(line) else LineKind.FRAME
        panics = " panicked at " in line
        self.panicked = self.panicked or (panics and frame.family == "rust")
        return LineKind.ERROR if panics or frame.family in ("compiler", "clojure") else LineKind.FRAME

    def _other(self, line: str, following: str, *, inside: bool, gap: int) -> LineKind:
        """The kind of a line that names no place; `inside`: it is indented below the last Python frame."""
        if _TABLE.begins("marks", line):
            if _TABLE.has("opens", line):
                self._close()
            self.in_trace = True
            return LineKind.MARK
        if self.lint_path and (number := lint_line(line)):
            self.block.append(frame_at("lint", self.lint_path, number, ""))
            return LineKind.ERROR
        if lint_line(following) and (path := path_alone(line)):
            self.lint_path = path
            return LineKind.MARK
        if self.in_trace and (_BOX.match(line) or _CARETS.match(line)):
            return LineKind.MARK
        python = bool(self.block) and self.block[-1].family in _INNERMOST_LAST
        if inside or (python and _NUMBERED.match(line)):
            if (arrow := _ARROW.match(line)) and self.block and self.block[-1].line is None:
                # IPython shows the line number beside the code alone.
                self.block[-1] = self.block[-1]._replace(line=int(arrow[1]))
            return LineKind.SOURCE
        return LineKind.FRAME if self._function(line, following) else self._error(line, gap, python=python)

    def _function(self, line: str, following: str) -> bool:
        """Whether a line names a function whose file the next one names (Go, Rust), or none does (Rust)."""
        located = following.strip().startswith("at ")
        if line[:1] in " 0123456789" and (name := rust_symbol(line, located=located)):
            if located:
                self.symbol = name
            else:
                self.block.append(frame_at("rust", "", None, name))
            self.in_trace = True
            return True
        if ".go:" in following and frame_of(following) and (name := go_call(line)):
            self.symbol = name
            return True
        return False

    def _error(self, line: str, gap: int, *, python: bool) -> LineKind:
        message = _TABLE.begins("typed_error", line) or _TABLE.begins("error", line)
        if message or (python and gap < 2 and _AFTER_FRAMES.match(line)):
            self.panicked = self.panicked or "panicked at" in line
            if python or line.lstrip().startswith("Caused by"):
                self._close()
            return LineKind.ERROR
        if self.panicked and gap == 0:
            self.panicked = False
            return LineKind.ERROR
        return LineKind.NONE

    def _close(self) -> None:
        if self.block:
            family = self.block[-1].family
            frames = self.block[::-1] if family in _INNERMOST_LAST else self.block
            self.traces.append(Trace(tuple(frames), ordered=family not in _UNORDERED))
        self._reset()


def _without_prefixes(lines: Sequence[str]) -> Sequence[str]:
    """Return lines without the prefix that a log put before each line of a trace: time stamp, level, container's name.

    A prefix counts if a neighbouring line has it, too, numbers aside, or if it begins with a time stamp and no
    neighbour does.
    """
    found: dict[str, None] = {}
    for i, line in enumerate(lines):
        match = _LOGGED.match(line)
        if match is None or not _LOG_MARKS.search(match[1]) or _is_of_trace(line):
            continue
        prefix = _NUMBER.sub("0", match[1].rstrip())
        beside = (*lines[max(0, i - 1) : i], *lines[i + 1 : i + 2])
        logged = any(_NUMBER.sub("0", each).startswith(prefix) for each in beside)
        if not logged and not any(SYNTAX.begins("stamp", each) for each in beside):
            logged = SYNTAX.begins("stamp", line)
        if logged and _is_of_trace(line[match.end() :]):
            found[prefix] = None
            if len(found) == _MAX_PREFIXES:
                break
    if not found:
        return lines
    prefixes = "|".join(re.escape(prefix).replace("0", r"\d+") for prefix in found)
    put_before = re.compile(f"^(?:{prefixes}) ?")
    return [put_before.sub("", line, count=1) for line in lines]


def _is_of_trace(line: str) -> bool:
    return frame_of(line) is not None or _TABLE.begins("marks", line)


def _inside(line: str) -> str:
    """Take the edges of a box from a line."""
    edge = _LEFT_EDGE.match(line)
    inside = line[edge.end() :] if edge else line
    whole = inside.rstrip()
    return whole[:-1].rstrip() if whole.endswith(("│", "|")) else inside


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
