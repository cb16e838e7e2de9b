"""One call at a time on a repository: two on a cold one would both analyse all of it, and both come too late."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from zeroin.mcp.roots import repository_of
from zeroin.mcp.work import Work

_TICK_S = 0.1

_turns: dict[Path, threading.Lock] = {}  # as many as there are repositories below the roots
_guard = threading.Lock()


@contextmanager
def turn(folder: Path, work: Work) -> Iterator[None]:
    """Waits for the calls before on the same repository. Raises `Stopped`.

    Nobody waits longer than the engine may take: who is late by then starts all the same, with what is analysed so far.
    """
    with _guard:
        lock = _turns.setdefault(repository_of(folder), threading.Lock())
    held = lock.acquire(blocking=False)
    while not held and not work.is_late:
        work.progress("waiting for another call on this repository", 0, 0)
        held = lock.acquire(timeout=_TICK_S)
    try:
        work.check()
        yield
    finally:
        if held:
            lock.release()
