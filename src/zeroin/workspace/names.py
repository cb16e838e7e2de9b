"""Paths of a workspace: `NAME/path` inside the engine, `NAME:path` wherever a caller sees or gives one."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from functools import cache
from typing import Any, TypeVar, cast

from zeroin.errors import InputError
from zeroin.evaluate.deferred import Deferred
from zeroin.patterns import lazy_pattern

T = TypeVar("T")
_MAX_PATH = 500  # characters of a path in a sentence
_QUOTED = lazy_pattern(r"(“[^”]*”|`[^`]*`)")  # words of a repository or of the task
_BEGIN = lazy_pattern(r"(?<![\w./:+-])([\w.+-]+)/")  # perhaps of a path that begins with a member's name
_GLOB = lazy_pattern(r"[^\s`'\"()<>|,;]*\*[^\s`'\"()<>|,;]*")
# Fields with text of the task or of a repository: a path in them is not one of the engine's and stays as it is.
_FOREIGN = frozenset(
    {
        ("Context", "task"),
        ("Evidence", "text"),
        ("ExpansionSource", "text"),
        ("Expansion", "task_word"),
        ("Expansion", "code_word"),
        *(("Query", name) for name in ("keywords", "symbols", "paths", "quotations", "title", "text")),
        ("Search", "symbols"),
        ("Search", "words"),
        ("Candidate", "why"),
    }
)
_PLAIN = frozenset({int, float, bool, type(None)})


@cache
def _fields_of(kind: type) -> tuple[str, ...]:
    """Return the fields of a dataclass that may hold paths of the engine; () for any other class."""
    if not is_dataclass(kind):
        return ()
    return tuple(f.name for f in fields(kind) if f.init and (kind.__name__, f.name) not in _FOREIGN)


class Names:
    """Translates paths of members. `knows` tells whether the engine has a file or a folder at a path."""

    def __init__(self, names: Sequence[str], knows: Callable[[str], bool]) -> None:
        self._names = frozenset(names)
        self._knows = knows
        self._texts: dict[str, str] = {}  # text of the engine → text for callers
        self._objects: dict[int, tuple[Any, Any]] = {}  # id → the value, and the value for callers

    def inside(self, path: str) -> str:
        """Translate a caller's path to the engine's; one without a member's name stays as it is."""
        name, colon, rest = path.partition(":")
        return f"{name}/{rest.removeprefix('/')}" if colon and name in self._names else path

    def inside_glob(self, glob: str, others: Collection[str] = ()) -> str:
        """Translate a caller's glob: without a name it holds for every member, without a folder for any folder.

        Raises `InputError` for a name that no member has, nor is among `others`.
        """
        name, colon, rest = glob.partition(":")
        if colon and name not in self._names and name not in others:
            some = ", ".join(sorted(self._names)[:10]) + (" and others" if len(self._names) > 10 else "")
            raise InputError(f"{glob}: no repository here is called {name}; there are {some}")
        member, rest = (name, rest) if colon else ("*", glob)
        anchored = "/" in rest.rstrip("/")
        return f"{member}/{'' if anchored else '**/'}{rest.removeprefix('./').removeprefix('/')}"

    def shown(self, value: T) -> T:
        """Translate all paths in a value, at any depth, for callers; deferred parts on first use."""
        return cast(T, self._shown(value))

    def _shown(self, value: Any) -> Any:
        kind = type(value)
        if kind in _PLAIN:
            return value
        if isinstance(value, str):
            return value if isinstance(value, Enum) or "/" not in value else self._text(value)
        if isinstance(value, Deferred):
            return Deferred(lambda: tuple(self._shown(item) for item in value))
        if isinstance(value, (tuple, frozenset)):
            items = [self._shown(item) for item in value]
            same = all(new is old for new, old in zip(items, value, strict=True))
            make = getattr(kind, "_make", kind)  # a named tuple takes its fields one by one
            return value if same else make(items)
        if isinstance(value, Mapping):
            return {self._shown(key): self._shown(item) for key, item in value.items()}
        known = self._objects.get(id(value))
        if known is None:
            known = self._objects[id(value)] = value, self._of_fields(value, _fields_of(kind))  # type: ignore[arg-type]
        return known[1]

    def _of_fields(self, value: Any, names: Sequence[str]) -> Any:
        given = {name: getattr(value, name) for name in names}
        shown = {name: self._shown(item) for name, item in given.items()}
        changed = {name: item for name, item in shown.items() if item is not given[name]}
        return replace(value, **changed) if changed else value

    def _text(self, text: str) -> str:
        if text not in self._texts:
            name, _, path = text.partition("/")
            if name in self._names and self._knows(text):
                self._texts[text] = f"{name}:{path}"
            else:
                pieces = _QUOTED.split(text)
                new = "".join(piece if at % 2 else self._sentence(piece) for at, piece in enumerate(pieces))
                self._texts[text] = text if new == text else new
        return self._texts[text]

    def _sentence(self, text: str) -> str:
        out: list[str] = []
        at = 0
        for match in _BEGIN.finditer(text):
            if match.start() < at or match[1] not in self._names:
                continue
            end = self._end(text, match)
            if end:
                out += [text[at : match.start()], match[1], ":", text[match.end() : end]]
                at = end
        return "".join(out) + text[at:]

    def _end(self, text: str, match: re.Match[str]) -> int:
        """Return where the longest path or glob that begins at a match ends, 0 where there is none."""
        start, begin = match.start(), match.end()
        ends = range(min(len(text), start + _MAX_PATH), begin, -1)
        known = (end for end in ends if not text[end : end + 1].isalnum() and self._knows(text[start:end].rstrip("/")))
        found = next(known, 0)
        glob = _GLOB.match(text, begin)
        if glob is not None and self._knows(text[start : text.index("*", begin)].rpartition("/")[0]):
            return max(found, glob.end())
        return found
