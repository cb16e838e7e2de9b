"""Find, add and remove our entry in the configuration file of a host, JSON or TOML.

The rest of the file keeps its text. A change is made only if the new text parses to the old value plus or minus our
entry.
"""

import json
import re
import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePath
from typing import Any, NamedTuple, Protocol, TypeAlias

import tomlkit
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import Table

from zeroin.errors import InstallError
from zeroin.imports.readconfig import MOST_DOTS, may_be_slow, plain_json
from zeroin.patterns import lazy_pattern

Json: TypeAlias = "str | int | float | bool | list[Json] | dict[str, Json] | None"

NAME = "zeroin"  # of the MCP entry, of the skill and of the subagent in every host

_BLANKS = lazy_pattern(r"\s*+")
_INDENT = lazy_pattern(r'\s*+\{(?:[ \t]*+\r?\n)++([ \t]++)"')
_JSON = json.JSONDecoder(strict=False)
_MOST_TOML = 150_000  # characters; tomlkit takes about two seconds for so many
_UNSAFE = "it is written in a way that cannot be edited safely"


class State(StrEnum):
    """What a file says about our entry."""

    MISSING = "missing"
    CURRENT = "current"
    STALE = "stale"  # as zeroin wrote it, but out of date
    EDITED = "edited by you"
    BROKEN = "broken"  # the file cannot be parsed


class Editor(Protocol):
    """One kind of file with our entry in it; a missing file is `b""`. Every method raises `InstallError`."""

    def state(self, data: bytes) -> State: ...

    def put(self, data: bytes) -> bytes:
        """Return the file with our entry as it should be."""

    def drop(self, data: bytes) -> bytes | None:
        """Return the file without our entry; None where nothing else is in it."""


def decode(data: bytes) -> tuple[str, str]:
    """Split a file into its byte order mark ("" or one character) and its text. Raises `InstallError`."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InstallError(f"not UTF-8 text (byte {error.start + 1})") from error
    return ("\ufeff", text[1:]) if text.startswith("\ufeff") else ("", text)


def newline(text: str) -> str:
    """Return the line ending of the first line; "\\n" where there is none."""
    return "\r\n" if re.match(r"[^\n]*\r\n", text) else "\n"


class _Member(NamedTuple):
    """A member of a JSON object: its key, and the offsets of the key, of the value and of the value's end."""

    key: str
    start: int
    value: int
    end: int


@dataclass(frozen=True, slots=True)
class JsonEntry:
    """The member `NAME` of an object in a JSON file, which may have comments and trailing commas.

    The object is the first of `tables` (paths of keys) that holds our entry, else the first that exists, else the last.
    """

    tables: Sequence[tuple[str, ...]]
    entry: dict[str, Json]

    def state(self, data: bytes) -> State:
        value = _load(plain_json(decode(data)[1]))
        return _state(_get(value, self._path(value)), self.entry)

    def put(self, data: bytes) -> bytes:
        mark, text = decode(data)
        text = text if text.strip() else "{}\n"
        value = _load(plain_json(text))
        path = self._path(value)
        if _get(value, path) is not None:
            old = _members_on(plain_json(text), path)[-1]
            after = text[: old.value] + json.dumps(self.entry, ensure_ascii=False) + text[old.end :]
        else:
            after = _inserted(text, value, path, self.entry)
        return _encoded(mark, after, _with(value, path, self.entry))

    def drop(self, data: bytes) -> bytes | None:
        mark, text = decode(data)
        value = _load(plain_json(text))
        path = self._path(value)
        if not _is_ours(_get(value, path)):
            return data
        wanted = _with(value, path, None)
        rest = {key: each for key, each in wanted.items() if key != "$schema"}  # hosts add it to any file
        if plain_json(text) == text and not _says_anything(rest):
            return None
        return _encoded(mark, _removed(text, path), wanted)

    def _path(self, value: Json) -> tuple[str, ...]:
        found = {table: _get(value, table) for table in self.tables}
        ours = [table for table, servers in found.items() if isinstance(servers, dict) and NAME in servers]
        there = [table for table, servers in found.items() if servers is not None]
        return (*(*ours, *there, self.tables[-1])[0], NAME)


