"""JSON as configuration files have it, with comments and trailing commas: what it means, and where things are.

Python's own parser says what a document means and whether it is one; tokens say where things are.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import NamedTuple

from zeroin.errors import InstallError
from zeroin.install.editing import Json

_TOKEN = re.compile(
    r"""(?P<space>[ \t\r\n]+)|(?P<comment>//[^\r\n]*|/\*.*?\*/)|(?P<string>"(?:[^"\\]|\\.)*")"""
    r"""|(?P<mark>[{}\[\],:])|(?P<plain>[^\s{}\[\],:"/]+)""",
    re.DOTALL,
)


class Token(NamedTuple):
    """A piece of the text; `kind` is the name of its group in the pattern."""

    kind: str
    text: str
    start: int
    end: int


class Member(NamedTuple):
    """`"key": value` of an object: offsets of the key, of the value, of the value's end and of that of the comma
    after it (0 where there is none), and the number of the value's first token."""

    key: str
    start: int
    value: int
    end: int
    comma: int
    token: int


class Object(NamedTuple):
    """An object: the offset after its `{`, that of its `}`, and its members in order."""

    open: int
    close: int
    members: tuple[Member, ...]


class Document:
    """A parsed text. Raises `InstallError` where it is no JSON, or its top level is no object."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._tokens = [token for token in tokens(text) if token.kind not in ("space", "comment")]
        self.value = _meaning(text, self._tokens)
        if not isinstance(self.value, dict):
            raise InstallError("its top level is not an object")
        self._closes: dict[int, int] = {}
        opened: list[int] = []
        for number, token in enumerate(self._tokens):
            if token.text in ("{", "["):
                opened.append(number)
            elif token.text in ("}", "]"):
                self._closes[opened.pop()] = number

    def object(self, keys: Sequence[str]) -> Object:
        """The object at the path `keys`, which must be there. Raises `InstallError` where it is something else."""
        member = self.find(keys)
        number = 0 if member is None else member.token
        if self._tokens[number].text != "{":
            raise InstallError(f'"{".".join(keys)}" is not an object')
        close = self._tokens[self._closes[number]].start
        return Object(self._tokens[number].end, close, tuple(self._members(number)))

    def find(self, keys: Sequence[str]) -> Member | None:
        """The member at the path `keys`; of several with the same name the last, as parsers read it."""
        member: Member | None = None
        for depth, key in enumerate(keys):
            number = 0 if member is None else member.token
            if self._tokens[number].text != "{":
                raise InstallError(f'"{".".join(keys[:depth])}" is not an object')
            member = next((each for each in reversed(self._members(number)) if each.key == key), None)
            if member is None:
                return None
        return member

    def _members(self, number: int) -> list[Member]:
        found, at, end = [], number + 1, self._closes[number]
        while at < end:
            last = self._closes.get(at + 2, at + 2)
            comma = self._tokens[last + 1].text == ","
            key, value = self._tokens[at], self._tokens[at + 2]
            stop = self._tokens[last + 1].end if comma else 0
            name = json.loads(key.text, strict=False)
            found.append(Member(name, key.start, value.start, self._tokens[last].end, stop, at + 2))
            at = last + (2 if comma else 1)
        return found


def tokens(text: str) -> list[Token]:
    """All tokens of `text`, blanks and comments too. Raises `InstallError` at the first thing that is none."""
    found, at = [], 0
    for match in _TOKEN.finditer(text):
        if match.start() != at:
            break
        found.append(Token(match.lastgroup or "", match[0], at, match.end()))
        at = match.end()
    if at < len(text):
        raise InstallError(f"not JSON: line {text.count(chr(10), 0, at) + 1} cannot be read")
    return found


def _meaning(text: str, found: Sequence[Token]) -> Json:
    """What Python's parser reads once comments and trailing commas are blanked (line numbers stay)."""
    kept = [" "] * len(text)
    for at in range(len(text)):
        if text[at] in "\r\n":
            kept[at] = text[at]
    before = ""
    for number, token in enumerate(found):
        after = found[number + 1].text if number + 1 < len(found) else ""
        if token.text != "," or after not in ("}", "]") or before in ("{", "[", ","):
            kept[token.start : token.end] = token.text
        before = token.text
    try:
        value: Json = json.loads("".join(kept), strict=False)
    except json.JSONDecodeError as error:
        raise InstallError(f"not JSON: {error.msg}, line {error.lineno}") from error
    except RecursionError as error:
        raise InstallError("it is nested too deeply to be read") from error
    return value
