"""The store of one repository: facts by blob, ids of files outside git, small values; array files beside it.

One SQLite file (WAL) in the cache directory, shared by every worktree, branch and process. A cache is never worth
a wrong answer or a failed one: whatever is broken is set aside and rebuilt, whatever cannot be written is kept in
memory, and `Store.warnings` says what was lost. `docs/FORMAT.md` numbers the format.
"""

from __future__ import annotations

import gc
import re
import sqlite3
import threading
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from zeroin.errors import CacheError
from zeroin.index.database import (
    SUFFIX,
    Unusable,
    arrays_dir,
    connect,
    connect_memory,
    connect_read_only,
    file_name,
    index_dir,
    inode_of,
    is_broken,
    set_aside,
    transaction,
)
from zeroin.parsing.facts import Facts

Key = tuple[str, str]  # blob id, language
Stat = tuple[int, int, int]  # size, mtime_ns, inode
T = TypeVar("T")

_READ_ALL_SHARE = 0.25  # of the rows that, once wanted, makes one scan cheaper than many look-ups
_LOOK_UP_AT_ONCE = 400  # variables a statement: the oldest SQLite allows 999
_INSERT_FACTS = "INSERT OR REPLACE INTO facts (blob, language, crc, data) VALUES (?, ?, ?, ?)"


