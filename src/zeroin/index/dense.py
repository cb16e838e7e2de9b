"""Dense retrieval: cosine similarity of the task's vector with the vectors of passages and paths."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from zeroin.index.arrays import in_parts
from zeroin.index.postings import Array
from zeroin.index.snapshot import Snapshot
from zeroin.models.encoder import encoder
from zeroin.models.products import each_with_each
from zeroin.parsing.term_counts import firsts

# A document scores as its best passage, plus shares of its path, its second passage and all of its passages. Measured
# on the encoder alone (benchmarks/NOTES.md, "The whole file in the dense list").
PATH_SHARE, SECOND_SHARE, WHOLE_SHARE = 0.3, 0.2, 0.6
# Correlation ρ of two passages of a document: the sum of its n vectors is as long as √(n + ρn(n − 1)).
_CORRELATION = 0.5
# How far feedback moves the task's vector towards relevant documents, and away from irrelevant ones (Rocchio).
_TOWARDS, _AWAY = 0.5, 0.3
_AT_ONCE = 8_192  # vectors that are compared at once
_PATH_TERMS = 24  # of the task, the heaviest: more add little and cost time


@dataclass(frozen=True, slots=True, eq=False)
class DenseScores:
    """Similarity of every document to a task, shapes (D,).

    `best`, `path` and `whole` are cosines of its best passage, its path and the sum of its passages; the last is
    estimated and can exceed 1. `passage` is the row of its best passage, -1 where it has none. `score` combines the
    three with the second passage. `vector` is the task's, of unit length or all zero, shape (dimensions,).
    """

    best: Array
    path: Array
    whole: Array
    passage: NDArray[np.int64]
    score: Array
    vector: Array

    @property
    def z_scores(self) -> Array:
        """Scores in standard deviations above the mean of the repository, 0 where a document has no passage."""
        return self._standardized(self.score)

    @property
    def whole_z_scores(self) -> Array:
        """The same of `whole`."""
        return self._standardized(self.whole)

    def _standardized(self, values: Array) -> Array:
        known = self.passage >= 0
        if not known.any():
            return np.zeros(len(values), np.float32)
        spread = float(values[known].std()) or 1.0
        return np.where(known, (values - float(values[known].mean())) / spread, 0.0).astype(np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class PathNearness:
    """How near every path is to T terms of a task, shape (T, D): as near as its nearest word.

    The mean vector of a path's few words is near to none of them. `ascending` has the same rows, sorted; `weights`
    (T,) are those of the terms.
    """

    nearest: Array
    ascending: Array
    weights: Array

    def rarity(self, docs: NDArray[np.int64]) -> Array:
        """Weighted mean over the terms of −log(share of paths that are at least as near), shape (n,)."""
        out = np.zeros(len(docs), np.float32)
        size = self.nearest.shape[1]
        for nearest, ascending, weight in zip(self.nearest, self.ascending, self.weights.tolist(), strict=True):
            as_near = size - np.searchsorted(ascending, nearest[docs] - np.float32(1e-6))
            out -= np.float32(weight) * np.log((as_near + 1) / (size + 1)).astype(np.float32)
        return np.asarray(out / max(float(self.weights.sum()), 1e-6), np.float32)


def path_nearness(snapshot: Snapshot, terms: Mapping[int, float]) -> PathNearness:
    """Compare the heaviest terms that the encoder knows with the words of every path."""
    model, postings, size = encoder(), snapshot.path_terms, len(snapshot)
    kept = sorted(terms, key=lambda term: (-terms[term], term))[:_PATH_TERMS]
    rows = model.rows(np.array(kept, np.uint64))
    weights = np.array([terms[term] for term in kept], np.float32)[rows >= 0]
    rows = rows[rows >= 0] if len(postings.docs) else rows[:0]
    nearest = np.zeros((len(rows), size), np.float32)
    if not len(rows):
        return PathNearness(nearest, nearest, weights[:0])
    path_rows = model.rows(postings.term_ids)
    cosines = np.zeros((len(rows), len(path_rows)), np.float32)
    known, vectors = np.flatnonzero(path_rows >= 0), model.vectors(rows)
    for at in range(0, len(known), _AT_ONCE):
        part = known[at : at + _AT_ONCE]
        cosines[:, part] = each_with_each(vectors, model.vectors(path_rows[part]))
    order = np.argsort(postings.docs, kind="stable")
    owners = postings.docs[order]
    words = np.repeat(np.arange(len(path_rows)), np.diff(postings.pointers))[order]
    starts = np.flatnonzero(firsts(owners))
    for row, cosine in zip(nearest, cosines, strict=True):
        row[owners[starts]] = np.maximum.reduceat(cosine[words], starts)
    return PathNearness(nearest, np.sort(nearest, axis=1), weights * model.task_weights[rows])


def dense_scores(
    snapshot: Snapshot, terms: Mapping[int, float], good: Sequence[int] = (), bad: Sequence[int] = ()
) -> DenseScores:
    """Return the similarity of all documents to weighted term ids; all zero where the encoder knows none of them.

    The best passages of documents that the caller judged `good` or `bad` move the task's vector (Rocchio 1971).
    """
    vector = encoder().task(terms)
    if vector.any() and (good or bad):
        passage = _scored(snapshot, vector).passage
        moved = vector + _TOWARDS * _mean(snapshot, passage, good) - _AWAY * _mean(snapshot, passage, bad)
        length = float(np.linalg.norm(moved))
        vector = (moved / length).astype(np.float32) if length else vector
    return _scored(snapshot, vector)


def _mean(snapshot: Snapshot, passage: NDArray[np.int64], docs: Sequence[int]) -> Array:
    """Return the unit vector of the sum of the documents' best passages; all zero where they have none."""
    rows = [int(passage[doc]) for doc in docs if passage[doc] >= 0]
    total = snapshot.vectors[rows].astype(np.float32).sum(axis=0)
    length = float(np.linalg.norm(total))
    return np.asarray(total / length if length else total, np.float32)


