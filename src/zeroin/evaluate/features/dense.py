"""Similarity of a file's passages, and of the file as a whole, to the task in the encoder's space."""

from __future__ import annotations

import numpy as np

from zeroin.evaluate.features.document_similarity import FIELDS, document_similarity, is_prose
from zeroin.evaluate.features.pool import Column, Pool
from zeroin.types import Origin

NAMES: dict[str, str] = {
    "dense_enabled": "1 unless dense retrieval is switched off",
    "dense_cosine": "cosine of the task with the file's best passage",
    "dense_path": "cosine of the task with the file's path",
    "dense_zscore": "z-score of the file's similarity among the repository's files, divided by 8",
    "dense_title_zscore": "the same for the title alone, divided by 8",
    "dense_zscore_behind": "z-score of the nearest file of the repository minus the file's own, divided by 8",
    "dense_zscore_best": "z-score of the nearest file of the repository, divided by 8",
    "similarity_computed": "1 where documents as a whole are compared with the task",
    "similar_path": "words of the path near the task's, z-score among the best candidates, divided by 4",
    "similar_passages": "the sum of all passages near the task, the same",
    "similar_definitions": "defined names near the task, the same",
    "similar_identifiers": "identifiers near the task, the same",
    "similar_comments": "comments near the task, the same",
    "similar_sum": "the sum of these five, divided by 2",
}
_SCALE = 8.0
_COMPARED = 60  # documents that are compared as a whole


def columns(pool: Pool, prior: Column) -> dict[str, Column]:
    """The columns of `NAMES`; `prior` are first scores, by which the documents to compare are chosen."""
    out = {name: pool.zeros() for name in NAMES}
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
