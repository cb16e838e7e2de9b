"""The linear model: score = Σ weight · retrieval column, with the weights of `features/columns.txt`.

It chooses the files that are read, and its score is a feature of the trees. Changes and overviews are judged by it
alone (PATTERN P14): monotone piecewise linear maps give their relevance. The maps of the trees are in the ranker's
file. Short tasks have a map of their own: they name fewer things and have more answers.
"""

from collections.abc import Mapping
from typing import Literal

import numpy as np
from numpy.typing import NDArray

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

# (score, relevance), ascending in both; level beyond the ends. "long" and "short": isotonic regression on the tuning
# tasks. "overview": how often a file stands for a part that the repository's own architecture document names and that
# no better file stands for; isotonic on 176 files of 8 repositories (`benchmarks.architecture`): few.
# fmt: off
KNOTS: dict[MapName, tuple[tuple[float, float], ...]] = {
    "long": (
        (-2.0, 0.0005), (0.4, 0.003), (1.4, 0.005), (2.3, 0.012), (3.0, 0.022), (3.6, 0.04), (4.3, 0.06),
        (4.8, 0.125), (5.2, 0.19), (5.7, 0.25), (6.3, 0.31), (6.9, 0.39), (7.6, 0.44), (8.3, 0.51), (9.2, 0.62),
        (10.7, 0.87), (12.5, 0.97),
    ),
    "short": (
        (0.7, 0.0005), (1.8, 0.001), (3.0, 0.004), (3.9, 0.0125), (4.8, 0.03), (5.4, 0.063), (6.5, 0.17),
        (7.4, 0.32), (7.7, 0.43), (8.0, 0.5), (8.5, 0.55), (8.9, 0.63), (9.2, 0.75), (9.6, 0.86), (10.2, 0.93),
        (11.0, 0.98),
    ),
    "overview": (
        (0.0, 0.0), (0.05, 0.03), (0.2, 0.11), (0.3, 0.12), (0.4, 0.25), (0.48, 0.42), (0.7, 0.5), (0.9, 0.58),
        (1.0, 0.6),
    ),
}
# fmt: on


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
    x, y = zip(*KNOTS[name], strict=True)
    scores = np.interp(relevance, y, x)
    if not history and name != "overview":
        scores = np.where(scores > 0, scores / NO_HISTORY, scores)
    return np.where(np.asarray(relevance) > 0, scores, -np.inf)


def relevance_of(scores: NDArray[np.float64], name: MapName, *, history: bool = True) -> NDArray[np.float64]:
    """Map scores to relevance in 0–1, monotone; `history` tells whether the retriever over commits ran."""
    x, y = zip(*KNOTS[name], strict=True)
    if not history and name != "overview":
        scores = np.where(scores > 0, scores * NO_HISTORY, scores)
    return np.asarray(np.interp(scores, x, y), np.float64)
