"""Whether a task asks for the whole of a codebase, an overview, rather than for a part of it or for a change."""

from __future__ import annotations

import re

from zeroin.query.tables import Table

_OVERVIEW = Table("overview", re.IGNORECASE)
_MOST_CHARS = 200  # of a line that asks for an overview


def mentions_overview(title: str) -> bool:
    """Tell whether a question mentions the whole. Not for orders: "document the architecture" is one."""
    return _OVERVIEW.has("mentions", title[:_MOST_CHARS])


def asks_overview(text: str) -> bool:
    """Tell whether a text is nothing but a line that asks for the whole, whatever kind of sentence it is."""
    line = " ".join(text.split())
    return len(line) <= _MOST_CHARS and _OVERVIEW.pattern("asks").fullmatch(line) is not None


def text_beside_overview(text: str) -> str:
    """Return the words that do not ask for the whole: they may name a part."""
    line = " ".join(text[: 2 * _MOST_CHARS].split())
    if asks_overview(line) and not _OVERVIEW.has("names_more", line):
        return ""
    return _OVERVIEW.pattern("mentions").sub(" ", line)
