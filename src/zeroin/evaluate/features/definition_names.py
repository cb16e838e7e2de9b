"""The definition of a file whose name matches the task best; not all its names together."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache

import numpy as np

from zeroin.evaluate.features.pool import Column, Pool
from zeroin.evaluate.features.table import names_of
from zeroin.terms import split_identifier, stem

_COMPARED = 80  # candidates by first score: for the rest no name could make up
_MAX_DEFINITIONS = 400
_NO_MATCH = (0.0, 0.0, 0.0)  # most names

Shares = tuple[float, float, float]  # of the task's weight, of the title's weight, of the words of the name


def columns(pool: Pool, prior: Column) -> dict[str, Column]:
    """Compute the columns of the section; 0 for candidates far down by first score."""
    symbols = pool.view.snapshot.symbols
    shares = _shares(pool)
    best = np.zeros((len(pool), 4))
    for i in np.argsort(-prior, kind="stable")[:_COMPARED].tolist():
        doc = pool.candidates[i].doc
        first = int(symbols.pointers[doc])
        last = min(int(symbols.pointers[doc + 1]), first + _MAX_DEFINITIONS)
        parents = symbols.parent[first:last].tolist()
        for name, parent in set(zip(symbols.name[first:last].tolist(), parents, strict=True)):
            task, title, own = shares(name)
            around = shares(parent)[1] if parent >= 0 and parent != name else 0.0
            if task or title or around:
                exact = 2 * title * own / (title + own) if title else 0.0
                best[i] = np.maximum(best[i], (title, task, exact, min(1.0, title + around)))
    return dict(zip(names_of("definition_names"), best.T.astype(np.float32), strict=True))


def _shares(pool: Pool) -> Callable[[int], Shares]:
    """Return a function from the number of a name to its shares."""
    weights, matching, names = pool.terms.weights, pool.terms.matching, pool.view.snapshot.symbols.names
    title = {t: weights[t] for t in pool.terms.title}
    total, title_total = sum(weights.values()) or 1.0, sum(title.values()) or 1.0

    @cache
    def of(number: int) -> Shares:
        terms = _terms(names[number])
        if matching.keys().isdisjoint(terms):
            return _NO_MATCH
        matched = {task_term: share for t in terms for task_term, share in matching.get(t, ())}
        in_title = sum(any(m in title for m, _ in matching.get(t, ())) for t in terms)
        return (
            sum(weights[t] * share for t, share in matched.items()) / total,
            sum(title.get(t, 0.0) * share for t, share in matched.items()) / title_total,
            in_title / len(terms),
        )

    return of


@lru_cache(maxsize=1 << 16)
def _terms(name: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(stem(part) for part in split_identifier(name)))
