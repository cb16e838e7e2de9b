"""A text that is built piece by piece and never costs more than its token budget."""

from __future__ import annotations

from collections.abc import Iterable

from zeroin.context.tokens import estimate


class Page:
    """Pieces added while they fit; what does not fit is left out whole and counted by the caller."""

    def __init__(self, budget: int) -> None:
        self._pieces: list[str] = []
        self._left = budget
        self._reserved = 0

    @property
    def left(self) -> int:
        """Tokens that may still be added; what is reserved does not count."""
        return self._left - self._reserved

    def add(self, text: str) -> bool:
        """Adds `text` if it costs at most what is left; says whether it did."""
        cost = estimate(text)
        if cost > self.left:
            return False
        self._left -= cost
        self._pieces.append(text)
        return True

    def reserve(self, text: str) -> None:
        """Keeps room for a closing `text` that `close` will write."""
        self._reserved += estimate(text)

    def release(self, text: str) -> None:
        """Gives back the room of a reserved `text`."""
        self._reserved -= estimate(text)

    def close(self, text: str) -> None:
        """Writes a `text` that was reserved."""
        cost = estimate(text)
        self._reserved -= cost
        self._left -= cost
        self._pieces.append(text)

    def section(self, head: str, rows: Iterable[str], *, limit: int, tail: str = "") -> int:
        """Adds `head`, as many leading `rows` as `limit` tokens hold, and `tail`; how many rows were written.

        Nothing is written when not even the first row fits.
        """
        limit = min(limit, self.left)
        used = estimate(head) + estimate(tail)
        taken: list[str] = []
        for row in rows:
            used += estimate(row)
            if used > limit:
                break
            taken.append(row)
        return len(taken) if taken and self.add(head + "".join(taken) + tail) else 0

    def text(self) -> str:
        """Return everything that was added."""
        return "".join(self._pieces)
