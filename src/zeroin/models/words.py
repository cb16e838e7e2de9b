"""The word table: translates words of tasks into words of names in code, learned from many repositories.

`training/words.py` makes it; `docs/TERMINOLOGY.md` says from what. Terms are the analyser's (`terms.analyse_word`).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from zeroin.models.file import Arrays, Header, read

SHIPPED = Path(__file__).with_name("words.npz")
STEPS = 255  # of a stored weight


class Translation(NamedTuple):
    """A term of names that translates a term of tasks; `weight` in 0–1, learned from so many `repositories`."""

    term: str
    weight: float
    repositories: int


@dataclass(frozen=True, eq=False)
class WordTable:
    """For each of T terms of tasks, the terms of names that translate it.

    `terms` are all strings of the table, those of tasks first (T of them, sorted); rows `pointers[t]:pointers[t + 1]`
    of `targets` (N,) uint16, positions in `terms`, `weights` (N,) uint8 and `repositories` (N,) uint8, best first.
    """

    terms: tuple[str, ...]
    pointers: NDArray[np.int64]
    targets: NDArray[np.uint16]
    weights: NDArray[np.uint8]
    repositories: NDArray[np.uint8]
    card: Mapping[str, object] = field(default_factory=dict)

    @cached_property
    def _rows(self) -> dict[str, slice]:
        return dict(zip(self.terms, (slice(a, b) for a, b in pairwise(self.pointers.tolist())), strict=False))

    def translations(self, term: str) -> list[Translation]:
        """Translate a term, best first; empty for a term that the table lacks."""
        rows = self._rows.get(term, slice(0, 0))
        columns = (column[rows].tolist() for column in (self.targets, self.weights, self.repositories))
        return [Translation(self.terms[i], weight / STEPS, n) for i, weight, n in zip(*columns, strict=True)]


def read_words(path: Path) -> WordTable:
    """Read a table. Raises `ModelError`."""
    return read(path, "a word table", _build)


def _build(header: Header, arrays: Arrays) -> WordTable:
    terms, targets = tuple(bytes(arrays["terms"]).decode().split("\n")), arrays["followers"]
    if len(targets) and int(targets.max()) >= len(terms):
        raise ValueError("a translation is not among its terms")
    pointers = np.r_[0, np.cumsum(arrays["counts"], dtype=np.int64)]
    return WordTable(terms, pointers, targets, arrays["weights"], arrays["repositories"], header["card"])


@lru_cache(maxsize=1)
def word_table() -> WordTable:
    """Return the shipped table. Raises `ModelError`."""
    return read_words(SHIPPED)
