"""Fielded BM25 over the words of files, and dense retrieval: whole document, definitions alone, path alone.

Each list is made with one formulation of the query: its own words, its title, or words of the codebase for them.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from zeroin.index.postings import Array, FieldWeights, bm25f
from zeroin.index.view import View
from zeroin.terms import analyse, weighted_ids
from zeroin.types import Keyword, Origin, Query

# Columns: definitions, identifiers, comments, text. Comments weigh little: weighted like code they cost
# seven points @5 in a published ablation; names of definitions say most.
CONTENT = FieldWeights(weights=(3.0, 1.0, 0.6, 0.9), b=(0.4, 0.6, 0.6, 0.7), k1=1.4)
DEFINITIONS = FieldWeights(weights=(1.0, 0.0, 0.0, 0.0), b=(0.5, 0.0, 0.0, 0.0), k1=1.2)
# Columns: the file's own name, its folders.
PATH = FieldWeights(weights=(2.0, 1.0), b=(0.3, 0.3), k1=1.2)
PATH_SHARE = 0.8  # weight of the path's score in the score of the whole document
_DENSE_FILES = 150  # the nearest ones
_MIN_Z_SCORE = 0.5  # standard deviations above the repository's mean

Formulation = Callable[[Query], tuple[Keyword, ...]]
Scorer = Callable[[Query, View], Array]


def own(query: Query) -> tuple[Keyword, ...]:
    return query.own


def title(query: Query) -> tuple[Keyword, ...]:
    """Return keywords of the title in its own words: the shortest statement of the task."""
    return _of_title(query, query.own)


def reformulated(query: Query) -> tuple[Keyword, ...]:
    """Keywords of the task with synonyms in place of their task words. Empty without synonyms and joined forms.

    Joined forms are added beside their task words, since the code may write the same words apart as well.
    """
    synonyms: dict[str, list[tuple[str, float]]] = {}
    for pair in query.terminology:
        for term in analyse(pair.task_word) if pair.is_synonym and not pair.joined else ():
            synonyms.setdefault(term, []).append((pair.code_word, pair.weight))
    joined = [pair for pair in query.terminology if pair.joined]
    if not synonyms and not joined:
        return ()
    out: list[Keyword] = []
    for keyword in query.own:
        replaced = [synonyms[term] for term in analyse(keyword.text) if term in synonyms]
        out += [replace(keyword, text=w, weight=keyword.weight * s) for words in replaced for w, s in words]
        if not replaced:
            out.append(keyword)
    for pair in joined:
        words = set(analyse(pair.task_word))
        holding = (k for k in query.own if words & set(analyse(k.text)))
        best = max(holding, key=lambda k: k.weight, default=None)
        if best is not None:
            out.append(replace(best, text=pair.code_word, weight=best.weight * pair.weight))
    return tuple(out)


def reformulated_title(query: Query) -> tuple[Keyword, ...]:
    """Return the title in the codebase's words. Empty if there is none."""
    words = [pair.code_word for pair in query.terminology if pair.is_synonym]
    terms = frozenset(t for word in words for t in analyse(word))
    return _of_title(query, reformulated(query), terms) if words else ()


def learned(query: Query) -> tuple[Keyword, ...]:
    """Return expansions alone, in a list of their own so that they never outweigh the task's words."""
    return tuple(k for k in query.keywords if k.origin is Origin.LEARNED)


def _of_title(query: Query, keywords: Sequence[Keyword], also: frozenset[str] = frozenset()) -> tuple[Keyword, ...]:
    terms = set(analyse(query.title)) | also
    origins = (Origin.TITLE, Origin.CALLER)
    return tuple(k for k in keywords if k.origin in origins or terms & set(analyse(k.text)))


def document_scores(keywords: Sequence[Keyword], view: View) -> Array:
    """Sum BM25F over the content fields and 0.8 × BM25F over the path, shape (D,)."""
    terms = weighted_ids(keywords)
    content = bm25f(view.snapshot.content, terms, CONTENT)
    return content + PATH_SHARE * bm25f(view.snapshot.path_terms, terms, PATH)


def documents(formulation: Formulation) -> Scorer:
    return lambda query, view: document_scores(formulation(query), view)


def definitions(formulation: Formulation) -> Scorer:
    return lambda query, view: bm25f(view.snapshot.content, weighted_ids(formulation(query)), DEFINITIONS)


def path_terms(formulation: Formulation) -> Scorer:
    return lambda query, view: bm25f(view.snapshot.path_terms, weighted_ids(formulation(query)), PATH)


def dense(query: Query, view: View) -> Array:
    """Z-scores of the similarity of each file's best passage and path to the task, for the nearest files."""
    scores = view.dense_scores(own(query), query).z_scores.copy()
    if len(scores) > _DENSE_FILES:
        scores[scores < np.partition(scores, -_DENSE_FILES)[-_DENSE_FILES]] = 0
    scores[scores < _MIN_Z_SCORE] = 0
    return scores
