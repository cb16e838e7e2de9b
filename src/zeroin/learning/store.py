"""Where lessons are kept: one small SQLite file a repository, in the data directory of the user.

Not in the cache: what was learned cannot be computed again, so clearing the cache, or a new format of the index,
leaves it alone. Asking reads it and never writes; a damaged file is set aside and costs the lessons, never the answer.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from zeroin.config import data_dir
from zeroin.errors import LearningError
from zeroin.index.database import file_name, inode_of, is_broken, set_aside, transaction
from zeroin.learning.lessons import (
    MAX_ASKED,
    MAX_LESSONS,
    MAX_PATHS,
    MAX_WORDS,
    Asked,
    Lesson,
    Lessons,
    Word,
    merged,
)

LEARNED_VERSION = 1  # docs/FORMAT.md has a line for every number
APPLICATION_ID = 0x5A65524C  # "ZeRL"
SUFFIX = ".learned"

_BUSY_S = 5.0  # how long a writer waits for another process
_REMEMBER = "remember"
_TABLES = """
CREATE TABLE lessons (id TEXT PRIMARY KEY, number INTEGER NOT NULL, data TEXT NOT NULL);
CREATE TABLE asked (id TEXT PRIMARY KEY, number INTEGER NOT NULL, data TEXT NOT NULL);
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL)
"""
T = TypeVar("T")
Json = dict[str, Any]


class Newer(Exception):
    """The file was written by a newer zeroin."""


def learned_dir() -> Path:
    """The folder of all that was learned, below the data directory; not created here."""
    return data_dir() / "learned"


class LessonStore:
    """What was learned of one repository. Every call opens and closes the file: processes share it."""

    def __init__(self, identity: str, *, directory: Path | None = None) -> None:
        self.path = (directory or learned_dir()) / (file_name(identity) + SUFFIX)
        self.warnings: list[str] = []

    # --- reading: never raises, never writes ----------------------------------------------------

    def lessons(self) -> Lessons:
        """All lessons, newest first; none, with a warning, where the file cannot be read."""
        return Lessons(tuple(self._rows("lessons", _lesson)))

    def asked(self) -> tuple[Asked, ...]:
        """Tasks that wait for their commit, newest first."""
        return tuple(self._rows("asked", _asked))

    def remembers(self) -> bool:
        """Whether tasks that are asked are to be remembered; no, unless it was switched on."""
        query = "SELECT value FROM settings WHERE name = ?"
        found: Any = self._read(lambda c: c.execute(query, (_REMEMBER,)).fetchone(), None)
        return found is not None and found[0] == "on"

    def _rows(self, table: str, made: Callable[[Json], T]) -> list[T]:
        nothing: list[tuple[str]] = []
        query = f"SELECT data FROM {table} ORDER BY number DESC, id"
        out, bad = [], 0
        for (data,) in self._read(lambda c: c.execute(query).fetchall(), nothing):
            try:
                out.append(made(json.loads(data)))
            except (ValueError, KeyError, TypeError, RecursionError):
                bad += 1
        if bad:
            self.warnings.append(f"{bad:,} damaged entries of what was learned are ignored")
        return out

    def _read(self, use: Callable[[sqlite3.Connection], T], default: T) -> T:
        if not self.path.is_file():
            return default
        inode = inode_of(self.path)
        try:
            connection = _connected(self.path)
            try:
                return use(connection) if _version(connection) else default
            finally:
                connection.close()
        except Newer as error:
            self.warnings.append(f"what was learned {error}; it is ignored")
        except (sqlite3.Error, OSError, UnicodeError, ValueError) as error:
            if is_broken(error):
                self._give_up(inode, error)
            else:
                self.warnings.append(f"what was learned cannot be read ({error}); it is ignored")
        return default

    def _give_up(self, inode: int | None, error: Exception) -> None:
        kept = "it is set aside, and learning begins anew" if set_aside(self.path, inode) else "it is ignored"
        self.warnings.append(f"what was learned is damaged ({error}); {kept}")

    # --- writing: raises LearningError where nothing can be kept ---------------------------------

    def teach(self, *lessons: Lesson) -> tuple[Lesson, ...]:
        """Keep lessons, each merged with what was known of its task; returns them as they are kept now."""

        def write(connection: sqlite3.Connection) -> tuple[Lesson, ...]:
            out = []
            for lesson in lessons:
                row = connection.execute("SELECT data FROM lessons WHERE id = ?", (lesson.id,)).fetchone()
                whole = merged(_known(row), lesson)
                _put(connection, "lessons", whole.id, _json(whole))
                connection.execute("DELETE FROM asked WHERE id = ?", (lesson.id,))
                out.append(whole)
            _trim(connection, "lessons", MAX_LESSONS)
            return tuple(out)

        return self._write(write)

    def note(self, asked: Asked) -> None:
        """Remember a task that was asked; one that was asked before is remembered as it is asked now."""

        def write(connection: sqlite3.Connection) -> None:
            _put(connection, "asked", asked.id, _json(asked))
            _trim(connection, "asked", MAX_ASKED)

        self._write(write)

    def forget(self, identity: str | None = None) -> int:
        """Forget one task, or (None) everything that was learned and asked; returns how many lessons and tasks."""

        def write(connection: sqlite3.Connection) -> int:
            where, given = ("", ()) if identity is None else (" WHERE id = ?", (identity,))
            return sum(
                connection.execute(f"DELETE FROM {table}{where}", given).rowcount
                for table in ("lessons", "asked")
            )

        if not self.path.is_file():
            return 0
        return self._write(write)

    def remember(self, on: bool) -> None:
        """Switch the remembering of asked tasks on or off; off also forgets those that wait."""

        def write(connection: sqlite3.Connection) -> None:
            value = "on" if on else "off"
            connection.execute("INSERT OR REPLACE INTO settings VALUES (?, ?)", (_REMEMBER, value))
            if not on:
                connection.execute("DELETE FROM asked")

        if on or self.path.is_file():
            self._write(write)

    def _write(self, use: Callable[[sqlite3.Connection], T]) -> T:
        for last in (False, True):
            inode = inode_of(self.path)
            try:
                self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                with _writing(self.path) as connection:
                    return use(connection)
            except Newer as error:
                raise LearningError(f"what was learned {error}: it is left alone") from error
            except (sqlite3.Error, OSError, UnicodeError, ValueError) as error:
                if last or not is_broken(error):
                    raise LearningError(f"{self.path} cannot be written: {error}") from error
                self._give_up(inode, error)
        raise LearningError(f"{self.path} cannot be written")


def _connected(path: Path, *, create: bool = False) -> sqlite3.Connection:
    uri = f"{path.absolute().as_uri()}?mode={'rwc' if create else 'rw'}"
    connection = sqlite3.connect(uri, uri=True, timeout=_BUSY_S, isolation_level=None)
    try:
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute("PRAGMA secure_delete = ON")  # what is forgotten is gone from the file
    except BaseException:
        connection.close()
        raise
    return connection


def _version(connection: sqlite3.Connection) -> int:
    """0 of an empty file. Raises `Newer`, and `sqlite3.DatabaseError` for a foreign or damaged file."""
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if not application and not version and not connection.execute("SELECT 1 FROM sqlite_master").fetchone():
        return 0
    if application != APPLICATION_ID:
        raise sqlite3.DatabaseError("it is another program's database")
    if version > LEARNED_VERSION:
        raise Newer("was written by a newer zeroin")
    found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    if found != "ok":
        raise sqlite3.DatabaseError(found)
    return version


@contextmanager
def _writing(path: Path) -> Iterator[sqlite3.Connection]:
    """The open file, its tables laid; everything done with it is one transaction."""
    connection = _connected(path, create=True)
    try:
        path.chmod(0o600)  # words of private tasks
        with transaction(connection):
            if not _version(connection):
                for statement in _TABLES.split(";"):
                    connection.execute(statement)
                connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
                connection.execute(f"PRAGMA user_version = {LEARNED_VERSION}")
            yield connection
    finally:
        connection.close()


def _put(connection: sqlite3.Connection, table: str, identity: str, data: Json) -> None:
    """A row as the newest of its table."""
    newest = f"(SELECT coalesce(max(number), 0) + 1 FROM {table})"
    text = json.dumps(data, separators=(",", ":"))
    connection.execute(f"INSERT OR REPLACE INTO {table} VALUES (?, {newest}, ?)", (identity, text))


def _trim(connection: sqlite3.Connection, table: str, keep: int) -> None:
    connection.execute(
        f"DELETE FROM {table} WHERE id NOT IN (SELECT id FROM {table} ORDER BY number DESC LIMIT ?)", (keep,)
    )


def _json(value: Lesson | Asked) -> Json:
    return {name: getattr(value, name) for name in value.__slots__}


def _known(row: tuple[str] | None) -> Lesson | None:
    try:
        return _lesson(json.loads(row[0])) if row is not None else None
    except (ValueError, KeyError, TypeError, RecursionError):
        return None  # damaged: learned anew


def _lesson(data: Json) -> Lesson:
    """Raises `ValueError`, `KeyError` or `TypeError` for what no lesson can be."""
    taught = data["taught"]
    if taught not in ("told", "git"):
        raise ValueError(taught)
    return Lesson(
        id=_text(data["id"]),
        title=_text(data["title"]),
        words=_words(data["words"]),
        relevant=_texts(data["relevant"]),
        irrelevant=_texts(data["irrelevant"]),
        taught=taught,
        commit=_text(data["commit"]),
        at=int(data["at"]),
    )


def _asked(data: Json) -> Asked:
    return Asked(
        id=_text(data["id"]),
        title=_text(data["title"]),
        words=_words(data["words"]),
        commit=_text(data["commit"]),
        paths=_texts(data["paths"]),
        at=int(data["at"]),
    )


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("no text")
    return value


def _texts(values: object) -> tuple[str, ...]:
    if not isinstance(values, list):
        raise TypeError("no list")
    return tuple(_text(value) for value in values[:MAX_PATHS])


def _words(values: object) -> tuple[Word, ...]:
    if not isinstance(values, list):
        raise TypeError("no list")
    pairs = [(_text(word), float(weight)) for word, weight in values[:MAX_WORDS]]
    if not all(0.0 <= weight <= 1000.0 for _, weight in pairs):
        raise ValueError("a weight out of range")
    return tuple(pairs)
