"""What every editor of a file shares: the states of our entry in it, and how the entry is told from others."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from enum import StrEnum
from pathlib import PurePath
from typing import Protocol, TypeAlias

from zeroin.errors import InstallError

Json: TypeAlias = "str | int | float | bool | list[Json] | dict[str, Json] | None"

NAME = "zeroin"  # of the MCP entry, of the skill and of the subagent in every host
STAMP = 16  # hexadecimal digits of a fingerprint: enough to tell our own versions apart


class State(StrEnum):
    """What a file says about our entry."""

    MISSING = "missing"
    CURRENT = "current"
    STALE = "stale"  # as we wrote it, and we would write something else today
    EDITED = "edited by you"
    BROKEN = "broken"  # the file cannot be read as what it should be


class Editor(Protocol):
    """How our entry gets into one kind of file and out of it again; a missing file is `b""`.

    Every method raises `InstallError` where the bytes cannot be read as the format, or where the entry is written
    in a way that cannot be changed without touching something else.
    """

    def state(self, data: bytes, written: str) -> State:
        """The state of our entry; `written` is the fingerprint that was noted when we wrote it, or ""."""

    def put(self, data: bytes) -> bytes:
        """The file with our entry as it should be; everything else keeps its bytes."""

    def drop(self, data: bytes, existed: int | None = None) -> bytes:
        """The file without our entry; `existed` is what `depth` said before we wrote (None: not known)."""

    def depth(self, data: bytes) -> int:
        """How many of the tables that hold our entry are there already."""

    def blank(self, data: bytes) -> bool:
        """Whether the file says nothing at all."""

    def fingerprint(self) -> str:
        """Of the entry as it should be."""


def fingerprint(value: Json | bytes) -> str:
    """The first digits of the SHA-256 of `value`; of a JSON value whatever the order of its keys."""
    raw = value if isinstance(value, bytes) else json.dumps(value, sort_keys=True).encode()
    return hashlib.sha256(raw).hexdigest()[:STAMP]


def entry_state(found: Json, wanted: Mapping[str, Json], written: str) -> State:
    """The state of an MCP entry: stale where it is as we wrote it, or differs in the program's folder only."""
    if found == wanted:
        return State.CURRENT
    if written and _as_written(found, written):
        return State.STALE
    if not written and isinstance(found, dict) and _elsewhere(found) == _elsewhere(dict(wanted)):
        return State.STALE
    return State.EDITED


def _as_written(found: Json, written: str) -> bool:
    try:
        return fingerprint(found) == written
    except (TypeError, ValueError):  # a date, or a number longer than JSON takes: only TOML has them
        return False


def _elsewhere(entry: dict[str, Json]) -> dict[str, Json]:
    """`entry` with its program named without its folder."""
    command = entry.get("command")
    if isinstance(command, list):
        return {**entry, "command": [_base(part) if at == 0 else part for at, part in enumerate(command)]}
    return {**entry, "command": _base(command)}


def _base(program: Json) -> Json:
    return (
        PurePath(program.replace("\\", "/")).name.removesuffix(".exe")
        if isinstance(program, str)
        else program
    )


def decode(data: bytes) -> tuple[str, str]:
    """The byte order mark ("" or one character) and the text after it. Raises `InstallError`."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InstallError(f"not UTF-8 text (byte {error.start + 1})") from error
    return ("\ufeff", text[1:]) if text.startswith("\ufeff") else ("", text)


def newline(text: str) -> str:
    """The line ending that `text` uses: that of its first line; "\\n" where it has none."""
    at = text.find("\n")
    return "\r\n" if at > 0 and text[at - 1] == "\r" else "\n"


def gap_after(text: str, eol: str) -> str:
    """What stands between `text` and a block of ours after it: the end of its last line, and an empty line."""
    last = "" if not text or text.endswith("\n") else eol
    return last + (eol if text.strip() else "")
