"""What each term of the task is worth: weight × inverse document frequency, with learned words standing in."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from zeroin.index.view import View
from zeroin.terms import INTENT_WORDS, analyse, stem, term_id, weighted_terms
from zeroin.types import Query, Term

_STAND_IN = 0.8  # a learned word matches its task word to this share at most
_SURE = 0.6  # a pair of at least this weight was learned from a definition, not from mere nearness
_SENSE_SHIFT = 0.6  # what a surely replaced word of the task loses where the code says it
_MAX_TERMS = 80
_INTENT_SHARE = 0.2  # what a word of the request is worth beside a word of the code
_INTENT = frozenset(term for word in INTENT_WORDS for term in analyse(word))


@dataclass(frozen=True, slots=True)
class Information:
    """Terms of the task with their worth; `stand_ins` maps a learned term to (task term, share).

    `replaced` holds task terms for which this codebase surely has another word, with how sure that is: where it
    says the task's word all the same, it most likely means something else.
    """

    worth: dict[str, float]
    title: frozenset[str]
    stand_ins: dict[str, tuple[tuple[str, float], ...]] = field(default_factory=dict)
    replaced: dict[str, float] = field(default_factory=dict)

    @property
    def total(self) -> float:
        return sum(self.worth.values())

    @property
    def shift(self) -> float:
        """Share of the task's information whose words mean something else here, 0–1."""
        return (
            sum(self.worth[t] * sure for t, sure in self.replaced.items()) / self.total if self.total else 0.0
        )

    @property
    def title_total(self) -> float:
        # Of floats in an order that no process changes: a set has another in each.
        return sum(worth for term, worth in self.worth.items() if term in self.title)

    @property
    def said_by(self) -> dict[str, tuple[tuple[str, float], ...]]:
        """Every index term that says something of the task, with the task terms that it says and to what share."""
        return {term: self.matches(term) for term in (*self.worth, *self.stand_ins)}

    def matches(self, term: str) -> tuple[tuple[str, float], ...]:
        """Task terms that an index term matches, each with a share in 0–1."""
        own = ((term, 1.0 - _SENSE_SHIFT * self.replaced.get(term, 0.0)),) if term in self.worth else ()
        return own + self.stand_ins.get(term, ())


def information_of(query: Query, terminology: tuple[Term, ...], view: View) -> Information:
    """The task's own terms, most informative first and at most 80; a term that occurs nowhere keeps its worth.

    A term that no document holds is worth what one in a single document would be: the task asked for it, and
    no file covers it until a learned word stands in.
    """
    content = view.snapshot.content
    rarest = _idf_of_one(content.documents)
    worth = {}
    for term, weight in weighted_terms(query.own).items():
        df = content.document_frequency(term_id(term))
        worth[term] = weight * (content.idf(term_id(term)) if df else 0.5 * rarest)
        if term in _INTENT:
            worth[term] *= _INTENT_SHARE
    kept = sorted(worth, key=lambda t: (-worth[t], t))[:_MAX_TERMS]
    worth = {t: worth[t] for t in kept}
    stand_ins: dict[str, list[tuple[str, float]]] = {}
    replaced: dict[str, float] = {}
    for pair in (p for p in terminology if p.stands_in):
        if pair.joined:
            for code_term, share in _spellings(pair):
                for task_term in analyse(pair.task_word):
                    if task_term in worth and code_term not in worth:
                        stand_ins.setdefault(code_term, []).append((task_term, share))
            continue
        trust = 1.0 if pair.stated else query.trust
        if pair.weight >= _SURE and all(s.kind != "abbreviation" for s in pair.sources):
            sure = trust * pair.weight
            replaced |= {t: max(sure, replaced.get(t, 0.0)) for t in analyse(pair.task_word) if t in worth}
        for code_term in analyse(pair.code_word):
            for task_term in analyse(pair.task_word):
                if task_term in worth and code_term not in worth:
                    share = _STAND_IN * trust * pair.weight
                    stand_ins.setdefault(code_term, []).append((task_term, share))
    title = frozenset(t for t in analyse(query.title) if t in worth) or frozenset(worth)
    return Information(worth, title, {k: tuple(v) for k, v in stand_ins.items()}, replaced)


def _spellings(pair: Term) -> tuple[tuple[str, float], ...]:
    """Terms of a joined form, each with the share that it says: of `keep_alive` the compound, of "rate limit" half."""
    parts = pair.code_word.split()
    if len(parts) > 1:
        return tuple((term, pair.weight / len(parts)) for term in analyse(pair.code_word))
    whole = pair.code_word.replace("_", "").lower()
    return tuple((term, pair.weight) for term in dict.fromkeys((stem(whole), whole)))


def _idf_of_one(documents: int) -> float:
    return math.log1p((documents - 0.5) / 1.5) if documents else 1.0
