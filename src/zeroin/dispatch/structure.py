"""Retrieval by imports: files one import away from the best files."""

import numpy as np

from zeroin.index.postings import Array
from zeroin.index.view import View

_SEEDS = 12
_MAX_DEGREE = 60  # a file with more neighbours is a hub: its imports relate unrelated files
_IMPORTER_SHARE = 0.6


def imports(view: View, seeds: Array) -> Array:
    """Score files that a seed imports and, × 0.6, files that import it: score of the seed / √(neighbours)."""
    snapshot = view.snapshot
    scores = np.zeros(len(snapshot), np.float32)
    for doc in (int(d) for d in np.argsort(-seeds, kind="stable")[:_SEEDS] if seeds[d] > 0):
        near = ((snapshot.imports_of(doc), 1.0), (snapshot.importers_of(doc), _IMPORTER_SHARE))
        for neighbours, share in near:
            if 0 < len(neighbours) <= _MAX_DEGREE:
                np.add.at(scores, neighbours, share * seeds[doc] / np.sqrt(len(neighbours)))
    return scores
