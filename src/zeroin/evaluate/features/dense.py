"""Dense evidence: how near a file's passages, and the file as a whole, are to the task in the encoder's space."""

from __future__ import annotations

import numpy as np

from zeroin.evaluate.dense_passage import task_similarity
from zeroin.evaluate.features.document_similarity import document_similarity, is_prose
from zeroin.evaluate.features.pool import Column, Pool
from zeroin.types import Origin

NAMES: dict[str, str] = {
    "meaning_asked": "1 unless dense retrieval is switched off",
    "meaning_cosine": "cosine of the task with the file's best passage",
    "meaning_path": "cosine of the task with the file's path",
    "meaning_unusual": "nearness in standard deviations of the repository's files, divided by 8",
    "meaning_title": "the same for the title alone, divided by 8",
    "meaning_behind": "how far behind the nearest file of the repository, in standard deviations divided by 8",
    "meaning_peak": "how unusual the nearest file of the repository is, divided by 8: one sticks out, or none does",
    "similar_asked": "1 where documents as a whole are compared with the task",
    "similar_path": "words of the path near the task's, in standard deviations of the best candidates, divided by 4",
    "similar_passages": "the sum of all passages near the task, the same",
    "similar_definitions": "defined names near the task, the same",
    "similar_identifiers": "identifiers near the task, the same",
    "similar_comments": "comments near the task, the same",
    "similar_sum": "the sum of these five, divided by 2",
}
_SCALE = 8.0
_COMPARED = 60  # documents that are compared as a whole
_SIMILAR = (
    "similar_path",
    "similar_passages",
    "similar_definitions",
    "similar_identifiers",
    "similar_comments",
)


def columns(pool: Pool, prior: Column) -> dict[str, Column]:
    """The columns of `NAMES`; `prior` are first scores, by which the documents to compare are chosen."""
    out = {name: pool.zeros() for name in NAMES}
    query = pool.query
    if not pool.dense or not len(pool):
        return out
    own = task_similarity(query, pool.view)
    titled = tuple(k for k in query.own if k.origin in (Origin.TITLE, Origin.CALLER))
    title = pool.view.dense_scores(titled, query)
    unusual = own.z_scores
    peak = float(unusual.max())
    out["meaning_asked"] += 1
    out["meaning_cosine"] = own.best[pool.docs]
    out["meaning_path"] = own.path[pool.docs]
    out["meaning_unusual"] = unusual[pool.docs] / _SCALE
    out["meaning_title"] = title.z_scores[pool.docs] / _SCALE
    out["meaning_behind"] = (peak - unusual[pool.docs]) / _SCALE
    out["meaning_peak"] += peak / _SCALE
    if pool.deep and is_prose(query):
        _documents(pool, prior, out)
    return {name: np.asarray(column, np.float32) for name, column in out.items()}


def _documents(pool: Pool, prior: Column, out: dict[str, Column]) -> None:
    best = np.argsort(-prior, kind="stable")[:_COMPARED]
    found = document_similarity(pool.query, pool.view, pool.docs[best])
    spread = found.std(axis=1, keepdims=True)
    scores = (found - found.mean(axis=1, keepdims=True)) / np.where(spread > 0, spread, 1.0)
    for name, row in zip(_SIMILAR, scores, strict=True):
        out[name][best] = row / 4
    out["similar_asked"][best] = 1
    out["similar_sum"][best] = scores.sum(axis=0) / 8
