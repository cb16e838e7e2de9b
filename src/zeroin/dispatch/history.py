"""The repository's own history: files that commits touched whose message resembles the task.

The best single bridge between a person's words and the code's: measured on issues, the ranking of history
alone puts the file in the top five more often than the file's own words do.
"""

from __future__ import annotations

import numpy as np

from zeroin.index.history import bm25_commits
from zeroin.index.postings import Array
from zeroin.index.view import View
from zeroin.terms import weighted_ids
from zeroin.types import Query

_COMMITS = 150
_MAX_FILES = 40  # a commit that touches more says little about each
_SHARPNESS = 2.0  # resemblance is raised to this power: ten faint echoes are not one clear voice


class HistoryFiles:
    """Σ over resembling commits of (resemblance / best)² / √(files of the commit)."""

    name = "history"

    def scores(self, query: Query, view: View) -> Array:
        scores = np.zeros(len(view.snapshot), np.float32)
        history = view.history
        if history is None or not len(history.times):
            return scores
        commits, resemblance = bm25_commits(history, weighted_ids(query.own), _COMMITS)
        if not len(commits):
            return scores
        docs_of = view.history_docs
        for commit, value in zip(commits, resemblance / resemblance[0], strict=True):
            files = history.files_of(int(commit))
            if not len(files) or len(files) > _MAX_FILES:
                continue
            docs = docs_of[files]
            np.add.at(scores, docs[docs >= 0], value**_SHARPNESS / np.sqrt(len(files)))
        return scores
