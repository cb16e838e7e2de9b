"""Read and replace files of hosts: in one step, through links, with their permissions."""

import os
import shutil
import stat
from pathlib import Path

from zeroin.errors import InstallError
from zeroin.replacing import replacing

BACKUP = ".zeroin-backup"  # ends the name of the copy that is made before a file is changed
_MOST_BYTES = 50_000_000


def read(path: Path) -> bytes | None:
    """Return the bytes of the file, through links; None where there is none. Raises `InstallError`."""
    try:
        found = path.stat()
        if stat.S_ISDIR(found.st_mode):
            raise InstallError("a folder stands where the file should be")
        if not stat.S_ISREG(found.st_mode) or found.st_size > _MOST_BYTES:  # reading a device may never end
            raise InstallError("it is no regular file of 50 MB at most, so it is left alone")
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise InstallError(f"cannot be read: {error.strerror or error}") from error


def refusal(path: Path) -> str:
    """Say why the file is left alone: it has no write permission, even where its folder would allow it; else ""."""
    target = follow(path)
    if target.exists() and not (target.stat().st_mode & 0o222 and os.access(target, os.W_OK)):
        return "it is read-only, so it is left alone"
    return ""


def write(path: Path, data: bytes | None, *, backup: bool) -> None:
    """Replace the file that `path` leads to in one step, or delete it where `data` is None.

    With `backup`, the old file is copied beside it first. Raises `InstallError`, also for a `refusal`.
    """
    target = follow(path)
    try:
        if problem := refusal(target):
            raise InstallError(problem)
        old = target.stat() if target.exists() else None
        if old is not None and backup:
            copy(path)
        if data is None:
            target.unlink(missing_ok=True)
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        mode = stat.S_IMODE(old.st_mode) if old is not None else 0o644
        with replacing(target, mode=mode, sync=True) as file:
            file.write(data)
    except OSError as error:
        raise InstallError(f"cannot be written: {error.strerror or error}") from error


def copy(path: Path) -> bool:
    """Copy the file that `path` leads to beside it, in one step; False if there is none.

    Raises `InstallError`.
    """
    target = follow(path)
    try:
        data = read(target)
        if data is None:
            return False
        kept = target.with_name(target.name + BACKUP)
        with replacing(kept, mode=stat.S_IMODE(target.stat().st_mode), sync=True) as file:
            file.write(data)
        shutil.copystat(target, kept)
    except OSError as error:
        raise InstallError(f"cannot be copied: {error.strerror or error}") from error
    return True


def follow(path: Path) -> Path:
    """Return `path` with its links followed. Raises `InstallError`."""
    try:
        return path.resolve()
    except (OSError, RuntimeError) as error:
        raise InstallError("its links lead in a circle") from error
