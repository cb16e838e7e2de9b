"""Reading files that others may change, replace or forbid at any moment."""

from __future__ import annotations

import os
import stat as modes
from pathlib import Path

from zeroin.corpus.git import to_bytes, to_str

# Never follow a link that appeared since the listing, never wait for the other end of a pipe.
_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_BINARY", 0)
    | getattr(os, "O_CLOEXEC", 0)
)


class Folder:
    """Paths below a root. On POSIX they are bytes for the system whatever the locale's encoding is."""

    def __init__(self, root: Path) -> None:
        self._posix = os.name == "posix"
        self._bytes = os.fsencode(root).rstrip(b"/") + b"/"
        self._text = os.fspath(root)

    def native(self, path: str) -> bytes | str:
        """Return the path of a file for the system."""
        if self._posix:
            return self._bytes + to_bytes(path)
        return os.path.join(self._text, *path.split("/"))  # noqa: PTH118 (str, for speed)

    def stat(self, path: str) -> os.stat_result | None:
        """Return the state of a file itself, not of what it links to; None if it is not there."""
        try:
            return os.lstat(self.native(path))
        except (OSError, ValueError):
            return None

    def scan(self, path: str) -> dict[str, os.DirEntry[bytes] | os.DirEntry[str]]:
        """Return the items of a folder ("" the root, else ending in "/") by name. Raises `OSError`."""
        found: dict[str, os.DirEntry[bytes] | os.DirEntry[str]] = {}
        native = self.native(path)
        if isinstance(native, bytes):
            with os.scandir(native) as items:
                found.update((to_str(item.name), item) for item in items)
        else:
            with os.scandir(native) as names:
                found.update((item.name, item) for item in names)
        return found

    def read(self, path: str, limit: int) -> bytes | None:
        """At most `limit` bytes of a regular file; None where it vanished, is forbidden or is no file."""
        try:
            handle = os.open(self.native(path), _FLAGS)
        except (OSError, ValueError):
            return None
        try:
            if not modes.S_ISREG(os.fstat(handle).st_mode):
                return None
            data = os.read(handle, limit)
            if not data:
                return b""
            parts = [data]
            left = limit - len(data)
            while left > 0 and (data := os.read(handle, left)):
                parts.append(data)
                left -= len(data)
            return parts[0] if len(parts) == 1 else b"".join(parts)
        except OSError:
            return None
        finally:
            os.close(handle)


def key_of(stat: os.stat_result) -> tuple[int, int, int]:
    """Size, modification time in ns and inode: while they stay the same, so does the file."""
    return (stat.st_size, stat.st_mtime_ns, stat.st_ino)


def unsearchable(mode: int) -> str:
    """Return why a file of this mode is not searched, "" if it is a regular file."""
    if modes.S_ISREG(mode):
        return ""
    if modes.S_ISLNK(mode):
        return "symlink"
    return "nested repository" if modes.S_ISDIR(mode) else "not a regular file"
