"""A real pseudo-terminal to run zeroin on, and what a person would see of what it wrote there."""

import contextlib
import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rich.cells import cell_len

# The real program; only the delay before progress shows is taken away, so that a small repository is enough.
_PROGRAM = (
    "import sys; from zeroin.cli import progress, main; progress.DELAY_S = {delay}; "
    "progress.EVERY_S = 0.0\n{before}\nmain.main(sys.argv[1:])"
)
_SEQUENCE = re.compile(r"\x1b\[([0-9;?]*)([A-Za-z])|\x1b\]([^\x1b\x07]*)(?:\x1b\\|\x07)")


@dataclass(frozen=True)
class Ran:
    """What a process on a terminal wrote: `raw` to the terminal, `out` to a stdout that is none."""

    code: int
    raw: bytes
    out: bytes
    columns: int

    @property
    def text(self) -> str:
        return self.raw.decode("utf-8", "replace")

    @property
    def screen(self) -> list[str]:
        """The lines that are left to see at the end."""
        return list(frames(self.text, self.columns))[-1]


def run_on_terminal(
    *args: str | Path,
    cwd: Path,
    env: dict[str, str],
    columns: int = 80,
    lines: int = 50,
    delay_s: float = 0.0,
    pipe_stdout: bool = False,
    pipe_stderr: bool = False,
    before: str = "",
) -> Ran:
    """Runs zeroin with its streams on a terminal of that size, except for those that are piped.

    `before` is run first, in the same process: how an interrupt is made to come at a certain moment.
    """
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
    process = subprocess.Popen(
        [sys.executable, "-c", _PROGRAM.format(delay=delay_s, before=before), *map(str, args)],
        stdin=theirs,
        stdout=subprocess.PIPE if pipe_stdout else theirs,
        stderr=subprocess.DEVNULL if pipe_stderr else theirs,
        cwd=cwd,
        env=env,
        start_new_session=True,
    )
    os.close(theirs)
    raw, out, until = bytearray(), bytearray(), time.monotonic() + 120
    streams = {ours: raw}
    if process.stdout is not None:
        streams[process.stdout.fileno()] = out
    while streams and time.monotonic() < until:
        for ready in select.select(list(streams), [], [], 1.0)[0]:
            data = b""
            with contextlib.suppress(OSError):  # EIO: nobody holds the other end any more
                data = os.read(ready, 65_536)
            if data:
                streams[ready] += data
            else:
                del streams[ready]
    os.close(ours)
    if process.stdout is not None:
        process.stdout.close()
    return Ran(process.wait(timeout=10), bytes(raw), bytes(out), columns)


def frames(text: str, columns: int) -> Iterator[list[str]]:
    """The screen before every line that is erased, and at the end: as much of a terminal as we need."""
    rows, row, column, at = [""], 0, 0, 0

    def put(char: str) -> None:
        nonlocal row, column
        width = cell_len(char)
        if column + width > columns:
            row, column = row + 1, 0
        while len(rows) <= row:
            rows.append("")
        line = rows[row].ljust(column)
        rows[row] = line[:column] + char + line[column + 1 :]
        column += width

    while at < len(text):
        found = _SEQUENCE.match(text, at)
        if found is not None:
            at = found.end()
            if found[2] == "A":
                row = max(0, row - int(found[1] or 1))
            elif found[2] == "K":
                yield [line.rstrip() for line in rows]
                rows[row] = ""
            elif found[3] is None and found[2] not in "mhl":  # colour; the cursor shown and hidden
                raise AssertionError(f"a sequence that this terminal does not know: {found[0]!r}")
            continue
        char, at = text[at], at + 1
        if char == "\r":
            column = 0
        elif char == "\n":
            row, column = row + 1, 0
            while len(rows) <= row:
                rows.append("")
        else:
            assert char >= " ", f"a control character reached the terminal: {char!r}"
            put(char)
    yield [line.rstrip() for line in rows]
