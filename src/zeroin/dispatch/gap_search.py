"""What gaps ask for: the search of every gap is a list of its own, and each file knows which gaps brought it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from zeroin.dispatch.lexical import CONTENT, PATH, PATH_SHARE
from zeroin.index.postings import Array, bm25f
from zeroin.index.view import View
from zeroin.terms import weighted_ids
from zeroin.types import GAP_KINDS, Gap, Keyword, Origin, Query, Search

ASKED = "asked_"  # the list of a kind of gap is named like it, after this
FILES = 10  # of a search for words: the best ones, all others match by chance
_LEAST = 0.3  # share of the best file's score that a match of words must have
_LEAST_UNUSUAL = 1.5  # standard deviations above the repository's mean, where no file says the words
_WORDS_SHARE = 0.6  # what a match of words counts beside a file that the gap names


@dataclass(frozen=True, slots=True)
class Asked:
    """What the searches of gaps found.

    `lists` holds an array (D,) a kind: 1 − Π (1 − share · relevance of the file that asks), in 0–1; `by` the gaps that
    brought each document.
    """

    lists: dict[str, Array]
    by: dict[int, tuple[Gap, ...]] = field(default_factory=dict)


def ask(query: Query, view: View, allowed: Array, *, dense: bool = True) -> Asked:
    """Run the search of every gap that the query asks; without `dense` no passages are compared with its words."""
    silent: dict[str, Array] = {}
    by: dict[int, list[Gap]] = {}
    for gap in query.gaps:
        shares = found(gap.search, view, dense=dense) * allowed
        asking = view.doc_of(gap.evidence[0].path) if gap.kind == "reference" and gap.evidence else None
        if asking is not None:  # it uses what it lacks
            shares[asking] = 0
        docs = np.flatnonzero(shares)
        for doc in docs.tolist():
            by.setdefault(doc, []).append(gap)
        rest = silent.setdefault(ASKED + gap.kind, np.ones(len(view.snapshot), np.float32))
        rest[docs] *= 1 - shares[docs] * np.float32(max(gap.user_relevance, 0.05))
    lists = {ASKED + kind: np.zeros(len(view.snapshot), np.float32) for kind in GAP_KINDS}
    lists |= {name: (1 - rest).astype(np.float32) for name, rest in silent.items()}
    return Asked(lists, {doc: tuple(gaps) for doc, gaps in by.items()})


def found(search: Search, view: View, *, dense: bool = True) -> Array:
    """What one search finds, a share in 0–1 a document, shape (D,).

    A file that it names or that defines a symbol counts 1, one that uses a rare symbol 0.4; words count where nothing
    is named: the files that say them, or, where none does, those whose passages are nearest to them.
    """
    inside = np.array(view.matching((search.scope,)), np.int64) if search.scope else None
    out = np.zeros(len(view.snapshot), np.float32)
    for path in search.paths:
        doc = view.doc_of(path)
        if doc is not None:
            out[doc] = 1.0
    for name in search.symbols:
        for doc, share in view.docs_of_symbol(name).items():
            out[doc] = max(out[doc], share)
    if search.words and not out.any():
        return _of_words(search.words, view, inside, dense)
    return _within(out, inside)


def _of_words(words: Sequence[str], view: View, inside: NDArray[np.int64] | None, dense: bool) -> Array:
    keywords = tuple(Keyword(word, 1.0, Origin.PROSE) for word in words)
    terms = weighted_ids(keywords)
    scores = bm25f(view.snapshot.content, terms, CONTENT)
    scores = _within(scores + PATH_SHARE * bm25f(view.snapshot.path_terms, terms, PATH), inside)
    best = float(scores.max()) if len(scores) else 0.0
    if best <= 0 and dense:
        scores = _within(view.dense_scores(keywords).z_scores, inside)
        scores[scores < _LEAST_UNUSUAL] = 0
        best = float(scores.max()) if len(scores) else 0.0
    if best <= 0:
        return np.zeros(len(view.snapshot), np.float32)
    scores[scores < _LEAST * best] = 0
    if np.count_nonzero(scores) > FILES:
        scores[scores < np.partition(scores, -FILES)[-FILES]] = 0
    return np.asarray(_WORDS_SHARE * scores / best, np.float32)


def _within(scores: Array, inside: NDArray[np.int64] | None) -> Array:
    """A copy of the scores, 0 outside of some documents."""
    if inside is None:
        return scores.copy()
    out = np.zeros_like(scores)
    out[inside] = scores[inside]
    return out
