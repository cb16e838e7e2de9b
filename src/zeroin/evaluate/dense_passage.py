"""The passage of a file that is nearest to the task by the encoder, and the words that bring it there."""

from __future__ import annotations

import numpy as np

from zeroin.index.view import View
from zeroin.models.encoder import encoder
from zeroin.terms import STOPWORDS, WORD, split_identifier, stem, term_id, weighted_ids
from zeroin.types import Query

_MIN_CHARS = 3
_WORDS = 3


def nearest_lines(query: Query, view: View, doc: int) -> tuple[int, int] | None:
    """Return first and last line of the nearest passage of a document; None where it has none."""
    scores = view.dense_scores(query.own, query)
    row = int(scores.passage[doc])
    if row < 0 or scores.best[doc] <= 0:
        return None
    start, end = view.snapshot.passages[row].tolist()
    return start, end


def nearest_words(query: Query, view: View, doc: int, lines: tuple[int, int]) -> list[tuple[str, int]]:
    """Find the words of some lines that are nearest to the task, each with its first line; nearest first."""
    first: dict[str, tuple[str, int]] = {}
    for number, line in enumerate(view.text(doc).split("\n")[lines[0] - 1 : lines[1]], start=lines[0]):
        for part in (part for word in WORD.findall(line) for part in split_identifier(word)):
            if len(part) >= _MIN_CHARS and part not in STOPWORDS:
                first.setdefault(stem(part), (part, number))
    model = encoder()
    rows = model.rows(np.array([term_id(term) for term in first], np.uint64))
    known = np.flatnonzero(rows >= 0)
    near = (model.vectors(rows[known]) @ model.task(weighted_ids(query.own))) * model.code_weights[
        rows[known]
    ]
    words = list(first.values())
    return [words[i] for i in known[np.argsort(-near, kind="stable")[:_WORDS]].tolist()]
