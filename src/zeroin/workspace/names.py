"""Paths of a workspace: `NAME/path` inside the engine, `NAME:path` wherever a caller sees or gives one."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from typing import Any, TypeVar

from zeroin.errors import InputError
from zeroin.evaluate.deferred import Deferred
from zeroin.patterns import lazy_pattern

T = TypeVar("T")
_MAX_PATH = 500  # characters of a path in a sentence
_QUOTED = lazy_pattern(r"(“[^”]*”|`[^`]*`)")  # words of a repository or of the task
_GLOB = lazy_pattern(r"[^\s`'\"()<>|,;]*\*[^\s`'\"()<>|,;]*")
# Fields that hold words of the task or of a repository: what looks like a path in them is none of ours.
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


class Names:
    """Translates the paths of members. `knows` says whether something inside has a path: a file, or a folder of one."""

    def __init__(self, names: Sequence[str], knows: Callable[[str], bool]) -> None:
        self._names = frozenset(names)
        self._knows = knows
        alternatives = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
        self._begin = re.compile(rf"(?<![\w./:-])({alternatives})/")

    def inside(self, path: str) -> str:
        """Return a path that a caller gave as the engine has it; one that names no member as it is."""
        name, colon, rest = path.partition(":")
        return f"{name}/{rest.removeprefix('/')}" if colon and name in self._names else path

    def inside_glob(self, glob: str) -> str:
        """The same of a glob: one that names no member means every member, one without a folder any folder.

        Raises `InputError` for a name that no member has.
        """
        name, colon, rest = glob.partition(":")
        if colon and name not in self._names:
            raise InputError(f"{glob}: no repository here is called {name}; there are {self._some()}")
        member, rest = (name, rest) if colon else ("*", glob)
        anchored = "/" in rest.rstrip("/")
        return f"{member}/{'' if anchored else '**/'}{rest.removeprefix('/')}"

    def _some(self) -> str:
        return ", ".join(sorted(self._names)[:10]) + (" and others" if len(self._names) > 10 else "")

    def shown(self, value: T) -> T:
        """Return a value with all paths in it, at any depth, as callers see them; deferred parts when looked at."""
        out: Any = self._shown(value)
        return out  # type: ignore[no-any-return]

    def _shown(self, value: Any) -> Any:
        if isinstance(value, str):
            return value if isinstance(value, Enum) or "/" not in value else self._text(value)
        if isinstance(value, Deferred):
            return Deferred(lambda: tuple(self._shown(item) for item in value))
        if isinstance(value, (tuple, frozenset)):
            items = [self._shown(item) for item in value]
            same = all(new is old for new, old in zip(items, value, strict=True))
            return value if same else type(value)(items)
        if isinstance(value, Mapping):
            return {self._shown(key): self._shown(item) for key, item in value.items()}
        if is_dataclass(value) and not isinstance(value, type):
            return self._of_fields(value)
        return value

    def _of_fields(self, value: Any) -> Any:
        kind = type(value).__name__
        given = {f.name: getattr(value, f.name) for f in fields(value) if f.init}
        shown = {n: item if (kind, n) in _FOREIGN else self._shown(item) for n, item in given.items()}
        changed = any(shown[name] is not given[name] for name in shown)
        return replace(value, **shown) if changed else value

    def _text(self, text: str) -> str:
        name, _, path = text.partition("/")
        if name in self._names and self._knows(text):
            return f"{name}:{path}"
        pieces = _QUOTED.split(text)
        new = "".join(piece if at % 2 else self._sentence(piece) for at, piece in enumerate(pieces))
        return text if new == text else new

    def _sentence(self, text: str) -> str:
        """Return our own words with the paths in them as callers see them."""
        out: list[str] = []
        at = 0
        for match in self._begin.finditer(text):
            if match.start() < at:
                continue
            end = self._end(text, match)
            if end:
                out += [text[at : match.start()], match[1], ":", text[match.end() : end]]
                at = end
        return "".join(out) + text[at:]

    def _end(self, text: str, match: re.Match[str]) -> int:
        """Return where the longest path or glob that begins at a match ends, 0 where there is none."""
        start, begin = match.start(), match.end()
        found = next(
            (
                end
                for end in range(min(len(text), start + _MAX_PATH), begin, -1)
                if not text[end : end + 1].isalnum() and self._knows(text[start:end].rstrip("/"))
            ),
            0,
        )
        glob = _GLOB.match(text, begin)
        if glob is not None and self._knows(text[start : text.index("*", begin)].rpartition("/")[0]):
            return max(found, glob.end())
        return found
