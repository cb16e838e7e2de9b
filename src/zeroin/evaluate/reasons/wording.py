"""How evidence is put into words."""

from collections.abc import Sequence

from zeroin.evaluate.spans.candidates import is_comment
from zeroin.terms import WORD, cut
from zeroin.types import Evidence


def listed(cited: Sequence[Evidence]) -> str:
    """List symbols with the lines that define them."""
    return ", ".join(f"{e.symbol} (line {e.line})" for e in cited)


def line_of(name: str, text: str) -> int | None:
    """Find the first line that contains an identifier, rather one that is no comment; None if there is none."""
    lines = enumerate(text.split("\n") if name in text else (), 1)
    found = ((is_comment(line), n) for n, line in lines if name in line and name in WORD.findall(line))
    return min(found, default=(False, None))[1]


def counted(count: int, noun: str) -> str:
    """`1 commit`, `2 commits`."""
    return f"{count} {noun}{'' if count == 1 else 's'}"


def shortened(text: str, most: int = 70) -> str:
    """Cut a text of more than `most` characters between words."""
    return text if len(text) <= most else cut(text, most - 1) + "…"
