"""An entry in a JSON file, with comments and trailing commas or without: put in and taken out by text.

Every change is checked: the new text must mean what the old one meant, plus or minus our entry, or it is not made.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from zeroin.errors import InstallError
from zeroin.install.editing import Json, State, decode, entry_state, fingerprint, newline
from zeroin.install.jsonc import Document, Member, meaning


@dataclass(frozen=True, slots=True)
class JsonEntry:
    """The editor of the member `name` in the object at one of `places` (paths of keys).

    The first place that holds the entry is taken, else the first that exists, else the last.
    """

    places: tuple[tuple[str, ...], ...]
    name: str
    entry: Mapping[str, Json]

    def fingerprint(self) -> str:
        return fingerprint(dict(self.entry))

    def state(self, data: bytes, written: str) -> State:
        document = _read(data)[1]
        path = self._path(document)
        if document.find(path) is None:
            return State.MISSING
        return entry_state(_get(document.value, path), self.entry, written)

    def depth(self, data: bytes) -> int:
        document = _read(data)[1]
        return _depth(document, self._path(document)[:-1])

    def blank(self, data: bytes) -> bool:
        text = decode(data)[1]
        if not text.strip():
            return True
        document = Document(text)  # some hosts add the name of their schema to any file
        return not document.comments and _without(document.value, ("$schema",)) == {}

    def put(self, data: bytes) -> bytes:
        mark, document = _read(data)
        path, text, entry = self._path(document), document.text, dict(self.entry)
        there = document.find(path)
        if there is not None and _get(document.value, path) == entry:
            return data
        if there is not None:
            after = text[: there.value] + _render(entry, *_style(document, there)) + text[there.end :]
        else:
            known = _depth(document, path[:-1])
            value: Json = entry
            for key in reversed(path[known + 1 :]):
                value = {key: value}
            after = _insert(document, path[:known], path[known], value)
        if not decode(data)[1].strip():
            after += "\n"
        _check(after, _with(document.value, path, entry))
        return (mark + after).encode()

    def drop(self, data: bytes, existed: int | None = None) -> bytes:
        mark, document = _read(data)
        path = self._path(document)
        if document.find(path) is None:
            return data
        keep = len(path) - 1 if existed is None else existed
        for length in range(len(path), keep, -1):
            if length < len(path) and _get(document.value, path[:length]) != {}:
                break
            wanted = _without(document.value, path[:length])
            document = Document(_remove(document, path[:length]))
            _check(document.text, wanted)
        return (mark + document.text).encode()

    def _path(self, document: Document) -> tuple[str, ...]:
        def holds(path: tuple[str, ...]) -> bool:
            try:
                return document.find(path) is not None
            except InstallError:  # something else is written where an object should be
                return False

        for place in self.places:
            if holds((*place, self.name)):
                return (*place, self.name)
        place = next((place for place in self.places if holds(place)), self.places[-1])
        return (*place, self.name)


def _read(data: bytes) -> tuple[str, Document]:
    mark, text = decode(data)
    return mark, Document(text if text.strip() else "{}")


def _depth(document: Document, place: Sequence[str]) -> int:
    """How many objects on the way to `place` are there."""
    for length in range(1, len(place) + 1):
        if document.find(place[:length]) is None:
            return length - 1
    return len(place)


def _insert(document: Document, place: Sequence[str], key: str, value: Json) -> str:
    """The text with `"key": value` as the last member of the object at `place`, in the manner of its neighbours."""
    text, spot = document.text, document.object(place)
    last = spot.members[-1] if spot.members else None
    at = (last.comma or last.end) if last else spot.open
    before, after = ("," if last and not last.comma else ""), ("," if last and last.comma else "")
    if not _spread(document, place):
        body = f"{json.dumps(key, ensure_ascii=False)}: {json.dumps(value, ensure_ascii=False)}"
        return text[:at] + before + (" " if last else "") + body + after + text[at:]
    base, unit, eol = _line_indent(text, spot.open - 1), _unit(document), newline(text)
    inner = _line_indent(text, last.start) if last and _starts_line(text, last.start) else base + unit
    stop = _end_of_line(document, at)
    row = f"{eol}{inner}{json.dumps(key, ensure_ascii=False)}: {_render(value, inner, unit, eol)}{after}"
    rest = text[stop:]
    if "\n" not in text[stop : spot.close]:
        rest = eol + base + text[spot.close :]
    return text[:at] + before + text[at:stop] + row + rest


def _remove(document: Document, path: Sequence[str]) -> str:
    """The text without the member at `path`, nor the comma that only it needs."""
    text, spot = document.text, document.object(path[:-1])
    at = max(number for number, member in enumerate(spot.members) if member.key == path[-1])
    gone = spot.members[at]
    end = gone.comma or gone.end
    start = len(text[: gone.start].rstrip(" \t\r\n"))
    if len(spot.members) == 1:
        inside = text[spot.open : start] + _gap(document, start, end) + text[end : spot.close]
        return text[: spot.open] + (inside if inside.strip() else "") + text[spot.close :]
    if at == 0:  # what stands before the first member stays, for the second
        return text[: gone.start] + text[end:].lstrip(" \t\r\n")
    if at == len(spot.members) - 1 and not gone.comma:
        comma = spot.members[at - 1].comma
        return text[: comma - 1] + text[comma:start] + _gap(document, start, end) + text[end:]
    return text[:start] + _gap(document, start, end) + text[end:]


def _gap(document: Document, start: int, end: int) -> str:
    """What must stand in place of `start` to `end`: a line end after a comment that would swallow what follows."""
    text = document.text
    after = text[end:][: len(text[end:]) - len(text[end:].lstrip(" \t\r\n"))]
    swallows = any(each.end == start and each.text.startswith("//") for each in document.comments)
    return newline(text) if swallows and "\n" not in after else ""


def _spread(document: Document, place: Sequence[str]) -> bool:
    """Whether the members of the object at `place` stand on lines of their own."""
    spot = document.object(place)
    if spot.members or not document.object(()).members:
        return not spot.members or "\n" in document.text[spot.open : spot.close]
    return "\n" in document.text.strip()


def _style(document: Document, member: Member) -> tuple[str, str, str]:
    """Base indent, unit and line ending for a value that takes the place of `member`'s."""
    text = document.text
    if "\n" not in text[member.value : member.end]:
        return "", "", ""
    return _line_indent(text, member.start), _unit(document), newline(text)


