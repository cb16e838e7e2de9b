"""Naming: the one definition of a file whose name says most of the task, not all its names together."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from zeroin.evaluate.features.pool import Column, Pool
from zeroin.terms import split_identifier, stem

NAMES: dict[str, str] = {
    "name_title": "share of the title's information that the best definition's name says, 0–1",
    "name_task": "share of the task's information that the best definition's name says, 0–1",
    "name_exact": "best definition: harmonic mean of what its name says of the title and how little else, 0–1",
    "name_with_parent": "share of the title's information said by the best definition and the one around it, 0–1",
}

_READ = 80  # candidates by first score: the rest has no chance that a name could give it
_MAX_DEFINITIONS = 400
_SILENT = (0.0, 0.0, 0.0)  # what most names say of a task


def columns(pool: Pool, prior: Column) -> dict[str, Column]:
    """The columns of `NAMES`; 0 for candidates far down by first score."""
    out = {name: pool.zeros() for name in NAMES}
    info, symbols = pool.terms, pool.view.snapshot.symbols
    weights, meant = info.weights, info.matching
    title = {t: weights[t] for t in info.title}
    total, title_total = sum(weights.values()) or 1.0, sum(title.values()) or 1.0
    said: dict[int, tuple[float, float, float]] = {}  # by name: share of task, of title, of the name itself
    for place in np.argsort(-prior, kind="stable")[:_READ].tolist():
        doc = pool.candidates[place].doc
        first = int(symbols.pointers[doc])
        last = min(int(symbols.pointers[doc + 1]), first + _MAX_DEFINITIONS)
        best = [0.0, 0.0, 0.0, 0.0]
        parents = symbols.parent[first:last].tolist()
        for name, parent in zip(symbols.name[first:last].tolist(), parents, strict=True):
            for number in (name, parent):
                if number >= 0 and number not in said:
                    terms = _terms(symbols.names[number])
                    if meant.keys().isdisjoint(terms):
                        said[number] = _SILENT
                        continue
                    hit = {m: share for t in terms for m, share in meant.get(t, ())}
                    said[number] = (
                        sum(weights[t] * share for t, share in hit.items()) / total,
                        sum(title.get(t, 0.0) * share for t, share in hit.items()) / title_total,
                        sum(1 for t in terms if any(m in title for m, _ in meant.get(t, ())))
                        / max(1, len(terms)),
                    )
            task, of_title, own = said[name]
            around = said[parent][1] if parent >= 0 and parent != name else 0.0
            if not around and said[name] is _SILENT:
                continue
            both = 2 * of_title * own / (of_title + own) if of_title else 0.0
            values = (of_title, task, both, min(1.0, of_title + around))
            best = [max(a, b) for a, b in zip(best, values, strict=True)]
        for column, value in zip(NAMES, best, strict=True):
            out[column][place] = value
    return out


@lru_cache(maxsize=1 << 16)
def _terms(name: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(stem(part) for part in split_identifier(name)))
