"""Fielded BM25 over the words of files: whole document, definitions alone, path alone, and the title alone."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from zeroin.index.postings import Array, FieldWeights, bm25f
from zeroin.index.view import View
from zeroin.terms import analyse, term_id, weighted_terms
from zeroin.types import Keyword, Origin, Query

# Columns: definitions, identifiers, comments, text. Comments weigh little: weighted like code they cost
# seven points @5 in a published ablation; names of definitions say most.
CONTENT = FieldWeights(weights=(3.0, 1.0, 0.6, 0.9), b=(0.4, 0.6, 0.6, 0.7), k1=1.4)
DEFINITIONS = FieldWeights(weights=(1.0, 0.0, 0.0, 0.0), b=(0.5, 0.0, 0.0, 0.0), k1=1.2)
# Columns: the file's own name, its folders.
PATH = FieldWeights(weights=(2.0, 1.0), b=(0.3, 0.3), k1=1.2)

# What the path adds to the score of the whole document, in units of its content score.
_PATH_SHARE = 0.8


def term_ids(keywords: tuple[Keyword, ...]) -> dict[int, float]:
    """Weighted term ids of keywords."""
    return {term_id(term): weight for term, weight in weighted_terms(keywords).items()}


class Lexical:
    """The whole document: content fields and path, every keyword of the task."""

    name = "lexical"

    def scores(self, query: Query, view: View) -> Array:
        terms = term_ids(query.own)
        return _content(view, terms) + _PATH_SHARE * _path(view, terms)


class Definitions:
    """Names that the file defines."""

    name = "definitions"

    def scores(self, query: Query, view: View) -> Array:
        return bm25f(view.snapshot.content, term_ids(query.own), DEFINITIONS)


class PathTerms:
    """Words of the path."""

    name = "path_terms"

    def scores(self, query: Query, view: View) -> Array:
        return _path(view, term_ids(query.own))


class Title:
    """The title alone: the shortest statement of the task, undiluted by what follows it."""

    name = "title"

    def scores(self, query: Query, view: View) -> Array:
        title = set(analyse(query.title))
        keywords = tuple(
            k for k in query.own if k.origin in (Origin.TITLE, Origin.CALLER) or title & set(analyse(k.text))
        )
        terms = term_ids(keywords)
        return _content(view, terms) + _PATH_SHARE * _path(view, terms)


class Learned:
    """The codebase's own words that earlier cycles learned, kept apart so that they never drown the task's."""

    name = "learned"

    def scores(self, query: Query, view: View) -> Array:
        terms = term_ids(tuple(k for k in query.keywords if k.origin is Origin.LEARNED))
        return _content(view, terms) + _PATH_SHARE * _path(view, terms)


def _content(view: View, terms: Mapping[int, float]) -> Array:
    return bm25f(view.snapshot.content, terms, CONTENT)


def _path(view: View, terms: Mapping[int, float]) -> Array:
    return np.asarray(bm25f(view.snapshot.path_terms, terms, PATH), np.float32)
