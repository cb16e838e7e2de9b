"""The store of one repository: facts by blob, ids of files outside git, small values; array files beside it.

One SQLite file (WAL) in the cache directory, shared by every worktree, branch and process. A cache must never cause
a wrong answer or a failure: a broken file is set aside and rebuilt, one that cannot be written is read, one that cannot
be read counts as empty, and `Store.warnings` names what was lost. `docs/FORMAT.md` numbers the format.
"""

from __future__ import annotations

import json
import re
import sqlite3
import threading
import time
import zlib
from collections.abc import Callable, Iterable, Mapping
from math import inf
from pathlib import Path
from typing import Any, TypeVar

from zeroin.errors import CacheError
from zeroin.index import database
from zeroin.parsing.facts import Facts

Key = tuple[str, str]  # blob id, language
Stat = tuple[int, int, int]  # size, last change in ns, inode (`files.key_of`)
T = TypeVar("T")

_CHECK_EVERY = 512  # rows between looks at the deadline
# The blobs come as one JSON list, so that their number has no limit and the rows come in their order.
_FACTS = "SELECT blob, language, crc, data FROM json_each(?) CROSS JOIN facts ON blob = value"
_KNOWN = "SELECT blob, language FROM json_each(?) CROSS JOIN facts ON blob = value"


def whole(_: Key, facts: Any) -> Any:
    """Keep all of the facts."""
    return facts


