"""The feature registry: what the evaluator knows of a candidate. One row a candidate, one column a feature.

The same code makes the rows that the learned ranker is trained on (`training/`) and those it judges.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from zeroin.evaluate.features import (
    coverage,
    definition_names,
    dense,
    file,
    gaps,
    history,
    mentions,
    pool_features,
    previous_cycle,
    retrieval,
)
from zeroin.evaluate.features.pool import Column, Pool
from zeroin.evaluate.model.linear import linear_scores
from zeroin.types import Purpose

# A model names the version of the features that it was trained on; another version is refused.
FEATURES_VERSION = 4

# Name → meaning and unit. The order is the order of the columns.
FEATURES: dict[str, str] = {
    **retrieval.NAMES,
    **coverage.NAMES,
    **mentions.NAMES,
    **definition_names.NAMES,
    **history.NAMES,
    **file.NAMES,
    **pool_features.NAMES,
    **dense.NAMES,
    **previous_cycle.NAMES,
    **gaps.NAMES,
}
COLUMN = {name: number for number, name in enumerate(FEATURES)}


@dataclass(frozen=True, slots=True)
class FeatureRows:
    """Features of a pool, shape (candidates, len(FEATURES)), float32."""

    values: NDArray[np.float32]

    def column(self, name: str) -> NDArray[np.float32]:
        return self.values[:, COLUMN[name]]

    @classmethod
    def of(cls, columns: Mapping[str, Column], count: int) -> FeatureRows:
        """Rows from named columns; a missing column is 0."""
        values = np.zeros((count, len(FEATURES)), np.float32)
        for name, column in columns.items():
            values[:, COLUMN[name]] = column
        return cls(values)


def features_of(
    pool: Pool, purpose: Purpose = "fix", unread: Mapping[str, Column] | None = None
) -> FeatureRows:
    """Every feature of every candidate; `unread` are the columns of retrieval as they were before texts were read."""
    first = retrieval.columns(pool) if unread is None else {**unread, **retrieval.read_columns(pool)}
    prior = linear_scores(first, purpose).astype(np.float32)
    lead = _lead(pool, prior)
    columns = {
        **first,
        **coverage.columns(pool),
        **mentions.columns(pool),
        **definition_names.columns(pool, prior),
        **history.columns(pool, lead),
        **file.columns(pool, lead),
        **pool_features.columns(pool, prior),
        **dense.columns(pool, prior),
        **previous_cycle.columns(pool),
        **gaps.columns(pool),
    }
    return FeatureRows.of(columns, len(pool))


def _lead(pool: Pool, prior: Column) -> Column:
    """How good files are, to find the best ones: what the cycle before judged, else first scores."""
    if not pool.held:
        return prior
    odds = np.array([pool.held.get(candidate.path, previous_cycle.NOTHING) for candidate in pool.candidates])
    return np.asarray(1 / (1 + np.exp(-odds)), np.float32)
