"""Fielded BM25 over the words of files: whole document, definitions alone, path alone, and the title alone."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol

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

# What the path adds to the score of the whole document, in units of its content score.
PATH_SHARE = 0.8


class Formulation(Protocol):
    """Picks the keywords that a list is made with."""

    def __call__(self, query: Query) -> tuple[Keyword, ...]: ...


def own(query: Query) -> tuple[Keyword, ...]:
    """The task in its own words."""
    return query.own


def title(query: Query) -> tuple[Keyword, ...]:
    """The title in its own words: the shortest statement of the task, undiluted by what follows it."""
    return _of_title(query, query.own)


def reformulated(query: Query) -> tuple[Keyword, ...]:
    """The task in the codebase's words: each surely learned pair replaces its task word. Empty if there is none.

    A joined form stands beside its task words: they are the same, and the code may write them apart as well.
    """
    code_words: dict[str, list[tuple[str, float]]] = {}
    joined = [pair for pair in query.terminology if pair.joined]
    for pair in (p for p in query.terminology if p.is_synonym and not p.joined):
        for term in analyse(pair.task_word):
            code_words.setdefault(term, []).append((pair.code_word, pair.weight))
    if not code_words and not joined:
        return ()
    out: list[Keyword] = []
    for keyword in query.own:
        replaced = [code_words[term] for term in analyse(keyword.text) if term in code_words]
        if not replaced:
            out.append(keyword)
        for words in replaced:
            out += [
                Keyword(word, keyword.weight * share, keyword.origin, keyword.why) for word, share in words
            ]
    for pair in joined:
        said = set(analyse(pair.task_word))
        best = max(
            (k for k in query.own if said & set(analyse(k.text))), key=lambda k: k.weight, default=None
        )
        if best is not None:
            out.append(replace(best, text=pair.code_word, weight=best.weight * pair.weight))
    return tuple(out)


def reformulated_title(query: Query) -> tuple[Keyword, ...]:
    """The title in the codebase's words."""
    pairs = tuple(pair.code_word for pair in query.terminology if pair.is_synonym)
    if not pairs:
        return ()
    return _of_title(query, reformulated(query), frozenset(t for word in pairs for t in analyse(word)))


def learned(query: Query) -> tuple[Keyword, ...]:
    """Words of relevant files alone, kept apart so that they never drown the task's."""
    return tuple(k for k in query.keywords if k.origin is Origin.LEARNED)


def _of_title(
    query: Query, keywords: tuple[Keyword, ...], also: frozenset[str] = frozenset()
) -> tuple[Keyword, ...]:
    terms = set(analyse(query.title)) | also
    origins = (Origin.TITLE, Origin.CALLER)
    return tuple(k for k in keywords if k.origin in origins or terms & set(analyse(k.text)))


@dataclass(frozen=True, slots=True)
class Lexical:
    """The whole document: content fields, and the path beside them."""

    name: str
    formulation: Formulation

    def scores(self, query: Query, view: View) -> Array:
        terms = weighted_ids(self.formulation(query))
        content = bm25f(view.snapshot.content, terms, CONTENT)
        return content + PATH_SHARE * bm25f(view.snapshot.path_terms, terms, PATH)


@dataclass(frozen=True, slots=True)
class Definitions:
    """Names that the file defines."""

    name: str
    formulation: Formulation

    def scores(self, query: Query, view: View) -> Array:
        return bm25f(view.snapshot.content, weighted_ids(self.formulation(query)), DEFINITIONS)


@dataclass(frozen=True, slots=True)
class PathTerms:
    """Words of the path."""

    name: str
    formulation: Formulation

    def scores(self, query: Query, view: View) -> Array:
        return bm25f(view.snapshot.path_terms, weighted_ids(self.formulation(query)), PATH)


# A list in the codebase's words is named like its own-word twin, with this prefix.
RE = "re_"

LISTS = (
    Lexical("lexical", own),
    Definitions("definitions", own),
    PathTerms("path_terms", own),
    Lexical("title", title),
    Lexical("learned", learned),
    Lexical(RE + "lexical", reformulated),
    Definitions(RE + "definitions", reformulated),
    PathTerms(RE + "path_terms", reformulated),
    Lexical(RE + "title", reformulated_title),
)
