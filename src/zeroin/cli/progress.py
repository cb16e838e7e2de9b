"""Progress on stderr for people who wait: one line, after half a second, only on a terminal."""

from __future__ import annotations

import shutil
import sys
import time

from zeroin.context.clean import line

DELAY_S, EVERY_S = 0.5, 0.1


class Meter:
    """A `Progress` callable; `close` (or leaving the `with` block) wipes the line."""

    def __init__(self, *, enabled: bool = True) -> None:
        self._enabled = enabled and sys.stderr is not None and sys.stderr.isatty()
        self._began = self._last = time.monotonic()
        self._shown = False

    def __call__(self, what: str, done: int, total: int) -> None:
        now = time.monotonic()
        if not self._enabled or now - self._began < DELAY_S or (self._shown and now - self._last < EVERY_S):
            return
        self._last, self._shown = now, True
        width = shutil.get_terminal_size((80, 24)).columns - 1
        sys.stderr.write("\r" + described(what, done, total)[:width].ljust(width))
        sys.stderr.flush()

    def close(self) -> None:
        if self._shown:
            width = shutil.get_terminal_size((80, 24)).columns - 1
            sys.stderr.write("\r" + " " * width + "\r")
            sys.stderr.flush()
            self._shown = False

    def __enter__(self) -> Meter:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def described(what: str, done: int, total: int) -> str:
    """`analysing 1,200 of 3,000 files` and a bar, or just a count where the total is unknown."""
    if total <= 0:
        return f"{line(what)} {done:,}" if done else line(what)
    filled = min(20, 20 * done // total)
    return f"[{'#' * filled}{'.' * (20 - filled)}] {line(what)} {done:,} of {total:,}"
