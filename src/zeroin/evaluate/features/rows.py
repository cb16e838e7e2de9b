"""Features of a pool: one row a candidate, one column a line of the table. Training and judging use the same code."""

from collections.abc import Mapping

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
from zeroin.evaluate.features.table import FEATURES
from zeroin.evaluate.model.linear import linear_scores
from zeroin.types import Purpose


def features_of(pool: Pool, purpose: Purpose, unread: Mapping[str, Column]) -> NDArray[np.float32]:
    """Compute every feature of every candidate, shape (candidates, len(FEATURES)).

    `unread` are the retrieval columns before texts were read.
    """
    if not len(pool):
        return np.zeros((0, len(FEATURES)), np.float32)
    first = {**unread, **retrieval.read_columns(pool)}
    prior = linear_scores(first, purpose).astype(np.float32)
    best_so_far = previous_cycle.relevance(pool) if pool.previous_scores else prior
    columns = {
        **first,
        **coverage.columns(pool),
        **mentions.columns(pool),
        **definition_names.columns(pool, prior),
        **history.columns(pool, best_so_far),
        **file.columns(pool, best_so_far),
        **pool_features.columns(pool, prior),
        **dense.columns(pool, prior),
        **previous_cycle.columns(pool),
        **gaps.columns(pool),
    }
    return np.stack([columns[name] for name in FEATURES], axis=1).astype(np.float32)
