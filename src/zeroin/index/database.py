"""The SQLite file of a store: open it, check its version, create its tables, set it aside if it is broken.

Only this module interprets its errors: a broken file is set aside and built anew, one of a newer zeroin is left alone,
one that cannot be written is opened read-only.
"""

import os
import re
import shutil
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

from zeroin.config import cache_dir
from zeroin.parsing.facts import FACTS_VERSION
from zeroin.terms import ANALYSER_VERSION

FORMAT_VERSION = 1  # of the tables; docs/FORMAT.md has a line for every number
APPLICATION_ID = 0x5A65526F  # "ZeRo": marks our SQLite files
SUFFIX, ARRAYS_SUFFIX, SET_ASIDE_SUFFIX = ".sqlite3", ".arrays", ".set-aside"

_BUSY_S = 5.0  # how long a writer waits for another process
_RETRY_S = 0.01  # between two tries where SQLite does not wait by itself
# One number, the format first: a file with a lower one is rebuilt, one with a higher one is left alone.
VERSION = (FORMAT_VERSION * 1000 + FACTS_VERSION) * 1000 + ANALYSER_VERSION
_TABLES = """
CREATE TABLE facts (blob TEXT NOT NULL, language TEXT NOT NULL, crc INTEGER NOT NULL, data BLOB NOT NULL,
                    PRIMARY KEY (blob, language));
CREATE TABLE stats (root TEXT NOT NULL, path TEXT NOT NULL, size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL,
                    inode TEXT NOT NULL, blob TEXT NOT NULL, PRIMARY KEY (root, path)) WITHOUT ROWID;
CREATE TABLE named (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
"""


def file_name(identity: str) -> str:
    """Return the name, without suffix, of a repository's files: readable, and unique by a hash of its identity."""
    parts = [part for part in re.split(r"[\\/]+", identity) if part not in ("", ".git")]
    slug = re.sub(r"[^A-Za-z0-9._-]+", "-", parts[-1] if parts else "").strip("-.")[:40]
    return f"{slug or 'repository'}-{sha256(identity.encode('utf-8', 'surrogatepass')).hexdigest()[:12]}"


def index_dir() -> Path:
    """Return the folder of all stores below the cache directory; not created here."""
    return cache_dir() / "index"


class Unusable(Exception):
    """The file cannot be used; `broken` if it should be set aside and built anew."""

    def __init__(self, why: str, *, broken: bool) -> None:
        super().__init__(why)
        self.broken = broken


def arrays_dir(path: Path) -> Path:
    """Return the folder of array files that belongs to a store's file."""
    return path.with_suffix(ARRAYS_SUFFIX)


def _opened_version(connection: sqlite3.Connection) -> int:
    """Return the version of an open file; 0 for an empty one. Raises `Unusable` for a foreign one."""
    # In this order, since another process may create our tables in an empty file between these queries.
    tables = connection.execute("SELECT 1 FROM sqlite_master").fetchone()
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if connection.execute("PRAGMA application_id").fetchone()[0] == APPLICATION_ID:
        return version
    if tables or version:
        raise Unusable("is another program's database", broken=True)
    return 0


def connect(path: Path) -> sqlite3.Connection:
    """Open a store's file, and create its tables if need be. Raises `Unusable`, `sqlite3.Error`, `OSError`."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    connection = sqlite3.connect(path, timeout=_BUSY_S, isolation_level=None, check_same_thread=False)
    try:
        try:
            connection.execute(f"PRAGMA busy_timeout = {int(_BUSY_S * 1000)}")
            connection.execute("PRAGMA trusted_schema = OFF")
            version = _opened_version(connection)
            if version > VERSION:
                raise Unusable("was written by a newer zeroin", broken=False)
            _write_ahead(connection)
            connection.execute("PRAGMA synchronous = NORMAL")
            if version < VERSION:
                _create(connection, path)
            os.utime(path)  # the time of last use, for `cache.prune`
        except (sqlite3.DatabaseError, UnicodeError) as error:
            # `UnicodeError`: SQLite quotes a damaged schema in its message.
            if is_broken(error):
                raise Unusable(f"is damaged ({error})", broken=True) from error
            raise
    except BaseException:
        connection.close()
        raise
    return connection


def _write_ahead(connection: sqlite3.Connection) -> None:
    """Switch a file to a write-ahead log. Raises `sqlite3.Error`.

    `busy_timeout` does not hold for this pragma: of two processes that switch a new file at once one gets SQLITE_BUSY
    at once, so it is tried again here.
    """
    until = time.monotonic() + _BUSY_S
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL").fetchone()
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() >= until:
                raise
        time.sleep(_RETRY_S)


def _create(connection: sqlite3.Connection, path: Path) -> None:
    """Create the tables, and drop those of an older format, unless another process has just done so."""
    with transaction(connection):
        if connection.execute("PRAGMA user_version").fetchone()[0] == VERSION:
            return
        names = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for name in names:
            if not name.startswith("sqlite_"):
                quoted = name.replace('"', '""')
                connection.execute(f'DROP TABLE "{quoted}"')
        for statement in _TABLES.split(";"):
            if statement.strip():
                connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {VERSION}")
    shutil.rmtree(arrays_dir(path), ignore_errors=True)  # they are assembled from the facts that were dropped


def connect_read_only(path: Path) -> sqlite3.Connection:
    """Open a file read-only: on a read-only medium, or in a folder where SQLite cannot create its WAL.

    Raises `Unusable` and `sqlite3.Error`.
    """
    uri = path.absolute().as_uri()
    # `immutable` ignores the WAL, so it comes second: `mode=ro` needs a writable folder or an existing -shm.
    for options in ("mode=ro", "mode=ro&immutable=1"):
        connection = sqlite3.connect(f"{uri}?{options}", uri=True, isolation_level=None, check_same_thread=False)
        try:
            connection.execute("PRAGMA trusted_schema = OFF")
            if _opened_version(connection) == VERSION:
                connection.execute("SELECT 1 FROM facts LIMIT 1").fetchone()
                return connection
            raise Unusable("is of another version", broken=False)
        except BaseException as error:
            connection.close()
            if not isinstance(error, sqlite3.Error) or "immutable" in options:
                raise
    raise Unusable("cannot be read", broken=False)


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def is_broken(error: Exception) -> bool:
    """Whether an error means that the file is damaged, and not its place or another process."""
    if isinstance(error, (UnicodeError, ValueError)):
        return True
    code = (getattr(error, "sqlite_errorcode", None) or 0) & 0xFF
    if code:
        # A table that is missing from a file of our version (SQLITE_ERROR) is damage as well.
        return code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR, sqlite3.SQLITE_MISMATCH)
    if str(error).startswith("Could not decode"):  # Python raises an OperationalError for it
        return True
    return isinstance(error, sqlite3.DatabaseError) and not isinstance(error, sqlite3.OperationalError)


def set_aside(path: Path, inode: int | None) -> bool:
    """Rename a broken file, unless it is no longer the one with `inode`. False where the system refuses."""
    if inode is None or inode_of(path) != inode:
        return True
    try:
        path.replace(path.with_name(path.name + SET_ASIDE_SUFFIX))
        for suffix in ("-wal", "-shm"):
            path.with_name(path.name + suffix).unlink(missing_ok=True)
    except OSError:
        return False
    shutil.rmtree(arrays_dir(path), ignore_errors=True)
    return True


def inode_of(path: Path) -> int | None:
    """Return the inode of a file, by which a replaced file is noticed; None if there is no file."""
    try:
        return path.stat().st_ino
    except OSError:
        return None
