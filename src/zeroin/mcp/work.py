"""The state of one call: its clock, its stop flag, its progress messages, and its turn on a repository."""

import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from zeroin.llm_judge.contract import Model
from zeroin.mcp.gitdirs import identity_of
from zeroin.mcp.schema import DEADLINE_S, ENGINE_SHARE

_LEAST_SHARE = 0.05  # of the deadline that the engine gets, however long the call waited
_TICK_S = 0.1

_locks: dict[str, threading.Lock] = {}  # held by the call that works on a repository, by its identity


class Stopped(Exception):
    """Raised in the working thread, at the next step, once the call was cancelled or its time is up."""


class Work:
    """The thread reports through `progress` and `say`; the event loop takes `news` and may `stop` it at any time."""

    def __init__(self, deadline_s: float = DEADLINE_S, host: Model | None = None) -> None:
        self.deadline_s = deadline_s
        self.host = host  # the model of a host that lends it
        self.began = time.monotonic()
        self._stopped = threading.Event()
        self._messages: deque[str] = deque()
        self._latest = self._reported = ""

    @property
    def elapsed_s(self) -> float:
        return time.monotonic() - self.began

    @property
    def timeout_s(self) -> float:
        """The seconds that the engine may still take, so that the answer is out before the deadline."""
        return max(_LEAST_SHARE * self.deadline_s, ENGINE_SHARE * self.deadline_s - self.elapsed_s)

    @property
    def is_late(self) -> bool:
        return self.elapsed_s >= (ENGINE_SHARE - _LEAST_SHARE) * self.deadline_s

    @property
    def left_s(self) -> float:
        return max(0.0, self.deadline_s - self.elapsed_s)

    def stop(self) -> None:
        self._stopped.set()

    def check(self) -> None:
        """Raise `Stopped` once the call was stopped."""
        if self._stopped.is_set():
            raise Stopped

    def progress(self, what: str, done: int, total: int) -> None:
        """Report progress (a `Progress`): a new message replaces the last. Raises `Stopped`."""
        self.check()
        self._latest = f"{what} {done:,} of {total:,}" if total else f"{what} {done:,}" if done else what

    def say(self, message: str) -> None:
        """Report a message that later ones do not replace. Raises `Stopped`."""
        self.check()
        self._latest = ""
        self._messages.append(message)

    def news(self) -> list[str]:
        """Return the news since the last call of `news`: every message, then the latest progress."""
        out = []
        while self._messages:
            out.append(self._messages.popleft())
        if self._latest not in ("", self._reported):
            out.append(self._latest)
        self._latest = ""
        self._reported = out[-1] if out else self._reported
        return out


@contextmanager
def turn(folder: Path, work: Work) -> Iterator[None]:
    """Wait for earlier calls on the same repository: two calls that both analyse it from scratch would both be late.

    Every folder and linked worktree of a repository counts as the repository. A call waits at most until it is late
    (`Work.is_late`); then it starts with what is analysed so far. Raises `Stopped`.
    """
    lock = _locks.setdefault(str(identity_of(folder)), threading.Lock())
    taken = lock.acquire(blocking=False)
    while not taken and not work.is_late:
        work.progress("waiting for another call on this repository", 0, 0)
        taken = lock.acquire(timeout=_TICK_S)
    try:
        work.check()
        yield
    finally:
        if taken:
            lock.release()
