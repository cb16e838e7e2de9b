"""Dense retrieval: files with a passage near the task in the encoder's space, in whatever words."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from zeroin.dispatch.lexical import Formulation
from zeroin.index.postings import Array
from zeroin.index.view import View
from zeroin.types import Query

_FILES = 150  # the nearest ones; all others are near by chance
_LEAST_UNUSUAL = 0.5  # standard deviations above the repository's mean


@dataclass(frozen=True, slots=True)
class DenseRetriever:
    """How unusually near a file's best passage and its path are to the task, in standard deviations."""

    name: str
    formulation: Formulation

    def scores(self, query: Query, view: View) -> Array:
        unusual = view.dense_scores(self.formulation(query), query).z_scores.copy()
        if len(unusual) > _FILES:
            unusual[unusual < np.partition(unusual, -_FILES)[-_FILES]] = 0
        unusual[unusual < _LEAST_UNUSUAL] = 0
        return unusual
