"""Parse the arguments of a tool call: lenient about form, strict about names; errors tell the model what to send."""

from collections.abc import Mapping
from typing import Any

from zeroin.context.clean import line
from zeroin.errors import OptionError
from zeroin.mcp.schema import BUDGET, LEAST_BUDGET, MOST_BUDGET, listed

_DIGITS = 20  # of a number that are read: a longer one is above every limit
_SHOWN = 40  # characters of a wrong name or value in a message
MOST_ITEMS = 200  # of a list


class Arguments:
    """The arguments of one call of `tool`; every method raises `OptionError` for a malformed value."""

    def __init__(self, tool: str, given: Mapping[str, Any] | None) -> None:
        self._tool, self._known = tool, listed()[tool]["inputSchema"]["properties"]
        self._given = {name: value for name, value in (given or {}).items() if value is not None}
        unknown = sorted(set(self._given) - set(self._known))
        if unknown:
            names = ", ".join(line(name)[:_SHOWN] for name in unknown[:5])
            raise OptionError(f"{tool} has no argument {names}; it has {', '.join(self._known)}")

    def text(self, name: str, example: str = "") -> str:
        """Return a string, "" where it is not given; with `example` it must not be blank."""
        value = self._given.get(name, "")
        if not isinstance(value, str):
            raise OptionError(f"{name} must be a string")
        if example and not value.strip():
            raise OptionError(f"{self._tool} needs {name}, for example {example}")
        return value

    def chosen(self, name: str) -> str | None:
        """Return one of the values that the schema lists, None where it is not given."""
        value, values = self.text(name).strip().lower(), self._known[name]["enum"]
        if value and value not in values:
            raise OptionError(f"{name} {line(value)[:_SHOWN]!r} is none of {', '.join(values)}")
        return value or None

    def texts(self, name: str) -> tuple[str, ...]:
        """Return the distinct strings of a list; a single string counts as a list of one."""
        value = self._given.get(name, ())
        items = [value] if isinstance(value, str) else value
        if not isinstance(items, (list, tuple)) or not all(isinstance(item, str) for item in items):
            raise OptionError(f"{name} must be a list of strings")
        if len(items) > MOST_ITEMS:
            raise OptionError(f"{name} has {len(items)} entries; at most {MOST_ITEMS} are taken")
        return tuple(dict.fromkeys(item.strip() for item in items if item.strip()))

    def budget(self) -> int:
        """Return the budget in tokens, clipped to the limits: that serves a model better than an error."""
        value = self._given.get("budget", BUDGET)
        if isinstance(value, str) and value.strip().isdecimal():
            value = int(value.strip()[:_DIGITS])  # Python refuses thousands of digits
        if isinstance(value, bool) or not isinstance(value, (int, float)) or value != value:
            raise OptionError(f"budget must be a number of tokens, {LEAST_BUDGET} to {MOST_BUDGET}")
        return int(min(max(value, LEAST_BUDGET), MOST_BUDGET))

    def options(self) -> dict[str, Any]:
        """Return the call's options for `zeroin.retrieve`, without the repository."""
        return {
            "budget": self.budget(),
            "purpose": self.chosen("purpose"),
            "keywords": self.texts("keywords"),
            "includes": self.texts("include"),
            "excludes": self.texts("exclude"),
            "pack": self.chosen("pack") or "spans",
        }
