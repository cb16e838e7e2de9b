"""Copies of files as they were when they were opened."""

from __future__ import annotations

import shutil
from datetime import datetime, timedelta
from hashlib import sha256
from pathlib import Path

STAMP = "%Y%m%dT%H%M%S"


def backup_name(path: Path, at: datetime) -> str:
    """Two files of one name in two folders must not overwrite each other's backups."""
    folder = sha256(str(path.resolve().parent).encode()).hexdigest()[:8]
    return f"{path.stem}-{folder}-{at.strftime(STAMP)}{path.suffix}"


def keep_backup(path: Path, folder: Path, days: int, now: datetime | None = None) -> Path | None:
    """Copies the file and removes backups that are too old. None when there is no file yet."""
    now = datetime.now() if now is None else now
    folder = folder.expanduser()
    folder.mkdir(parents=True, exist_ok=True)
    remove_old(folder, now - timedelta(days=days))
    if not path.exists():
        return None
    target = folder / backup_name(path, now)
    shutil.copy2(path, target)
    return target


def remove_old(folder: Path, before: datetime) -> int:
    """Number of backups that were removed. Files that are not ours stay."""
    removed = 0
    for file in folder.iterdir():
        stamp = file.stem.rpartition("-")[2]
        try:
            made = datetime.strptime(stamp, STAMP)
        except ValueError:
            continue
        if made < before:
            file.unlink()
            removed += 1
    return removed


def backups_of(path: Path, folder: Path) -> list[Path]:
    """Newest first."""
    folder = folder.expanduser()
    if not folder.is_dir():
        return []
    return sorted(folder.glob(f"{path.stem}-*{path.suffix}"), reverse=True)
