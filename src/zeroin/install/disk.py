"""Files of hosts on disk: read as they are, written in one step, links followed and permissions kept."""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from pathlib import Path

from zeroin.errors import InstallError


def read(path: Path) -> bytes | None:
    """The bytes of the file, through links; None where there is none. Raises `InstallError`."""
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            raise InstallError("a folder stands where the file should be")
        if not stat.S_ISREG(mode):  # reading a pipe or a device may never end
            raise InstallError("it is no regular file, so it is left alone")
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise InstallError(f"cannot be read: {error.strerror or error}") from error


def exists(path: Path) -> bool:
    """Whether something is there, as far as this user may see."""
    try:
        return path.exists()
    except OSError:  # in a folder that must not be looked into
        return False


def write(path: Path, data: bytes) -> list[Path]:
    """Writes the file that `path` leads to so that a reader sees all of it or the old one; the folders made for it.

    Raises `InstallError`; a file without write permission is left alone, even where its folder would allow it.
    """
    target, made, temporary = follow(path), [], ""
    try:
        old = _writable(target)
        made = make_folders(target.parent)
        if old is not None and old.st_nlink > 1:  # its other names must see the change too
            target.write_bytes(data)
            return made
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:80]}.", suffix=".tmp")
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).chmod(stat.S_IMODE(old.st_mode) if old is not None else 0o666 & ~_umask())
        if old is not None and hasattr(os, "chown"):
            with contextlib.suppress(OSError):  # only the superuser may give a file away
                os.chown(temporary, old.st_uid, old.st_gid)
        Path(temporary).replace(target)
    except OSError as error:
        if temporary:
            with contextlib.suppress(OSError):
                Path(temporary).unlink()
        remove_folders(made)
        raise InstallError(f"cannot be written: {error.strerror or error}") from error
    return made


def delete(path: Path) -> None:
    """Deletes the file that `path` leads to (a link to it stays). Raises `InstallError`."""
    target = follow(path)
    try:
        _writable(target)
        target.unlink(missing_ok=True)
    except OSError as error:
        raise InstallError(f"cannot be deleted: {error.strerror or error}") from error


def make_folders(folder: Path) -> list[Path]:
    """Makes `folder` and what is missing above it; returns those made, outermost first. Raises `OSError`."""
    missing = [each for each in (folder, *folder.parents) if not each.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    return missing[::-1]


def remove_folders(folders: list[Path]) -> list[Path]:
    """Removes those of `folders` that are empty, innermost first; returns those that are left."""
    left = []
    for folder in sorted(folders, key=lambda each: len(each.parts), reverse=True):
        try:
            folder.rmdir()
        except FileNotFoundError:
            continue
        except OSError:  # something else is in it
            left.append(folder)
    return left[::-1]


def follow(path: Path) -> Path:
    """Where `path` leads through its links. Raises `InstallError`."""
    try:
        return path.resolve()
    except (OSError, RuntimeError) as error:
        raise InstallError("its links lead in a circle") from error


def _writable(target: Path) -> os.stat_result | None:
    """What the file system says about `target`, None where it is missing. Raises `InstallError`."""
    try:
        found = target.stat()
    except FileNotFoundError:
        return None
    if not found.st_mode & 0o222 or not os.access(target, os.W_OK):
        raise InstallError("it is read-only, so it is left alone")
    return found


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
