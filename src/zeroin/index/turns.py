"""Let processes that analyse the same repository take turns: one that waits need not analyse the same files again.

The turn is a lock on the folder of the store's arrays, which the system releases however its holder ends. It only saves
work: a process that waits in vain goes on without the lock, and answers do not depend on it.
"""

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

if sys.platform != "win32":
    import fcntl

_LOOK_S = 0.05  # between two tries to get the lock
_COUNT_S = 1.0  # between two looks at the holder's progress
_PATIENCE_S = 15.0  # without any progress of the holder: more than a file may take


@contextmanager
def turn(folder: Path | None, until: float, done: Callable[[], int]) -> Iterator[bool]:
    """Hold the turn to analyse; yields whether another process had it.

    Waits until `until` (monotonic) at most, and only while `done` grows; not at all where no folder can be locked.
    """
    handle = _opened(folder) if folder is not None else None
    if handle is None:
        yield False
        return
    try:
        yield _waited(handle, until, done)
    finally:
        os.close(handle)


def _opened(folder: Path) -> int | None:
    if sys.platform == "win32":  # whose folders cannot be locked
        return None
    with suppress(OSError):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return os.open(folder, os.O_RDONLY)
    return None


def _waited(handle: int, until: float, done: Callable[[], int]) -> bool:
    """Lock a folder, or stop waiting for it; tell whether another process had the lock."""
    now = looked = moved = time.monotonic()
    known = -1
    while not _locked(handle):
        if now - looked >= _COUNT_S or known < 0:
            looked, before, known = now, known, done()
            moved = now if known != before else moved
        if now - moved >= _PATIENCE_S or now >= until:
            break
        time.sleep(_LOOK_S)
        now = time.monotonic()
    return known >= 0


def _locked(handle: int) -> bool:
    """Try to lock; where a file system has no locks, it counts as done."""
    if sys.platform == "win32":
        return True
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True
