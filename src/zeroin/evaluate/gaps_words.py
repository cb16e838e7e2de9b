"""Gaps of the kinds *terminology* and *aspect*: words of the task that nothing in hand is named by."""

from __future__ import annotations

import numpy as np

from zeroin.evaluate.gaps_chance import Lead
from zeroin.evaluate.gaps_hand import Hand
from zeroin.evaluate.information import Information
from zeroin.evaluate.passages import Passages
from zeroin.terms import INTENT_WORDS, WORD, analyse_word, term_id
from zeroin.types import Evidence, GapKind, Role, Search

_MAIN_SHARE = 0.12  # a title term that carries this share of the title's information is a main word
_MAX_WORDS = 3
_TITLE_CHARS = 2000  # where there is no title
_MAX_ASPECTS = 3
_ASPECT_WORDS = 4  # words that one aspect names
_LEAST_ASPECT = 0.02  # of the task's information
_LOOKED_AT = 50


def words_missing(hand: Hand) -> list[Lead]:
    """Main words of the title that no file in hand says in its code."""
    info, content = hand.information, hand.view.snapshot.content
    said: set[str] = set()
    for doc, judgment in zip(hand.docs, hand.files, strict=True):
        if judgment.role is not Role.DOC:
            said |= _defines(hand, doc) | _stood_for(hand.passages.get(doc, Passages()), info)
    surface = surface_words(hand.query.title or hand.task.text[:_TITLE_CHARS])
    best = max((j.relevance for j in hand.files), default=0.0)
    unnamed = sum(w for t, w in info.worth.items() if t in info.title and not len(hand.naming[t]))
    unnamed /= info.title_total or 1.0
    if hand.task.diff is not None:  # what is asked about is there, whatever its message says
        unnamed = 0.0
    leads = []
    for term in sorted(info.title, key=lambda t: (-info.worth[t], t)):
        share = info.worth[term] / info.title_total if info.title_total else 0.0
        word = surface.get(term, term)
        if share < _MAIN_SHARE or term in said or word.lower() in INTENT_WORDS:
            continue
        kind: tuple[str, str]
        if not content.document_frequency(term_id(term)):
            if content.document_frequency(term_id(word.lower())):
                continue  # the code writes it as a compound, which the index keeps unstemmed
            kind = "unsaid", f"no file says “{word}”: which word does this codebase use for it?"
        elif not hand.view.named_in(term):
            kind = (
                "unnamed",
                f"“{word}” is said, but nothing is named so: which word does this codebase use for it?",
            )
        elif not any(term in hand.passages[d].terms for d in hand.docs if d in hand.passages):
            kind = "elsewhere", f"no relevant file says “{word}”: another word, or another part of the code?"
        else:
            kind = "in passing", f"“{word}” is said in passing only: no name in the relevant files carries it"
        form, need = kind
        home = _named_by(hand, term) if form in ("elsewhere", "in passing") else None
        search = Search(words=(word,), paths=() if home is None else (hand.view.paths[home],))
        signs = hand.signs([] if home is None else [home], best) | {"unnamed": unnamed}
        evidence = (Evidence(text=word), *(Evidence(path) for path in search.paths))
        kind_of: GapKind = "aspect" if form == "in passing" else "terminology"
        leads.append(Lead(form, kind_of, need, evidence, word, search, signs))
    return leads[:_MAX_WORDS]


def aspects(hand: Hand) -> list[Lead]:
    """Files not in hand whose names say most of what the names of no file in hand say."""
    info, view = hand.information, hand.view
    named: set[str] = set()
    for doc in hand.docs:
        named |= _defines(hand, doc) | _stood_for(hand.passages.get(doc, Passages()), info)
    surface = surface_words(hand.task.text)
    left = {t: info.worth[t] for t in info.worth if t not in named and t in surface}
    leads: list[Lead] = []
    held = np.zeros(len(view.snapshot), bool)
    held[list(hand.closed)] = True
    best = max((j.relevance for j in hand.files), default=0.0)
    while left and len(leads) < _MAX_ASPECTS:
        says = hand.shares(left)
        says[held] = 0
        # Of files that say as much, the one tied to the task as a whole.
        order = np.argsort(-(says + 0.5 * hand.ties * (says > 0)), kind="stable")[:_LOOKED_AT]
        fit = [int(d) for d in order if view.snapshot.role(int(d)) is Role.IMPLEMENTATION]
        if not fit or says[fit[0]] < _LEAST_ASPECT:
            break
        doc = fit[0]
        carried = sorted((t for t in left if _says(hand, t, doc)), key=lambda t: (-left[t], t))
        shown = tuple(dict.fromkeys(surface[t] for t in carried))[:_ASPECT_WORDS]
        path = view.paths[doc]
        told = ", ".join(f"“{word}”" for word in shown)
        need = f"nothing in hand is named by {told} of the task; {path} is"
        evidence = (*(Evidence(text=word) for word in shown), Evidence(path))
        search = Search(words=shown, paths=(path,))
        leads.append(
            Lead("aspect", "aspect", need, evidence, " ".join(shown), search, hand.signs([doc], best))
        )
        held[doc] = True
        left = {t: worth for t, worth in left.items() if t not in carried}
    return leads


def surface_words(text: str) -> dict[str, str]:
    """For every term of a text the first word that yields it."""
    return {term: word for word in WORD.findall(text)[::-1] for term in analyse_word(word)}


def _says(hand: Hand, term: str, doc: int) -> bool:
    """Whether the path or a definition of a document says a term of the task."""
    docs = hand.naming[term]
    at = int(np.searchsorted(docs, doc))
    return at < len(docs) and int(docs[at]) == doc


def _named_by(hand: Hand, term: str) -> int | None:
    """The file not in hand that is named by a term and tied most to the task, if there is one."""
    docs = {int(d) for d in hand.naming[term]} - hand.closed
    inside = [d for d in docs if hand.view.snapshot.role(d) is Role.IMPLEMENTATION]
    return min(inside, key=lambda d: (-float(hand.ties[d]), d), default=None)


def _stood_for(passages: Passages, info: Information) -> set[str]:
    """Task terms that a learned word stands for in a file."""
    standing = {task for pairs in info.stand_ins.values() for task, _ in pairs}
    return standing & passages.terms


def _defines(hand: Hand, doc: int) -> set[str]:
    """Task terms (stand-ins included) that the names of a document carry: its definitions and its path."""
    symbols = hand.view.snapshot.symbols
    words = {
        symbols.names[int(symbols.name[row])]
        for row in range(int(symbols.pointers[doc]), int(symbols.pointers[doc + 1]))
    }
    words |= set(WORD.findall(hand.view.paths[doc]))
    found: set[str] = set()
    for word in words:
        for term in analyse_word(word):
            found |= {task_term for task_term, _ in hand.information.matches(term)}
    return found
