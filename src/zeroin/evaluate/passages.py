"""Passages: the stretches of up to 24 lines where most of the task's terms meet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from zeroin.evaluate.task_terms import Matches, TaskTerms
from zeroin.index.lexicon import MAX_CHARS, Lexicon, NumberedText
from zeroin.index.view import View

PASSAGE_LINES = 24
_MAX_PASSAGES = 5
_MAX_WORDS = 8
_DENSITY, _DENSE = 0.015, 10  # each matching line adds this share of its passage's value, up to ten lines
_NOTHING = 1e-9  # term weight that is a rounding error
LINK_SHARE = 0.3  # weight of a match in an import or the like: what it names is elsewhere

WordMatches = dict[int, Matches]  # numbers of words → task terms that they match
Gains = tuple[tuple[str, float], ...]  # task terms with the weight that a line matches of each


class Line(NamedTuple):
    """A line that matches: shares by task term, and the words that did."""

    number: int
    hits: dict[str, float]
    words: Sequence[str]
    links: bool

    def value(self, weights: Mapping[str, float]) -> float:
        """Return the term weight that it matches."""
        return sum(weights.get(term, 0.0) * share for term, share in self.hits.items())


@dataclass(frozen=True, slots=True)
class Passage:
    """Lines of a file, the share of the task's term weight that they match, and the words that matched."""

    start: int
    end: int
    share: float
    words: tuple[str, ...]
    peak: int  # the line that matches most


@dataclass(frozen=True, slots=True)
class TextMatch:
    """What a text matches of the task; shares of the term weight, 0–1."""

    passages: tuple[Passage, ...] = ()  # best first
    share: float = 0.0  # best passage, whole task
    title_share: float = 0.0  # best passage, title
    covered: float = 0.0  # whole file, whole task
    matched_lines: int = 0
    terms: frozenset[str] = frozenset()  # task terms that the file matches
    lines: tuple[Line, ...] = ()  # all that match, in order


def lines_of(text: str) -> list[str]:
    """Split a text into lines as far as it is read."""
    return text[:MAX_CHARS].split("\n")


class Matcher:
    """Matches texts with the task's terms. Kept for all cycles.

    A text is matched again only if the matches of one of its words have changed.
    """

    def __init__(self, view: View) -> None:
        self._view = view
        self._lexicon = view.lexicon
        self._found = _Found(TaskTerms({}, frozenset()), self._lexicon)
        self._matched: dict[int, tuple[WordMatches, TextMatch]] = {}

    def read(self, docs: Sequence[int], terms: TaskTerms) -> dict[int, TextMatch]:
        """Match some documents with the terms."""
        before = self._found.terms
        if (before.weights, before.title) != (terms.weights, terms.title):
            self._matched = {}
        texts = self._lexicon.load(docs, self._view.prefetch, self._view.text)
        if before != terms or self._found.size != len(self._lexicon):
            self._found = _Found(terms, self._lexicon)
        found = self._found
        out: dict[int, TextMatch] = {}
        for doc, text in texts.items():
            at = np.flatnonzero(found.matching[text.words])
            numbers = text.words[at].tolist()
            words = {number: found.words[number] for number in set(numbers)}
            known = self._matched.get(doc)
            if known is None or known[0] != words:
                known = self._matched[doc] = (words, _match(text, at, numbers, found))
            out[doc] = known[1]
        return out


class _Kind(NamedTuple):
    """What all lines share that match with the same words."""

    hits: dict[str, float]
    words: tuple[str, ...]
    gains: Gains
    titled: Gains  # of the title's terms


class _Found:
    """The words of a lexicon that match some terms."""

    def __init__(self, terms: TaskTerms, lexicon: Lexicon) -> None:
        self.terms = terms
        self.size = len(lexicon)  # other threads can add words from here on
        self.words = _word_matches(terms, lexicon)
        self.matching = np.zeros(len(lexicon), np.bool_)
        self.matching[list(self.words)] = True
        # Those that match the task without an expansion.
        self.own = {
            lexicon.words[n] for n in self.words if any(term in terms.weights for term in lexicon.terms[n])
        }
        self.names = lexicon.words
        self.total, self.title_total = terms.total, terms.title_total
        self._kinds: dict[tuple[int, ...], _Kind] = {}

    def kind(self, numbers: tuple[int, ...]) -> _Kind:
        """Return what a line matches that holds these words in this order."""
        known = self._kinds.get(numbers)
        if known is None:
            known = self._kinds[numbers] = self._kind(numbers)
        return known

    def _kind(self, numbers: tuple[int, ...]) -> _Kind:
        hits: dict[str, float] = {}
        for number in numbers:
            for term, share in self.words[number]:
                if share > hits.get(term, 0.0):
                    hits[term] = share
        gains = tuple((term, self.terms.weights.get(term, 0.0) * share) for term, share in hits.items())
        titled = tuple(gain for gain in gains if gain[0] in self.terms.title)
        names = tuple(self.names[number] for number in numbers)
        return _Kind(hits, names, gains, titled)


