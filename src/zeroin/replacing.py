"""Replace files in one step. A killed writer's temporary file is removed by the next writer in its folder.

A writer holds a lock on its temporary file, which the system releases however the process ends.
"""

import os
import re
import secrets
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from zeroin.patterns import lazy_pattern

if sys.platform != "win32":
    import fcntl

_SUFFIX = ".zeroin-tmp"
_OURS = lazy_pattern(r"\..*\.[0-9a-f]{16}\.zeroin-tmp", re.DOTALL)
_NAME_CHARS = 40  # of the target's name: the whole stays below 255 bytes
_STALE_S = 86_400.0  # without locks: a temporary file as old as this has no writer any more


@contextmanager
def replacing(target: Path, *, mode: int | None = None, sync: bool = False) -> Iterator[BinaryIO]:
    """Yield a file that takes the place of `target` when the block ends, and is removed where it fails.

    It gets the permissions `mode`, or those that the umask leaves. `sync` waits for the disk. Raises `OSError`.
    """
    sweep(target.parent)
    file, temporary = _created(target)
    try:
        with file:
            if mode is not None:
                temporary.chmod(mode)
            yield file
            file.flush()
            if sync:
                os.fsync(file.fileno())
            if sys.platform != "win32":  # while the lock is held; Windows renames no open file
                temporary.replace(target)
        if sys.platform == "win32":
            temporary.replace(target)
    except BaseException:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise


def sweep(folder: Path) -> None:
    """Remove the temporary files in a folder whose writers are gone."""
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(_SUFFIX) and _OURS.fullmatch(entry.name):
                with suppress(OSError):
                    _remove_abandoned(entry.path)


def _created(target: Path) -> tuple[BinaryIO, Path]:
    """Return a new file beside `target`, locked. Raises `OSError`."""
    while True:
        name = f".{target.name[:_NAME_CHARS]}.{secrets.token_hex(8)}{_SUFFIX}"
        temporary = target.with_name(name)
        file = temporary.open("xb")
        if sys.platform != "win32":
            with suppress(OSError):  # a file system without locks
                fcntl.flock(file, fcntl.LOCK_EX)
        if temporary.exists():  # else another writer removed it before it was locked
            return file, temporary
        file.close()


def _remove_abandoned(path: str) -> None:
    """Remove a temporary file without a writer. Raises `OSError` where it has one."""
    if sys.platform == "win32":
        if os.lstat(path).st_mtime < time.time() - _STALE_S:
            os.unlink(path)  # noqa: PTH108
        return
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW)
    try:
        if stat.S_ISREG(os.fstat(handle).st_mode):
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.unlink(path)  # noqa: PTH108
    finally:
        os.close(handle)
