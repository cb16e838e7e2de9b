"""Files that usually change along with the best files so far."""

from __future__ import annotations

import numpy as np

from zeroin.index.postings import Array
from zeroin.index.view import View
from zeroin.types import Query

_SEEDS = 10
_MAX_FILES = 30
_MAX_COMMITS = 200  # newest commits of a seed that are looked at


class CoChange:
    """Σ over a seed's commits of 1 / files, divided by the seed's commits: how often the two go together."""

    name = "cochange"

    def scores(self, query: Query, view: View, seeds: Array) -> Array:
        scores = np.zeros(len(view.snapshot), np.float32)
        history = view.history
        if history is None or not len(history.times):
            return scores
        best = [int(d) for d in np.argsort(-seeds, kind="stable")[:_SEEDS] if seeds[d] > 0]
        docs_of = view.history_docs
        for doc in best:
            commits = sorted(view.commits_of(doc))[:_MAX_COMMITS]
            for commit in commits:
                files = history.files_of(int(commit))
                if len(files) > _MAX_FILES:
                    continue
                docs = docs_of[files]
                docs = docs[(docs >= 0) & (docs != doc)]
                np.add.at(scores, docs, seeds[doc] / len(commits) / np.sqrt(len(files)))
        return scores
