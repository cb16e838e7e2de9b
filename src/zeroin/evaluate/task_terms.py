"""Weights of the task's terms: keyword weight × inverse document frequency, and the expansions that match them."""

import math
from collections import defaultdict
from dataclasses import dataclass, field
from functools import cache

from zeroin.index.view import View
from zeroin.terms import INTENT_WORDS, analyse, stem, term_id, weighted_terms
from zeroin.types import Expansion, Query

_EXPANSION_SHARE = 0.8  # an expansion matches its task word to this share at most
_SURE = 0.6  # weight from which an expansion was learned from a definition, not from mere co-occurrence
OVERRIDDEN_LOSS = 0.6  # share of its match that an overridden term loses
_MAX_TERMS = 80
_INTENT_SHARE = 0.2  # weight of a word of the request ("please", "fix") beside a word of the code

Matches = tuple[tuple[str, float], ...]  # (task term, share in 0–1)


@dataclass(frozen=True, slots=True)
class TaskTerms:
    """The task's terms with their weights, heaviest first.

    `expansions` maps an index term to the task terms that it stands for. `overridden` maps task terms to the
    certainty (0–1) that this codebase uses another word for them: in the code they likely mean something else.
    """

    weights: dict[str, float]
    title: frozenset[str]
    expansions: dict[str, Matches] = field(default_factory=dict)
    overridden: dict[str, float] = field(default_factory=dict)

    @property
    def total(self) -> float:
        return sum(self.weights.values())

    @property
    def title_total(self) -> float:
        # In the order of `weights`: a set has another order in each process, and float sums depend on it.
        return sum(weight for term, weight in self.weights.items() if term in self.title)

    @property
    def overridden_share(self) -> float:
        """Share of the task's weight whose terms mean something else here, 0–1."""
        overridden = sum(self.weights[t] * sure for t, sure in self.overridden.items())
        return overridden / self.total if self.total else 0.0

    @property
    def matching(self) -> dict[str, Matches]:
        """Every index term that matches a task term, with its matches."""
        return {term: self.matches(term) for term in (*self.weights, *self.expansions)}

    def matches(self, term: str) -> Matches:
        """Return the task terms that an index term matches."""
        own = ((term, 1.0 - OVERRIDDEN_LOSS * self.overridden.get(term, 0.0)),) if term in self.weights else ()
        return own + self.expansions.get(term, ())


def task_terms_of(query: Query, view: View) -> TaskTerms:
    """Weigh the terms of the query's own keywords; keeps the 80 heaviest.

    A term that no document holds weighs half as much as one of a single document: no file covers it until an
    expansion does.
    """
    weights = _weights(query, view)
    expansions: dict[str, list[tuple[str, float]]] = defaultdict(list)
    overridden: dict[str, float] = {}
    for pair in (p for p in query.terminology if p.is_synonym):
        meant = [term for term in analyse(pair.task_word) if term in weights]
        weight = 1.0 if pair.stated else query.expansion_weight
        if not pair.joined and pair.weight >= _SURE and all(s.kind != "abbreviation" for s in pair.sources):
            overridden |= {t: max(weight * pair.weight, overridden.get(t, 0.0)) for t in meant}
        for code_term, share in _spellings(pair) if pair.joined else _words(pair, weight):
            if code_term not in weights:
                expansions[code_term] += [(task_term, share) for task_term in meant]
    title = frozenset(t for t in analyse(query.title) if t in weights) or frozenset(weights)
    return TaskTerms(weights, title, {k: tuple(v) for k, v in expansions.items() if v}, overridden)


def _weights(query: Query, view: View) -> dict[str, float]:
    content = view.snapshot.content
    rarest = math.log1p((content.documents - 0.5) / 1.5) if content.documents else 1.0
    weights = {}
    for term, weight in weighted_terms(query.own).items():
        found = content.document_frequency(term_id(term))
        weights[term] = weight * (content.idf(term_id(term)) if found else 0.5 * rarest)
        if term in _intent():
            weights[term] *= _INTENT_SHARE
    kept = sorted(weights, key=lambda t: (-weights[t], t))[:_MAX_TERMS]
    return {t: weights[t] for t in kept}


def _words(pair: Expansion, weight: float) -> Matches:
    return tuple((term, _EXPANSION_SHARE * weight * pair.weight) for term in analyse(pair.code_word))


def _spellings(pair: Expansion) -> Matches:
    """List index terms of a joined form: of `keep_alive` the compound, of "rate limit" each word for half."""
    parts = pair.code_word.split()
    if len(parts) > 1:
        return tuple((term, pair.weight / len(parts)) for term in analyse(pair.code_word))
    whole = pair.code_word.replace("_", "").lower()
    return tuple((term, pair.weight) for term in dict.fromkeys((stem(whole), whole)))


@cache
def _intent() -> frozenset[str]:
    """Return the terms of a request's own words."""
    return frozenset(term for word in INTENT_WORDS for term in analyse(word))
