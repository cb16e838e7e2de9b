"""Repositories that are nearly copies of one another: forks, and versions kept as repositories of their own.

How much two have in common is the share of the code files of either that both have, by their contents (Jaccard). It is
estimated from the smallest hashes of each: "On the resemblance and containment of documents" (Broder, 1997). Other
files do not count: many programs that have nothing else in common have the same licence and the same settings.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

import numpy as np

from zeroin.index.postings import among
from zeroin.index.snapshot import ROLES, Snapshot
from zeroin.types import Role

_HASHES = 64  # in a sketch: an estimate of 0.3 is right within 0.11, nineteen times of twenty
ALIKE = 0.3  # what near copies have in common: nearly half of the code files, where both have as many
_CODE = [ROLES.index(role) for role in (Role.IMPLEMENTATION, Role.TEST)]


def sketch_of(snapshot: Snapshot) -> bytes:
    """Return the smallest hashes of what the code files contain, ascending, four bytes each."""
    hashes = np.ascontiguousarray(snapshot.blobs[:, :4]).view(">u4")[:, 0]
    counted = among(snapshot.roles, _CODE) & snapshot.blobs.any(axis=1)
    return np.unique(hashes[counted])[:_HASHES].astype("<u4").tobytes()


class Copies:
    """Repositories by their number, and which of those that were added another one is nearly a copy of."""

    def __init__(self, sketches: Sequence[bytes]) -> None:
        self._sketches = sketches
        self._added: dict[int, frozenset[int]] = {}
        # Added repositories by the hashes in their sketches.
        self._with: dict[int, list[int]] = defaultdict(list)

    def add(self, number: int) -> None:
        self._added[number] = self._hashes(number)
        for one in self._added[number]:
            self._with[one].append(number)

    def original_of(self, number: int) -> int | None:
        """Return the added repository of the lowest number that has enough in common with one, None where none has."""
        own = self._hashes(number)
        met = Counter(other for one in own for other in self._with.get(one, ()))
        # Of the smallest hashes of both, no more than they share can be in both.
        near = (at for at, shared in sorted(met.items()) if shared >= ALIKE * len(own))
        return next((at for at in near if _common(own, self._added[at]) >= ALIKE), None)

    def _hashes(self, number: int) -> frozenset[int]:
        return frozenset(np.frombuffer(self._sketches[number], "<u4").tolist())


def _common(one: frozenset[int], other: frozenset[int]) -> float:
    """Estimate the share of what two have that both have."""
    smallest = sorted(one | other)[:_HASHES]
    return sum(hash_ in one and hash_ in other for hash_ in smallest) / len(smallest)
