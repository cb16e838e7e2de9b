"""Tables of words and patterns beside this module, as TOML: read on first use."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from zeroin.beside import table_beside

# How the alternatives of a pattern's part are joined.
_PARTS = {"start": r"^\W*(?:{})\b", "word": r"\b(?:{})\b", "text": "{}", "any": "(?:{})"}


class Table:
    """One file of tables. Patterns are compiled with `flags` and, like sets of words, kept."""

    def __init__(self, name: str, flags: int = 0) -> None:
        self._name, self._flags = name, flags
        self.pattern, self.words = cache(self._pattern), cache(self._words)

    @property
    def data(self) -> Mapping[str, Any]:
        return table_beside(__file__, f"{self._name}.toml")

    def _pattern(self, name: str) -> re.Pattern[str]:
        """The pattern of a table: parts that are lists of alternatives, between `before` and `after`."""
        table: Mapping[str, Any] = self.data[name]
        parts = [form.format("|".join(table[part])) for part, form in _PARTS.items() if part in table]
        text = table.get("before", "") + "|".join(parts) + table.get("after", "")
        # A named part may contain earlier ones, so the last is replaced first.
        for known, alternatives in reversed(self.data.get("named", {}).items()):
            text = text.replace(f"<<{known}>>", f"(?:{'|'.join(alternatives)})")
        return re.compile(text, self._flags)

    def _words(self, name: str) -> frozenset[str]:
        return frozenset(self.data[name].split())

    def begins(self, name: str, text: str) -> bool:
        return self.pattern(name).match(text) is not None

    def has(self, name: str, text: str) -> bool:
        return self.pattern(name).search(text) is not None


SYNTAX = Table("syntax")  # mark-up, links, names in code, headings, log lines
