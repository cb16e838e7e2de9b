"""Adds up evidence over all phrases of one text, and chooses the best words of each phrase."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from zeroin.index.vocabulary import Vocabulary
from zeroin.refine.evidence import Finding, PairEvidence, Phrase
from zeroin.terms import MAX_WORD_CHARS, WORD, split_identifier, stem
from zeroin.types import Expansion

_CONTEXT = 8.0  # weight of the similarity of a word with the whole text
_UNKNOWN_CONTEXT = 0.15  # similarity where there is no encoder
_NAMED_SHARE = 0.6  # of what is written near a word by which the codebase names things itself
_SHARED = 0.6  # of what other phrases of the text lead to
_FULL = 4.0  # a score of this much weighs 0.63
_PER_PHRASE, _MAX_SOURCES = 3, 3
MIN_WEIGHT = 0.3


@dataclass(slots=True, eq=False)
class ExpansionScores:
    """Evidence for the pairs of all phrases of one text.

    `similarity` (W,) is the cosine of each vocabulary word with the whole text, None without an encoder. `named` are
    words of the text by which the codebase names things itself. Terms of the task are never expansions.
    """

    vocabulary: Vocabulary
    task_terms: frozenset[str]
    similarity: NDArray[np.float32] | None = None
    named: frozenset[str] = frozenset()
    without: frozenset[str] = frozenset()
    _pairs: dict[Phrase, dict[int, PairEvidence]] = field(default_factory=lambda: defaultdict(dict))
    _scored: dict[Phrase, dict[int, float]] = field(default_factory=dict)

    def wants(self, kind: str) -> bool:
        """Tell whether evidence of a kind (of `KINDS`) counts."""
        return kind not in self.without

    def row(self, term: str) -> int | None:
        """The row of a term in the vocabulary; None for a term of the task and for what names nothing."""
        return None if term in self.task_terms else self.vocabulary.number.get(term)

    def rows(self, text: str) -> Iterator[tuple[str, int]]:
        """(word, row of one of its parts) for the words of a text."""
        for word in WORD.findall(text):
            for term in parts_of(word):
                row = self.row(term)
                if row is not None:
                    yield word, row

    def add(self, phrase: Phrase, row: int, found: Finding) -> None:
        self._pairs[phrase].setdefault(row, PairEvidence()).add(found)

    def terms(self, phrases: Sequence[Phrase], least: float = MIN_WEIGHT) -> list[Expansion]:
        """Return the best three pairs of every phrase of weight `least` or more, strongest first."""
        out = []
        for phrase in phrases:
            scores = self._scores(phrase)
            for row in sorted(scores, key=lambda r: (-scores[r], self.vocabulary.terms[r]))[:_PER_PHRASE]:
                weight = round(float(1 - np.exp(-scores[row] / _FULL)), 3)
                if weight >= least:
                    out.append(self._term(phrase, row, weight))
        out.sort(key=lambda t: (-t.weight, -len(t.task_word), t.task_word, t.code_word))
        return [t for t in out if not any(_covers(other, t) for other in out)]

    def _scores(self, phrase: Phrase) -> dict[int, float]:
        """Return the score of each word, with a share of what the text's other phrases lead to.

        A run of words takes its share from the words that it is made of; those take none from it.
        """
        scores = dict(self._own(phrase))
        for other in self._pairs:
            if other != phrase and (len(other) < len(phrase) or not set(other) & set(phrase)):
                own = self._own(other)
                for row in own.keys() & scores.keys():
                    scores[row] += _SHARED * own[row]
        return scores

    def _own(self, phrase: Phrase) -> dict[int, float]:
        if phrase not in self._scored:
            share = _NAMED_SHARE if len(phrase) == 1 and phrase[0] in self.named else 1.0
            pairs = self._pairs.get(phrase, {})
            self._scored[phrase] = {row: p.score(self._context(row), share) for row, p in pairs.items()}
        return self._scored[phrase]

    def _context(self, row: int) -> float:
        similarity = float(self.similarity[row]) if self.similarity is not None else _UNKNOWN_CONTEXT
        return 1.0 + _CONTEXT * max(0.0, similarity)

    def _term(self, phrase: Phrase, row: int, weight: float) -> Expansion:
        pair, word = self._pairs[phrase][row], self.vocabulary.words[row]
        similarity = float(self.similarity[row]) if self.similarity is not None else 0.0
        plain = len(phrase) > 1 or phrase[0] not in self.named
        certainty = pair.certainty(phrase, word, similarity, plain=plain)
        return Expansion(" ".join(phrase), word, weight, pair.sources[:_MAX_SOURCES], certainty)


def _covers(run: Expansion, term: Expansion) -> bool:
    """Tell whether a run that contains the term's task word has the same code word, as surely."""
    return (
        run.code_word == term.code_word
        and run.weight >= term.weight
        and run.is_synonym >= term.is_synonym
        and f" {term.task_word} " in f" {run.task_word} "
        and run.task_word != term.task_word
    )


@lru_cache(maxsize=1 << 15)  # words recur within a file and between tasks
def parts_of(word: str) -> tuple[str, ...]:
    """Return stems of the parts of a word; none for what is too long to be one."""
    return tuple(stem(part) for part in split_identifier(word)) if len(word) <= MAX_WORD_CHARS else ()