def _word_matches(terms: TaskTerms, lexicon: Lexicon) -> WordMatches:
    """Find the words that match, each task term with its best share."""
    out: WordMatches = {}
    for index_term in terms.matching:
        for number in lexicon.by_term.get(index_term, ()):
            if number not in out:
                best: dict[str, float] = {}
                for term in lexicon.terms[number]:
                    for task_term, share in terms.matches(term):
                        best[task_term] = max(best.get(task_term, 0.0), share)
                out[number] = tuple(best.items())
    return out


def _match(text: NumberedText, at: NDArray[np.intp], numbers: Sequence[int], found: _Found) -> TextMatch:
    """Match a text by its matching words: the places `at` where they stand, and their numbers."""
    on = text.lines[at]
    first = np.flatnonzero(np.diff(on, prepend=0))
    spoken = zip(on[first].tolist(), first.tolist(), [*first[1:].tolist(), len(on)], strict=False)
    keys = [(line, tuple(numbers[start:end])) for line, start, end in spoken]
    pairs = [(line, kind) for line, key in keys if (kind := found.kind(key)).hits]
    lines = tuple(Line(line, kind.hits, kind.words, line in text.links) for line, kind in pairs)
    kinds = [kind for _, kind in pairs]
    covered: dict[str, float] = {}
    for kind in {id(kind): kind for kind in kinds}.values():
        for term, share in kind.hits.items():
            covered[term] = max(covered.get(term, 0.0), share)
    passages = _passages(lines, kinds, found)
    share = title_share = max((p.share for p in passages), default=0.0)
    terms = found.terms
    if terms.title != terms.weights.keys():
        windows = _windows(lines, [kind.titled for kind in kinds])
        best = max(windows, key=lambda window: window[0], default=(0.0, 0.0))[1]
        total = found.title_total
        title_share = min(1.0, best / total) if total > 0 and best > _NOTHING else 0.0
    value = sum(terms.weights[t] * s for t, s in covered.items())
    return TextMatch(
        passages=passages,
        share=share,
        title_share=title_share,
        covered=value / found.total if found.total else 0.0,
        matched_lines=len(lines),
        terms=frozenset(covered),
        lines=lines,
    )


def _passages(lines: Sequence[Line], kinds: Sequence[_Kind], found: _Found) -> tuple[Passage, ...]:
    """Choose the best windows that do not overlap, best first."""
    windows = list(_windows(lines, [kind.gains for kind in kinds])) if found.total > 0 else []
    out: list[Passage] = []
    for last in sorted(range(len(windows)), key=lambda i: -windows[i][0]):
        _, value, first = windows[last]
        start, end = lines[first].number, lines[last].number
        if value <= _NOTHING or len(out) == _MAX_PASSAGES:
            break
        if any(start <= p.end and p.start <= end for p in out):
            continue
        inside = range(first, last + 1)
        words = Counter(word for i in inside for word in lines[i].words)
        ordered = sorted(words, key=lambda w: (w not in found.own, -words[w]))[:_MAX_WORDS]
        value_of = [sum(gain for _, gain in kinds[i].gains) for i in inside]
        value_of = [
            v * (LINK_SHARE if lines[i].links else 1.0) for i, v in zip(inside, value_of, strict=True)
        ]
        peak = first + value_of.index(max(value_of))
        out.append(Passage(start, end, min(1.0, value / found.total), tuple(ordered), lines[peak].number))
    return tuple(out)


def _windows(lines: Sequence[Line], gains: Sequence[Gains]) -> Iterator[tuple[float, float, int]]:
    """Yield score, matched weight and first line of the window that ends at each line: two pointers.

    Among windows that match the same, the one that matches it more often scores higher: the code, not its imports.
    """
    counts: dict[str, int] = {}
    counted: dict[str, float] = {}
    value, first, links = 0.0, 0, 0
    for last, line in enumerate(lines):
        for term, gain in gains[last]:
            often = counts.get(term, 0)
            if not often:
                counted[term] = gain
                value += gain
            counts[term] = often + 1
        links += line.links
        while lines[first].number <= line.number - PASSAGE_LINES:
            for term, _ in gains[first]:
                counts[term] -= 1
                if not counts[term]:
                    value -= counted[term]
            links -= lines[first].links
            first += 1
        dense = min(last - first + 1 - links, _DENSE)
        yield value * (1 + _DENSITY * dense), value, first
