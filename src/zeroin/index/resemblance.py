"""Commits whose message resembles a text: BM25 over commit messages."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from zeroin.index.history import History

_K1, _B = 1.0, 0.6


def resembling_commits(
    history: History, terms: Mapping[int, float], limit: int
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Up to `limit` commits with a score, best first; newer first among equals.

    `terms` are weighted term ids. Scores are BM25 and comparable within one call only.
    """
    count = len(history.times)
    scores = np.zeros(count, np.float32)
    if not count:
        return np.empty(0, np.int64), scores
    average = max(float(history.lengths.mean()), 1.0)
    norm = _K1 * (1 - _B + _B * history.lengths / average)
    for term, weight in terms.items():
        at = int(np.searchsorted(history.term_ids, np.uint64(term)))
        if at == len(history.term_ids) or int(history.term_ids[at]) != term:
            continue
        rows = slice(int(history.term_ptr[at]), int(history.term_ptr[at + 1]))
        commits = history.term_commits[rows]
        df = len(commits)
        idf = np.log1p((count - df + 0.5) / (df + 0.5))
        tf = history.term_counts[rows].astype(np.float32)
        scores[commits] += (weight * idf * (_K1 + 1)) * tf / (tf + norm[commits])
    found = np.flatnonzero(scores > 0)
    order = found[np.lexsort((found, -scores[found]))][:limit]
    return order, scores[order]


def files_of(history: History, commit: int) -> NDArray[np.int32]:
    """Path numbers (of `history.paths`) that a commit touched."""
    return history.file_ids[int(history.file_ptr[commit]) : int(history.file_ptr[commit + 1])]