class Store:
    """Facts and named values of one repository. Safe to share between threads and processes.

    `writable` is False where nothing that is put survives this process.
    """

    def __init__(
        self, path: Path, connection: sqlite3.Connection | None, *, writable: bool, warnings: list[str]
    ) -> None:
        self.warnings = warnings
        self.writable = writable
        self._path = path
        self._connection = connection
        self._lock = threading.RLock()
        self._has_said = not writable

    @classmethod
    def open(cls, identity: str, *, directory: Path | None = None) -> Store:
        """Return the store of a repository, created where it is missing. Never raises."""
        path = (directory or database.index_dir()) / (database.file_name(identity) + database.SUFFIX)
        warnings: list[str] = []
        inode = database.inode_of(path)
        try:
            try:
                connection = database.connect(path)
            except database.Unusable as error:
                if not error.broken or not database.set_aside(path, inode):
                    raise
                warnings.append(f"the index {error}; it is rebuilt")
                connection = database.connect(path)
            return cls(path, connection, writable=True, warnings=warnings)
        except database.Unusable as error:
            warnings.append(f"the index {error}; this run does without it")
            return cls(path, None, writable=False, warnings=warnings)
        except (sqlite3.Error, OSError) as error:
            return cls._without_writing(path, error, warnings)

    @classmethod
    def _without_writing(cls, path: Path, error: Exception, warnings: list[str]) -> Store:
        try:
            connection = database.connect_read_only(path)
            warnings.append(f"nothing new can be kept in {path.parent} ({error})")
        except (database.Unusable, sqlite3.Error, UnicodeError, OSError):
            connection = None
            place = "ZEROIN_CACHE_DIR can name another folder"
            warnings.append(f"nothing can be kept in {path.parent} ({error}): {place}")
        return cls(path, connection, writable=False, warnings=warnings)

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; nothing is read or kept afterwards."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
            self._connection, self.writable = None, False

    # --- facts ----------------------------------------------------------------------------------

    def facts(
        self, keys: Iterable[Key], keep: Callable[[Key, Facts], T] = whole, *, until: float = inf
    ) -> dict[Key, T]:
        """Return what `keep` makes of the facts that are known of `keys`, read in this order until a time (monotonic).

        Damaged rows count as unknown, are removed, and a warning counts them.
        """
        wanted = dict.fromkeys(keys)
        out: dict[Key, T] = {}
        damaged: list[Key] = []

        def read(connection: sqlite3.Connection) -> None:
            for count, (blob, language, crc, data) in enumerate(connection.execute(_FACTS, (_blobs(wanted),))):
                key = (blob, language)
                if key in wanted:
                    try:
                        out[key] = keep(key, _decoded(key, crc, data))
                    except ValueError:
                        damaged.append(key)
                if not (count + 1) % _CHECK_EVERY and time.monotonic() >= until:
                    return

        self._read(read, None)
        if damaged:
            self.forget(damaged)
            if self._connection is not None:  # else `_give_up` has warned of more than that
                self.warnings.append(f"{len(damaged):,} damaged rows of the index are analysed anew")
        return out

    def known(self, keys: Iterable[Key]) -> set[Key]:
        """Return which of `keys` have facts."""
        wanted = set(keys)
        return self._read(lambda c: wanted & set(c.execute(_KNOWN, (_blobs(wanted),))), set())

    def put_facts(self, facts: Mapping[Key, bytes]) -> None:
        """Keep encoded facts, in one transaction."""
        rows = [(*key, checksum(key, data), data) for key, data in facts.items()]
        self._write(lambda c: c.executemany("INSERT OR REPLACE INTO facts VALUES (?, ?, ?, ?)", rows))

    def forget(self, keys: Iterable[Key]) -> None:
        """Remove the facts of some keys."""
        rows = list(keys)
        self._write(lambda c: c.executemany("DELETE FROM facts WHERE blob = ? AND language = ?", rows))

    # --- files outside git ----------------------------------------------------------------------

    def stats(self, root: str) -> dict[str, tuple[Stat, str]]:
        """Return path → (stat, blob id) of the files below `root` when they were last hashed, without damaged rows."""
        columns = "CAST(path AS BLOB), size, mtime_ns, CAST(inode AS TEXT), CAST(blob AS TEXT)"
        query = f"SELECT {columns} FROM stats WHERE root = ?"

        def read(connection: sqlite3.Connection) -> dict[str, tuple[Stat, str]]:
            out = {}
            for name, size, mtime_ns, guarded, blob in connection.execute(query, (_storable(root),)):
                path, inode = name.decode("utf-8", "surrogatepass"), int(guarded) >> 32
                if guarded == _guarded(root, path, (size, mtime_ns, inode), blob):
                    out[path] = (size, mtime_ns, inode), blob
            return out

        return self._read(read, {})

    def put_stats(self, root: str, put: Mapping[str, tuple[Stat, str]], gone: Iterable[str] = ()) -> None:
        """Remember ids of files below `root`, forget those of `gone`. The caller leaves out racy files."""
        there = _storable(root)
        rows = [
            (there, _storable(path), stat[0], stat[1], _guarded(root, path, stat, blob), blob)
            for path, (stat, blob) in put.items()
        ]
        lost = [(there, _storable(path)) for path in gone]

        def write(connection: sqlite3.Connection) -> None:
            connection.executemany("INSERT OR REPLACE INTO stats VALUES (?, ?, ?, ?, ?, ?)", rows)
            connection.executemany("DELETE FROM stats WHERE root = ? AND path = ?", lost)

        if rows or lost:
            self._write(write)

    # --- small values and array files -----------------------------------------------------------

    def get(self, name: str) -> bytes | None:
        """Return the value that was put under `name`, if any."""
        query = "SELECT value FROM named WHERE name = ?"
        row = self._read(lambda c: c.execute(query, (name,)).fetchone(), None)
        return None if row is None else bytes(row[0])

    def put(self, name: str, value: bytes | None) -> None:
        """Keep a small value under `name`; None removes it."""
        if value is None:
            self._write(lambda c: c.execute("DELETE FROM named WHERE name = ?", (name,)))
        else:
            self._write(lambda c: c.execute("INSERT OR REPLACE INTO named VALUES (?, ?)", (name, value)))

    def path_for(self, name: str) -> Path | None:
        """Return where the array file `name` lies or would lie; None where the store has no file."""
        if self._connection is None:
            return None
        if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", name):
            raise CacheError(f"{name!r} cannot name an array file")
        return database.arrays_dir(self._path) / name

    def folder(self) -> Path | None:
        """Return where array files lie; None where nothing new is kept."""
        return database.arrays_dir(self._path) if self.writable else None

    def array_files(self, prefix: str) -> list[Path]:
        """Return the array files whose name starts with `prefix`, last used first."""
        try:
            files = [path for path in database.arrays_dir(self._path).iterdir() if path.name.startswith(prefix)]
            return sorted(files, key=lambda path: path.stat().st_mtime_ns, reverse=True)
        except OSError:
            return []

    def trim(self, prefix: str, keep: int) -> None:
        """Remove all but the `keep` last used array files whose name starts with `prefix`."""
        for path in self.array_files(prefix)[keep:]:
            try:
                path.unlink(missing_ok=True)
            except OSError:  # read-only, or mapped by another process on Windows: the next run tries again
                return

    # --- the connection -------------------------------------------------------------------------

    def _read(self, use: Callable[[sqlite3.Connection], T], default: T) -> T:
        """Return what `use` reads; `default` without a file, or if it turns out to be broken."""
        with self._lock:
            if self._connection is None:
                return default
            try:
                return use(self._connection)
            except (sqlite3.Error, UnicodeError, ValueError) as error:
                self._give_up(error)
                return default

    def _write(self, use: Callable[[sqlite3.Connection], object]) -> None:
        """Run `use` in a transaction; after a failure, nothing is kept from now on."""
        with self._lock:
            if self._connection is None or not self.writable:
                return
            try:
                with database.transaction(self._connection):
                    use(self._connection)
            except sqlite3.Error as error:
                if database.is_broken(error):
                    self._give_up(error)
                else:
                    self.writable = False
                    self.not_kept(error)

    def not_kept(self, error: Exception) -> None:
        """Warn that new values cannot be kept, at most once."""
        if not self._has_said:
            self.warnings.append(f"the index cannot be written ({error}): not all that is new is kept")
        self._has_said = True

    def _give_up(self, error: Exception) -> None:
        """Leave a file that cannot be read: a broken one is set aside, so that the next run rebuilds it."""
        self.close()
        if database.is_broken(error) and database.set_aside(self._path, database.inode_of(self._path)):
            what, then = "is damaged", ", the next rebuilds it"
        else:
            what, then = "cannot be read", ""
        self.warnings.append(f"the index {what} ({error}); this run does without it{then}")


def checksum(key: Key, data: bytes) -> int:
    """Return the CRC-32 of a row: of its key too, so that a damaged page cannot give a blob the facts of another."""
    return zlib.crc32(data, zlib.crc32("\0".join(key).encode("utf-8", "surrogatepass")))


def _guarded(root: str, path: str, stat: Stat, blob: str) -> str:
    """Return the inode to store, followed by a CRC-32 of the row: taken for a plain inode, it matches no file."""
    row = "\0".join((root, path, *map(str, stat), blob))
    return str(stat[2] << 32 | zlib.crc32(row.encode("utf-8", "surrogatepass")))


def _decoded(key: Key, crc: Any, data: Any) -> Facts:
    """Return the facts of a row. Raises `ValueError` for a damaged one: SQLite keeps any type in any column."""
    if not isinstance(data, bytes) or crc != checksum(key, data):
        raise ValueError("checksum")
    return Facts.decode(data)


def _blobs(keys: Iterable[Key]) -> str:
    return json.dumps(list(dict.fromkeys(blob for blob, _ in keys)))


def _storable(path: str) -> bytes:
    """Encode a path: it may hold undecodable bytes, which SQLite's text does not take."""
    return path.encode("utf-8", "surrogatepass")