def _render(value: Json, base: str, unit: str, eol: str) -> str:
    """JSON text: objects over several lines, lists in one; all in one line where `eol` is empty."""
    if not isinstance(value, dict) or not value or not eol:
        return json.dumps(value, ensure_ascii=False)
    inner = base + unit
    rows = [
        f"{inner}{json.dumps(key, ensure_ascii=False)}: {_render(each, inner, unit, eol)}"
        for key, each in value.items()
    ]
    return "{" + eol + f",{eol}".join(rows) + eol + base + "}"


def _unit(document: Document) -> str:
    """One step of indentation: that of the first member of the document; two spaces where it says nothing."""
    members = document.object(()).members
    if members and _starts_line(document.text, members[0].start):
        return _line_indent(document.text, members[0].start) or "  "
    return "  "


def _starts_line(text: str, at: int) -> bool:
    return not text[text.rfind("\n", 0, at) + 1 : at].strip() and "\n" in text[:at]


def _line_indent(text: str, at: int) -> str:
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _end_of_line(document: Document, at: int) -> int:
    """The end of the comments that follow `at` on its line; `at` where there are none."""
    for comment in document.comments:
        if comment.start >= at:
            if document.text[at : comment.start].strip(" \t") or "\n" in comment.text:
                break
            at = comment.end
    return at


def _get(value: Json, path: Sequence[str]) -> Json:
    for key in path:
        value = value[key] if isinstance(value, dict) else None
    return value


def _with(value: Json, path: Sequence[str], entry: Json) -> Json:
    if not path:
        return entry
    table = value if isinstance(value, dict) else {}
    return {**table, path[0]: _with(table.get(path[0]), path[1:], entry)}


def _without(value: Json, path: Sequence[str]) -> Json:
    if not isinstance(value, dict):
        return value
    if len(path) == 1:
        return {key: each for key, each in value.items() if key != path[0]}
    return {key: _without(each, path[1:]) if key == path[0] else each for key, each in value.items()}


def _check(text: str, wanted: Json) -> None:
    """Raises `InstallError` unless `text` means `wanted`: an edit that would change anything else is not made."""
    if meaning(text) != wanted:
        raise InstallError("it is written in a way that cannot be edited safely")
