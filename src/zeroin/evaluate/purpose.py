"""What a purpose changes in judging: weights that replace the ranker's own, as data (PATTERN P14)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

from zeroin.evaluate.features.retrieval import NAMES
from zeroin.index.view import View
from zeroin.terms import analyse, term_id
from zeroin.types import Origin, Purpose, Query

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
    # The words of such a task ask for the whole, and name nothing: the map of the parts is all of it.
    "architecture": {**dict.fromkeys(NAMES, 0.0), "landmarks": 1.0},
}

# Words that ask for the whole and for no part of it.
_GENERAL = frozenset(
    term
    for word in (
        "project system code codebase source repository repo application app library framework package module "
        "component part piece file folder directory structure architecture overview layout organization "
        "organisation organized organised design internals big picture high level flow work fit together main "
        "entry point start begin tour walk whole everything overall explain understand explore describe data "
        "give show tell draw write read reading look looking first new newcomer beginner contributor quick "
        "short brief rough general summary summarise summarize outline introduction intro map major key core "
        "important central different various building block crate layer subsystem concept abstraction "
        "software program thing tree laid out built put made guide get started starting beginning learn "
        "learning lay arrange divide split set need know about"
    ).split()
    for term in analyse(word)
)
_HEAD_CHARS = 2_000  # of a README, in which its heading stands
_MARKUP = re.compile(r"<[^>]{0,500}>|!?\[[^\]]{0,200}\]\([^)]{0,500}\)|https?://\S{1,500}")
_OFTEN = 4  # times that the head of a README says the project's name, at the least
_EVERYWHERE = 0.25  # a word in the path of this share of all files names no part: the project itself


def effective_purpose(purpose: Purpose, query: Query, view: View) -> Purpose:
    """The purpose to judge by: an exploration that names no part of the code is one of the architecture."""
    if purpose != "explore":
        return purpose
    terms = _terms(query)
    return "architecture" if terms & _GENERAL and not _names_part(terms, query, view) else purpose


def purpose_in_tree(purpose: Purpose, beside: str, query: Query, view: View) -> Purpose:
    """The purpose of a question about the whole or a part, now that the tree is known.

    An overview of something that is a part is an exploration, and the other way round; `beside` is what an overview's
    text says apart from asking for one.
    """
    if purpose != "architecture":
        return effective_purpose(purpose, query, view)
    given = {term for k in query.own if k.origin is Origin.CALLER for term in analyse(k.text)}
    terms = given | (_terms(query) & set(analyse(beside)))
    return "explore" if _names_part(terms, query, view) else purpose


def _terms(query: Query) -> set[str]:
    return {term for keyword in query.own for term in analyse(keyword.text)}


def _names_part(terms: set[str], query: Query, view: View) -> bool:
    """Whether any of a question's words is about less than the project: no general word, and not its name."""
    if any("." in m.name or "::" in m.name for m in query.symbols):
        return True
    paths = view.snapshot.path_terms
    most = _EVERYWHERE * max(1, len(view.snapshot))
    found = {t: paths.document_frequency(term_id(t)) for t in terms - _GENERAL}
    # Words of another script than that of the code name nothing in it.
    few = [t for t, files in found.items() if files <= most and (files or t.isascii())]
    return bool(few) and not set(few) <= _project_name(view)


def _project_name(view: View) -> set[str]:
    """The words of the first line of the README that has any, and those that its head says again and again, links too.

    That is what the project calls itself.
    """
    found = [doc for doc, path in enumerate(view.paths) if path.lower().partition(".")[0] == "readme"]
    head = max((view.text(doc)[:_HEAD_CHARS] for doc in found[:2]), key=len, default="")
    first = next((set(said) for line in head.split("\n") if (said := analyse(_MARKUP.sub(" ", line)))), set())
    return first | {term for term, count in Counter(analyse(head)).items() if count >= _OFTEN}
