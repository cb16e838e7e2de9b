"""An entry in a TOML file: a table of its own at the end, under a comment that names it as ours.

Python's own parser says what a document means; lines say where our table is. Every change is checked: the new text
must mean what the old one meant, plus or minus our entry, or it is not made.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from zeroin.errors import InstallError
from zeroin.install.editing import Json, State, decode, entry_state, fingerprint, gap_after, newline

_MARK = re.compile(r"# zeroin: .*\(([0-9a-f]{16})\)$")


@dataclass(frozen=True, slots=True)
class TomlEntry:
    """The editor of the table `[table.name]`, whose values are strings, numbers, booleans and lists of them."""

    table: str
    name: str
    entry: Mapping[str, Json]

    def fingerprint(self) -> str:
        return fingerprint(dict(self.entry))

    def state(self, data: bytes, written: str) -> State:
        _, text = decode(data)
        found = self._entry(_parse(text))
        if found is None:
            return State.MISSING
        return entry_state(found, self.entry, written or self._noted(text))

    def depth(self, data: bytes) -> int:
        return 0

    def blank(self, data: bytes) -> bool:
        return not decode(data)[1].strip()

    def put(self, data: bytes) -> bytes:
        mark, text = decode(data)
        meaning, eol = _parse(text), newline(text)
        wanted = {**meaning, self.table: {**self._table(meaning), self.name: dict(self.entry)}}
        if self._entry(meaning) == self.entry:
            return data
        if self._entry(meaning) is not None:
            start, end = self._span(text, meaning)
            after = text[:start] + self._block(eol) + text[end:]
        else:
            gap = gap_after(text, eol)
            after = text + gap + self._block(eol)
        _check(after, wanted)
        return (mark + after).encode()

    def drop(self, data: bytes, existed: int | None = None) -> bytes:
        mark, text = decode(data)
        meaning = _parse(text)
        if self._entry(meaning) is None:
            return data
        start, end = self._span(text, meaning)
        head, tail = text[:start], text[end:]
        blank = re.search(r"\n\r?\n\Z", head)
        if blank and (not tail or re.match(r"\r?\n", tail)):  # the empty line that we put before our table
            head = head[: blank.start() + 1]
        return (mark + head + tail).encode()

    def _block(self, eol: str) -> str:
        rows = [
            f"# zeroin: written by `zeroin install` ({self.fingerprint()})",
            f"[{self.table}.{self.name}]",
            *(f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in self.entry.items()),
        ]
        return eol.join(rows) + eol

    def _table(self, meaning: Mapping[str, Any]) -> dict[str, Any]:
        table = meaning.get(self.table, {})
        if not isinstance(table, dict):
            raise InstallError(f'"{self.table}" is not a table')
        return table

    def _entry(self, meaning: Mapping[str, Any]) -> Any:
        return self._table(meaning).get(self.name)

    def _noted(self, text: str) -> str:
        """The fingerprint in the comment above our table, or ""."""
        for _, above in self._headers(text):
            match = _MARK.match(above)
            if match:
                return match[1]
        return ""

    def _span(self, text: str, meaning: Mapping[str, Any]) -> tuple[int, int]:
        """Where our table is, with the comment above it: the first lines that can go without changing the rest."""
        rest = {key: each for key, each in self._table(meaning).items() if key != self.name}
        others = {key: each for key, each in meaning.items() if key != self.table}
        wanted = [{**others, self.table: rest}] if rest else [others, {**others, self.table: {}}]
        for start, _ in self._headers(text):
            for end in _ends(text, start):
                try:
                    if tomllib.loads(text[:start] + text[end:]) in wanted:
                        return start, end
                except ValueError:  # not TOML
                    continue
        raise InstallError(f"[{self.table}.{self.name}] is written in a way that cannot be edited safely")

    def _headers(self, text: str) -> Iterator[tuple[int, str]]:
        """Starts of what looks like our table, its comment included, and that comment."""
        quoted = rf"""(?:{re.escape(self.name)}|"{re.escape(self.name)}"|'{re.escape(self.name)}')"""
        header = re.compile(
            rf"^[ \t]*\[[ \t]*{re.escape(self.table)}[ \t]*\.[ \t]*{quoted}[ \t]*\]", re.MULTILINE
        )
        for match in header.finditer(text):
            start = match.start()
            line = text.rfind("\n", 0, max(start - 1, 0)) + 1
            above = text[line:start].strip()
            yield (line, above) if _MARK.match(above) else (start, "")


def _ends(text: str, start: int) -> Iterator[int]:
    """Ends of lines where a table that starts at `start` may end: before the next header, or with the text.

    Comments and empty lines before the next header belong to that.
    """
    heads = [
        match.start() for match in re.finditer(r"^[ \t]*\[", text, re.MULTILINE) if match.start() > start
    ]
    own = 1 if text[start:].lstrip().startswith("#") else 0  # from the comment on, the first header is ours
    for stop in [*heads[own:], len(text)]:
        lines = text[start:stop].splitlines(keepends=True)
        while lines and (not lines[-1].strip() or lines[-1].lstrip().startswith("#")):
            lines.pop()
        yield start + sum(map(len, lines))


def _parse(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InstallError(f"not TOML: {error}") from error
    except ValueError as error:  # Python reads no integer of more than 4,300 digits, and no date that is none
        raise InstallError("not readable: a number in it has too many digits") from error
    except RecursionError as error:
        raise InstallError("it is nested too deeply to be read") from error


def _check(text: str, wanted: Mapping[str, Any]) -> None:
    try:
        same = tomllib.loads(text) == wanted
    except (ValueError, RecursionError):
        same = False
    if not same:
        raise InstallError("it is written in a way that cannot be edited safely")
