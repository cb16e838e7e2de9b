"""The cache directory as a whole: its size, emptying it, pruning it."""

import math
import os
import shutil
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from zeroin.index.database import ARRAYS_SUFFIX, SET_ASIDE_SUFFIX, SUFFIX, file_name, index_dir
from zeroin.patterns import lazy_pattern
from zeroin.replacing import sweep

# Only files with such a name are ever removed: the folder may hold other files, too.
_OURS = lazy_pattern(r"(.+-[0-9a-f]{12})\.(?:sqlite3(?:-wal|-shm|\.set-aside)?|arrays)")


@dataclass(frozen=True, slots=True)
class Usage:
    """Size (bytes) of one repository's files in the cache; `used`: last opened, seconds since 1970."""

    name: str
    size: int
    used: float


def usage() -> list[Usage]:
    """Return the sizes of all repositories, last used first."""
    out = []
    for name, places in _by_store(index_dir()).items():
        for store in places:
            if store.name == name + SUFFIX:
                with suppress(OSError):  # it has vanished
                    out.append(Usage(name, sum(map(_size, places)), store.stat().st_mtime))
    return sorted(out, key=lambda u: (-u.used, u.name))


def cache_size() -> int:
    """Return the bytes of all files in the cache of indexes, those set aside or left behind included."""
    return _size(index_dir())


def clear(identity: str | None = None) -> int:
    """Remove every index, or that of one repository; returns the bytes freed.

    Files that cannot be removed, or are not ours, stay.
    """
    before = cache_size()
    for name, places in _by_store(index_dir()).items():
        if identity is None or name == file_name(identity):
            _remove(places)
    return before - cache_size()


def prune(max_bytes: int | None = None, max_age_days: float | None = None) -> int:
    """Remove indexes not used for `max_age_days`, then the least recently used until `max_bytes` remain.

    Returns the bytes freed; broken files and those that a killed process left behind go in any case.
    """
    folder, before = index_dir(), cache_size()
    found = _by_store(folder)
    for name, places in found.items():
        is_orphan = not any(place.name == name + SUFFIX for place in places)
        _remove([place for place in places if is_orphan or place.name.endswith(SET_ASIDE_SUFFIX)])
        sweep(folder / (name + ARRAYS_SUFFIX))
    oldest = -math.inf if max_age_days is None else time.time() - max_age_days * 86_400
    left = math.inf if max_bytes is None else max_bytes
    for item in usage():
        left -= item.size
        if item.used < oldest or left < 0:
            _remove(found.get(item.name, ()))  # one that was made meanwhile stays
    return before - cache_size()


def _by_store(folder: Path) -> dict[str, list[Path]]:
    """Return the files and folders of each store (`_OURS`), by the store's name."""
    out: dict[str, list[Path]] = {}
    with suppress(OSError):  # nothing was ever cached
        for path in sorted(folder.iterdir()):
            found = _OURS.fullmatch(path.name)
            if found is not None and (path.suffix == ARRAYS_SUFFIX or not path.is_dir()):
                out.setdefault(found[1], []).append(path)
    return out


def _remove(places: Iterable[Path]) -> None:
    """Remove files and folders if the system lets us: `prune` tries again, and what remains shows in the size."""
    for place in places:
        if place.suffix == ARRAYS_SUFFIX:
            shutil.rmtree(place, ignore_errors=True)
        else:
            with suppress(OSError):  # in use on Windows (by a virus scanner, say), or read-only
                place.unlink(missing_ok=True)


def _size(place: Path) -> int:
    """Return the bytes of a file, or of all files in a folder; links in it are not followed."""
    files = [place]
    if place.is_dir():
        files = [Path(where) / name for where, _, names in os.walk(place) for name in names]
    size = 0
    for file in files:
        with suppress(OSError):  # it has vanished
            size += file.lstat().st_size
    return size