@dataclass(frozen=True, slots=True)
class TomlEntry:
    """The table `[table.NAME]` of a TOML file."""

    table: str
    entry: dict[str, Json]

    def state(self, data: bytes) -> State:
        return _state(_get(_load(decode(data)[1], _toml), (self.table, NAME)), self.entry)

    def put(self, data: bytes) -> bytes:
        return self._changed(data, self.entry)

    def drop(self, data: bytes) -> bytes | None:
        found = _get(_load(decode(data)[1], _toml), (self.table, NAME))
        return (self._changed(data, None) or None) if _is_ours(found) else data

    def _changed(self, data: bytes, entry: dict[str, Json] | None) -> bytes:
        mark, text = decode(data)
        if len(text) > _MOST_TOML:
            raise InstallError("it is too long to be edited here")
        value, path = _load(text, _toml), (self.table, NAME)
        _get(value, path)  # raises if it is no table
        wanted = _with(value, path, entry)
        try:
            document = tomlkit.parse(text)
            servers = document.setdefault(self.table, tomlkit.table(is_super_table=True))
            servers.pop(NAME, None)
            if entry is not None:
                servers[NAME] = entry
            elif not servers and isinstance(servers, Table) and servers.is_super_table():
                del wanted[self.table]  # it existed only as part of our table's name
            after = tomlkit.dumps(document)
        except (TOMLKitError, ValueError, RecursionError) as error:
            raise InstallError(_UNSAFE) from error
        if newline(text) == "\r\n":
            after = re.sub(r"\r?\n", "\r\n", after)
        return _encoded(mark, after, wanted, _toml) if after.strip() else b""


def _state(found: Any, wanted: dict[str, Json]) -> State:
    """Compare two entries: stale if they differ only in the program's folder; empty values do not count."""
    if found is None:
        return State.MISSING
    if not isinstance(found, dict):
        return State.EDITED
    entry = {key: value for key, value in found.items() if value not in ({}, [])}
    if entry == wanted:
        return State.CURRENT
    return State.STALE if _by_name(entry) == _by_name(wanted) else State.EDITED


def _is_ours(found: Json) -> bool:
    """Tell whether an entry, edited or not, starts zeroin: an entry of that name may be somebody else's."""
    if not isinstance(found, dict):
        return False
    command, arguments = found.get("command"), found.get("args")
    words = [
        *(command if isinstance(command, list) else [command]),
        *(arguments if isinstance(arguments, list) else []),
    ]
    program = _program(words[0] if words else None)
    runs_others = program == "uvx" or program.startswith("python")
    return not any(found.values()) or program == NAME or (runs_others and NAME in words)


def _program(command: Json) -> str:
    return PurePath(str(command).replace("\\", "/")).name.removesuffix(".exe")


def _by_name(entry: dict[str, Any]) -> dict[str, Any]:
    command = entry.get("command")
    words = command if isinstance(command, list) and command else [command]
    return {**entry, "command": [_program(words[0]), *words[1:]]}


def _load(text: str, parse: Callable[[str], Any] = _JSON.decode) -> dict[str, Json]:
    """Return the value of a text, {} where it is blank. Raises `InstallError`."""
    try:
        value = parse(text) if text.strip() else {}
    except json.JSONDecodeError as error:
        raise InstallError(f"not JSON: {error.msg}, line {error.lineno}") from error
    except tomllib.TOMLDecodeError as error:
        raise InstallError(f"not TOML: {error}") from error
    except ValueError as error:  # Python reads no integer of more than 4,300 digits
        raise InstallError("not readable: a number in it has too many digits") from error
    except RecursionError as error:
        raise InstallError("it is nested too deeply to be read") from error
    if not isinstance(value, dict):
        raise InstallError("its top level is not an object")
    return value


def _toml(text: str) -> dict[str, Json]:
    if may_be_slow(text):
        raise InstallError(f"not readable: a line in it has more than {MOST_DOTS} dots")
    return tomllib.loads(text)


