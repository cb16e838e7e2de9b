"""Where zeroin keeps things: the cache (indexes, runs) and the data directory (what was learned)."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from pathlib import Path

from zeroin.config import cache_dir, data_dir, may_learn
from zeroin.doctor.check import Check
from zeroin.errors import OptionError
from zeroin.index import cache
from zeroin.index.database import SET_ASIDE_SUFFIX, SUFFIX, index_dir
from zeroin.learning.store import SUFFIX as LEARNED
from zeroin.learning.store import learned_dir

_AREA = "storage"
_LEAST_FREE = 500_000_000  # bytes; the index of a large repository takes a few hundred megabytes


def storage() -> list[Check]:
    """Whether the cache and the data directory can be written and are sound, and how much space is left."""
    try:
        cache_dir(), data_dir()
    except OptionError as error:
        advice = "set ZEROIN_CACHE_DIR and ZEROIN_DATA_DIR to folders that can be written"
        return [Check(_AREA, "cache", "bad", str(error), advice)]
    return [_cache(), *_set_aside(), _free(), _data()]


def _cache() -> Check:
    folder = cache_dir()
    why = _not_writable(folder)
    if why:
        advice = "make it writable, or name another folder in ZEROIN_CACHE_DIR; until then every question starts anew"
        return Check(_AREA, "cache", "bad", f"{folder}: {why}", advice)
    if not folder.exists():
        return Check(_AREA, "cache", "ok", f"{folder} (made with the first question)")
    used = cache.usage()
    runs = _count(folder / "runs", ".json")
    many = f"{len(used)} {'repository' if len(used) == 1 else 'repositories'}, {runs} run{'' if runs == 1 else 's'}"
    return Check(_AREA, "cache", "ok", f"{folder}: {size_text(cache.cache_size())} of {many}")


def _set_aside() -> list[Check]:
    count = _count(index_dir(), SUFFIX + SET_ASIDE_SUFFIX)
    if not count:
        return []
    told = f"{count} damaged index{'' if count == 1 else 'es'} set aside; built anew since"
    return [
        Check(_AREA, "damage", "warn", told, "zeroin cache --prune removes them; check the disk if it recurs")
    ]


def _free() -> Check:
    near = _nearest(cache_dir())
    try:
        free = shutil.disk_usage(near).free
    except OSError as error:
        return Check(_AREA, "disk", "warn", f"{near}: {error.strerror or error}")
    told = f"{size_text(free)} free"
    if free < _LEAST_FREE:
        return Check(_AREA, "disk", "warn", told, "free some space, or: zeroin cache --prune --max-mb 200")
    return Check(_AREA, "disk", "ok", told)


def _data() -> Check:
    folder = data_dir()
    why = _not_writable(folder)
    if why:
        advice = (
            "make it writable, or name another folder in ZEROIN_DATA_DIR; until then nothing can be learned"
        )
        return Check(_AREA, "data", "warn", f"{folder}: {why}", advice)
    files = _named(learned_dir(), LEARNED)
    damaged = [file.name for file in files if not _sound(file)]
    if damaged:
        advice = (
            "the next question sets it aside and goes on without; restore it from a backup if you have one"
        )
        return Check(_AREA, "data", "warn", f"what was learned is damaged: {', '.join(damaged)}", advice)
    many = f"learned of {len(files)} {'repository' if len(files) == 1 else 'repositories'}"
    told = f"{folder}: {many if files else 'nothing learned'}"
    told += "" if may_learn() else "; not used, since ZEROIN_NO_LEARNED is set"
    return Check(_AREA, "data", "ok", told)


def _not_writable(folder: Path) -> str:
    """Why nothing can be written in `folder` (or made, where it is missing); "" if it can."""
    near = _nearest(folder)
    if not near.is_dir():
        return f"{near} is no folder"
    if near != folder:
        return "" if os.access(near, os.W_OK | os.X_OK) else f"cannot be made in {near}"
    try:
        with tempfile.TemporaryFile(dir=folder, prefix=".zeroin-probe-") as file:
            file.write(b"probe")
    except OSError as error:
        return error.strerror or str(error)
    return ""


def _nearest(folder: Path) -> Path:
    """`folder`, or what exists of the way to it."""
    whole = Path(os.path.abspath(folder))  # noqa: PTH100 - resolve() follows links, and may fail on them
    return next((p for p in (whole, *whole.parents) if os.path.lexists(p)), whole)


def _sound(file: Path) -> bool:
    try:
        connection = sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)
        try:
            return bool(connection.execute("PRAGMA quick_check(1)").fetchone()[0] == "ok")
        finally:
            connection.close()
    except sqlite3.OperationalError:
        return True  # locked, or on a medium that takes no lock: it is not known to be damaged
    except sqlite3.Error:
        return False


def _count(folder: Path, suffix: str) -> int:
    return len(_named(folder, suffix))


def _named(folder: Path, suffix: str) -> list[Path]:
    try:
        return sorted(path for path in folder.iterdir() if path.name.endswith(suffix))
    except OSError:  # nothing was kept yet
        return []


def size_text(size: int) -> str:
    """Bytes for people."""
    if size < 1_000_000:
        return f"{size / 1000:.1f} kB"
    return f"{size / 1e6:.1f} MB" if size < 1e9 else f"{size / 1e9:.1f} GB"
