"""Reciprocal rank fusion (Cormack, Clarke, Büttcher 2009, equation 1), weighted."""

from collections.abc import Mapping

import numpy as np

from zeroin.index.postings import Array

K = 20  # smaller than the paper's 60: pools here are short and their heads matter


def ranks(scores: Array) -> Array:
    """1-based ranks of positive scores, ties broken by document number; 0 where a document is not found."""
    found = np.flatnonzero(scores > 0)
    order = found[np.argsort(-scores[found], kind="stable")]
    out = np.zeros(len(scores), np.float32)
    out[order] = np.arange(1, len(order) + 1)
    return out


def reciprocal_rank_fusion(lists: Mapping[str, Array], weights: Mapping[str, float]) -> Array:
    """Σ weight / (K + rank) over the lists that hold a document; independent of the order of the lists."""
    total = np.zeros(len(next(iter(lists.values()))) if lists else 0, np.float64)
    for name in sorted(lists):
        rank = ranks(lists[name])
        found = rank > 0
        total[found] += weights.get(name, 1.0) / (K + rank[found])
    return total.astype(np.float32)
