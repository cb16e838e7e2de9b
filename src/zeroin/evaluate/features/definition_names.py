"""Features of the one definition of a file whose name matches the task best."""

from collections.abc import Collection
from weakref import WeakKeyDictionary

import numpy as np

from zeroin.evaluate.features.pool import Column, Pool
from zeroin.evaluate.features.table import names_of
from zeroin.index.symbols import Symbols
from zeroin.index.view import View
from zeroin.terms import split_identifier, stem

_COMPARED = 80  # best candidates by first score: no name could lift the others far enough
_MAX_DEFINITIONS = 400
_NO_MATCH = (0.0, 0.0, 0.0)

# Terms of names by the name's number, kept because candidates recur in cycles and questions.
_terms: WeakKeyDictionary[View, dict[int, tuple[str, ...]]] = WeakKeyDictionary()

Shares = tuple[float, float, float]  # of the task's weight, of the title's weight, of the words of the name


def columns(pool: Pool, prior: Column) -> dict[str, Column]:
    """Compute the columns of the section; 0 for candidates far down by first score."""
    symbols = pool.view.snapshot.symbols
    best = np.zeros((len(pool), 4))
    compared = np.argsort(-prior, kind="stable")[:_COMPARED].tolist()
    docs = [pool.candidates[i].doc for i in compared]
    inside = [_definitions_of(symbols, doc) for doc in docs]
    shares = _shares(pool, {number for pairs in inside for pair in pairs for number in pair if number >= 0})
    for i, pairs in zip(compared, inside, strict=True):
        for name, parent in pairs:
            if name not in shares and parent not in shares:
                continue
            task, title, own = shares.get(name, _NO_MATCH)
            around = shares.get(parent, _NO_MATCH)[1] if parent != name else 0.0
            if task or title or around:
                exact = 2 * title * own / (title + own) if title else 0.0
                best[i] = np.maximum(best[i], (title, task, exact, min(1.0, title + around)))
    return dict(zip(names_of("definition_names"), best.T.astype(np.float32), strict=True))


def _definitions_of(symbols: Symbols, doc: int) -> set[tuple[int, int]]:
    """Return the numbers of the names that a document defines, each with that of its parent, -1 for none."""
    first = int(symbols.pointers[doc])
    last = min(int(symbols.pointers[doc + 1]), first + _MAX_DEFINITIONS)
    return set(zip(symbols.name[first:last].tolist(), symbols.parent[first:last].tolist(), strict=True))


def _shares(pool: Pool, numbers: Collection[int]) -> dict[int, Shares]:
    """Return the shares of the names that match the task, by the name's number."""
    weights, matching = pool.terms.weights, pool.terms.matching
    title = {t: weights[t] for t in pool.terms.title}
    total, title_total = sum(weights.values()) or 1.0, sum(title.values()) or 1.0
    known = _terms.setdefault(pool.view, {})
    new = [number for number in numbers if number not in known]
    known.update(zip(new, map(_terms_of, pool.view.snapshot.symbols.names.pick(new)), strict=True))
    out = {}
    for number in numbers:
        terms = known[number]
        if matching.keys().isdisjoint(terms):
            continue
        matched = {task_term: share for t in terms for task_term, share in matching.get(t, ())}
        in_title = sum(any(m in title for m, _ in matching.get(t, ())) for t in terms)
        out[number] = (
            sum(weights[t] * share for t, share in matched.items()) / total,
            sum(title.get(t, 0.0) * share for t, share in matched.items()) / title_total,
            in_title / len(terms),
        )
    return out


def _terms_of(name: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(stem(part) for part in split_identifier(name)))