def best_passages(similarity: Array, pointers: NDArray[np.int64]) -> tuple[NDArray[np.int64], Array, Array]:
    """Return for each document the row of its best passage (of equal ones the first), and its two best similarities.

    Passages of document d are the rows `pointers[d]:pointers[d + 1]`; -1 and 0 where it has none. Shapes (D,).
    """
    counts = np.diff(pointers)
    passage = np.full(len(counts), -1, np.int64)
    best, second = np.zeros(len(counts), np.float32), np.zeros(len(counts), np.float32)
    has, starts = counts > 0, pointers[:-1][counts > 0]
    if len(starts):
        best[has] = np.maximum.reduceat(similarity, starts)
        rows = np.flatnonzero(similarity == np.repeat(best, counts))[::-1]
        passage[np.repeat(np.arange(len(counts)), counts)[rows]] = rows  # the first is written last
        others = similarity.copy()
        others[passage[has]] = -np.inf
        second[counts > 1] = np.maximum.reduceat(others, starts)[counts[has] > 1]
    return passage, best, second


def whole_documents(similarity: Array, pointers: NDArray[np.int64]) -> Array:
    """Estimate for each document the cosine of the sum of its passages, 0 where it has none.

    Rows and pointers as in `best_passages`; shape (D,). The length of the sum is estimated, so that the
    passages' vectors need not be read again.
    """
    counts = np.diff(pointers)
    out = np.zeros(len(counts), np.float32)
    has = counts > 0
    if has.any():
        n = counts[has]
        lengths = np.sqrt(n * (1 + _CORRELATION * (n - 1)))
        out[has] = np.add.reduceat(similarity, pointers[:-1][has]) / lengths
    return out


def _scored(snapshot: Snapshot, vector: Array) -> DenseScores:
    size = len(snapshot)
    if not vector.any():
        nothing = np.zeros(size, np.float32)
        return DenseScores(nothing, nothing, nothing, np.full(size, -1, np.int64), nothing, vector)
    similarity = _similarity(snapshot.vectors, vector)
    passage, best, second = best_passages(similarity, snapshot.passage_pointers)
    path = _similarity(snapshot.path_vectors, vector)
    whole = whole_documents(similarity, snapshot.passage_pointers)
    score = best + PATH_SHARE * path + SECOND_SHARE * second + WHOLE_SHARE * whole
    score = np.where(passage >= 0, score, 0.0).astype(np.float32)
    return DenseScores(best, path, whole, passage, score, vector)


def _similarity(packed: NDArray[np.int8], vector: Array) -> Array:
    """Compare all packed vectors of a snapshot with the task's; a large tree's are not kept in memory."""
    model = encoder()
    out = np.empty(len(packed), np.float32)
    for at, part in in_parts(packed, _AT_ONCE):
        out[at : at + _AT_ONCE] = model.similarity(part, vector)
    return out
