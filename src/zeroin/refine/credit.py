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
from numpy.typing import NDArray

from zeroin.refine.certainty import Evidence
from zeroin.refine.naming import Naming
from zeroin.types import Term, TermSource

Unit = tuple[str, ...]

# Kind of evidence → what one clear piece of it is worth, and the most that all of its pieces can add up to. Weighed on
# the open half of the plain-word tasks (`benchmarks/terms.py`), but for definitions and abbreviations, of which those
# tasks have few.
WORTH = {
    "definition": (7.0, 12.0),  # somebody wrote that the one is called the other
    "abbreviation": (2.5, 2.5),
    "cue": (0.5, 1.8),  # a passage that says that something is called something else
    "documentation": (0.25, 0.5),
    "comment": (0.5, 1.0),
    "code": (0.24, 0.4),
    "commit": (0.08, 0.2),
    "neighbour": (0.6, 0.6),
    "global": (0.5, 0.5),
}
# What a source is called where it is told; `TermSource.kind`.
KIND = {"cue": "nearby", "comment": "nearby", "code": "nearby"}
KINDS = ("definition", "nearby", "documentation", "commit", "abbreviation", "neighbour", "global")
CLEAR = frozenset({"definition", "abbreviation"})  # these need no other support
_CONTEXT = 8.0  # how much more the other kinds count for a word that is just like the whole text
_UNKNOWN_CONTEXT = 0.15  # how alike a word and the text are taken to be where nothing tells
_NAMED_SHARE = 0.6  # of what is written near a word that is itself the codebase's own
_SHARED = 0.6  # of what other units of the text say for the same word
_FULL = 4.0  # a score of this much weighs 0.63
_PER_UNIT = 3
_SOURCES = 3
LEAST = 0.3


@dataclass(slots=True)
class _Tally:
    """What speaks for one pair, by kind of evidence."""

    amounts: dict[str, float] = field(default_factory=dict)
    evidence: Evidence = field(default_factory=Evidence)
    sources: dict[str, tuple[float, TermSource]] = field(default_factory=dict)  # the best of each kind

    def score(self, context: float, share: float) -> float:
        """The sum over kinds; what is no clear evidence grows with `context`, what stands nearby counts by `share`."""
        clear = faint = 0.0
        for kind, amount in self.amounts.items():
            bounded = min(amount, WORTH[kind][1])
            if kind in CLEAR:
                clear += bounded
            else:
                faint += bounded * (1.0 if kind in ("neighbour", "global") else share)
        return clear + faint * context


class Ledger:
    """Credits of all units of one text.

    `alike` (W,) says how alike each naming word and the whole text are, −1 to 1; None where nothing tells. Of what is
    written near the words `named` (by which the codebase names things itself) only a share counts.
    """

    def __init__(
        self,
        naming: Naming,
        alike: NDArray[np.float32] | None = None,
        named: frozenset[str] = frozenset(),
        without: frozenset[str] = frozenset(),
    ) -> None:
        self._naming = naming
        self._alike = alike
        self._named = named
        self._without = without
        self._tallies: dict[Unit, dict[int, _Tally]] = defaultdict(dict)
        self._scored: dict[Unit, dict[int, float]] = {}

    def wants(self, kind: str) -> bool:
        """Whether evidence of a kind (as it is told) counts at all."""
        return kind not in self._without

    def credit(
        self,
        unit: Unit,
        row: int,
        kind: str,
        share: float,
        source: TermSource,
        *,
        stated: bool = False,
        told: bool = True,
        alike: float = 0.0,
    ) -> None:
        """Credit a share (1: one clear piece) of evidence of a kind for a naming word.

        For how certain the pair is: whether this says so outright (`stated`), whether it stands where people are told
        what things are, not in a test (`told`), and how `alike` unit and word are.
        """
        tally = self._tallies[unit].setdefault(row, _Tally())
        amount = WORTH[kind][0] * share
        tally.amounts[kind] = tally.amounts.get(kind, 0.0) + amount
        tally.evidence.add(kind, amount, stated=stated, told=told, alike=alike)
        if amount > tally.sources.get(kind, (0.0, None))[0]:
            tally.sources[kind] = (amount, source)

    def terms(self, units: Sequence[Unit], per_unit: int = _PER_UNIT, least: float = LEAST) -> list[Term]:
        """The best pairs of every unit, strongest first."""
        out = []
        for unit in units:
            scores = self._scores(unit)
            for row in sorted(scores, key=lambda r: (-scores[r], self._naming.terms[r]))[:per_unit]:
                weight = round(float(1 - np.exp(-scores[row] / _FULL)), 3)
                if weight >= least:
                    out.append(self._term(unit, row, weight))
        out.sort(key=lambda t: (-t.weight, -len(t.task_word), t.task_word, t.code_word))
        return [t for t in out if not self._is_part(t, out)]

    def _is_part(self, term: Term, terms: Sequence[Term]) -> bool:
        """Whether a run that holds the task's word is known to be called the same, as surely."""
        return any(
            other.code_word == term.code_word
            and other.weight >= term.weight
            and other.stands_in >= term.stands_in
            and f" {term.task_word} " in f" {other.task_word} "
            and other.task_word != term.task_word
            for other in terms
        )

    def _scores(self, unit: Unit) -> dict[int, float]:
        """What speaks for each word, with a share of what the task's other words say for it.

        A run takes its share from the words that it is made of; those take none from it.
        """
        scores = dict(self._own(unit))
        for other in self._tallies:
            if other != unit and (len(other) < len(unit) or not set(other) & set(unit)):
                held = self._own(other)
                for row in held.keys() & scores.keys():
                    scores[row] += _SHARED * held[row]
        return scores

    def _own(self, unit: Unit) -> dict[int, float]:
        if unit not in self._scored:
            share = _NAMED_SHARE if len(unit) == 1 and unit[0] in self._named else 1.0
            tallies = self._tallies.get(unit, {})
            self._scored[unit] = {row: t.score(self._context(row), share) for row, t in tallies.items()}
        return self._scored[unit]

    def _context(self, row: int) -> float:
        alike = float(self._alike[row]) if self._alike is not None else _UNKNOWN_CONTEXT
        return 1.0 + _CONTEXT * max(0.0, alike)

    def _term(self, unit: Unit, row: int, weight: float) -> Term:
        tally = self._tallies[unit][row]
        found = sorted(tally.sources.values(), key=lambda pair: -pair[0])
        sources = tuple(dict.fromkeys(source for _, source in found))[:_SOURCES]
        word = self._naming.words[row]
        certainty = tally.evidence.certainty(
            unit, word, self._alike_text(row), plain=len(unit) > 1 or unit[0] not in self._named
        )
        return Term(" ".join(unit), word, weight, sources, certainty)

    def _alike_text(self, row: int) -> float:
        return float(self._alike[row]) if self._alike is not None else 0.0
