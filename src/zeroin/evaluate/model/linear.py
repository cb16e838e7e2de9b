"""The linear model: score = Σ weight · retrieval column, with the weights of `features/table.py`.

It chooses the files that are read, and its score is a feature of the trees. Changes and overviews are judged by it
alone (PATTERN P14).
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from zeroin.evaluate.features.pool import Column
from zeroin.evaluate.features.table import FEATURES, RETRIEVAL, names_of
from zeroin.types import Purpose

# An overview names nothing: the map of the parts is all of it. For an exploration more than 0.4 costs short queries
# their first places (0.7 points of nDCG@10 at 1.0).
LANDMARKS: Mapping[Purpose, float] = {"architecture": 1.0, "explore": 0.4}
_NAMES = names_of(RETRIEVAL)


def weight_vector(purpose: Purpose) -> NDArray[np.float64]:
    """Return the weights of the retrieval columns, shape (features,)."""
    rows = [FEATURES[name] for name in _NAMES]
    weights = np.array([row.change if purpose == "review" else row.words for row in rows])
    if purpose == "architecture":
        weights[:] = 0.0
    weights[_NAMES.index("landmarks")] = LANDMARKS.get(purpose, 0.0)
    return weights


def linear_contributions(columns: Mapping[str, Column], purpose: Purpose) -> NDArray[np.float64]:
    """Multiply each retrieval column by its weight, shape (candidates, features)."""
    values = np.stack([columns[name] for name in _NAMES], axis=1).astype(np.float64)
    return np.asarray(values * weight_vector(purpose))


def linear_scores(columns: Mapping[str, Column], purpose: Purpose) -> NDArray[np.float64]:
    """Sum the contributions: uncalibrated scores, shape (candidates,)."""
    return np.asarray(linear_contributions(columns, purpose).sum(axis=1))
