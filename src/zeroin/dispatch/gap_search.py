"""Run the searches of gaps: a ranked list for each kind of gap, and the gaps that found each file."""

from collections.abc import Sequence

import numpy as np

from zeroin.dispatch.lexical import document_scores
from zeroin.index.postings import Array
from zeroin.index.view import View
from zeroin.types import GAP_KINDS, Gap, Keyword, Origin, Query, Search

ASKED = "asked_"  # prefix of the list of a kind of gap
_MAX_FILES = 10  # of a search for words
_MIN_SHARE = 0.3  # of the best file's score that a match of words must have
_MIN_Z_SCORE = 1.5  # of dense retrieval, where no file contains the words
_WORDS_SHARE = 0.6  # of the best match of words, where a file that the gap names has 1
_MIN_RELEVANCE = 0.05  # of the asking file: a lower one counts as this


def search_gaps(
    query: Query, view: View, allowed: Array, *, dense: bool = True
) -> tuple[dict[str, Array], dict[int, list[Gap]]]:
    """Run the search of every gap of the query; without `dense` words are looked up by BM25 alone.

    Returns for each kind of gap an array (D,), 1 − Π (1 − share · relevance of the asking file), in 0–1, and the gaps
    that found each document.
    """
    missed = {ASKED + kind: np.ones(len(view.snapshot), np.float32) for kind in GAP_KINDS}
    by: dict[int, list[Gap]] = {}
    for gap in query.gaps:
        shares = search_scores(gap.search, view, dense=dense) * allowed
        user = view.doc_of(gap.evidence[0].path) if gap.kind == "reference" and gap.evidence else None
        if user is not None:  # the file that uses the name is not the one that defines it
            shares[user] = 0
        docs = np.flatnonzero(shares)
        for doc in docs.tolist():
            by.setdefault(doc, []).append(gap)
        share = np.float32(max(gap.user_relevance, _MIN_RELEVANCE))
        missed[ASKED + gap.kind][docs] *= 1 - shares[docs] * share
    return {name: (1 - rest).astype(np.float32) for name, rest in missed.items()}, by


def search_scores(search: Search, view: View, *, dense: bool = True) -> Array:
    """Score every document for one search, a share in 0–1, shape (D,).

    1 for a file that the search names or that defines its symbol, 0.4 for one that uses a rare symbol. Its words are
    searched only where these find nothing: by BM25, or by dense retrieval where no file contains them.
    """
    scores = np.zeros(len(view.snapshot), np.float32)
    inside = np.ones(len(scores), np.float32)
    if search.scope:
        inside[:] = 0
        inside[view.matching((search.scope,))] = 1
    scores[view.docs_of(search.paths)] = 1.0
    for name in search.symbols:
        for doc, share in view.docs_of_symbol(name).items():
            scores[doc] = max(scores[doc], share)
    if search.words and not scores.any():
        return _word_scores(search.words, view, inside, dense)
    return scores * inside


def _word_scores(words: Sequence[str], view: View, inside: Array, dense: bool) -> Array:
    keywords = tuple(Keyword(word, 1.0, Origin.PROSE) for word in words)
    scores = document_scores(keywords, view) * inside
    if dense and not (scores > 0).any():
        scores = view.dense_scores(keywords).z_scores * inside
        scores[scores < _MIN_Z_SCORE] = 0
    best = float(scores.max(initial=0.0))
    if best <= 0:
        return np.zeros(len(view.snapshot), np.float32)
    scores[scores < _MIN_SHARE * best] = 0
    if np.count_nonzero(scores) > _MAX_FILES:
        scores[scores < np.partition(scores, -_MAX_FILES)[-_MAX_FILES]] = 0
    return np.asarray(_WORDS_SHARE * scores / best, np.float32)
