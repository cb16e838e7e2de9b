"""The judgment of the previous cycle. All 0 in the first cycle."""

from collections.abc import Mapping, Sequence, Set

import numpy as np

from zeroin.evaluate.features.pool import Column, Pool
from zeroin.evaluate.features.table import names_of

_NOT_JUDGED = -8.0


def columns(pool: Pool) -> dict[str, Column]:
    """Compute the columns of the section."""
    return columns_of([c.path for c in pool.candidates], pool.previous_scores, pool.previously_read)


def columns_of(paths: Sequence[str], scores: Mapping[str, float], read: Set[str]) -> dict[str, Column]:
    """Compute the columns of some files from previous scores (log odds) by path and the files that were `read`."""
    if not scores or not paths:
        return {name: np.zeros(len(paths), np.float32) for name in names_of("previous_cycle")}
    own = np.array([scores.get(path, _NOT_JUDGED) for path in paths], np.float32)
    best = np.float32(max(scores.values()))
    return {
        "previously_judged": np.array([path in scores for path in paths], np.float32),
        "previous_score": own,
        "previous_score_behind": best - own,
        "previous_score_best": np.full(len(paths), best),
        "previously_read": np.array([path in read for path in paths], np.float32),
    }


def relevance(pool: Pool) -> Column:
    """Return the previous scores as probabilities, shape (candidates,)."""
    odds = np.array([pool.previous_scores.get(c.path, _NOT_JUDGED) for c in pool.candidates])
    return np.asarray(1 / (1 + np.exp(-odds)), np.float32)
