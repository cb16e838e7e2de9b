"""What of a repository is near a task in meaning: cosines of the task's vector with those of passages and paths."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from zeroin.index.postings import Array
from zeroin.index.snapshot import Snapshot
from zeroin.models.encoder import encoder

# A file is as near as its best passage; its path and its second passage say whether that is chance. Measured on the
# encoder alone, see docs/QUALITY.md, "The encoder".
PATH_SHARE, SECOND_SHARE = 0.3, 0.2
_TOWARDS, _AWAY = (
    0.5,
    0.3,
)  # how far the task's vector moves to what the caller says is relevant, or irrelevant


@dataclass(frozen=True, slots=True, eq=False)
class DenseScores:
    """How near every document is: all shapes (D,). `passage` is the row of its best passage, -1 where it has none.

    `vector` is what was asked, of unit length or all zero, shape (dimensions,).
    """

    best: Array
    path: Array
    passage: NDArray[np.int64]
    score: Array  # of the best passage, the path and the second passage together
    vector: Array

    @property
    def z_scores(self) -> Array:
        """By how many standard deviations each document is nearer than the repository's documents are on average."""
        known = self.passage >= 0
        if not known.any():
            return np.zeros(len(self.score), np.float32)
        spread = float(self.score[known].std()) or 1.0
        return np.where(known, (self.score - float(self.score[known].mean())) / spread, 0.0).astype(
            np.float32
        )


def dense_scores(
    snapshot: Snapshot, terms: Mapping[int, float], good: Sequence[int] = (), bad: Sequence[int] = ()
) -> DenseScores:
    """Nearness of all documents to weighted task terms; all zero where the encoder knows none of them.

    Where documents are known to be `good` or `bad` (the caller said so), the task's vector is moved towards what their
    nearest passages mean, or away from it (Rocchio 1971); measured in docs/QUALITY.md, "Arguing".
    """
    vector = encoder().task(terms)
    if vector.any() and (good or bad):
        passage = _scored(snapshot, vector).passage
        moved = vector + _TOWARDS * _mean(snapshot, passage, good) - _AWAY * _mean(snapshot, passage, bad)
        length = float(np.linalg.norm(moved))
        vector = (moved / length).astype(np.float32) if length else vector
    return _scored(snapshot, vector)


def _mean(snapshot: Snapshot, passage: NDArray[np.int64], docs: Sequence[int]) -> Array:
    """The unit vector of the documents' nearest passages together; all zero where they have none."""
    rows = [int(passage[doc]) for doc in docs if passage[doc] >= 0]
    total = snapshot.vectors[rows].astype(np.float32).sum(axis=0)
    length = float(np.linalg.norm(total))
    return np.asarray(total / length if length else total, np.float32)


def _scored(snapshot: Snapshot, vector: Array) -> DenseScores:
    model, size = encoder(), len(snapshot)
    best, second = np.zeros(size, np.float32), np.zeros(size, np.float32)
    passage = np.full(size, -1, np.int64)
    if not vector.any():
        return DenseScores(best, np.zeros(size, np.float32), passage, np.zeros(size, np.float32), vector)
    near = model.similarity(snapshot.vectors, vector)
    docs = np.repeat(np.arange(size), np.diff(snapshot.passage_pointers))
    order = np.lexsort((-near, docs))  # a document's passages, nearest first
    starts = snapshot.passage_pointers[:-1]
    counts = np.diff(snapshot.passage_pointers)
    has, has_two = counts > 0, counts > 1
    passage[has] = order[starts[has]]
    best[has] = near[passage[has]]
    second[has_two] = near[order[starts[has_two] + 1]]
    path = model.similarity(snapshot.path_vectors, vector)
    score = np.where(has, best + PATH_SHARE * path + SECOND_SHARE * second, 0.0).astype(np.float32)
    return DenseScores(best, path, passage, score, vector)
