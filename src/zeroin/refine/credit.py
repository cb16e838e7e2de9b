"""One frame in which every kind of evidence for a learned word counts: what it is worth, and how it adds up.

A *unit* is a word of the task or a short run of its words. What speaks for a pair (unit, naming word) is credited by
kind; many faint echoes of one kind are not one clear voice, so each kind adds up to a bound. Words that several
units lead to are likelier than words that one does.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from zeroin.refine.naming import Naming
from zeroin.types import Term, TermSource

Unit = tuple[str, ...]

# Kind of evidence → what one clear piece of it is worth, and the most that all of its pieces can add up to.
WORTH = {
    "definition": (1.6, 3.0),  # somebody wrote that the one is called the other
    "cue": (0.8, 3.0),  # a passage that says that something is called something else
    "documentation": (0.25, 0.5),
    "comment": (0.25, 0.5),
    "code": (0.12, 0.2),
    "commit": (0.3, 0.8),
    "abbreviation": (0.7, 0.7),
    "neighbour": (0.5, 0.5),
    "global": (0.5, 0.5),
}
# What a source is called where it is told; `TermSource.kind`.
KIND = {"cue": "nearby", "comment": "nearby", "code": "nearby"}
KINDS = ("definition", "nearby", "documentation", "commit", "abbreviation", "neighbour", "global")
_SHARED = 0.3  # of what other units of the task say for the same word
_PER_UNIT = 3
_SOURCES = 3
LEAST = 0.3


@dataclass(slots=True)
class _Tally:
    """What speaks for one pair, by kind of evidence."""

    amounts: dict[str, float] = field(default_factory=dict)
    sources: dict[str, tuple[float, TermSource]] = field(default_factory=dict)  # the best of each kind

    @property
    def score(self) -> float:
        return sum(min(amount, WORTH[kind][1]) for kind, amount in self.amounts.items())


class Ledger:
    """Credits of all units of one task."""

    def __init__(self, naming: Naming, without: frozenset[str] = frozenset()) -> None:
        self._naming = naming
        self._without = without
        self._tallies: dict[Unit, dict[int, _Tally]] = defaultdict(dict)

    def wants(self, kind: str) -> bool:
        """Whether evidence of a kind (as it is told) counts at all."""
        return kind not in self._without

    def credit(self, unit: Unit, row: int, kind: str, share: float, source: TermSource) -> None:
        """Credit a share (1: one clear piece) of evidence of a kind for a naming word."""
        tally = self._tallies[unit].setdefault(row, _Tally())
        amount = WORTH[kind][0] * share
        tally.amounts[kind] = tally.amounts.get(kind, 0.0) + amount
        if amount > tally.sources.get(kind, (0.0, None))[0]:
            tally.sources[kind] = (amount, source)

    def terms(self, units: Sequence[Unit], per_unit: int = _PER_UNIT, least: float = LEAST) -> list[Term]:
        """The best pairs of every unit, strongest first."""
        out = []
        for unit in units:
            scores = self._scores(unit)
            for row in sorted(scores, key=lambda r: (-scores[r], self._naming.terms[r]))[:per_unit]:
                weight = round(float(1 - np.exp(-scores[row])), 3)
                if weight >= least:
                    out.append(self._term(unit, row, weight))
        return sorted(out, key=lambda t: (-t.weight, t.task_word, t.code_word))

    def _scores(self, unit: Unit) -> dict[int, float]:
        """What speaks for each word, with a share of what the task's other words say for it."""
        tallies = self._tallies.get(unit, {})
        scores = {row: tally.score for row, tally in tallies.items()}
        for other, held in self._tallies.items():
            if not set(other) & set(unit):
                for row in held.keys() & scores.keys():
                    scores[row] += _SHARED * held[row].score
        return scores

    def _term(self, unit: Unit, row: int, weight: float) -> Term:
        found = sorted(self._tallies[unit][row].sources.values(), key=lambda pair: -pair[0])
        sources = tuple(dict.fromkeys(source for _, source in found))[:_SOURCES]
        return Term(" ".join(unit), self._naming.words[row], weight, sources)
