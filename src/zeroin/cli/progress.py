"""Progress on stderr for people who wait: one line, after half a second, only on a terminal."""

from __future__ import annotations

import shutil
import sys
import time

from zeroin.cli.terminal import fitting, shows_progress
from zeroin.context.clean import line

DELAY_S, EVERY_S = 0.5, 0.1


class Meter:
    """A `Progress` callable; `close` (or leaving the `with` block) wipes the line."""

    def __init__(self, *, enabled: bool = True) -> None:
        self.enabled = enabled and shows_progress()
        self.began = self._last = time.monotonic()
        self._shown = False

    def __call__(self, what: str, done: int, total: int) -> None:
        now = time.monotonic()
        if not self.enabled or now - self.began < DELAY_S or (self._shown and now - self._last < EVERY_S):
            return
        self._last, self._shown = now, True
        width = shutil.get_terminal_size((80, 24)).columns - 1
        put("\r" + described(what, done, total, width)[:width].ljust(width))

    def close(self) -> None:
        if self._shown:
            width = shutil.get_terminal_size((80, 24)).columns - 1
            put("\r" + " " * width + "\r")
            self._shown = False

    def __enter__(self) -> Meter:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def put(text: str) -> None:
    """Writes to the terminal at stderr as it is; a terminal that went away costs the progress, not the answer."""
    try:
        sys.stderr.write(fitting(text, sys.stderr))
        sys.stderr.flush()
    except (OSError, ValueError):
        return


def described(what: str, done: int, total: int, width: int = 80) -> str:
    """`analysing 1,200 of 3,000 files` and a bar where there is room, or just a count where the total is unknown."""
    if total <= 0:
        return f"{line(what)} {done:,}" if done else line(what)
    told = f"{line(what)} {done:,} of {total:,}"
    if len(told) + 23 > width:
        return told
    filled = min(20, 20 * done // total)
    return f"[{'#' * filled}{'.' * (20 - filled)}] {told}"
