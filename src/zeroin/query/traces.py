"""Stack traces in a run of lines: which lines belong to them, their frames innermost first, their errors.

Families: Python (chained, IPython, rich, pytest), V8 and Firefox, Java/Kotlin/Scala, C#, Go, Rust, Ruby, PHP, Elixir,
Lua, gdb and sanitizers; compilers and linters (`file:line:col: error`) are frames without an order.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from zeroin.query.frames import Frame, frame_at, frame_of, go_call, lint_line, path_alone, rust_symbol
from zeroin.query.tables import Table

# What a line is: "" is not of a trace; `source` is code shown beneath a frame; `mark` says nothing by itself.
FRAME, SOURCE, ERROR, MARK = "frame", "source", "error", "mark"

_INNERMOST_LAST = frozenset({"python", "pytest"})
_UNORDERED = frozenset({"compiler", "lint", "report"})

_TABLE = Table("frames")
_RICH_EDGE = re.compile(r"^\s{0,8}[│|] ?|\s{0,200}[│|]\s{0,4}$")
_BOX = re.compile(r"^[\s╭╰╮╯─━═┌┐└┘├┤+=~^*·.-]{3,}(?:\s?(?:Traceback|Error)[^\n]{0,60})?[\s─╮]*$")
_NUMBERED = re.compile(r"^\s{0,8}(?:-{1,}>|❱|>)?\s{0,8}\d{1,7}(?:\s|$)|^\s{0,12}\(\.\.\.\)")
_CARETS = re.compile(r"^\s{0,200}[\^~┬─]{1,200}[\s^~]{0,200}$")

_RUBY_MESSAGE = re.compile(
    r":\d{1,7}:in [`'][^'`\n]{1,200}': \S"
)  # the first line says what was raised, and where
# The last line of a Python trace need not end in Error: `botocore.errorfactory.InvalidObjectState: text`.
_AFTER_FRAMES = re.compile(r"^[\s│|]{0,4}[A-Za-z_][\w.]{1,160}(?:: [^\n]*|:?\s*)$")


@dataclass(frozen=True, slots=True)
class Trace:
    """One traceback: frames innermost first. `ordered` is False for reports of compilers and linters."""

    frames: tuple[Frame, ...]
    ordered: bool = True


@dataclass(frozen=True, slots=True)
class Scan:
    """What each line is, the traces, and the error lines in order."""

    kinds: tuple[str, ...]
    traces: tuple[Trace, ...]
    errors: tuple[str, ...]


def scan(lines: Sequence[str]) -> Scan:
    """Traces in lines; linear in their number and length."""
    return _Scanner(lines).run()


def is_error(line: str) -> bool:
    """Whether a line is an error message by its form alone (`FooError: text`, `error[E0382]: text`, `panic: text`)."""
    return len(line) < 4_000 and (_TABLE.begins("typed_error", line) or _TABLE.begins("error", line))


class _Scanner:
    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        self.kinds = [""] * len(lines)
        self.traces: list[Trace] = []
        self.errors: list[str] = []
        self.block: list[Frame] = []
        self.symbol = ""  # a function line that waits for its file (Go, Rust)
        self.lint_path = ""
        self.in_trace = False  # a frame or a mark was seen and the block is not closed
        self.panicked = False  # Rust ≥ 1.73 prints the message on the next line

    def run(self) -> Scan:
        depth = -1  # indentation of the last Python frame
        gap = 0
        for i, raw in enumerate(self.lines):
            line = _RICH_EDGE.sub("", raw) if "│" in raw else raw
            if not line.strip():
                gap += 1
                continue
            frame = frame_of(line)
            if frame is not None:
                if gap > 1 and self.block and self.block[-1].family != frame.family:
                    self._close()
                self._frame(i, line, frame)
                depth = len(line) - len(line.lstrip()) if frame.family in _INNERMOST_LAST else -1
            elif not self._other(i, line, depth, gap):
                self._close()
                depth = -1
            gap = 0
        self._close()
        return Scan(tuple(self.kinds), tuple(self.traces), tuple(self.errors))

    def _frame(self, i: int, line: str, frame: Frame) -> None:
        if frame.family == "ruby" and _RUBY_MESSAGE.search(line):
            self.errors.append(line.strip())
            self.kinds[i] = ERROR
        elif frame.family == "compiler" or " panicked at " in line:
            if frame.family == "compiler":
                self.errors.append(line.strip())
            self.kinds[i] = ERROR
            if frame.family == "rust":
                self.errors.append(line.strip())
                self.panicked = True
        else:
            self.kinds[i] = FRAME
        if self.block and (self.block[-1].family in _UNORDERED) != (frame.family in _UNORDERED):
            self._close()
        if self.symbol and not frame.symbol:
            frame = (
                frame_at(frame.family, frame.path, frame.line, self.symbol)
                if frame.origin == "own"
                else frame
            )
        self.symbol = ""
        self.block.append(frame)
        self.in_trace = True

    def _other(self, i: int, line: str, depth: int, gap: int) -> bool:
        """Whether a line that names no place still belongs to the trace; labels it if so."""
        if _TABLE.begins("marks", line):
            if _TABLE.has("opens", line):
                self._close()
            self.kinds[i] = MARK
            self.in_trace = True
            return True
        lint = lint_line(line) if self.lint_path else None
        if lint is not None:
            self.block.append(frame_at("lint", self.lint_path, lint[0], ""))
            self.errors.append(lint[1])
            self.kinds[i] = ERROR
            return True
        path = path_alone(line)
        if path and i + 1 < len(self.lines) and lint_line(self.lines[i + 1]):
            self.lint_path = path
            self.kinds[i] = MARK
            return True
        if self.in_trace and (_BOX.match(line) or _CARETS.match(line)):
            self.kinds[i] = MARK
            return True
        if depth >= 0 and gap == 0 and len(line) - len(line.lstrip()) > depth:
            self.kinds[i] = SOURCE
            return True
        if (
            self.in_trace
            and self.block
            and self.block[-1].family in _INNERMOST_LAST
            and _NUMBERED.match(line)
        ):
            self.kinds[i] = SOURCE
            return True
        if self._function(i, line):
            return True
        return self._error(i, line, gap)

    def _function(self, i: int, line: str) -> bool:
        following = self.lines[i + 1] if i + 1 < len(self.lines) else ""
        located = following.strip().startswith("at ")
        name = rust_symbol(line, located=located) if line[:1] in " 0123456789" else ""
        if name:
            if located:
                self.symbol = name
            else:
                self.block.append(frame_at("rust", "", None, name))
            self.kinds[i] = FRAME
            self.in_trace = True
            return True
        if ".go:" in following and frame_of(following) is not None:
            name = go_call(line)
            if name:
                self.symbol = name
                self.kinds[i] = FRAME
                return True
        return False

    def _error(self, i: int, line: str, gap: int) -> bool:
        python = bool(self.block) and self.block[-1].family in _INNERMOST_LAST
        if (
            _TABLE.begins("typed_error", line)
            or _TABLE.begins("error", line)
            or (python and gap < 2 and _AFTER_FRAMES.match(line))
        ):
            self.errors.append(line.strip())
            self.kinds[i] = ERROR
            if "panicked at" in line:
                self.panicked = True
            if python or line.lstrip().startswith("Caused by"):
                self._close()
            return True
        if self.panicked and gap == 0:
            self.errors.append(line.strip())
            self.kinds[i] = ERROR
            self.panicked = False
            return True
        return False

    def _close(self) -> None:
        if self.block:
            family = self.block[-1].family
            frames = tuple(reversed(self.block)) if family in _INNERMOST_LAST else tuple(self.block)
            self.traces.append(Trace(frames, ordered=family not in _UNORDERED))
        self.block = []
        self.symbol = ""
        self.lint_path = ""
        self.in_trace = False
        self.panicked = False