class Store:
    """Facts and named values of one repository. Safe to share between threads and processes."""

    def __init__(self, path: Path | None, reading: list[sqlite3.Connection], warnings: list[str]) -> None:
        self.warnings = warnings
        self._path = path
        self._reading = reading  # the first one is written to
        self._lock = threading.RLock()
        self._degraded = False

    @classmethod
    def open(cls, identity: str, *, directory: Path | None = None) -> Store:
        """The store of a repository, created where it is missing; in memory where it cannot be. Never raises."""
        path = (directory or index_dir()) / (file_name(identity) + SUFFIX)
        warnings: list[str] = []
        for attempt in range(3):
            inode = inode_of(path)
            try:
                return cls(path, [connect(path)], warnings)
            except Unusable as error:
                if error.broken and attempt < 2 and set_aside(path, inode):
                    warnings.append(f"the index {error}; it is rebuilt")
                    continue
                warnings.append(f"the index {error}; this run works in memory")
                return cls(None, [connect_memory()], warnings)
            except (sqlite3.Error, OSError) as error:
                return cls._without_writing(path, error, warnings)
        return cls(None, [connect_memory()], warnings)

    @classmethod
    def _without_writing(cls, path: Path, error: Exception, warnings: list[str]) -> Store:
        """What can be read is read; what is new stays in memory."""
        try:
            found = connect_read_only(path)
        except (Unusable, sqlite3.Error, OSError):
            warnings.append(
                f"nothing can be kept in {path.parent} ({error}); answered from memory: ZEROIN_CACHE_DIR can name "
                "another folder"
            )
            return cls(None, [connect_memory()], warnings)
        warnings.append(f"nothing new can be kept in {path.parent} ({error}); it stays in memory")
        store = cls(path, [connect_memory(), found], warnings)
        store._degraded = True
        return store

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; the store cannot be used afterwards."""
        with self._lock:
            for connection in self._reading:
                connection.close()
            self._reading = []

    @property
    def in_memory(self) -> bool:
        """Whether nothing that is put survives this process."""
        return self._path is None or self._degraded

    # --- facts ----------------------------------------------------------------------------------

    def facts(self, keys: Iterable[Key]) -> dict[Key, Facts]:
        """The facts that are known of `keys`; damaged ones count as unknown, and a warning says how many."""
        wanted = set(keys)
        out: dict[Key, Facts] = {}
        for connection in self._connections():
            with without_collection():
                damaged = self._guard(connection, lambda c: _load(c, wanted, out), 0)
            if damaged:
                self.warnings.append(f"{damaged:,} damaged rows of the index are analysed anew")
                self._guard(connection, _check, None)
        return out

    def known(self, keys: Iterable[Key]) -> set[Key]:
        """Which of `keys` have facts."""
        wanted = set(keys)
        out: set[Key] = set()
        for connection in self._connections():
            out |= self._guard(connection, lambda c: _known(c, wanted), set())
        return out

    def put_facts(self, facts: Mapping[Key, Facts | bytes]) -> None:
        """Keep facts (or their encoded form), in one transaction."""
        rows = []
        for key, value in facts.items():
            data = value if isinstance(value, bytes) else value.encode()
            rows.append((*key, checksum(key, data), data))
        self._write(lambda c: c.executemany(_INSERT_FACTS, rows))

    def encoded_facts(self) -> Iterator[tuple[Key, bytes]]:
        """All facts as they are stored, damaged ones left out; for `cache.export_index`. Raises `sqlite3.Error`."""
        for connection in self._connections():
            for blob, language, crc, data in connection.execute(
                "SELECT blob, language, crc, data FROM facts"
            ):
                if crc == checksum((blob, language), data):
                    yield (blob, language), data

    @contextmanager
    def importing(self) -> Iterator[Callable[[Mapping[Key, bytes]], object]]:
        """One transaction for many `put`s: all or nothing. What is known already stays. Raises `sqlite3.Error`."""
        with self._lock, transaction(self._reading[0]):
            connection = self._reading[0]
            yield lambda facts: connection.executemany(
                _INSERT_FACTS.replace("REPLACE", "IGNORE"),
                [(*key, checksum(key, data), data) for key, data in facts.items()],
            )

    # --- files outside git ----------------------------------------------------------------------

    def stats(self, root: str) -> dict[str, tuple[Stat, str]]:
        """Path → (stat, blob id) of the files below `root` when they were last hashed."""
        out: dict[str, tuple[Stat, str]] = {}
        query = "SELECT path, size, mtime_ns, inode, blob FROM stats WHERE root = ?"
        for connection in self._connections():
            nothing: list[tuple[bytes, int, int, str, str]] = []
            rows = self._guard(connection, lambda c: c.execute(query, (_storable(root),)).fetchall(), nothing)
            for path, size, mtime_ns, inode, blob in rows:
                out.setdefault(_restored(path), ((size, mtime_ns, int(inode)), blob))
        return out

    def put_stats(self, root: str, put: Mapping[str, tuple[Stat, str]], gone: Iterable[str] = ()) -> None:
        """Remember ids of files below `root`, forget those of `gone`. Racy files are the caller's to leave out."""
        there = _storable(root)
        rows = [
            (there, _storable(path), size, mtime, str(inode), blob)
            for path, ((size, mtime, inode), blob) in put.items()
        ]
        lost = [(there, _storable(path)) for path in gone]

        def write(connection: sqlite3.Connection) -> None:
            connection.executemany("INSERT OR REPLACE INTO stats VALUES (?, ?, ?, ?, ?, ?)", rows)
            connection.executemany("DELETE FROM stats WHERE root = ? AND path = ?", lost)

        if rows or lost:
            self._write(write)

    # --- small values and array files -----------------------------------------------------------

    def get(self, name: str) -> bytes | None:
        """The value that was put under `name`, if any."""
        query = "SELECT value FROM named WHERE name = ?"
        for connection in self._connections():
            row = self._guard(connection, lambda c: c.execute(query, (name,)).fetchone(), None)
            if row is not None:
                return bytes(row[0])
        return None

    def put(self, name: str, value: bytes | None) -> None:
        """Keep a small value under `name`; None removes it."""
        if value is None:
            self._write(lambda c: c.execute("DELETE FROM named WHERE name = ?", (name,)))
        else:
            self._write(lambda c: c.execute("INSERT OR REPLACE INTO named VALUES (?, ?)", (name, value)))

    def path_for(self, name: str) -> Path | None:
        """Where the array file `name` lies or would lie; None when there is no place for files."""
        if self._path is None:
            return None
        if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", name):
            raise CacheError(f"{name!r} cannot name an array file")
        return arrays_dir(self._path) / name

    def array_files(self, prefix: str) -> list[Path]:
        """The array files whose name starts with `prefix`, last used first."""
        if self._path is None:
            return []
        try:
            found = [
                (p.stat().st_mtime_ns, p)
                for p in arrays_dir(self._path).iterdir()
                if p.name.startswith(prefix)
            ]
        except OSError:
            return []
        return [path for _, path in sorted(found, reverse=True)]

    def trim(self, prefix: str, keep: int) -> None:
        """Remove all but the `keep` last used array files whose name starts with `prefix`."""
        for path in self.array_files(prefix)[keep:]:
            try:
                path.unlink(missing_ok=True)
            except OSError:  # read-only, or mapped by another process on Windows: the next run tries again
                return

    # --- the connections ------------------------------------------------------------------------

    def _connections(self) -> Sequence[sqlite3.Connection]:
        with self._lock:
            return tuple(self._reading)

    def _guard(self, connection: sqlite3.Connection, use: Callable[[sqlite3.Connection], T], default: T) -> T:
        """What `use` reads; `default`, a warning and a new start in memory if the file turns out broken."""
        with self._lock:
            try:
                return use(connection)
            except (sqlite3.Error, UnicodeError, ValueError) as error:
                self._give_up(connection, error)
                return default

    def _write(self, use: Callable[[sqlite3.Connection], object]) -> None:
        """Run `use` in a transaction; if the file refuses, again in memory."""
        with self._lock:
            if not self._reading:
                return
            try:
                with transaction(self._reading[0]):
                    use(self._reading[0])
            except sqlite3.Error as error:
                if self._degraded or self._path is None:
                    return  # not even memory takes it: what was computed is still in the caller's hands
                if is_broken(error):
                    self._give_up(self._reading[0], error)
                else:
                    self._degraded = True
                    self._reading.insert(0, connect_memory())
                    self.warnings.append(
                        f"the index cannot be written ({error}); what is new stays in memory"
                    )
                self._write(use)

    def _give_up(self, connection: sqlite3.Connection, error: Exception) -> None:
        """Leave a broken file: set it aside, so that the next run rebuilds it, and go on in memory."""
        if connection not in self._reading:
            return
        self._reading.remove(connection)
        connection.close()
        if self._path is not None and is_broken(error):
            set_aside(self._path, inode_of(self._path))
        self._path = None
        if not self._reading:
            self._reading = [connect_memory()]
        self.warnings.append(
            f"the index is damaged ({error}); this run works in memory, the next rebuilds it"
        )


