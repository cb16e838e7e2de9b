"""The linear model: score = Σ weight · retrieval column, with the weights of `features/columns.txt`.

It chooses the files that are read, and its score is a feature of the trees. Changes and overviews are judged by it
alone (PATTERN P14): monotone piecewise linear maps (`maps.toml`) give their relevance. The maps of the trees are in
the ranker's file. Short tasks have a map of their own: they name fewer things and have more answers.
"""

from collections.abc import Mapping
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from zeroin.beside import table_beside
from zeroin.evaluate.features.pool import Column
from zeroin.evaluate.features.table import FEATURES, RETRIEVAL, names_of
from zeroin.types import Purpose, Query

# An overview names nothing, so landmarks are its whole score. For an exploration a weight above 0.4 costs short queries
# their first places (0.7 points of nDCG@10 at 1.0).
LANDMARKS: Mapping[Purpose, float] = {"architecture": 1.0, "explore": 0.4}
_NAMES = names_of(RETRIEVAL)

MapName = Literal["long", "short", "overview"]
SHORT_TASK = 12  # keywords; most issues have more, most questions and searches fewer
# Without a history all scores lack its share, which is no evidence against a file: positive scores are multiplied.
# Measured on 161 queries: calibration error 0.154 at 1, 0.098 at 1.1, 0.083 at 1.15, 0.101 at 1.2.
NO_HISTORY = 1.15


def _knots(name: MapName) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return scores and their relevance, both ascending; a map is level beyond its ends."""
    scores, relevance = zip(*table_beside(__file__, "maps.toml")[name], strict=True)
    return scores, relevance


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


def map_of(query: Query, purpose: Purpose = "fix") -> MapName:
    """Name the map for a task."""
    if purpose == "architecture":
        return "overview"
    return "short" if len(query.own) <= SHORT_TASK else "long"


def score_at(relevance: NDArray[np.float64] | float, name: MapName, *, history: bool = True) -> NDArray[np.float64]:
    """Return the scores from which on `relevance_of` gives at least this relevance; -inf for none."""
    x, y = _knots(name)
    scores = np.interp(relevance, y, x)
    if not history and name != "overview":
        scores = np.where(scores > 0, scores / NO_HISTORY, scores)
    return np.where(np.asarray(relevance) > 0, scores, -np.inf)


def relevance_of(scores: NDArray[np.float64], name: MapName, *, history: bool = True) -> NDArray[np.float64]:
    """Map scores to relevance in 0–1, monotone; `history` tells whether the retriever over commits ran."""
    x, y = _knots(name)
    if not history and name != "overview":
        scores = np.where(scores > 0, scores * NO_HISTORY, scores)
    return np.asarray(np.interp(scores, x, y), np.float64)
