"""The passage of a file that is nearest to the task in meaning, and the words that bring it there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from zeroin.index.dense import DenseScores
from zeroin.index.view import View
from zeroin.models.encoder import encoder
from zeroin.terms import STOPWORDS, WORD, split_identifier, stem, term_id, weighted_ids
from zeroin.types import Query

_MIN_WORD = 3
_WORDS = 3


@dataclass(frozen=True, slots=True)
class Near:
    """Lines of a file, first and last, and (word, line) pairs that mean most nearly what the task says."""

    start: int
    end: int
    words: tuple[tuple[str, int], ...]


def task_similarity(query: Query, view: View) -> DenseScores:
    """How near every document is to the task in its own words."""
    return view.dense_scores(query.own, query)


def nearest_lines(query: Query, view: View, doc: int) -> tuple[int, int] | None:
    """First and last line of the nearest passage of a document; None where it has none."""
    found = task_similarity(query, view)
    row = int(found.passage[doc])
    if row < 0 or found.best[doc] <= 0:
        return None
    start, end = view.snapshot.chunks[row].tolist()
    return start, end


def nearest(query: Query, view: View, doc: int) -> Near | None:
    """The nearest passage of a document with its telling words."""
    found = nearest_lines(query, view, doc)
    if found is None:
        return None
    start, end = found
    first: dict[str, tuple[str, int]] = {}
    for number, line in enumerate(view.text(doc).split("\n")[start - 1 : end], start=start):
        for word in WORD.findall(line):
            for part in split_identifier(word):
                if len(part) >= _MIN_WORD and part not in STOPWORDS:
                    first.setdefault(stem(part), (part, number))
    return Near(start, end, _telling(weighted_ids(query.own), first))


def _telling(task: Mapping[int, float], words: Mapping[str, tuple[str, int]]) -> tuple[tuple[str, int], ...]:
    model = encoder()
    terms = list(words)
    ids = np.array([term_id(term) for term in terms], np.uint64)
    rows = model.rows(ids) if len(ids) else np.empty(0, np.int32)
    known = np.flatnonzero(rows >= 0)
    worth = (model.vectors(rows[known]) @ model.task(task)) * model.code_weights[rows[known]]
    best = known[np.argsort(-worth, kind="stable")[:_WORDS]]
    return tuple(words[terms[i]] for i in best.tolist())
