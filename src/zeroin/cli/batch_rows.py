"""Rows of a batch: tasks read and checked, results written and resumed."""

import json
import os
import re
import stat
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from io import FileIO
from pathlib import Path

import msgspec

from zeroin.cli.output import replace_file
from zeroin.cli.request import read_stdin, read_text
from zeroin.context.rendering.written import Json, dumps
from zeroin.errors import InputError
from zeroin.patterns import lazy_pattern
from zeroin.types import PURPOSES, Purpose

if sys.platform != "win32":
    import fcntl

_AT = lazy_pattern(r"(?P<what>.*) - at `\$\.(?P<field>\w+).*`", re.DOTALL)  # how msgspec names a field


@dataclass(frozen=True, slots=True)
class Row:
    """One task row: what to ask of which repository, or of several; unknown fields are ignored."""

    id: str | int
    repo: str | tuple[str, ...]
    task: str | None = None
    rev: str | None = None
    diff: str | None = None
    purpose: Purpose | None = None
    include: tuple[str, ...] | None = None
    exclude: tuple[str, ...] | None = None
    top: int | None = None

    def __post_init__(self) -> None:
        if not self.repo or self.id == "":
            raise ValueError("id and repo must not be empty")
        if not isinstance(self.repo, str) and len(self.repo) == 1:  # one repository in a list
            object.__setattr__(self, "repo", self.repo[0])
        if self.diff is not None and not isinstance(self.repo, str):
            raise ValueError("a diff is a change of one repository")
        if not self.task and self.diff is None:
            raise ValueError("the row has neither task nor diff")
        if self.diff == "-":
            raise ValueError("the diff of a row cannot be standard input")


def read_tasks(path: Path, out: Path, repo: str = "") -> tuple[dict[str, Row | str], list[str]]:
    """The task rows of a JSON-lines file (`-`: stdin) by id, or why one cannot be run; and notes on repeated ids.

    `repo` replaces the repository of every row. Raises `InputError`, also where `out` is the task file itself.
    """
    text = read_stdin() if str(path) == "-" else read_text(path)
    if str(path) != "-" and out.exists() and out.samefile(path):
        raise InputError(f"{out} holds the tasks: name another file for the results")
    rows: dict[str, Row | str] = {}
    notes: list[str] = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        identity, row = _row(line, number, repo)
        if rows.setdefault(identity, row) is not row:
            notes.append(f"line {number}: id {identity!r} was there before; only its first row is run")
    return rows, notes


def _row(line: str, number: int, repo: str) -> tuple[str, Row | str]:
    whole = json.dumps(_parsed(line), ensure_ascii=False)
    values = _parsed(whole.encode(errors="replace"))  # a lone surrogate becomes "?"
    if not values:
        return f"line-{number}", f"line {number} is no JSON object, or an empty one"
    if repo:
        values["repo"] = repo
    try:
        row = msgspec.convert(values, Row)
        return str(row.id), row
    except (msgspec.ValidationError, ValueError) as error:
        identity = values.get("id")
        known = isinstance(identity, (str, int)) and not isinstance(identity, bool) and identity != ""
        return str(identity) if known else f"line-{number}", f"line {number}: {_plain(str(error))}"


def _plain(error: str) -> str:
    """Rephrase an error of msgspec by the row's field: `task: expected str or null, got int`."""
    found = _AT.fullmatch(error)
    if found is None:
        return error
    what, field = found["what"].replace("`", "").replace(" | ", " or "), found["field"]
    if field == "purpose":
        what += f"; known: {', '.join(PURPOSES)}"
    return f"{field}: {what[:1].lower()}{what[1:]}"


