"""The purpose to judge by: whether a question is about the whole of a repository or a part of it."""

import posixpath
from collections import Counter
from functools import cache

from zeroin.beside import text_beside
from zeroin.index.view import View
from zeroin.patterns import lazy_pattern
from zeroin.terms import analyse, term_id
from zeroin.types import Origin, Purpose, Query

_HEAD_CHARS = 2_000  # of a README
_MARKUP = lazy_pattern(r"<[^>]{0,500}>|!?\[[^\]]{0,200}\]\([^)]{0,500}\)|https?://\S{1,500}")
_OFTEN = 4  # occurrences of the project's name in the head of a README
_EVERYWHERE = 0.25  # a word in the path of this share of all files is the project's, unless a part is called so


def effective_purpose(purpose: Purpose, query: Query, view: View) -> Purpose:
    """Return the purpose to judge by: an exploration that names no part of the code is an overview."""
    if purpose != "explore":
        return purpose
    terms = _terms(query)
    return "architecture" if terms & _general_terms() and not _names_part(terms, query, view) else purpose


def purpose_in_tree(purpose: Purpose, beside: str, query: Query, view: View) -> Purpose:
    """Return the purpose of a question whose text asks for an overview: one of a part is an exploration.

    `beside` is what the text says apart from asking for an overview.
    """
    if purpose != "architecture":
        return effective_purpose(purpose, query, view)
    given = {term for k in query.own if k.origin is Origin.CALLER for term in analyse(k.text)}
    terms = given | (_terms(query) & set(analyse(beside)))
    return "explore" if _names_part(terms, query, view) else purpose


@cache
def _general_terms() -> frozenset[str]:
    """Return the terms of words that ask for the whole of a repository and name no part of it."""
    return frozenset(term for word in text_beside(__file__, "general_words.txt").split() for term in analyse(word))


def _terms(query: Query) -> set[str]:
    return {term for keyword in query.own for term in analyse(keyword.text)}


def _names_part(terms: set[str], query: Query, view: View) -> bool:
    """Tell whether any term is about less than the project: neither a general word nor its name."""
    if any("." in m.name or "::" in m.name for m in query.symbols):
        return True
    paths = view.snapshot.path_terms
    most = _EVERYWHERE * max(1, len(view.snapshot))
    found = {t: paths.document_frequency(term_id(t)) for t in terms - _general_terms()}
    # Words of another script than that of the code name nothing in it.
    few = {t for t, files in found.items() if files <= most and (files or t.isascii())}
    few |= {t for t, files in found.items() if files > most} & _part_names(view)
    return bool(few) and not few <= _project_name(view)


def _part_names(view: View) -> set[str]:
    """Collect the names of one word that parts of the code have, which may be in many paths: those of a large part."""
    names = {tuple(analyse(posixpath.basename(part.rstrip("/")))) for part in view.components.values()}
    return {name[0] for name in names if len(name) == 1}


def _project_name(view: View) -> set[str]:
    """Collect the words of the README's heading, those that its head repeats, and those of the names of members."""
    found = [doc for doc, path in enumerate(view.paths) if path.lower().partition(".")[0] == "readme"]
    head = max((view.text(doc)[:_HEAD_CHARS] for doc in found[:2]), key=len, default="")
    heading = next((set(t) for line in head.split("\n") if (t := analyse(_MARKUP.sub(" ", line)))), set())
    often = {term for term, count in Counter(analyse(head)).items() if count >= _OFTEN}
    return heading.union(often, *map(analyse, view.members))
