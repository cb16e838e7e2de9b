"""A text that is built piece by piece and never costs more than its token budget."""

from collections.abc import Iterable

from zeroin.context.tokens import estimate


class Page:
    """Pieces added while they fit; a piece that does not fit is left out whole, and the caller counts it."""

    def __init__(self, budget: int, *fixed: str) -> None:
        self._pieces: list[str] = []
        self.left = budget - sum(map(estimate, fixed))  # tokens that may be added besides what is `fixed`

    def add(self, text: str) -> bool:
        """Add `text` if it fits; return whether it does."""
        cost = estimate(text)
        if cost > self.left:
            return False
        self.left -= cost
        self._pieces.append(text)
        return True

    def section(self, head: str, rows: Iterable[str], *, limit: int, tail: str = "") -> int:
        """Add `head`, as many leading `rows` as fit in `limit` tokens, and `tail`; return the number of rows.

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
