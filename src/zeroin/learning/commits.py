"""Which commit did what a task asked for: its message resembles the task, or it edits what was answered, or both."""

from __future__ import annotations

import time
from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from zeroin.index.history import History
from zeroin.learning.lessons import MAX_PATHS, Asked, Lesson
from zeroin.terms import term_id, weighted_terms
from zeroin.types import Keyword, Origin

MAX_COMMITS = 300  # that follow a task, oldest first
MAX_FILES = 20  # of a commit; one that changes more did more than was asked
# Cosine of task and message plus _SHARE times the share of the commit's files that were answered: how sure it must be.
# Measured on 318 issues, of 282 of which the fix was among the next 300 commits: 127 were given a commit, 93 % of those
# commits edit all files of the fix. A wrong lesson costs more than a missing one.
_SHARE = 0.15
SURE = 0.4


def commit_after(
    asked: Asked, history: History, since: Collection[str] | None, prefix: str = ""
) -> Lesson | None:
    """The lesson of the commit that most plainly did what was asked; None if none plainly did.

    `since` are the commits that came after the task; None: those made after it was asked, by the clock. Paths of
    `history` are below `prefix`, those of the lesson are not.
    """
    if since is None:
        rows = np.flatnonzero(history.times > asked.at)
    else:
        rows = np.array([row for row, name in enumerate(history.commits) if name in since], np.int64)
    rows = np.sort(rows)[::-1][:MAX_COMMITS]  # newest first is how they lie
    if not len(rows):
        return None
    alike = resemblance(asked, history)
    answered = {path.removeprefix(prefix) for path in asked.paths if path.startswith(prefix)}
    best: tuple[float, int, tuple[str, ...]] | None = None
    for row in rows.tolist():
        ids = history.file_ids[int(history.file_ptr[row]) : int(history.file_ptr[row + 1])]
        if not 0 < len(ids) <= MAX_FILES:
            continue
        files = tuple(history.paths[i] for i in ids.tolist())
        sure = float(alike[row]) + _SHARE * len(answered.intersection(files)) / len(files)
        if sure >= SURE and (best is None or sure > best[0]):
            best = (sure, row, files)
    if best is None:
        return None
    _, row, files = best
    return Lesson(
        id=asked.id,
        title=asked.title,
        words=asked.words,
        relevant=tuple(prefix + path for path in files)[:MAX_PATHS],
        taught="git",
        commit=history.commits[row],
        at=int(time.time()),
    )


def resemblance(asked: Asked, history: History) -> NDArray[np.float64]:
    """Cosine of the task's words and every message's, shape (commits,), terms weighted by how rare they are."""
    count = len(history)
    holders = np.diff(history.term_ptr)
    worth = np.log1p((count - holders + 0.5) / (holders + 0.5))
    said = np.repeat(worth, holders)
    lengths = np.sqrt(np.bincount(history.term_commits, weights=said**2, minlength=count))
    out = np.zeros(count)
    own = 0.0
    rarest = float(np.log1p((count + 0.5) / 0.5))
    for term, weight in weighted_terms(Keyword(w, x, Origin.PROSE) for w, x in asked.words).items():
        at = int(np.searchsorted(history.term_ids, np.uint64(term_id(term))))
        known = at < len(history.term_ids) and int(history.term_ids[at]) == term_id(term)
        value = float(worth[at]) if known else rarest
        own += (weight * value) ** 2
        if known:
            commits = history.term_commits[int(history.term_ptr[at]) : int(history.term_ptr[at + 1])]
            out[commits] += weight * value**2
    return out / np.maximum(lengths * (own**0.5 or 1.0), 1e-9)
