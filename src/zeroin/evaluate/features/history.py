"""The past: what commits say of a file. Nothing here knows who wrote them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from zeroin.evaluate.features.pool import Column, Pool
from zeroin.index.history import History
from zeroin.terms import term_id

NAMES: dict[str, str] = {
    "told_by_commits": "share of the task's information in the messages of commits that touched the file, 0–1",
    "title_told_by_commits": "the same of the title's terms",
    "closest_commit": "resemblance of the most alike commit that touched the file, share of the best commit",
    "recency": "1 − share of the commits that came after the last one that touched the file, 0–1",
    "churn": "log2(1 + commits that touched the file), share of the most changed candidate",
    "new": "1 where fewer than three commits touched the file, and history is known",
    "with_best": "share of the best file's commits that touched this file as well, 0–1",
}

_MAX_TERMS = 24  # the most informative ones: the tail costs time and says little
_MAX_COMMITS = 3000  # a word of more messages says nothing
_MAX_FILES = 40  # a commit that touches more is a sweep
_SATURATION = 1.0
_SEEN = 300  # newest commits of the best file


def columns(pool: Pool, prior: Column) -> dict[str, Column]:
    """The columns of `NAMES`; `prior` are first scores, whose best file others are compared with."""
    out = {name: pool.zeros() for name in NAMES}
    history = pool.history
    if history is None or not len(history.times) or not len(pool):
        return out
    sizes = np.diff(history.file_ptr)
    usual = sizes <= _MAX_FILES
    rows = np.repeat(np.arange(len(history)), sizes)
    places = np.full(len(history.paths), -1, np.int32)
    docs = pool.view.history_docs
    places[docs >= 0] = pool.index[docs[docs >= 0]]
    row_places = places[history.file_ids]
    touched = row_places >= 0
    rows, row_places = rows[touched], row_places[touched]
    count = np.bincount(row_places, minlength=len(pool)).astype(np.float32)
    newest = np.full(len(pool), len(history), np.int64)
    np.minimum.at(newest, row_places, rows)
    out["recency"] = (1.0 - newest / max(1, len(history))).astype(np.float32)
    most = float(np.log2(1.0 + count.max())) or 1.0
    out["churn"] = (np.log2(1.0 + count) / most).astype(np.float32)
    out["new"] = (count < 3).astype(np.float32)
    kept = usual[rows]
    rows, row_places = rows[kept], row_places[kept]
    weight = (1.0 / np.sqrt(np.maximum(sizes, 1)))[rows].astype(np.float32)
    _told(pool, history, rows, row_places, weight, out)
    best = int(np.argmax(prior))
    mine = rows[row_places == best][:_SEEN]
    if len(mine):
        together = np.bincount(row_places[np.isin(rows, mine)], minlength=len(pool))
        out["with_best"] = (together / len(mine)).astype(np.float32)
        out["with_best"][best] = 0.0
    return out


def _told(
    pool: Pool,
    history: History,
    rows: NDArray[np.int64],
    places: NDArray[np.int32],
    weight: Column,
    out: dict[str, Column],
) -> None:
    """How much of the task the messages of a file's commits say, and its most alike commit."""
    info = pool.terms
    terms = sorted(info.weights, key=lambda t: (-info.weights[t], t))[:_MAX_TERMS]
    total = sum(info.weights[t] for t in terms) or 1.0
    title_total = sum(info.weights[t] for t in terms if t in info.title) or 1.0
    alike = np.zeros(len(history), np.float32)
    for term in terms:
        at = int(np.searchsorted(history.term_ids, np.uint64(term_id(term))))
        if at == len(history.term_ids) or int(history.term_ids[at]) != term_id(term):
            continue
        commits = history.term_commits[int(history.term_ptr[at]) : int(history.term_ptr[at + 1])]
        if len(commits) > _MAX_COMMITS:
            continue
        says = np.zeros(len(history), bool)
        says[commits] = True
        alike[commits] += info.weights[term]
        hit = says[rows]
        heard = np.bincount(places[hit], weights=weight[hit], minlength=len(pool)).astype(np.float32)
        share = heard / (heard + _SATURATION)
        out["told_by_commits"] += info.weights[term] / total * share
        if term in info.title:
            out["title_told_by_commits"] += info.weights[term] / title_total * share
    best = float(alike.max())
    if best > 0:
        closest = pool.zeros()
        np.maximum.at(closest, places, alike[rows] / best)
        out["closest_commit"] = closest
