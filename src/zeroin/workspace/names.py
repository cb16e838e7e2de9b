"""Paths of a workspace: `NAME/path` inside the engine, `NAME:path` wherever a caller sees or gives one."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from typing import Any, TypeVar

from zeroin.evaluate.deferred import Deferred

T = TypeVar("T")
_TOKEN = r"(?<![\w./:-])({})/([^\s`'\"()<>|,;]*)"
_AROUND = ".:!?]}*"  # what may follow a path in a sentence


class Names:
    """Translates the paths of members. `knows` says whether something inside has a path: a file, or a folder of one."""

    def __init__(self, names: Sequence[str], knows: Callable[[str], bool]) -> None:
        self._names = frozenset(names)
        self._knows = knows
        alternatives = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
        self._token = re.compile(_TOKEN.format(alternatives))

    def inside(self, path: str) -> str:
        """Return a path or glob that a caller gave as the engine has it; one that names no member as it is."""
        name, colon, rest = path.partition(":")
        return f"{name}/{rest.removeprefix('/')}" if colon and name in self._names else path

    def inside_glob(self, glob: str) -> str:
        """The same of a glob; one that names a place but no member means that place in every member."""
        inside = self.inside(glob)
        first, slash, rest = inside.partition("/")
        anchored = bool(slash and rest) and first not in self._names and first != "**"
        return f"*/{inside.removeprefix('/')}" if anchored else inside

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
            changed = {f.name: getattr(value, f.name) for f in fields(value) if f.init}
            shown = {name: self._shown(item) for name, item in changed.items()}
            if any(shown[name] is not changed[name] for name in shown):
                return replace(value, **shown)
        return value

    def _text(self, text: str) -> str:
        new = self._token.sub(self._token_shown, text)
        return text if new == text else new

    def _token_shown(self, match: re.Match[str]) -> str:
        name, rest = match[1], match[2]
        path = rest.rstrip(_AROUND)
        parts = (
            path,
            path.rpartition(":")[0],
            path.partition("#")[0],
            path.partition("*")[0].rpartition("/")[0],
        )
        known = not path or any(part and self._knows(f"{name}/{part.rstrip('/')}") for part in parts)
        return f"{name}:{rest}" if known else match[0]
