"""How evidence is put into words."""

from __future__ import annotations

from collections.abc import Sequence

from zeroin.terms import WORD, cut
from zeroin.tree import Definition
from zeroin.types import Evidence


def once(definitions: Sequence[Definition]) -> list[Definition]:
    """The first definition of every name."""
    return list({d.name: d for d in reversed(definitions)}.values())[::-1]


def listed(cited: Sequence[Evidence]) -> str:
    """Symbols with the lines that define them."""
    return ", ".join(f"{e.symbol} (line {e.line})" for e in cited)


def line_of(name: str, text: str) -> int | None:
    """The first line that says an identifier."""
    lines = enumerate(text.split("\n") if name in text else (), 1)
    return next((number for number, line in lines if name in line and name in WORD.findall(line)), None)


def commits(count: int) -> str:
    """`1 commit`, `2 commits`."""
    return f"{count} commit{'s' if count > 1 else ''}"


def parts_of(name: str) -> list[str]:
    """The parts of a qualified name."""
    return [p for p in name.replace("::", ".").replace("#", ".").replace("()", "").split(".") if p]


def shortened(text: str, most: int = 70) -> str:
    """A subject line, cut between words where it is long."""
    return text if len(text) <= most else cut(text, most - 1) + "…"
