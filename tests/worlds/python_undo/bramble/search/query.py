"""Search in an outline: words, quoted phrases, and words that must not occur."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from bramble.model.node import Node
from bramble.model.outline import Outline

_PART = re.compile(r'(?P<minus>-?)(?:"(?P<phrase>[^"]*)"|(?P<word>\S+))')


@dataclass(frozen=True)
class Query:
    """What a line has to contain, and what it must not contain; both folded."""

    wanted: tuple[str, ...]
    unwanted: tuple[str, ...]

    def matches(self, node: Node) -> bool:
        title = fold(node.title)
        return all(part in title for part in self.wanted) and not any(
            part in title for part in self.unwanted
        )


def fold(text: str) -> str:
    """Lower case and without accents, so that nobody has to type them."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(char for char in decomposed if not unicodedata.combining(char))


def parse(text: str) -> Query:
    wanted: list[str] = []
    unwanted: list[str] = []
    for match in _PART.finditer(text):
        part = fold(match["phrase"] if match["phrase"] is not None else match["word"])
        if part:
            (unwanted if match["minus"] else wanted).append(part)
    return Query(tuple(wanted), tuple(unwanted))


def find(outline: Outline, text: str) -> Iterator[Node]:
    """Matching lines in file order; nothing for an empty search."""
    query = parse(text)
    if not query.wanted and not query.unwanted:
        return iter(())
    return (node for node in outline.lines() if query.matches(node))


def reveal(node: Node) -> None:
    """Unfolds everything above a line, so that it can be seen."""
    above = node.parent
    while above is not None:
        above.folded = False
        above = above.parent
