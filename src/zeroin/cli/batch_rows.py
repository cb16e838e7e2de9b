"""Rows of a batch: tasks read and checked, results written and resumed."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from io import BufferedRandom
from pathlib import Path
from typing import Any

from zeroin.cli.output import replace_file
from zeroin.cli.request import read_stdin, read_text
from zeroin.config import Options
from zeroin.context.rendering.json import dumps
from zeroin.errors import InputError
from zeroin.types import PURPOSES

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Row:
    """One task row; `error` says why it cannot be run."""

    id: str
    repo: str = "."
    values: Mapping[str, Any] | None = None
    error: str = ""


def read_tasks(path: Path) -> tuple[list[Row], list[str]]:
    """The task rows of a JSON-lines file (`-`: stdin), and notes about repeated ids. Raises `InputError`."""
    text = read_stdin() if str(path) == "-" else read_text(path)
    rows: dict[str, Row] = {}
    notes: list[str] = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        row = _row(line, number)
        if row.id in rows:
            notes.append(f"line {number}: id {row.id!r} was there before; only its first row is run")
            continue
        rows[row.id] = row
    return list(rows.values()), notes


def _row(line: str, number: int) -> Row:
    fallback = f"line-{number}"
    try:
        values = json.loads(line)
    except (ValueError, RecursionError) as error:
        return Row(fallback, error=f"line {number} is not JSON: {error}")
    if not isinstance(values, dict):
        return Row(fallback, error=f"line {number} is not an object")
    given = values.get("id")
    if not isinstance(given, (str, int)) or isinstance(given, bool) or given == "":
        return Row(fallback, error=f"line {number} has no id")
    try:
        _check(values)
    except InputError as error:
        return Row(str(given), error=str(error))
    return Row(str(given), values["repo"], values)


def _check(values: Json) -> None:
    """Raises `InputError` on a field of the wrong type."""
    if not isinstance(values.get("repo"), str) or not values["repo"]:
        raise InputError("the row names no repo")
    for name in ("task", "rev", "diff", "purpose"):
        if values.get(name) is not None and not isinstance(values[name], str):
            raise InputError(f"{name} is no string")
    if not values.get("task") and values.get("diff") is None:
        raise InputError("the row has neither task nor diff")
    for name in ("include", "exclude"):
        found = values.get(name)
        if found is not None and not (isinstance(found, list) and all(isinstance(g, str) for g in found)):
            raise InputError(f"{name} is no list of strings")
    top = values.get("top")
    if top is not None and (not isinstance(top, int) or isinstance(top, bool)):
        raise InputError("top is no whole number")
    if values.get("purpose") is not None and values["purpose"] not in PURPOSES:
        raise InputError(f"purpose {values['purpose']!r} is none of {', '.join(PURPOSES)}")


def settings_of(options: Options) -> Json:
    """What of `options` holds for every row, as JSON values for a worker."""
    return {
        "top": options.top,
        "budget": options.budget,
        "max_cycles": options.max_cycles,
        "timeout_s": options.timeout_s,
        "without": sorted(options.without),
        "always_loop": options.always_loop,
        "learned": options.learned,
        "at_once": options.at_once,
    }


class Results:
    """The result file: ids already there, a half-written last line repaired, rows appended whole.

    Use as a context manager. Raises `InputError` when the file cannot be opened.
    """

    def __init__(self, path: Path, *, retry_errors: bool = False) -> None:
        self.path = path
        self._retry_errors = retry_errors
        self.done: set[str] = set()
        self.notes: list[str] = []
        self._file: BufferedRandom | None = None

    def __enter__(self) -> Results:
        if self._retry_errors and self.path.is_file():
            kept = [line for line in self.path.read_bytes().splitlines(keepends=True) if not _is_error(line)]
            replace_file(self.path, b"".join(kept))
        try:
            descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666)
            self._file = os.fdopen(descriptor, "r+b")
        except OSError as error:
            raise InputError(f"cannot write {self.path}: {error.strerror or error}") from error
        self._resume(self._file)
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._file.close()

    def _resume(self, file: BufferedRandom) -> None:
        """Collects ids; a last line without its end is ended if it is whole, else removed."""
        start = 0
        for number, line in enumerate(file, 1):
            found = _id_of(line)
            if found is not None:
                self.done.add(found)
            if not line.endswith(b"\n"):
                file.seek(start + len(line) if found is not None else start)
                file.truncate()
                if found is not None:
                    file.write(b"\n")
                else:
                    self.notes.append(f"{self.path}: a half-written last line was removed")
                break
            if found is None and line.strip():
                self.notes.append(f"{self.path}: line {number} is no result row, ignored")
            start += len(line)
        file.seek(0, os.SEEK_END)

    def add(self, result: Json) -> None:
        """Appends one row with a single write, so that a kill leaves at most one half line."""
        if self._file is None:
            raise ValueError("the results are not open")
        try:
            self._file.write(dumps(result).encode("utf-8") + b"\n")
            self._file.flush()
        except OSError as error:
            raise InputError(f"cannot write {self.path}: {error.strerror or error}") from error
        self.done.add(result["id"])


def _parsed(line: bytes) -> Json:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return row if isinstance(row, dict) else {}


def _id_of(line: bytes) -> str | None:
    found = _parsed(line).get("id")
    return found if isinstance(found, str) else None


def _is_error(line: bytes) -> bool:
    return "error" in _parsed(line)
