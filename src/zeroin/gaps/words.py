"""Gaps about words of the task: main words that the selected files lack, files named after them, quoted text."""

from collections.abc import Callable

import numpy as np

from zeroin.evaluate.passages import TextMatch
from zeroin.gaps.absence import may_be_name
from zeroin.gaps.selection import GapCandidate, GapForm, Selection, said_part, surface_words
from zeroin.terms import INTENT_WORDS, WORD, analyse_word, shortened, term_id
from zeroin.types import Evidence, GapKind, Role, Search

_MAIN_SHARE = 0.12  # share of the title's weight from which a term is a main word
_MAX_WORDS = 3
_TITLE_CHARS = 2000  # of the task, where there is no title
_MAX_ASPECTS, _ASPECT_WORDS = 3, 4
_MIN_OVERLAP = 0.02  # of the task's weight: least share that the names of an aspect's file cover
_BEST_OVERLAPS = 50  # files tried for one aspect
_SUBJECT_PART = 0.3  # of the task's words: a quotation with this share is its subject


def missing_words(selection: Selection) -> list[GapCandidate]:
    """Return gaps for main words of the title that the names of no selected file (documents apart) cover."""
    terms, text = selection.terms, selection.task.text
    said: set[str] = set()
    for doc, judgment in zip(selection.docs, selection.files, strict=True):
        if judgment.role is not Role.DOC:
            said |= _covered(selection, doc)
    surface = surface_words(selection.query.title or text[:_TITLE_CHARS])
    unnamed = 0.0  # also for a change: its subject is in the tree
    if selection.task.diff is None:
        nameless = (t for t in terms.weights if t in terms.title and not len(selection.named_docs[t]))
        unnamed = sum(terms.weights[t] for t in nameless) / (terms.title_total or 1.0)
    found: list[GapCandidate] = []
    seen: set[str] = set()
    for term in sorted(terms.title, key=lambda t: (-terms.weights[t], t)):
        share = terms.weights[term] / terms.title_total if terms.title_total else 0.0
        word = surface.get(term, term)
        if share < _MAIN_SHARE or term in said or word.lower() in INTENT_WORDS or word in seen:
            continue
        seen.add(word)  # the parts of a compound are one word
        claim = _claim(selection, term, word)
        if claim is None:
            continue
        form, need, holds = claim
        homes = _best_named(selection, term) if form in (GapForm.ELSEWHERE, GapForm.IN_PASSING) else []
        search = Search(words=(word,), paths=tuple(selection.view.paths[home] for home in homes))
        features = selection.features_of(homes, selection.best)._replace(unnamed=unnamed)
        evidence = (Evidence(text=word), *(Evidence(path) for path in search.paths))
        kind: GapKind = "aspect" if form is GapForm.IN_PASSING else "terminology"
        shown = may_be_name(word, text) and holds()
        found.append(GapCandidate(form, kind, need, evidence, word, search, features, shown=shown))
    return found[:_MAX_WORDS]


def _claim(selection: Selection, term: str, word: str) -> tuple[GapForm, str, Callable[[], bool]] | None:
    """Return form, need and check of a main word's gap; None if the tree has the word as a compound.

    The check tells whether the gap holds. It may read files, so it is called only for a word that may be a name.
    """
    content, absence = selection.view.snapshot.content, selection.absence
    if not content.document_frequency(term_id(term)):
        if content.document_frequency(term_id(word.lower())):
            return None  # the index keeps compounds unstemmed
        need = f"no file says “{word}”: which word does this codebase use for it?"
        return GapForm.UNMENTIONED, need, lambda: not (absence.in_any_name(word) or absence.in_text(word))
    if not selection.view.name_df(term):
        need = f"“{word}” is said, but nothing is named so: which word does this codebase use for it?"
        return GapForm.UNNAMED, need, lambda: not (absence.in_any_name(word) or absence.in_name(word))
    if not any(term in selection.matches[d].terms for d in selection.docs if d in selection.matches):
        need = f"no relevant file says “{word}”: another word, or another part of the code?"
        return GapForm.ELSEWHERE, need, lambda: not absence.in_text(word)
    need = f"“{word}” is said in passing only: no name in the relevant files carries it"
    return GapForm.IN_PASSING, need, lambda: not absence.in_name(word)


