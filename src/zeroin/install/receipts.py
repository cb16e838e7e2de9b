"""What was written where, kept in the user's state folder, so that it can be taken back byte for byte.

For each file: the hosts that wanted it, the fingerprint of our entry, and how the bytes before are made from those
after: never the rest of the file, which may hold secrets.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from zeroin.errors import InstallError
from zeroin.install import disk

VERSION = 1  # of the file; another version is read as if there were none


@dataclass(frozen=True, slots=True)
class Receipt:
    """Of one file: `at`, `length`, `removed` say which bytes of it to replace by what to have the file from before.

    `before` and `after` are SHA-256 of the whole; `before` is "" where there was no file, `after` is "" where the
    way back is not known.
    """

    hosts: tuple[str, ...]
    entry: str
    made: bool
    depth: int
    before: str = ""
    after: str = ""
    at: int = 0
    length: int = 0
    removed: str = ""

    def restore(self, data: bytes) -> tuple[bool, bytes | None]:
        """Whether `data` is as we left it, and then the bytes from before (None: there was no file)."""
        if not self.after or _sha(data) != self.after:
            return False, None
        if self.made:
            return True, None
        try:
            removed = base64.b64decode(self.removed)
        except binascii.Error:
            return False, None
        original = data[: self.at] + removed + data[self.at + self.length :]
        return _sha(original) == self.before, original


def note(
    hosts: tuple[str, ...], entry: str, depth: int, before: bytes | None, after: bytes, old: Receipt | None
) -> Receipt:
    """The receipt for a file that was `before` and is `after` now; `old` is the one of an earlier writing."""
    if old is not None and before is not None:
        known, original = old.restore(before)
        if not known:  # edited since: only our entry can be taken out
            return replace(old, hosts=hosts, entry=entry, after="")
        before, depth = original, old.depth
    was = before or b""
    start = _shared(was, after)
    tail = _shared(was[start:][::-1], after[start:][::-1])
    removed = base64.b64encode(was[start : len(was) - tail]).decode()
    return Receipt(
        hosts,
        entry,
        before is None,
        depth,
        "" if before is None else _sha(was),
        _sha(after),
        start,
        len(after) - tail - start,
        removed,
    )


def _shared(one: bytes, other: bytes) -> int:
    """The length of the longest common beginning, found by halving."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


@dataclass(slots=True)
class Receipts:
    """All receipts of this user, by the path of the file with its links followed; the folders we made."""

    file: Path
    files: dict[str, Receipt] = field(default_factory=dict)
    folders: list[Path] = field(default_factory=list)

    @classmethod
    def load(cls, environment: Mapping[str, str], home: Path) -> Receipts:
        """Those on disk; none where the file is missing or not readable as what it should be."""
        file = _state_folder(environment, home) / "zeroin" / "installed.json"
        try:
            kept = json.loads(disk.read(file) or b"{}")
            files = {
                path: Receipt(**{**entry, "hosts": tuple(entry["hosts"])})
                for path, entry in kept["files"].items()
            }
            folders = [Path(folder) for folder in kept["folders"]]
        except (InstallError, ValueError, TypeError, KeyError, AttributeError):
            return cls(file)
        return cls(file, files, folders) if kept.get("version") == VERSION else cls(file)

    def get(self, path: Path) -> Receipt | None:
        return self.files.get(str(disk.follow(path)))

    def set(self, path: Path, receipt: Receipt) -> None:
        self.files[str(disk.follow(path))] = receipt

    def forget(self, path: Path) -> None:
        self.files.pop(str(disk.follow(path)), None)

    def save(self) -> None:
        """Writes them, or deletes the file and what we made for it where there are none. Raises `InstallError`."""
        if not self.files:
            disk.delete(self.file)
            self.folders = disk.remove_folders(self.folders)
            return
        made = disk.write(self.file, self._json())
        if made:  # again, with the folders that were made for it
            self.folders += made
            disk.write(self.file, self._json())

    def _json(self) -> bytes:
        kept = {
            "version": VERSION,
            "folders": [str(folder) for folder in self.folders],
            "files": {path: asdict(receipt) for path, receipt in sorted(self.files.items())},
        }
        return (json.dumps(kept, indent=1) + "\n").encode()


def _state_folder(environment: Mapping[str, str], home: Path) -> Path:
    if sys.platform == "win32":
        return Path(environment.get("LOCALAPPDATA") or home / "AppData" / "Local")
    return Path(environment.get("XDG_STATE_HOME") or home / ".local" / "state")


def _sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
