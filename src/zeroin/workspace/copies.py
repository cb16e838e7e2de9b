"""Repositories that are nearly copies of one another: forks, and versions kept as repositories of their own.

Their similarity is the Jaccard index of the contents of their code files. It is estimated from the smallest hashes of
each: "On the resemblance and containment of documents" (Broder, 1997). Other files do not count, since unrelated
programs share licences and settings, too.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence

import numpy as np

from zeroin.index.postings import among
from zeroin.index.snapshot import ROLES, Snapshot
from zeroin.types import Role

_HASHES = 64  # in a sketch: the 95 % confidence interval of an estimate of 0.3 is ± 0.11
ALIKE = 0.3  # similarity of near copies: nearly half of the files shared where both have as many
_CODE = [ROLES.index(role) for role in (Role.IMPLEMENTATION, Role.TEST)]


def sketch_of(snapshot: Snapshot) -> bytes:
    """Return the smallest hashes of what the code files contain, ascending, four bytes each."""
    hashes = np.ascontiguousarray(snapshot.blobs[:, :4]).view(">u4")[:, 0]
    counted = among(snapshot.roles, _CODE) & snapshot.blobs.any(axis=1)
    return np.unique(hashes[counted])[:_HASHES].astype("<u4").tobytes()


class Copies:
    """Repositories by number; finds the added one that another is nearly a copy of."""

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
        """Return the added repository of the lowest number that is similar enough to this one, or None."""
        own = self._hashes(number)
        met = Counter(other for one in own for other in self._with.get(one, ()))
        # Cheap test: the estimate counts at most the shared hashes.
        near = (at for at, shared in sorted(met.items()) if shared >= ALIKE * len(own))
        return next((at for at in near if _common(own, self._added[at]) >= ALIKE), None)

    def _hashes(self, number: int) -> frozenset[int]:
        return frozenset(np.frombuffer(self._sketches[number], "<u4").tolist())


def _common(one: frozenset[int], other: frozenset[int]) -> float:
    """Estimate the Jaccard index of the sets of two sketches."""
    smallest = sorted(one | other)[:_HASHES]
    return sum(hash_ in one and hash_ in other for hash_ in smallest) / len(smallest)
