"""The words of texts as numbers, line by line: found once for all questions of a process."""

from array import array
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from zeroin.parsing.term_counts import MadeOnce
from zeroin.patterns import lazy_pattern
from zeroin.terms import NEWLINE, analyse_word, words_and_lines

MAX_CHARS = 300_000  # of one file; what lies beyond is judged by its index terms alone
_MAX_WORDS = 8_000_000  # read by one lexicon, 8 bytes each
_NEWLINE = 0
# Lines that import: what they name is defined elsewhere.
_LINKS = lazy_pattern(r"\n[^\S\n]*(?:import |from |#include|use |using |require|export \{|export \* |package )")


@dataclass(frozen=True, slots=True, eq=False)
class NumberedText:
    """The words of a text in order: `words` (n,) their numbers, `lines` (n,) where they stand, 1-based."""

    words: NDArray[np.int32]
    lines: NDArray[np.int32]
    links: NDArray[np.int32]  # lines that import or the like, ascending


class Lexicon:
    """The distinct words of the texts read so far, with their terms. Safe to share between threads.

    It only grows, so that a number keeps its meaning; a view begins another one when it is full.
    """

    def __init__(self) -> None:
        self.words: list[str] = [NEWLINE]
        self.terms: list[tuple[str, ...]] = [()]
        # Ascending numbers of words. Arrays, which the collector of cyclic garbage does not walk through.
        self.by_term: dict[str, array[int]] = {}
        self._numbers = MadeOnce(self._add)
        self._numbers[NEWLINE] = _NEWLINE
        self._texts: dict[int, NumberedText] = {}
        self._read = 0
        self._lock = Lock()

    @property
    def full(self) -> bool:
        return self._read > _MAX_WORDS

    def __len__(self) -> int:
        return len(self.terms)

    def load(
        self, docs: Iterable[int], prefetch: Callable[[list[int]], None], text_of: Callable[[int], str]
    ) -> dict[int, NumberedText]:
        """Return the numbered texts of some documents; those numbered before are not read again."""
        docs = list(docs)
        new = [doc for doc in docs if doc not in self._texts]
        if new:
            prefetch(new)
        for doc in new:
            text = text_of(doc)
            with self._lock:
                if doc not in self._texts:
                    self._texts[doc] = self._numbered(text[:MAX_CHARS])
        return {doc: self._texts[doc] for doc in docs}

    def _numbered(self, text: str) -> NumberedText:
        tokens = words_and_lines(text)
        numbers = np.fromiter(map(self._numbers.__getitem__, tokens), np.int32, len(tokens))
        inside = np.flatnonzero(numbers != _NEWLINE)
        # The line of a word: one more than the newlines before it.
        lines = (inside - np.arange(len(inside)) + 1).astype(np.int32)
        self._read += len(inside)
        return NumberedText(numbers[inside], lines, np.array(_links(text), np.int32))

    def _add(self, word: str) -> int:
        number = len(self.words)
        self.words.append(word)
        self.terms.append(analyse_word(word))
        for term in self.terms[number]:
            known = self.by_term.get(term)
            if known is None:
                known = self.by_term[term] = array("i")
            known.append(number)
        return number


def _links(text: str) -> list[int]:
    """Return the lines that import or the like, ascending."""
    out: list[int] = []
    number, at = 1, 0
    text = "\n" + text
    for match in _LINKS.finditer(text):
        number += text.count("\n", at, match.start())
        at = match.start()
        out.append(number)
    return out
