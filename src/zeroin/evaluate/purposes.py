"""What a purpose changes in judging: weights that replace the ranker's own, as data (PATTERN P14)."""

from __future__ import annotations

from collections.abc import Mapping

from zeroin.index.view import View
from zeroin.terms import analyse, term_id
from zeroin.types import Purpose, Query

OVERRIDES: Mapping[Purpose, Mapping[str, float]] = {
    # A full table: the mean of weights set by hand and of a listwise fit on 146 commits of the tuned half of
    # `benchmarks.review`; by cross-validation over repositories neither beats the other.
    "review": {
        "lexical": 2.0,
        "definitions": 0.7,
        "path_terms": 0.6,
        "title": 0.4,
        "symbols": 0.8,
        "paths": 1.9,
        "history": 0.2,
        "graph": 1.0,
        "cochange": 2.6,
        "learned": 0.0,
        "followed": 0.5,
        "lexical_rank": 0.2,
        "symbols_rank": 0.2,
        "agreement": 0.8,
        "covered": 0.9,
        "passage": 1.1,
        "title_passage": 0.6,
        "test": 0.1,
        "doc": -2.2,
        "config": -1.2,
        "example": -1.2,
        "machine": -1.9,
        "entry": -0.5,
        "size": 0.2,
        "pattern": 0.2,
        "namesake": 1.1,
        "folder": 0.5,
        "callers": 1.4,
        "cochange_rank": 0.7,
        "counterpart": 0.5,
        "untouched_role": 0.2,
    },
    # More than 0.4 costs short queries their first places: 0.7 points of nDCG@10 at 1.0.
    "explore": {"landmarks": 0.4},
    "architecture": {
        "landmarks": 18.0,
        "lexical": 0.5,
        "title": 0.3,
        "history": 0.2,
        "lexical_rank": 0.0,
        "passage": 0.3,
        "title_passage": 0.3,
        "covered": 0.3,
        "agreement": 0.0,
        "doc": 0.0,
        "entry": 0.0,
    },
}

# Words that ask for the whole and for no part of it.
_GENERAL = frozenset(
    term
    for word in (
        "project system code codebase source repository repo application app library framework package module "
        "component part piece file folder directory structure architecture overview layout organization organisation "
        "organized organised design internals big picture high level flow work fit together main entry point start "
        "begin tour walk whole everything overall explain understand explore describe data"
    ).split()
    for term in analyse(word)
)
_EVERYWHERE = 0.25  # a word in the path of this share of all files names no part: the project itself


def profile_of(purpose: Purpose, query: Query, view: View) -> Purpose:
    """The purpose to judge by: an exploration that names no part of the code is one of the architecture."""
    if purpose != "explore":
        return purpose
    terms = {term for keyword in query.own for term in analyse(keyword.text)}
    if not terms & _GENERAL or any("." in m.name or "::" in m.name for m in query.symbols):
        return purpose
    paths = view.snapshot.path_terms
    most = _EVERYWHERE * max(1, len(view.snapshot))
    if any(paths.document_frequency(term_id(term)) <= most for term in terms - _GENERAL):
        return purpose
    return "architecture"