def _encoded(mark: str, text: str, wanted: Json, parse: Callable[[str], Any] | None = None) -> bytes:
    """Return the file with a changed text. Raises `InstallError` unless the text parses to `wanted`."""
    try:
        same = (_load(text, parse) if parse else _load(plain_json(text))) == wanted
    except InstallError:
        same = False
    if not same:
        raise InstallError(_UNSAFE)
    return (mark + text).encode()


def _get(value: Json, path: tuple[str, ...]) -> Json:
    """Return the value at a path of keys, None where there is none.

    Raises `InstallError` where a value on the path is no object.
    """
    for depth, key in enumerate(path):
        if not isinstance(value, dict):
            raise InstallError(f'"{".".join(path[:depth])}" is not an object')
        if key not in value:
            return None
        value = value[key]
    return value


def _with(value: Json, path: tuple[str, ...], entry: Json) -> dict[str, Json]:
    """Return `value` with `entry` at a path, or, if `entry` is None, without the value at the path."""
    table = dict(value) if isinstance(value, dict) else {}
    if len(path) > 1:
        return {**table, path[0]: _with(table.get(path[0]), path[1:], entry)}
    rest = {key: each for key, each in table.items() if key != path[0]}
    return rest if entry is None else {**rest, path[0]: entry}


def _says_anything(value: Json) -> bool:
    return any(map(_says_anything, value.values())) if isinstance(value, dict) else True


def _members(plain: str, at: int) -> Iterator[_Member]:
    """Yield the members of the object whose brace is at `at`."""
    at = _after_blanks(plain, at + 1)
    while plain[at] != "}":
        key, end = _JSON.raw_decode(plain, at)
        value = _after_blanks(plain, _after_blanks(plain, end) + 1)
        _, end = _JSON.raw_decode(plain, value)
        yield _Member(key, at, value, end)
        at = _after_blanks(plain, end)
        at = _after_blanks(plain, at + 1) if plain[at] == "," else at


def _members_on(plain: str, path: tuple[str, ...]) -> list[_Member]:
    """Return the whole text as a member, then the members on the way to `path`."""
    start = _after_blanks(plain, 0)
    if start == len(plain):  # comments alone
        raise InstallError(_UNSAFE)
    found = [_Member("", start, start, len(plain))]
    for key in path:  # of members of the same name the last counts, as for parsers
        found.append([each for each in _members(plain, found[-1].value) if each.key == key][-1])
    return found


def _after_blanks(text: str, at: int) -> int:
    match = _BLANKS.match(text, at)
    return match.end() if match else at


def _inserted(text: str, value: Json, path: tuple[str, ...], entry: Json) -> str:
    """Insert our entry as the first member of its object: there, no comma or comment before it must be moved."""
    depth = next(n for n in range(len(path) - 1, -1, -1) if _get(value, path[:n]) is not None)
    for key in reversed(path[depth + 1 :]):
        entry = {key: entry}
    plain = plain_json(text)
    brace = _members_on(plain, path[:depth])[-1].value
    first = next(_members(plain, brace), None)
    unit = match[1] if (match := _INDENT.match(plain)) else "  "
    eol = newline(text)
    row = f"{eol}{unit * (depth + 1)}{json.dumps(path[depth])}: {json.dumps(entry, ensure_ascii=False)}"
    rest = text[brace + 1 :]
    if first is None and rest.lstrip().startswith("}"):
        return text[: brace + 1] + row + eol + unit * depth + rest.lstrip()
    # Without another member, only comments follow, which stay
    return text[: brace + 1] + row + ("," if first else "") + rest


def _removed(text: str, path: tuple[str, ...]) -> str:
    """Return the text without the member at `path` and one comma beside it."""
    plain = plain_json(text)
    *_, table, gone = _members_on(plain, path)
    before = [each for each in _members(plain, table.value) if each.end < gone.start]
    start = before[-1].end if before else table.value + 1
    head, tail = text[: gone.start], text[gone.end :]
    if comma := re.match(r"\s*,", tail):
        tail = tail[comma.end() :]
    elif before:
        at = plain.index(",", start)
        head = text[:at] + text[at + 1 : gone.start]
    return (head if "/" in text[start : gone.start] else head.rstrip()) + tail
