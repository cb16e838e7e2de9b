"""Commits that touched a file: their messages, how many, how recent. Their authors are not used."""

import numpy as np
from numpy.typing import NDArray

from zeroin.evaluate.features.pool import Column, Pool
from zeroin.index.history import History
from zeroin.index.postings import among
from zeroin.terms import term_id

_MAX_TERMS = 24  # the heaviest: the tail costs time and adds little
_MAX_COMMITS = 3000  # a word in more messages is too common
_MAX_FILES = 40  # a commit that touches more is a sweep
_SATURATION = 1.0
_NEWEST = 300  # commits of the best file
_FEW = 3


def columns(pool: Pool, prior: Column) -> dict[str, Column]:
    """Compute the columns of the section; `prior` are first scores, whose best file others are compared with."""
    out = pool.columns("history")
    history = pool.history
    if history is None or not len(history.times):
        return out
    sizes = np.diff(history.file_ptr)
    positions = np.full(len(history.paths), -1, np.int32)
    docs = pool.view.history_docs
    positions[docs >= 0] = pool.positions(docs[docs >= 0])
    commits, files = np.repeat(np.arange(len(history)), sizes), positions[history.file_ids]
    commits, files = commits[files >= 0], files[files >= 0]
    count = np.bincount(files, minlength=len(pool)).astype(np.float32)
    newest = np.full(len(pool), len(history), np.int64)
    np.minimum.at(newest, files, commits)
    out["recency"] = (1.0 - newest / len(history)).astype(np.float32)
    most = float(np.log2(1.0 + count.max())) or 1.0
    out["churn"] = (np.log2(1.0 + count) / most).astype(np.float32)
    out["new"] = (count < _FEW).astype(np.float32)
    usual = (sizes <= _MAX_FILES)[commits]
    commits, files = commits[usual], files[usual]
    _messages(pool, history, commits, files, out)
    best = int(np.argmax(prior))
    mine = commits[files == best][:_NEWEST]
    if len(mine):
        together = np.bincount(files[among(commits, mine)], minlength=len(pool))
        out["with_best"] = (together / len(mine)).astype(np.float32)
        out["with_best"][best] = 0.0
    return out


def _messages(
    pool: Pool, history: History, commits: NDArray[np.int64], files: NDArray[np.int32], out: dict[str, Column]
) -> None:
    """Match the messages of the files' commits; `commits` and `files` (position in the pool) are parallel."""
    sizes = np.diff(history.file_ptr)
    share_of_file = (1.0 / np.sqrt(np.maximum(sizes, 1)))[commits].astype(np.float32)
    weights, title = pool.terms.weights, pool.terms.title
    terms = sorted(weights, key=lambda t: (-weights[t], t))[:_MAX_TERMS]
    total = sum(weights[t] for t in terms) or 1.0
    title_total = sum(weights[t] for t in terms if t in title) or 1.0
    matched = np.zeros(len(history), np.float32)
    for term in terms:
        found = history.messages.docs[history.messages.rows(term_id(term))]
        if not 0 < len(found) <= _MAX_COMMITS:
            continue
        holds = np.zeros(len(history), bool)
        holds[found] = True
        matched[found] += weights[term]
        hit = holds[commits]
        amount = np.bincount(files[hit], weights=share_of_file[hit], minlength=len(pool)).astype(np.float32)
        share = amount / (amount + _SATURATION)
        out["commits_cover_task"] += weights[term] / total * share
        if term in title:
            out["commits_cover_title"] += weights[term] / title_total * share
    if best := float(matched.max()):
        np.maximum.at(out["closest_commit"], files, matched[commits] / best)
