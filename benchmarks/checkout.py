"""A folder that holds one revision of a bare repository at a time, for engines that read files and not git.

Moving to another revision writes only what differs. The time of a file is made from its blob id: an engine that trusts
path and time (an incremental index) takes exactly the files whose bytes are new.
"""

import os
from pathlib import Path, PurePosixPath

from benchmarks.repositories import MAX_BYTES, list_blobs, read_blobs

TIME_DIGITS = 13  # hex digits of a blob id that make its time: 52 bits of nanoseconds, some 52 days


class Checkout:
    """Regular files under ``MAX_BYTES`` of a revision, below ``folder``."""

    def __init__(self, git_dir: Path, folder: Path) -> None:
        self.folder = folder
        self._git_dir = git_dir
        self._written: dict[str, str] = {}

    def move(self, rev: str) -> None:
        """Make the folder hold ``rev``; raises RepositoryError when git cannot answer."""
        wanted = {
            blob.path: blob.blob
            for blob in list_blobs(self._git_dir, rev)
            if blob.size < MAX_BYTES and is_inside(blob.path)
        }
        # Removed first: a name may turn from a file into a folder, or back.
        for path in self._written.keys() - wanted.keys():
            self._remove(path)
        changed = [path for path, blob in wanted.items() if self._written.get(path) != blob]
        contents = read_blobs(self._git_dir, (wanted[path] for path in changed))
        for path, (blob, data) in zip(changed, contents, strict=True):
            target = self.folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
            time_ns = int(blob[:TIME_DIGITS], 16)
            os.utime(target, ns=(time_ns, time_ns))
            self._written[path] = blob

    def _remove(self, path: str) -> None:
        target = self.folder / path
        target.unlink()
        del self._written[path]
        for parent in target.parents:
            if parent == self.folder or any(parent.iterdir()):
                break
            parent.rmdir()


def is_inside(path: str) -> bool:
    """Whether a path of a repository stays below the folder, and is nothing that git would run or read there."""
    parts = PurePosixPath(path).parts
    return not path.startswith("/") and ".." not in parts and ".git" not in {part.lower() for part in parts}
