"""How common terms are: document frequencies in commit messages of many repositories."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from zeroin.models.file import Arrays, Header, read

SHIPPED = Path(__file__).with_name("commonness.npz")
UNLISTED = 5  # document frequency taken for a term that is not listed


@dataclass(frozen=True, slots=True)
class Commonness:
    """`ids` (T,) uint64, sorted term ids; `holders` (T,) int64, messages that hold the term, of `messages`."""

    ids: NDArray[np.uint64]
    holders: NDArray[np.int64]
    messages: int
    card: Mapping[str, object] = field(default_factory=dict)  # what it was counted on

    def document_frequency(self, ids: NDArray[np.uint64]) -> NDArray[np.int64]:
        """Count the messages that hold each term, shape (n,); `UNLISTED` for one that is not listed."""
        at = np.minimum(np.searchsorted(self.ids, ids), len(self.ids) - 1)
        return np.where(self.ids[at] == ids, self.holders[at], UNLISTED)


@lru_cache(maxsize=1)
def commonness() -> Commonness:
    """Return the shipped table. Raises `ModelError`."""
    return read_commonness(SHIPPED)


def read_commonness(path: Path) -> Commonness:
    """Read a table. Raises `ModelError`."""
    return read(path, "a table of terms", _build)


def _build(header: Header, arrays: Arrays) -> Commonness:
    ids, holders = arrays["ids"].astype(np.uint64), arrays["holders"].astype(np.int64)
    if not len(ids) or len(ids) != len(holders) or bool((ids[1:] <= ids[:-1]).any()):
        raise ValueError("its terms are not sorted or not counted")
    return Commonness(ids, holders, int(header["messages"]), header["card"])
