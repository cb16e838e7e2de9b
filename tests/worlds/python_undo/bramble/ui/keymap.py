"""Which key runs which command."""

from __future__ import annotations

from dataclasses import dataclass

DEFAULT_KEYS: dict[str, str] = {
    "enter": "new_below",
    "tab": "indent",
    "shift-tab": "outdent",
    "delete": "remove",
    "space": "toggle_fold",
    "down": "cursor_down",
    "up": "cursor_up",
    "ctrl-z": "revert_last",
    "ctrl-q": "quit",
}

_ORDER = ("ctrl", "alt", "shift")


class BadKey(ValueError):
    """A key in the settings that no terminal can send."""


def normalise(key: str) -> str:
    """`Shift+Ctrl+Z` and `ctrl-shift-z` are one key."""
    *modifiers, last = key.strip().lower().replace("+", "-").split("-")
    unknown = [modifier for modifier in modifiers if modifier not in _ORDER]
    if unknown or not last:
        raise BadKey(f"{key!r} is not a key")
    return "-".join([*sorted(set(modifiers), key=_ORDER.index), last])


@dataclass(frozen=True)
class Keymap:
    """Commands by normalised key."""

    bindings: dict[str, str]

    @classmethod
    def with_overrides(cls, overrides: dict[str, str]) -> Keymap:
        """An empty command takes a default binding away."""
        bindings = dict(DEFAULT_KEYS)
        for key, command in overrides.items():
            if command:
                bindings[normalise(key)] = command
            else:
                bindings.pop(normalise(key), None)
        return cls(bindings)

    def command_for(self, key: str) -> str:
        """The empty text for keys that are not bound; those are typed."""
        return self.bindings.get(key, "")
