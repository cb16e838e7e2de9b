"""A transparent linear model of what the retrievers say: each feature moves the score by its weight.

It decides which candidates are read, and its score is a feature of the learned ranker; changes and overviews are
judged by it alone. The weights are set by hand within the bounds of what the ablation in docs/QUALITY.md shows to pay.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from zeroin.evaluate.features.pool import Column
from zeroin.evaluate.features.retrieval import NAMES
from zeroin.evaluate.purpose import OVERRIDES
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
    "meaning": 1.8,
    "followed": 3.0,
    "asked": 1.5,
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
    """Weights in the order of `retrieval.NAMES`; a purpose may override some (`purposes.OVERRIDES`)."""
    weights = {**WEIGHTS, **OVERRIDES.get(purpose, {})}
    return np.array([weights.get(name, 0.0) for name in NAMES])


def linear_contributions(columns: Mapping[str, Column], purpose: Purpose = "fix") -> NDArray[np.float64]:
    """What each of `retrieval.NAMES` adds to each score, shape (candidates, features)."""
    values = np.stack([columns[name] for name in NAMES], axis=1).astype(np.float64)
    return np.asarray(values * weight_vector(purpose))


def linear_scores(columns: Mapping[str, Column], purpose: Purpose = "fix") -> NDArray[np.float64]:
    """Uncalibrated scores, shape (candidates,)."""
    return np.asarray(linear_contributions(columns, purpose).sum(axis=1))
