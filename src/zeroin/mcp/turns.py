"""One call at a time on a repository: two on a cold one would both analyse all of it, and both come too late."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from zeroin.mcp.gitdirs import identity_of
from zeroin.mcp.work import Work

_TICK_S = 0.1

_taken: set[tuple[Path, bool]] = set()  # identities of the repositories that calls are at work on
_free = threading.Condition()


@contextmanager
def turn(folder: Path, work: Work) -> Iterator[None]:
    """Waits for the calls before on the same repository. Raises `Stopped`.

    Every folder and linked worktree of a repository counts as the repository; of folders without git, one waits for
    those around it and below it. Nobody waits longer than the engine may take: who is late by then starts all the
    same, with what is analysed so far.
    """
    mine = identity_of(folder)
    held = _take(mine, 0.0)
    while not held and not work.is_late:
        work.progress("waiting for another call on this repository", 0, 0)
        held = _take(mine, _TICK_S)
    try:
        work.check()
        yield
    finally:
        if held:
            with _free:
                _taken.discard(mine)
                _free.notify_all()


def _take(mine: tuple[Path, bool], within_s: float) -> bool:
    with _free:
        if not _free.wait_for(lambda: not any(_same(mine, other) for other in _taken), within_s):
            return False
        _taken.add(mine)
        return True


def _same(one: tuple[Path, bool], other: tuple[Path, bool]) -> bool:
    if one == other or one[1] or other[1]:
        return one == other
    return one[0].is_relative_to(other[0]) or other[0].is_relative_to(one[0])
