"""For exploring: the file to read first of each part, and the documents that describe the whole."""

from __future__ import annotations

from zeroin.index.postings import Array
from zeroin.index.view import View
from zeroin.types import Query


class Landmarks:
    """Files on the map of the repository (`index.overview`), by how much of the whole they stand for."""

    name = "landmarks"

    def scores(self, query: Query, view: View) -> Array:
        return view.overview.scores
