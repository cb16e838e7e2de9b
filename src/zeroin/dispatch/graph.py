"""One hop along imports from the best files so far, both ways."""

from __future__ import annotations

import numpy as np

from zeroin.index.postings import Array
from zeroin.index.view import View
from zeroin.types import Query

_SEEDS = 12
_MAX_FAN = 60  # a hub's neighbours are everybody


class Imports:
    """Neighbours of the seeds by import: what a seed imports, and what imports it, shared among the neighbours."""

    name = "graph"

    def scores(self, query: Query, view: View, seeds: Array) -> Array:
        snapshot = view.snapshot
        scores = np.zeros(len(snapshot), np.float32)
        best = np.argsort(-seeds, kind="stable")[:_SEEDS]
        for doc in best:
            if seeds[doc] <= 0:
                break
            for neighbours, share in (
                (snapshot.imports_of(int(doc)), 1.0),
                (snapshot.importers_of(int(doc)), 0.6),
            ):
                if 0 < len(neighbours) <= _MAX_FAN:
                    np.add.at(scores, neighbours, share * seeds[doc] / np.sqrt(len(neighbours)))
        return scores
