"""Similarity of a file's passages, and of the file as a whole, to the task in the encoder's space."""

from __future__ import annotations

import numpy as np

from zeroin.evaluate.features.document_similarity import FIELDS, document_similarity, is_prose
from zeroin.evaluate.features.pool import Column, Pool
from zeroin.types import Origin

_SCALE = 8.0
_COMPARED = 60  # documents that are compared as a whole


def columns(pool: Pool, prior: Column) -> dict[str, Column]:
    """Compute the columns of the section; `prior` are first scores, by which the documents to compare are chosen."""
    out = pool.columns("dense")
    query = pool.query
    if not pool.dense or not len(pool):
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
