"""What the cycle before held of a file: a second judgment starts from the first. All zero in the first cycle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set

import numpy as np
from numpy.typing import NDArray

from zeroin.evaluate.features.pool import Column, Pool

NAMES: dict[str, str] = {
    "judged_before": "1 for a file that a cycle before judged",
    "held": "what it was held for, log odds; -8 for a file that nothing was held of",
    "held_behind": "how far that was behind the best file, log odds",
    "held_best": "what the best file was held for, log odds",
    "read_before": "1 for a file whose text was read in a cycle before",
}
NOTHING = -8.0


def columns(pool: Pool) -> dict[str, Column]:
    """The columns of `NAMES`."""
    return of([candidate.path for candidate in pool.candidates], pool.held, pool.read_before)


def of(paths: Sequence[str], held: Mapping[str, float], read: Set[str] = frozenset()) -> dict[str, Column]:
    """The columns of some files, given the log odds held of files so far, and which of them were `read`."""
    if not held or not paths:
        return {name: np.zeros(len(paths), np.float32) for name in NAMES}
    found: NDArray[np.float32] = np.array([held.get(path, NOTHING) for path in paths], np.float32)
    best = np.float32(max(held.values()))
    return {
        "judged_before": np.array([path in held for path in paths], np.float32),
        "held": found,
        "held_behind": best - found,
        "held_best": np.full(len(paths), best),
        "read_before": np.array([path in read for path in paths], np.float32),
    }
