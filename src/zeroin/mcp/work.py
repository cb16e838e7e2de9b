"""One call under way: its clock, its stop flag, and what it has to tell; shared by a thread and the event loop."""

from __future__ import annotations

import threading
import time
from collections import deque

from zeroin.mcp.schema import DEADLINE_S, ENGINE_SHARE

_LEAST_SHARE = 0.05  # of the deadline that the engine gets, however long the call waited


class Stopped(Exception):
    """Raised in the working thread at the next step after the call was cancelled or its time was up."""


class Work:
    """The thread reports through `progress` and `say`; the loop takes `news` and may `stop` it at any time."""

    def __init__(self, deadline_s: float = DEADLINE_S) -> None:
        self.deadline_s = deadline_s
        self.began = time.monotonic()
        self._stopped = threading.Event()
        self._said: deque[str] = deque()
        self._latest = self._told = ""

    @property
    def elapsed_s(self) -> float:
        return time.monotonic() - self.began

    @property
    def timeout_s(self) -> float:
        """Seconds that the engine may still take, so that the answer is out before the deadline."""
        return max(_LEAST_SHARE * self.deadline_s, ENGINE_SHARE * self.deadline_s - self.elapsed_s)

    @property
    def is_late(self) -> bool:
        """Whether the engine's time is up."""
        return self.elapsed_s >= (ENGINE_SHARE - _LEAST_SHARE) * self.deadline_s

    @property
    def left_s(self) -> float:
        """Seconds until the call must be answered."""
        return max(0.0, self.deadline_s - self.elapsed_s)

    def stop(self) -> None:
        """Make the thread end at its next step."""
        self._stopped.set()

    def check(self) -> None:
        """Raises `Stopped` once the call was stopped."""
        if self._stopped.is_set():
            raise Stopped

    def progress(self, what: str, done: int, total: int) -> None:
        """A `Progress` callable: the latest word replaces the one before. Raises `Stopped`."""
        self.check()
        self._latest = f"{what} {done:,} of {total:,}" if total else f"{what} {done:,}" if done else what

    def say(self, message: str) -> None:
        """Something that must be told, in order. Raises `Stopped`."""
        self.check()
        self._latest = ""
        self._said.append(message)

    def news(self) -> list[str]:
        """What is new since the last call: everything said, then the latest progress."""
        out = []
        while self._said:
            out.append(self._said.popleft())
        if self._latest not in ("", self._told):
            out.append(self._latest)
        self._latest = ""
        self._told = out[-1] if out else self._told
        return out
