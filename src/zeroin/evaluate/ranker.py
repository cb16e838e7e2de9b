"""A transparent linear model: each feature moves the score by its weight, and that is the whole explanation.

The weights are set by hand within the bounds of what the ablation in docs/QUALITY.md shows to pay.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from zeroin.evaluate.features import FEATURES, FeatureRows
from zeroin.evaluate.purposes import OVERRIDES
from zeroin.types import Purpose

WEIGHTS: dict[str, float] = {
    "lexical": 2.0,
    "definitions": 0.6,
    "path_terms": 0.8,
    "title": 1.0,
    "symbols": 1.2,
    "paths": 2.0,
    "history": 1.2,
    "graph": 0.3,
    "cochange": 0.3,
    "learned": 0.4,
    "followed": 3.0,
    "lexical_rank": 0.5,
    "title_rank": 0.3,
    "history_rank": 0.4,
    "symbols_rank": 0.4,
    "agreement": 1.0,
    "covered": 1.0,
    "passage": 1.0,
    "title_passage": 1.0,
    "test": -1.8,
    "doc": -1.8,
    "config": -1.0,
    "example": -1.2,
    "machine": -1.5,
    "entry": -0.4,
    "size": 0.0,
    "pattern": 0.2,
}


def weight_vector(purpose: Purpose = "fix") -> NDArray[np.float64]:
    """Weights in the order of the feature columns; a purpose may override some (`purposes.OVERRIDES`)."""
    weights = {**WEIGHTS, **OVERRIDES.get(purpose, {})}
    return np.array([weights.get(name, 0.0) for name in FEATURES])


def scores_of(rows: FeatureRows, purpose: Purpose = "fix") -> NDArray[np.float64]:
    """Uncalibrated scores, shape (candidates,)."""
    return rows.values.astype(np.float64) @ weight_vector(purpose)


def contributions(rows: FeatureRows, purpose: Purpose = "fix") -> NDArray[np.float64]:
    """What each feature adds to each score, shape (candidates, features)."""
    return rows.values.astype(np.float64) * weight_vector(purpose)
