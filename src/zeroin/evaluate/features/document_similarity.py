"""Document similarity: how near whole files are to the task in the encoder's space, not only their best passage.

A file that is about the task as a whole (its path, its names, its comments, all that it says) is meant more often than
one with a passage that happens to be near. Measured, with what was tried beside it: docs/QUALITY.md, "Plain words".
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from zeroin.evaluate.dense_passage import task_similarity
from zeroin.index.view import View
from zeroin.models.encoder import Vectors, encoder
from zeroin.parsing.facts import COMMENTS, DEFINITIONS, IDENTIFIERS
from zeroin.terms import weighted_ids
from zeroin.types import Query

# A longer text, and one that names things, is not about one thing: the sum of its words means little.
FEW_KEYWORDS = 20

_FIELDS = (DEFINITIONS, IDENTIFIERS, COMMENTS)
_MAX_TERMS = 24  # of the task, the heaviest: more say little and cost time


def is_prose(query: Query) -> bool:
    """Whether a task is a sentence or two of prose that names nothing."""
    return len(query.own) <= FEW_KEYWORDS and not query.symbols and not query.paths


def document_similarity(query: Query, view: View, docs: NDArray[np.int64]) -> Vectors:
    """How near the task documents are: by path, all passages, definitions, identifiers, comments; shape (5, n).

    The rows have scales of their own; all zero where the encoder knows no word of the task.
    """
    task = task_similarity(query, view).vector  # moved by what the caller judged, as everywhere
    named = _path_surprise(view, docs, weighted_ids(query.own))
    return np.vstack([named, _passages(view, docs, task), _fields(view, docs, task)]).astype(np.float32)


def _path_surprise(view: View, docs: NDArray[np.int64], terms: Mapping[int, float]) -> Vectors:
    """By how few paths of the repository each word of the task is met as closely: mean of −log share; shape (n,).

    Words meet one by one: in a path there are few, and the mean of them all would be near nothing.
    """
    model, postings = encoder(), view.snapshot.path_terms
    kept = sorted(terms, key=lambda term: (-terms[term], term))[:_MAX_TERMS]
    rows = model.rows(np.array(kept, np.uint64)) if kept else np.empty(0, np.int32)
    weights = np.array([terms[term] for term in kept], np.float32)[rows >= 0]
    rows = rows[rows >= 0]
    out = np.zeros(len(docs), np.float32)
    if not len(rows) or not len(postings.docs):
        return out
    path_rows = model.rows(postings.term_ids)
    near = np.where(path_rows >= 0, model.vectors(rows) @ model.vectors(path_rows).T, np.float32(0))
    order = np.argsort(postings.docs, kind="stable")
    owners = postings.docs[order]
    said = np.repeat(np.arange(len(path_rows)), np.diff(postings.pointers))[order]
    starts = np.flatnonzero(np.r_[True, owners[1:] != owners[:-1]])
    size = len(view.snapshot)
    weights = weights * model.task_weights[rows]
    for row, weight in zip(near, weights.tolist(), strict=True):
        nearest = np.zeros(size, np.float32)
        nearest[owners[starts]] = np.maximum.reduceat(row[said], starts)
        as_near = size - np.searchsorted(np.sort(nearest), nearest[docs] - np.float32(1e-6))
        out -= np.float32(weight) * np.log((as_near + 1) / (size + 1)).astype(np.float32)
    return np.asarray(out / max(float(weights.sum()), 1e-6), np.float32)


def _passages(view: View, docs: NDArray[np.int64], task: Vectors) -> Vectors:
    """Cosine of the task with the sum of all passages of each document, shape (n,)."""
    pointers, vectors = view.snapshot.chunk_pointers, view.snapshot.vectors
    sums = np.zeros((len(docs), len(task)), np.float32)
    for place, doc in enumerate(docs.tolist()):
        sums[place] = vectors[int(pointers[doc]) : int(pointers[doc + 1])].sum(axis=0, dtype=np.float32)
    return _cosines(sums, task)


def _fields(view: View, docs: NDArray[np.int64], task: Vectors) -> Vectors:
    """Cosine of the task with each of `_FIELDS` of each document, rare terms counting more; shape (3, n)."""
    model, content = encoder(), view.snapshot.content
    place = np.full(content.documents, -1, np.int32)
    place[docs] = np.arange(len(docs), dtype=np.int32)
    whose = place[content.docs]
    found = np.flatnonzero(whose >= 0)
    terms = np.searchsorted(content.pointers, found, side="right") - 1
    rows = model.rows(content.term_ids[terms]) if len(found) else np.empty(0, np.int32)
    found, terms, rows = found[rows >= 0], terms[rows >= 0], rows[rows >= 0]
    order = np.argsort(whose[found], kind="stable")
    found, terms, rows = found[order], terms[order], rows[order]
    frequency = (content.pointers[terms + 1] - content.pointers[terms]).astype(np.float32)
    rarity = np.log((content.documents + 1) / (frequency + 0.5)) * model.code_weights[rows]
    weights = np.log1p(content.counts[found][:, _FIELDS].astype(np.float32)) * rarity[:, None]
    sums = np.zeros((len(docs), len(_FIELDS), len(task)), np.float32)
    ends = np.searchsorted(whose[found], np.arange(len(docs) + 1))
    for i in range(len(docs)):
        mine = slice(int(ends[i]), int(ends[i + 1]))
        sums[i] = weights[mine].T @ model.vectors(rows[mine])
    return _cosines(sums, task).T


def _cosines(sums: Vectors, task: Vectors) -> Vectors:
    """Cosines of vectors (…, D) with a unit vector (D,); 0 for an empty one."""
    lengths = np.linalg.norm(sums, axis=-1)
    return np.asarray((sums @ task) / np.where(lengths > 0, lengths, 1.0), np.float32)
