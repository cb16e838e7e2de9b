"""One frame in which every kind of evidence for a learned word counts: what it is worth, and how it adds up.

A *phrase* is a word of the task or a short run of its words. What speaks for a pair (phrase, vocabulary word) is
added up by kind, and each kind is capped. Words that several phrases lead to are likelier than words that one does.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from zeroin.refine.certainty import Evidence
from zeroin.refine.vocabulary import Vocabulary
from zeroin.types import Expansion, ExpansionSource

Phrase = tuple[str, ...]

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
# What a source is called where it is told; `ExpansionSource.kind`.
KIND = {"cue": "nearby", "comment": "nearby", "code": "nearby"}
KINDS = ("definition", "nearby", "documentation", "commit", "abbreviation", "neighbour", "global")
CLEAR = frozenset({"definition", "abbreviation"})  # these need no other support
_CONTEXT = 8.0  # how much more the other kinds count for a word that is just like the whole text
_UNKNOWN_CONTEXT = 0.15  # how alike a word and the text are taken to be where nothing tells
_NAMED_SHARE = 0.6  # of what is written near a word that is itself the codebase's own
_SHARED = 0.6  # of what other phrases of the text say for the same word
_FULL = 4.0  # a score of this much weighs 0.63
_PER_PHRASE = 3
_SOURCES = 3
LEAST = 0.3


@dataclass(slots=True)
class _PairScore:
    """What speaks for one pair, by kind of evidence."""

    amounts: dict[str, float] = field(default_factory=dict)
    evidence: Evidence = field(default_factory=Evidence)
    sources: dict[str, tuple[float, ExpansionSource]] = field(default_factory=dict)  # the best of each kind

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


class ExpansionScores:
    """Credits of all phrases of one text.

    `alike` (W,) says how alike each vocabulary word and the whole text are, −1 to 1; None where nothing tells. Of
    what is written near the words `named` (by which the codebase names things itself) only a share counts.
    """

    def __init__(
        self,
        vocabulary: Vocabulary,
        alike: NDArray[np.float32] | None = None,
        named: frozenset[str] = frozenset(),
        without: frozenset[str] = frozenset(),
    ) -> None:
        self._vocabulary = vocabulary
        self._alike = alike
        self._named = named
        self._without = without
        self._pairs: dict[Phrase, dict[int, _PairScore]] = defaultdict(dict)
        self._scored: dict[Phrase, dict[int, float]] = {}

    def wants(self, kind: str) -> bool:
        """Whether evidence of a kind (as it is told) counts at all."""
        return kind not in self._without

    def add(
        self,
        phrase: Phrase,
        row: int,
        kind: str,
        share: float,
        source: ExpansionSource,
        *,
        stated: bool = False,
        told: bool = True,
        alike: float = 0.0,
    ) -> None:
        """Credit a share (1: one clear piece) of evidence of a kind for a vocabulary word.

        For how certain the pair is: whether this says so outright (`stated`), whether it stands where people are told
        what things are, not in a test (`told`), and how `alike` phrase and word are.
        """
        pair = self._pairs[phrase].setdefault(row, _PairScore())
        amount = WORTH[kind][0] * share
        pair.amounts[kind] = pair.amounts.get(kind, 0.0) + amount
        pair.evidence.add(kind, amount, stated=stated, told=told, alike=alike)
        if amount > pair.sources.get(kind, (0.0, None))[0]:
            pair.sources[kind] = (amount, source)

    def terms(
        self, phrases: Sequence[Phrase], per_phrase: int = _PER_PHRASE, least: float = LEAST
    ) -> list[Expansion]:
        """The best pairs of every phrase, strongest first."""
        out = []
        for phrase in phrases:
            scores = self._scores(phrase)
            for row in sorted(scores, key=lambda r: (-scores[r], self._vocabulary.terms[r]))[:per_phrase]:
                weight = round(float(1 - np.exp(-scores[row] / _FULL)), 3)
                if weight >= least:
                    out.append(self._term(phrase, row, weight))
        out.sort(key=lambda t: (-t.weight, -len(t.task_word), t.task_word, t.code_word))
        return [t for t in out if not self._is_part(t, out)]

    def _is_part(self, term: Expansion, terms: Sequence[Expansion]) -> bool:
        """Whether a run that holds the task's word is known to be called the same, as surely."""
        return any(
            other.code_word == term.code_word
            and other.weight >= term.weight
            and other.is_synonym >= term.is_synonym
            and f" {term.task_word} " in f" {other.task_word} "
            and other.task_word != term.task_word
            for other in terms
        )

    def _scores(self, phrase: Phrase) -> dict[int, float]:
        """What speaks for each word, with a share of what the task's other words say for it.

        A run takes its share from the words that it is made of; those take none from it.
        """
        scores = dict(self._own(phrase))
        for other in self._pairs:
            if other != phrase and (len(other) < len(phrase) or not set(other) & set(phrase)):
                held = self._own(other)
                for row in held.keys() & scores.keys():
                    scores[row] += _SHARED * held[row]
        return scores

    def _own(self, phrase: Phrase) -> dict[int, float]:
        if phrase not in self._scored:
            share = _NAMED_SHARE if len(phrase) == 1 and phrase[0] in self._named else 1.0
            pairs = self._pairs.get(phrase, {})
            self._scored[phrase] = {row: t.score(self._context(row), share) for row, t in pairs.items()}
        return self._scored[phrase]

    def _context(self, row: int) -> float:
        alike = float(self._alike[row]) if self._alike is not None else _UNKNOWN_CONTEXT
        return 1.0 + _CONTEXT * max(0.0, alike)

    def _term(self, phrase: Phrase, row: int, weight: float) -> Expansion:
        pair = self._pairs[phrase][row]
        found = sorted(pair.sources.values(), key=lambda pair: -pair[0])
        sources = tuple(dict.fromkeys(source for _, source in found))[:_SOURCES]
        word = self._vocabulary.words[row]
        certainty = pair.evidence.certainty(
            phrase, word, self._alike_text(row), plain=len(phrase) > 1 or phrase[0] not in self._named
        )
        return Expansion(" ".join(phrase), word, weight, sources, certainty)

    def _alike_text(self, row: int) -> float:
        return float(self._alike[row]) if self._alike is not None else 0.0
