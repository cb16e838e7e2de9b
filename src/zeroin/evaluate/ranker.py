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
    "lexical": 2.2,
    "definitions": 0.7,
    "path_terms": 0.8,
    "title": 0.7,
    "symbols": 1.1,
    "paths": 2.0,
    "history": 1.3,
    "graph": 0.5,
    "cochange": 0.2,
    "learned": 0.4,
    "followed": 3.0,
    "lexical_rank": 0.3,
    "symbols_rank": 0.3,
    "agreement": 0.9,
    "covered": 0.9,
    "passage": 1.0,
    "title_passage": 0.9,
    "test": -2.2,
    "doc": -2.1,
    "config": -1.2,
    "example": -1.4,
    "machine": -2.1,
    "entry": -0.4,
    "size": 0.2,
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
