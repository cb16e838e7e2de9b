"""Similarity of a file's passages, and of the file as a whole, field by field, to the task in the encoder's space."""

import numpy as np
from numpy.typing import NDArray

from zeroin.evaluate.features.pool import Column, Pool
from zeroin.index.arrays import in_parts, release
from zeroin.index.postings import Postings
from zeroin.index.view import View
from zeroin.models.encoder import Vectors, encoder
from zeroin.models.products import along, weighted_sum
from zeroin.parsing.facts import COMMENTS, DEFINITIONS, IDENTIFIERS
from zeroin.types import Origin, Query

_SCALE = 8.0
_COMPARED = 60  # documents that are compared as a whole
_AT_ONCE = 1 << 18  # rows of postings that are looked at at once
FIELDS = ("path", "passages", "definitions", "identifiers", "comments")
FEW_KEYWORDS = 20  # the summed vector of a longer text means little
_POSTING_FIELDS = (DEFINITIONS, IDENTIFIERS, COMMENTS)


def columns(pool: Pool, prior: Column) -> dict[str, Column]:
    """Compute the columns of the section; `prior` are first scores, by which the documents to compare are chosen."""
    out = pool.columns("dense")
    query = pool.query
    if not pool.dense:
        return out
    task = pool.view.dense_scores(query.own, query)
    titled = tuple(k for k in query.own if k.origin in (Origin.TITLE, Origin.CALLER))
    title = pool.view.dense_scores(titled, query)
    zscores = task.z_scores
    best = float(zscores.max())
    out["dense_enabled"] += 1
    out["dense_cosine"] = task.best[pool.docs]
    out["dense_path"] = task.path[pool.docs]
    out["dense_zscore"] = zscores[pool.docs] / _SCALE
    out["dense_title_zscore"] = title.z_scores[pool.docs] / _SCALE
    out["dense_zscore_behind"] = (best - zscores[pool.docs]) / _SCALE
    out["dense_zscore_best"] += best / _SCALE
    out["dense_whole_zscore"] = task.whole_z_scores[pool.docs] / _SCALE
    nearer = len(zscores) - np.searchsorted(np.sort(zscores), zscores[pool.docs], side="right")
    out["dense_ahead"] = np.log2(1.0 + nearer) / _SCALE
    if pool.compare_documents and is_prose(query):
        _documents(pool, prior, out)
    return {name: np.asarray(column, np.float32) for name, column in out.items()}


def _documents(pool: Pool, prior: Column, out: dict[str, Column]) -> None:
    best = np.argsort(-prior, kind="stable")[:_COMPARED]
    found = document_similarity(pool.query, pool.view, pool.docs[best])
    spread = found.std(axis=1, keepdims=True)
    zscores = (found - found.mean(axis=1, keepdims=True)) / np.where(spread > 0, spread, 1.0)
    for field, row in zip(FIELDS, zscores, strict=True):
        out[f"similar_{field}"][best] = row / 4
    out["similarity_computed"][best] = 1
    out["similar_sum"][best] = zscores.sum(axis=0) / 8


def is_prose(query: Query) -> bool:
    """Tell whether a task is a sentence or two of prose without symbols and paths."""
    return len(query.own) <= FEW_KEYWORDS and not query.symbols and not query.paths


def document_similarity(query: Query, view: View, docs: NDArray[np.int64]) -> Vectors:
    """Compare n documents with the task; shape (5, n), rows as in `FIELDS`.

    The path's row is a mean log share, the others are cosines. All zero where the encoder knows no word of the task.
    """
    task = view.dense_scores(query.own, query).vector
    path = view.path_nearness(query.own).rarity(docs)
    return np.vstack([path, _passages(view, docs, task), _fields(view, docs, task)]).astype(np.float32)


def _passages(view: View, docs: NDArray[np.int64], task: Vectors) -> Vectors:
    """Compare the task with the sum of all passages of each document, shape (n,)."""
    pointers, vectors = view.snapshot.passage_pointers, view.snapshot.vectors
    sums = np.zeros((len(docs), len(task)), np.float32)
    for i, doc in enumerate(docs.tolist()):
        sums[i] = vectors[int(pointers[doc]) : int(pointers[doc + 1])].sum(axis=0, dtype=np.float32)
        release(vectors)  # with the pages around these, which the system maps, too
    return _cosines(sums, task)


def _fields(view: View, docs: NDArray[np.int64], task: Vectors) -> Vectors:
    """Compare the task with the idf-weighted terms of each posting field of each document, shape (3, n)."""
    model, content = encoder(), view.snapshot.content
    found, owners = _rows_of(content, docs)
    terms = np.searchsorted(content.pointers, found, side="right") - 1
    rows = model.rows(content.term_ids[terms]) if len(found) else np.empty(0, np.int32)
    known = rows >= 0
    found, owners, terms, rows = found[known], owners[known], terms[known], rows[known]
    order = np.argsort(owners, kind="stable")
    found, owners, terms, rows = found[order], owners[order], terms[order], rows[order]
    frequency = (content.pointers[terms + 1] - content.pointers[terms]).astype(np.float32)
    rarity = np.log((content.documents + 1) / (frequency + 0.5)) * model.code_weights[rows]
    counts = content.counts[found][:, _POSTING_FIELDS]
    release(content.counts)
    weights = np.log1p(counts.astype(np.float32)) * rarity[:, None]
    sums = np.zeros((len(docs), len(_POSTING_FIELDS), len(task)), np.float32)
    ends = np.searchsorted(owners, np.arange(len(docs) + 1))
    for i in np.flatnonzero(np.diff(ends)).tolist():  # the others stay 0
        own = slice(int(ends[i]), int(ends[i + 1]))
        sums[i] = weighted_sum(weights[own], model.vectors(rows[own]))
    return _cosines(sums, task).T


def _rows_of(content: Postings, docs: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return the rows of postings that are of n documents, ascending, and for each row which of the n it is of."""
    position = np.full(content.documents, -1, np.int32)
    position[docs] = np.arange(len(docs), dtype=np.int32)
    wanted = position >= 0  # a byte a document: the lookup of every row stays in the processor's cache
    rows, of = [np.empty(0, np.int64)], [np.empty(0, np.int32)]
    for at, part in in_parts(content.docs, _AT_ONCE):
        found = np.flatnonzero(wanted[part])
        rows.append(at + found)
        of.append(position[part[found]])
    return np.concatenate(rows), np.concatenate(of)


def _cosines(sums: Vectors, task: Vectors) -> Vectors:
    """Return cosines of vectors (…, D) with a unit vector (D,); 0 for an empty one."""
    lengths = np.linalg.norm(sums, axis=-1)
    return np.asarray(along(sums, task) / np.where(lengths > 0, lengths, 1.0), np.float32)