def aspects(selection: Selection) -> list[GapCandidate]:
    """Return gaps for unselected files whose names cover most task words that the names of selected files leave out."""
    view, weights = selection.view, selection.terms.weights
    named = set().union(*(_covered(selection, doc) for doc in selection.docs))
    surface = surface_words(selection.task.text)
    left = {t: weights[t] for t in weights if t not in named and t in surface}
    excluded = np.zeros(len(view.snapshot), bool)
    excluded[list(selection.excluded)] = True
    found: list[GapCandidate] = []
    while left and len(found) < _MAX_ASPECTS:
        shares = selection.overlaps_with(left)
        shares[excluded] = 0
        # Among files that cover as much, prefer the one closer to the whole task.
        order = np.argsort(-(shares + 0.5 * selection.overlaps * (shares > 0)), kind="stable")
        best = (int(d) for d in order[:_BEST_OVERLAPS])
        doc = next((d for d in best if view.snapshot.role(d) is Role.IMPLEMENTATION), None)
        if doc is None or shares[doc] < _MIN_OVERLAP:
            break
        carried = sorted((t for t in left if doc in selection.named_docs[t]), key=lambda t: (-left[t], t))
        words = tuple(dict.fromkeys(surface[t] for t in carried))[:_ASPECT_WORDS]
        said = tuple(dict.fromkeys(said_part(surface[t], t, carried) for t in carried if surface[t] in words))
        found.append(_aspect(selection, doc, words, said))
        excluded[doc] = True
        left = {t: weight for t, weight in left.items() if t not in carried}
    return found


def _aspect(selection: Selection, doc: int, words: tuple[str, ...], said: tuple[str, ...]) -> GapCandidate:
    """Return the gap for a file named after words of the task (`said`); not shown if all are everyday words."""
    path, text = selection.view.paths[doc], selection.task.text
    missing = tuple(w for w in said if may_be_name(w, text) and not selection.absence.in_name(w))
    quoted = ", ".join(f"“{word}”" for word in missing or said)
    return GapCandidate(
        GapForm.ASPECT,
        "aspect",
        f"no selected path or definition says {quoted}; {path} does",
        (*(Evidence(text=word) for word in missing or said), Evidence(path)),
        " ".join(missing or said),
        Search(words=words, paths=(path,)),
        selection.features_of([doc], selection.best),
        shown=bool(missing),
    )


def missing_quotes(selection: Selection) -> list[GapCandidate]:
    """Return the gap of the quotation that the task is about, if no file contains it and all that could were read."""
    matches = selection.view.quote_matches(selection.query.quotations)
    for quotation in () if matches.by_doc or selection.absence.unread else matches.absent:
        if quotation.marked and quotation.part >= _SUBJECT_PART:
            what = quotation.text if quotation.name else f"the quoted text “{shortened(quotation.text)}”"
            evidence, fixed = (Evidence(text=quotation.text),), max(quotation.fixed, key=len)
            return [GapCandidate(GapForm.QUOTED, "aspect", f"no file contains {what}", evidence, fixed)]
    return []


def _best_named(selection: Selection, term: str) -> list[int]:
    """Return the unselected file named after a term that overlaps most with the task; [] if there is none."""
    docs = {int(d) for d in selection.named_docs[term]} - selection.excluded
    inside = [d for d in docs if selection.view.snapshot.role(d) is Role.IMPLEMENTATION]
    return sorted(inside, key=lambda d: (-float(selection.overlaps[d]), d))[:1]


def _covered(selection: Selection, doc: int) -> set[str]:
    """Return task terms that a document's names cover, and those that its text matches by an expansion."""
    symbols, terms = selection.view.snapshot.symbols, selection.terms
    words = {definition.name for definition in symbols.of_document(doc)}
    words |= set(WORD.findall(selection.view.paths[doc]))
    named = {task for word in words for term in analyse_word(word) for task, _ in terms.matches(term)}
    expanded = {task for pairs in terms.expansions.values() for task, _ in pairs}
    return named | (expanded & selection.matches.get(doc, TextMatch()).terms)