def checksum(key: Key, data: bytes) -> int:
    """CRC-32 of a row: of its key too, so that a damaged page cannot give a blob the facts of another."""
    return zlib.crc32(data, zlib.crc32("\0".join(key).encode("utf-8", "surrogatepass")))


def _rows(connection: sqlite3.Connection, wanted: set[Key]) -> Iterator[tuple[str, str, int, bytes]]:
    """The rows of `wanted`: one scan when they are a good part of the table, else look-ups in chunks."""
    if not wanted:
        return
    select = "SELECT blob, language, crc, data FROM facts"
    total = connection.execute("SELECT count(*) FROM facts").fetchone()[0]
    if len(wanted) >= _READ_ALL_SHARE * total:
        yield from (row for row in connection.execute(select) if (row[0], row[1]) in wanted)
        return
    for blobs in _chunks(sorted({blob for blob, _ in wanted})):
        marks = ",".join("?" * len(blobs))
        found = connection.execute(f"{select} WHERE blob IN ({marks})", blobs)
        yield from (row for row in found if (row[0], row[1]) in wanted)


def _load(connection: sqlite3.Connection, wanted: set[Key], out: dict[Key, Facts]) -> int:
    """Put the facts of `wanted` into `out`; returns how many rows were damaged."""
    damaged = 0
    for blob, language, crc, data in _rows(connection, wanted - out.keys()):
        key = (blob, language)
        try:
            if crc != checksum(key, data):
                raise ValueError("checksum")
            out[key] = Facts.decode(data)
        except ValueError:
            damaged += 1
    return damaged


def _check(connection: sqlite3.Connection) -> None:
    """Raises `sqlite3.DatabaseError` unless the file is sound but for the rows that were found damaged."""
    found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    if found != "ok":
        raise sqlite3.DatabaseError(found)


@contextmanager
def without_collection() -> Iterator[None]:
    """Decoding makes a million small objects and no cycles: looking for cycles meanwhile takes 40 % of the time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _known(connection: sqlite3.Connection, wanted: set[Key]) -> set[Key]:
    total = connection.execute("SELECT count(*) FROM facts").fetchone()[0]
    if len(wanted) >= _READ_ALL_SHARE * total:
        return wanted & set(connection.execute("SELECT blob, language FROM facts"))
    out: set[Key] = set()
    for blobs in _chunks(sorted({blob for blob, _ in wanted})):
        marks = ",".join("?" * len(blobs))
        out |= wanted & set(
            connection.execute(f"SELECT blob, language FROM facts WHERE blob IN ({marks})", blobs)
        )
    return out


def _chunks(items: list[str]) -> Iterator[list[str]]:
    return (items[at : at + _LOOK_UP_AT_ONCE] for at in range(0, len(items), _LOOK_UP_AT_ONCE))


def _storable(path: str) -> bytes:
    """Paths may hold undecodable bytes, which SQLite's text does not take."""
    return path.encode("utf-8", "surrogatepass")


def _restored(path: bytes) -> str:
    return path.decode("utf-8", "surrogatepass")