class Results(AbstractContextManager["Results", None]):
    """The result file: a half-written last line is removed, rows are appended whole, the order is that of the tasks.

    Leaving the `with` block closes it. Raises `InputError` when the file cannot be written, or another process writes
    it.
    """

    def __init__(self, path: Path, *, retry_errors: bool = False) -> None:
        self.path = path
        self.done: dict[str, bool] = {}  # ids, with True where the row is an error
        self.notes: list[str] = []
        self._retry_errors = retry_errors
        try:
            if _is_special(path):  # reading a pipe may never end
                raise InputError(f"{path}: --out must be a regular file, since it is resumed from")
            self._file = _opened(path)
            self._clean()
        except OSError as error:
            raise InputError(f"cannot write {path}: {error.strerror or error}") from error

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def _clean(self) -> None:
        """Replace the file by one without a half-written last line and without error rows to retry."""
        before = self.path.read_bytes()
        lines = before.splitlines(keepends=True)
        if before.strip() and not any(map(_is_ours, lines)):
            raise InputError(f"{self.path} is something else: it holds no result row; name another file")
        kept = b"".join(self._kept(lines))
        if kept == before:
            return
        if sys.platform == "win32":  # it cannot replace an open file
            self._file.close()
        with self._file:  # keeps its lock until the new file has one
            replace_file(self.path, kept)
            self._file = _opened(self.path)

    def _kept(self, lines: Sequence[bytes]) -> list[bytes]:
        """Return the lines to keep, and collect the ids of result rows."""
        out = []
        for number, line in enumerate(lines, 1):
            row = _parsed(line)
            identity = _id_of(row)
            if identity and self._retry_errors and "error" in row:
                continue
            if identity:
                self.done[identity] = "error" in row
            elif not line.endswith(b"\n"):
                self.notes.append(f"{self.path}: a half-written last line was removed")
                continue
            elif line.strip():
                self.notes.append(f"{self.path}: line {number} is no result row, ignored")
            out.append(line.rstrip(b"\n") + b"\n")
        return out

    def add(self, identity: str, line: bytes) -> None:
        """Append a result row; a kill leaves at most one half-written line."""
        try:
            rest = line + b"\n"
            while rest:  # on a nearly full disk a write may be partial; the next one fails
                rest = rest[self._file.write(rest) :]
        except OSError as error:
            raise InputError(f"cannot write {self.path}: {error.strerror or error}") from error
        self.done[identity] = "error" in _parsed(line)

    def sort(self, order: Sequence[str]) -> None:
        """Bring the rows into the order of the task ids; other lines come first."""
        if not self.path.is_file():
            return
        place = {identity: at for at, identity in enumerate(order)}
        lines = self.path.read_bytes().splitlines(keepends=True)
        ordered = sorted(lines, key=lambda line: place.get(str(_parsed(line).get("id", "")), -1))
        if ordered != lines:
            replace_file(self.path, b"".join(ordered))


def _is_special(path: Path) -> bool:
    """Whether a path is `-`, or exists and is neither a regular file nor the null device."""
    return str(path) == "-" or (path.exists() and not path.is_file() and not path.samefile(os.devnull))


def _opened(path: Path) -> FileIO:
    """Open a file for appending, locked where its file system has locks. Raises `OSError` and `InputError`."""
    while True:
        file = path.open("ab", buffering=0)
        try:
            if _locked(file, path):
                return file
        except BaseException:
            file.close()
            raise
        file.close()


def _locked(file: FileIO, path: Path) -> bool:
    """Lock an open file; False if it was replaced at `path` meanwhile. Raises `InputError` if a process holds it."""
    if sys.platform == "win32" or not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise InputError(f"another batch writes {path}: wait for it, or name another file") from None
    except OSError:  # a file system without locks
        return True
    return path.exists() and os.path.samestat(os.fstat(file.fileno()), path.stat())


def error_row(identity: str, error: str) -> bytes:
    """Return the result row of a task that failed."""
    return dumps({"id": identity, "error": error}).encode()


def _id_of(row: Json) -> str:
    """The id of a result row; "" of anything else, such as a task row."""
    identity = row.get("id")
    return identity if isinstance(identity, str) and ("ranking" in row or "error" in row) else ""


def _is_ours(line: bytes) -> bool:
    """Whether a line is a result row, or the beginning of one that was cut off."""
    row = _parsed(line)
    return bool(_id_of(row)) or (not row and line.startswith(b'{"id":') and not line.endswith(b"\n"))


def _parsed(line: bytes | str) -> Json:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return row if isinstance(row, dict) else {}
