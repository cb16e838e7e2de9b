"""Read files that other programs may change, replace or forbid at any moment, and never a file outside of the tree.

Each folder of a path is opened relative to the one above it, and none may be a link. So neither a link in place of a
folder that git knows nor a name with `..` in git's index leads out of the tree. Windows has no such calls: there each
folder is checked for links before the file is opened.
"""

import os
import posixpath
import re
import stat as modes
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from zeroin.corpus.git import to_bytes, to_str
from zeroin.patterns import lazy_pattern
from zeroin.tree import Entry, Skipped

NESTED = "nested repository"  # why a folder is not searched
_SAFE = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
# Never follow a link that appeared since the listing, never wait for the other end of a pipe.
_FILE = os.O_RDONLY | _SAFE | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_LISTED = os.O_RDONLY | _SAFE | getattr(os, "O_DIRECTORY", 0)
_PASSED = getattr(os, "O_PATH", 0) | _LISTED  # O_PATH also opens folders that may not be listed
_WINDOWS, _MAC = os.name == "nt", sys.platform == "darwin"
_RELATIVE = os.open in os.supports_dir_fd and os.scandir in os.supports_fd
_DEEPEST = 256  # folders in a path at most: each costs a system call for every file
# Forbidden as parts of a path: git never checks them out, but an index or a tree object can name them.
_NOWHERE = frozenset(("", ".", "..", ".git"))
_SHORT = _NOWHERE | {"git~1"}  # the short (8.3) name of `.git` on Windows
# Characters that macOS file systems ignore in names.
_UNSEEN = dict.fromkeys((*range(0x200C, 0x2010), *range(0x202A, 0x202F), *range(0x206A, 0x2070), 0xFEFF))
# Windows opens a device by these names, in any folder and with any extension.
_DEVICE = lazy_pattern(
    r"(?:^|/)(?:con|prn|aux|nul|(?:com|lpt)[0-9\u00b9\u00b2\u00b3]|conin\$|conout\$)[ ]*(?:\.[^/]*)?(?:/|$)", re.I
)


def leads_out(path: str) -> bool:
    """Tell whether a path leads out of its tree (an empty, `.` or `..` part) or into a `.git`."""
    if _WINDOWS:  # where \ and : separate, too, and blanks and dots at the end of a name are ignored
        path = "/".join(part.rstrip(" .") for part in path.replace("\\", "/").replace(":", "//").split("/"))
        return not _SHORT.isdisjoint(path.lower().split("/"))
    if _MAC:
        path = path.translate(_UNSEEN)
    if path and path[0] not in "./" and path[-1] != "/" and "/." not in path and "//" not in path:
        return False  # shortcut for most paths, in a quarter of the time
    return not _NOWHERE.isdisjoint(path.lower().split("/"))


class Folder:
    """Files below a root. On POSIX, the system gets paths as bytes, whatever the locale's encoding."""

    def __init__(self, root: Path) -> None:
        self._root = root

    @contextmanager
    def _reached(self, path: str) -> Iterator[tuple[str | bytes, int | None]]:
        """Yield a file's name for the system and its open folder (None on Windows). Raises `OSError`, `ValueError`."""
        if path and (leads_out(path) or path.count("/") > _DEEPEST or (_WINDOWS and _DEVICE.search(path))):
            raise OSError(f"{path!r} is not in the tree, or too deep in it")
        *folders, name = path.split("/")
        if not _RELATIVE:
            place = self._root
            for folder in folders:
                place /= folder
                if _is_link(place):
                    raise OSError(f"{path!r} is behind a link")
            yield os.fspath(place / name), None
            return
        at = os.open(self._root, _PASSED)
        try:
            for folder in folders:
                above, at = at, os.open(to_bytes(folder), _PASSED, dir_fd=at)
                os.close(above)
            yield to_bytes(name) or b".", at
        finally:
            os.close(at)

    def stat(self, path: str) -> os.stat_result | None:
        """Return the state of a file itself, not of what it links to; None if it is not there."""
        try:
            with self._reached(path) as (name, folder):
                return os.stat(name, dir_fd=folder, follow_symlinks=False)
        except (OSError, ValueError):
            return None

    def scan(self, path: str) -> dict[str, os.stat_result]:
        """Return the states of a folder's items ("" the root) by name; links are not followed. Raises `OSError`."""
        with self._reached(path) as (name, folder):
            if folder is None:
                with os.scandir(os.fsdecode(name)) as items:
                    return dict(_states(items))
            opened = os.open(name, _LISTED, dir_fd=folder)
            try:
                with os.scandir(opened) as items:
                    return {to_str(os.fsencode(name)): stat for name, stat in _states(items)}
            finally:
                os.close(opened)

    def read(self, path: str, limit: int) -> bytes | None:
        """Return at most `limit` bytes of a file; None where it vanished, is forbidden or is not a regular file."""
        try:
            with self._reached(path) as (name, folder):
                handle = os.open(name, _FILE, dir_fd=folder)
        except (OSError, ValueError):
            return None
        try:
            with os.fdopen(handle, "rb", closefd=False) as file:
                return file.read(limit) if modes.S_ISREG(os.fstat(handle).st_mode) else None
        except OSError:
            return None
        finally:
            os.close(handle)


def _states(items: Iterator[os.DirEntry[str]]) -> Iterator[tuple[str, os.stat_result]]:
    for item in items:
        with suppress(OSError):  # it has vanished
            yield item.name, item.stat(follow_symlinks=False)


def _is_link(folder: Path) -> bool:
    """Tell whether a folder leads elsewhere, by a link or, on Windows, by a junction."""
    state = os.lstat(folder)
    return modes.S_ISLNK(state.st_mode) or bool(getattr(state, "st_reparse_tag", 0))


def path_below(roots: Iterable[tuple[str, Path]], given: str) -> str:
    """Return the path of a file that a caller names: below the root that it lies in, after the prefix of that root."""
    path = Path(given)
    if path.is_absolute():  # perhaps through a link to the root
        with suppress(OSError, RuntimeError, ValueError):  # links in a circle, or no name that a file can have
            path = path.parent.resolve() / path.name
        found = ((prefix, root) for prefix, root in roots if path.is_relative_to(root))
        path = next((Path(prefix) / path.relative_to(root) for prefix, root in found), path)
    return posixpath.normpath(path.as_posix())


def key_of(stat: os.stat_result) -> tuple[int, int, int]:
    """Return size, time in ns and inode: while they stay the same, so do the contents.

    The time is the later of modification and status change: programs can set the former back, as `cp -p` does.
    """
    return (stat.st_size, max(stat.st_mtime_ns, stat.st_ctime_ns), stat.st_ino)


def item_of(path: str, stat: os.stat_result) -> Entry | Skipped:
    """Return what is at a path: a regular file to be hashed, or why it is not searched."""
    if modes.S_ISREG(stat.st_mode):
        return Entry(path, None, stat.st_size, key_of(stat))
    if modes.S_ISLNK(stat.st_mode):
        return Skipped(path, "symlink")
    return Skipped(path, NESTED if modes.S_ISDIR(stat.st_mode) else "not a regular file")
