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
    r"""(?P<comment>//[^\r\n]*|/\*.*?\*/)|"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"/]+""", re.DOTALL
)

DEPTH = 3  # of objects in objects that places are known of: no host has its servers deeper
_VISIBLE = re.compile(r"[^\r\n]")


class Token(NamedTuple):
    """A piece of the text that is no blank: where it starts and ends."""

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
        self.comments: list[Token] = []
        self._tokens: list[Token] = []
        commas = self._scan()
        self.value = _parse(text, [*self.comments, *commas])
        if not isinstance(self.value, dict):
            raise InstallError("its top level is not an object")
        self._closes: dict[int, int] = {}
        opened: list[int] = []
        for number, token in enumerate(self._tokens):
            if token.text in ("{", "["):
                opened.append(number)
            elif token.text in ("}", "]"):
                self._closes[opened.pop()] = number

    def _scan(self) -> list[Token]:
        """Finds the comments and the tokens down to `DEPTH`; returns the commas that no value follows."""
        depth, before, earlier = 0, "", ""  # the last two tokens
        comma: re.Match[str] | None = None
        trailing = []
        for match in _TOKEN.finditer(self.text):
            text = match[0]
            if match.lastgroup:
                self.comments.append(Token(text, match.start(), match.end()))
                continue
            if text in ("}", "]"):
                depth -= 1
                if before == "," and comma is not None and earlier not in ("{", "[", ","):
                    trailing.append(Token(",", comma.start(), comma.end()))
            if depth <= DEPTH:
                self._tokens.append(Token(text, match.start(), match.end()))
            if text in ("{", "["):
                depth += 1
            elif text == ",":
                comma = match
            earlier, before = before, text
        return trailing

    def object(self, keys: Sequence[str]) -> Object:
        """The object at the path `keys`, which must be there. Raises `InstallError` where it is something else."""
        member = self.find(keys)
        number = 0 if member is None else member.token
        if self._tokens[number].text != "{":
            raise InstallError(f'"{".".join(keys)}" is not an object')
        close = self._tokens[self._closes[number]].start
        return Object(self._tokens[number].end, close, tuple(self._members(number)))

    def find(self, keys: Sequence[str]) -> Member | None:
        """The member at the path `keys`, of at most `DEPTH`; of several of a name the last, as parsers read it."""
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


def meaning(text: str) -> Json:
    """What `text` means. Raises `InstallError` where it is no JSON."""
    try:
        value: Json = json.loads(text, strict=False)
    except (ValueError, RecursionError):  # it may have comments or trailing commas
        return Document(text).value
    return value


def _parse(text: str, blanked: Sequence[Token]) -> Json:
    """What Python's parser reads in `text` with some tokens blanked (line numbers stay)."""
    pieces, at = [], 0
    for token in sorted(blanked, key=lambda each: each.start):
        pieces += [text[at : token.start], _VISIBLE.sub(" ", token.text)]
        at = token.end
    try:
        value: Json = json.loads("".join([*pieces, text[at:]]), strict=False)
    except json.JSONDecodeError as error:
        raise InstallError(f"not JSON: {error.msg}, line {error.lineno}") from error
    except ValueError as error:  # Python reads no integer of more than 4,300 digits
        raise InstallError("not readable: a number in it has too many digits") from error
    except RecursionError as error:
        raise InstallError("it is nested too deeply to be read") from error
    return value
