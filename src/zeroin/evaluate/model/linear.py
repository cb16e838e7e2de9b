"""The linear model of what the retrievers found: score = Σ weight · feature.

It chooses the files that are read, and its score is a feature of the trees. Changes and overviews are judged by it
alone (PATTERN P14).
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from zeroin.evaluate.features.pool import Column
from zeroin.evaluate.features.retrieval import NAMES
from zeroin.types import Purpose

# Feature → (weight for a task in words, weight for a change), score a unit of the feature; others weigh 0. In words:
# set by hand within the bounds of what the ablation in docs/QUALITY.md shows to pay. Change: the mean of weights set by
# hand and of a listwise fit on 146 commits of the tuned half of `benchmarks.review`; neither beats the other.
WEIGHTS: dict[str, tuple[float, float]] = {
    "lexical": (2.2, 2.0),
    "definitions": (0.7, 0.7),
    "path_terms": (0.8, 0.6),
    "title": (0.7, 0.4),
    "symbols": (1.1, 0.8),
    "paths": (2.0, 1.9),
    "history": (1.3, 0.2),
    "graph": (0.5, 1.0),
    "cochange": (0.2, 2.6),
    "expansions": (0.4, 0.0),
    "dense": (1.8, 1.8),
    "followed": (3.0, 0.5),
    "asked": (1.5, 1.5),
    "lexical_rank": (0.3, 0.2),
    "symbols_rank": (0.3, 0.2),
    "agreement": (0.9, 0.8),
    "covered": (0.9, 0.9),
    "passage": (1.0, 1.1),
    "title_passage": (0.9, 0.6),
    "test": (-2.2, 0.1),
    "doc": (-2.1, -2.2),
    "config": (-1.2, -1.2),
    "example": (-1.4, -1.2),
    "machine": (-2.1, -1.9),
    "entry": (-0.4, -0.5),
    "size": (0.2, 0.2),
    "pattern": (0.2, 0.2),
    "same_stem_as_changed": (0.0, 1.1),
    "folder": (0.0, 0.5),
    "callers": (0.0, 1.4),
    "cochange_rank": (0.0, 0.7),
    "counterpart": (0.0, 0.5),
    "untouched_role": (0.0, 0.2),
}
# An overview names nothing: the map of the parts is all of it. For an exploration more than 0.4 costs short queries
# their first places (0.7 points of nDCG@10 at 1.0).
LANDMARKS: Mapping[Purpose, float] = {"architecture": 1.0, "explore": 0.4}


def weight_vector(purpose: Purpose) -> NDArray[np.float64]:
    """Weights in the order of `retrieval.NAMES`."""
    table = {} if purpose == "architecture" else WEIGHTS
    weights = {name: pair[purpose == "review"] for name, pair in table.items()}
    weights["landmarks"] = LANDMARKS.get(purpose, 0.0)
    return np.array([weights.get(name, 0.0) for name in NAMES])


def linear_contributions(columns: Mapping[str, Column], purpose: Purpose) -> NDArray[np.float64]:
    """What each of `retrieval.NAMES` adds to each score, shape (candidates, features)."""
    values = np.stack([columns[name] for name in NAMES], axis=1).astype(np.float64)
    return np.asarray(values * weight_vector(purpose))


def linear_scores(columns: Mapping[str, Column], purpose: Purpose) -> NDArray[np.float64]:
    """Uncalibrated scores, shape (candidates,)."""
    return np.asarray(linear_contributions(columns, purpose).sum(axis=1))
