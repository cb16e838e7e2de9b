"""Where lessons are kept: one SQLite file for each repository, in the user's data directory.

Not in the cache, since lessons cannot be computed again. A question adds nothing to the file. A damaged file is set
aside and a damaged lesson removed; the question is then answered without them.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TypeVar

import msgspec

from zeroin.config import data_dir
from zeroin.errors import LearningError
from zeroin.index.database import file_name, inode_of, is_broken, set_aside, transaction
from zeroin.learning.lessons import MAX_LESSONS, MAX_PATHS, Lesson, Lessons, merged, paths_of

LEARNED_VERSION = 3  # docs/FORMAT.md has a line for every number
APPLICATION_ID = 0x5A65524C  # "ZeRL"
SUFFIX = ".learned"

_BUSY_S = 5.0  # how long a writer waits for another process
_LAYOUT = f"""
CREATE TABLE IF NOT EXISTS lessons (id TEXT PRIMARY KEY, number INTEGER NOT NULL, data TEXT NOT NULL);
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {LEARNED_VERSION}
"""
# As BLOB, since read as text one byte that is not UTF-8 would fail the whole query.
_ROWS = "SELECT CAST(id AS BLOB), CAST(data AS BLOB) FROM lessons"
_FAILURES = (sqlite3.Error, OSError, ValueError)  # ValueError: text that cannot be encoded or decoded
T = TypeVar("T")
Row = tuple[bytes, bytes]  # id and data


class Newer(Exception):
    """The file was written by a newer zeroin."""


def learned_dir() -> Path:
    """Return the folder of all lessons, below the data directory; not created here."""
    return data_dir() / "learned"


class LessonStore:
    """The lessons of one repository. Every call opens and closes the file: processes share it."""

    def __init__(self, identity: str, *, directory: Path | None = None, path: Path | None = None) -> None:
        self.path = path or (directory or learned_dir()) / (file_name(identity) + SUFFIX)
        self.warnings: list[str] = []

    @classmethod
    def every(cls) -> list[LessonStore]:
        """Return the stores of all repositories on this machine."""
        return [cls("", path=path) for path in sorted(learned_dir().glob(f"*{SUFFIX}"))]

    def lessons(self) -> Lessons:
        """Return all lessons, newest first; none, with a warning, where the file cannot be read.

        Removes damaged entries; writes nothing else.
        """
        found = {row: self._lesson(*row) for row in self._rows()}
        bad = [row for row, lesson in found.items() if lesson is None]
        if bad:
            with suppress(LearningError):  # the next reading warns again
                remove = "DELETE FROM lessons WHERE CAST(id AS BLOB) IS ? AND CAST(data AS BLOB) IS ?"
                self._write(lambda connection: connection.executemany(remove, bad))
            self.warnings.append(f"{len(bad):,} damaged entries of what was learned are lost")
        return Lessons(tuple(filter(None, found.values())))

    def _rows(self) -> list[Row]:
        if not self.path.is_file():
            return []
        inode = inode_of(self.path)
        try:
            with _opened(self.path) as connection:
                if not _version(connection):
                    return []
                return connection.execute(f"{_ROWS} ORDER BY number DESC, id").fetchall()
        except Newer as error:
            self.warnings.append(f"what was learned {error}; it is ignored")
        except _FAILURES as error:
            if is_broken(error):
                self._set_aside(inode, error)
            else:
                self.warnings.append(f"what was learned cannot be read ({error}); it is ignored")
        return []

    def _set_aside(self, inode: int | None, error: Exception) -> None:
        kept = "it is set aside, and learning begins anew" if set_aside(self.path, inode) else "it is ignored"
        self.warnings.append(f"what was learned is damaged ({error}); {kept}")

    def add(self, *lessons: Lesson) -> tuple[Lesson, ...]:
        """Keep lessons, each merged with what was known of its task; returns them as they are kept now.

        Warns of files for which a lesson had no room. Raises `LearningError` where nothing can be written.
        """

        def write(connection: sqlite3.Connection) -> tuple[tuple[Lesson, ...], int]:
            out, dropped = [], 0
            for lesson in lessons:
                row = connection.execute(f"{_ROWS} WHERE id = ?", (lesson.id,)).fetchone()
                old = self._lesson(*row) if row else None
                whole = merged(old, lesson)
                dropped += len(paths_of(lesson, *([old] if old else ())) - paths_of(whole))
                newest = "(SELECT coalesce(max(number), 0) + 1 FROM lessons)"
                insert = f"INSERT OR REPLACE INTO lessons VALUES (?, {newest}, ?)"
                connection.execute(insert, (whole.id, self._text(whole)))
                out.append(whole)
            kept = "SELECT id FROM lessons ORDER BY number DESC LIMIT ?"
            connection.execute(f"DELETE FROM lessons WHERE id NOT IN ({kept})", (MAX_LESSONS,))
            return tuple(out), dropped

        kept, dropped = self._write(write)
        if dropped:
            files = "1 file" if dropped == 1 else f"{dropped:,} files"
            self.warnings.append(f"{files} named earlier dropped: {MAX_PATHS} of a kind are kept of a task")
        return kept

    def forget(self, identity: str | None = None) -> int:
        """Forget one task, or all (None); returns how many lessons were forgotten. Raises `LearningError`."""
        where, given = ("", ()) if identity is None else (" WHERE id = ?", (identity,))
        statement = f"DELETE FROM lessons{where}"
        return self._write(lambda file: file.execute(statement, given).rowcount) if self.path.is_file() else 0

    def _lesson(self, identity: bytes, data: bytes) -> Lesson | None:
        """Return the lesson of a row, None for a damaged one, and for one of another repository."""
        try:
            row = json.loads(data)
            crc = row.pop("crc", None)
            lesson = msgspec.convert(row, Lesson)
            return lesson if crc == self._checksum(lesson) and lesson.id.encode() == identity else None
        except (ValueError, TypeError, AttributeError, RecursionError):
            return None

    def _text(self, lesson: Lesson) -> str:
        """Return a lesson without secrets as it is kept."""
        return json.dumps({"crc": self._checksum(lesson), **lesson.plain}, separators=(",", ":"))

    def _checksum(self, lesson: Lesson) -> int:
        """CRC-32 of a lesson and of its repository."""
        return zlib.crc32(json.dumps([self.path.stem, lesson.plain]).encode())

    def _write(self, use: Callable[[sqlite3.Connection], T]) -> T:
        for last in (False, True):
            inode = inode_of(self.path)
            try:
                self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                with _writing(self.path) as connection:
                    return use(connection)
            except Newer as error:
                raise LearningError(f"what was learned {error}: it is left alone") from error
            except _FAILURES as error:
                if last or not is_broken(error):
                    raise LearningError(f"{self.path} cannot be written: {error}") from error
                self._set_aside(inode, error)
        raise LearningError(f"{self.path} cannot be written")


@contextmanager
def _opened(path: Path, *, create: bool = False) -> Iterator[sqlite3.Connection]:
    uri = f"{path.absolute().as_uri()}?mode={'rwc' if create else 'rw'}"
    with closing(sqlite3.connect(uri, uri=True, timeout=_BUSY_S, isolation_level=None)) as connection:
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute("PRAGMA secure_delete = ON")  # what is forgotten is gone from the file
        yield connection


def _version(connection: sqlite3.Connection) -> int:
    """Return the layout's version, 0 for an empty file.

    Raises `Newer`, and `sqlite3.DatabaseError` for an older, foreign or damaged file.
    """
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if not application and not version and not connection.execute("SELECT 1 FROM sqlite_master").fetchone():
        return 0
    if application != APPLICATION_ID:
        raise sqlite3.DatabaseError("it is another program's database")
    if version > LEARNED_VERSION:
        raise Newer("was written by a newer zeroin")
    if version < LEARNED_VERSION:
        raise sqlite3.DatabaseError("it was written by an older zeroin")
    found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    if found != "ok":
        raise sqlite3.DatabaseError(found)
    return version


@contextmanager
def _writing(path: Path) -> Iterator[sqlite3.Connection]:
    """Yield the open file with its tables laid out; everything done with it is one transaction."""
    with _opened(path, create=True) as connection:
        path.chmod(0o600)  # words of private tasks
        with transaction(connection):
            if not _version(connection):
                for statement in _LAYOUT.split(";"):
                    connection.execute(statement)
            yield connection
