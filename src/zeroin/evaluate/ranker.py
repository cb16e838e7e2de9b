"""Features → score, relevance and contributions: the linear model where the task is a change or an overview."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from zeroin.evaluate.calibration import is_short, relevance_of
from zeroin.evaluate.features import FEATURES, FeatureRows
from zeroin.evaluate.linear import linear_contributions, linear_scores
from zeroin.evaluate.signals.retrieval import NAMES as RETRIEVAL
from zeroin.types import Purpose, Query


@dataclass(frozen=True, slots=True)
class Ranked:
    """Scores and relevance of a pool, shape (candidates,) each."""

    scores: NDArray[np.float64]
    relevance: NDArray[np.float64]


def rank(rows: FeatureRows, query: Query, purpose: Purpose, *, history: bool) -> Ranked:
    """Judge every candidate."""
    columns = {name: rows.column(name) for name in RETRIEVAL}
    scores = linear_scores(columns, purpose)
    relevance = relevance_of(
        scores, short=is_short(query), history=history, overview=purpose == "architecture"
    )
    return Ranked(scores, relevance)


def contributions(rows: FeatureRows, places: Sequence[int], purpose: Purpose) -> list[dict[str, float]]:
    """What each feature adds to the scores of some candidates."""
    picked = {name: rows.column(name)[list(places)] for name in RETRIEVAL}
    moved = linear_contributions(picked, purpose)
    return [dict(zip(RETRIEVAL, row.tolist(), strict=True)) for row in moved]


__all__ = ["FEATURES", "Ranked", "contributions", "rank"]
