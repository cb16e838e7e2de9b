"""Files that are named in words near the task's: every term of the task with its neighbours among this code's terms."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from zeroin.dispatch.lexical import CONTENT, PATH, _PATH_SHARE, Formulation, term_ids
from zeroin.index.postings import Array, bm25f
from zeroin.index.view import View
from zeroin.models.encoder import encoder
from zeroin.types import Query

NEIGHBOURS, LEAST = 12, 0.45
POWER = 2.0


@dataclass(frozen=True, slots=True)
class NearWords:
    """Σ over task terms of the best BM25F contribution among the term's neighbours."""

    name: str
    formulation: Formulation

    def scores(self, query: Query, view: View) -> Array:
        out = np.zeros(len(view.snapshot), np.float32)
        if not query.by_meaning:
            return out
        terms = term_ids(self.formulation(query))
        model, content = encoder(), view.snapshot.content
        rows = model.rows(np.fromiter(terms, np.uint64, len(terms)))
        rows_here = model.rows(content.term_ids)
        here = np.flatnonzero(rows_here >= 0)
        vectors = model.vectors(rows_here[here])
        for (term, weight), row in zip(terms.items(), rows.tolist(), strict=True):
            best = bm25f(content, {term: weight}, CONTENT) + _PATH_SHARE * bm25f(view.snapshot.path_terms, {term: weight}, PATH)
            if row >= 0:
                cosine = vectors @ model.vectors(np.array([row]))[0]
                top = np.argsort(-cosine)[: NEIGHBOURS + 1]
                for at in top[cosine[top] >= LEAST]:
                    other = int(content.term_ids[here[at]])
                    if other == term:
                        continue
                    w = weight * float(cosine[at]) ** POWER
                    s = bm25f(content, {other: w}, CONTENT) + _PATH_SHARE * bm25f(view.snapshot.path_terms, {other: w}, PATH)
                    np.maximum(best, s, out=best)
            out += best
        return out
