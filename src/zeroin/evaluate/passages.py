"""Passages: the stretches of up to 24 lines where most of the task's terms meet."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

from zeroin.evaluate.task_terms import Matches, TaskTerms
from zeroin.index.view import View
from zeroin.terms import WORD, analyse_word

PASSAGE_LINES = 24
_MAX_CHARS = 300_000  # of one file; what lies beyond is judged by its index terms alone
_MAX_PASSAGES = 5
_MAX_WORDS = 8
_DENSITY, _DENSE = 0.015, 10  # each matching line adds this share of its passage's value, up to ten lines
_LINKS = ("import ", "from ", "#include", "use ", "using ", "require", "export {", "export * ", "package ")
LINK_SHARE = 0.3  # weight of a match in an import or the like: what it names is elsewhere

WordMatches = dict[str, Matches]  # words of a text → task terms that they match

# Most words are met again in the next question.
_terms = lru_cache(maxsize=1 << 16)(analyse_word)


class Line(NamedTuple):
    """A line that matches: shares by task term, and the words that did."""

    number: int
    hits: dict[str, float]
    words: list[str]
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


@dataclass(frozen=True, slots=True)
class Text:
    """A text with its lines and distinct words."""

    text: str
    lines: tuple[str, ...]
    starts: tuple[int, ...]  # where each line begins in the text
    words: frozenset[str]

    @classmethod
    def of(cls, text: str) -> Text:
        text = text[:_MAX_CHARS]
        lines = tuple(lines_of(text))
        starts = tuple(accumulate((len(line) + 1 for line in lines[:-1]), initial=0))
        return cls(text, lines, starts, frozenset(WORD.findall(text)))

    def holding(self, words: Iterable[str]) -> list[int]:
        """Find the lines that hold any of the words, be it inside a longer one; positions in order."""
        found: set[int] = set()
        for word in words:
            at = self.text.find(word)
            while at >= 0:
                i = bisect_right(self.starts, at) - 1
                found.add(i)
                at = self.text.find(word, self.starts[i] + len(self.lines[i]) + 1)
        return sorted(found)


def lines_of(text: str) -> list[str]:
    """Split a text into lines as far as it is read."""
    return text[:_MAX_CHARS].split("\n")


class Matcher:
    """Matches texts with the task's terms. Kept for all cycles.

    Texts are analysed once, and matched again only if the matches of one of their words have changed.
    """

    def __init__(self, view: View) -> None:
        self._view = view
        self._texts: dict[int, Text] = {}
        self._words: set[str] = set()
        self._by_term: dict[str, list[str]] = {}  # words of the texts by index term
        self._asked: tuple[dict[str, float], frozenset[str]] = ({}, frozenset())
        self._matched: dict[int, tuple[WordMatches, TextMatch]] = {}

    def read(self, docs: Sequence[int], terms: TaskTerms) -> dict[int, TextMatch]:
        """Match some documents with the terms."""
        if self._asked != (terms.weights, terms.title):
            self._asked = (terms.weights, terms.title)
            self._matched = {}
        self._load([doc for doc in docs if doc not in self._texts])
        found = self._word_matches(terms)
        own = {word for word in found if any(term in terms.weights for term in _terms(word))}
        out: dict[int, TextMatch] = {}
        for doc in docs:
            text = self._texts[doc]
            words = {word: found[word] for word in text.words & found.keys()}
            known = self._matched.get(doc)
            if known is None or known[0] != words:
                known = self._matched[doc] = (words, _match(text, words, own, terms))
            out[doc] = known[1]
        return out

    def _load(self, docs: Sequence[int]) -> None:
        self._view.prefetch(docs)
        for doc in docs:
            text = self._texts[doc] = Text.of(self._view.text(doc))
            for word in text.words - self._words:
                for term in _terms(word):
                    self._by_term.setdefault(term, []).append(word)
            self._words |= text.words

    def _word_matches(self, terms: TaskTerms) -> WordMatches:
        """Find those of the words read so far that match, each task term with its best share."""
        out: WordMatches = {}
        for index_term in terms.matching:
            for word in self._by_term.get(index_term, ()):
                if word not in out:
                    best: dict[str, float] = {}
                    for term in _terms(word):
                        for task_term, share in terms.matches(term):
                            best[task_term] = max(best.get(task_term, 0.0), share)
                    out[word] = tuple(best.items())
        return out


def _match(text: Text, words: WordMatches, own: Set[str], terms: TaskTerms) -> TextMatch:
    """Match a text by its matching `words`; `own` are those that match the task without an expansion."""
    lines = [line for i in text.holding(words) if (line := _line(i, text.lines[i], words)).hits]
    covered: dict[str, float] = {}
    for line in lines:
        for term, share in line.hits.items():
            covered[term] = max(covered.get(term, 0.0), share)
    passages = titled = _passages(lines, terms.weights, terms.total, own)
    if terms.title != terms.weights.keys():
        title = {t: w for t, w in terms.weights.items() if t in terms.title}
        titled = _passages(lines, title, terms.title_total, own, most=1)
    value = sum(terms.weights[t] * s for t, s in covered.items())
    return TextMatch(
        passages=passages,
        share=max((p.share for p in passages), default=0.0),
        title_share=max((p.share for p in titled), default=0.0),
        covered=value / terms.total if terms.total else 0.0,
        matched_lines=len(lines),
        terms=frozenset(covered),
        lines=tuple(lines),
    )


def _line(i: int, line: str, words: WordMatches) -> Line:
    found = [word for word in WORD.findall(line) if word in words]
    hits: dict[str, float] = {}
    for word in found:
        for term, share in words[word]:
            if share > hits.get(term, 0.0):
                hits[term] = share
    return Line(i + 1, hits, found, line.lstrip().startswith(_LINKS))


def _passages(
    lines: Sequence[Line],
    weights: Mapping[str, float],
    total: float,
    own: Set[str],
    most: int = _MAX_PASSAGES,
) -> tuple[Passage, ...]:
    """Choose the best windows that do not overlap, best first."""
    scored = sorted(_windows(lines, weights), key=lambda s: (-s[0], s[3])) if total > 0 else []
    out: list[Passage] = []
    for _, value, first, last in scored:
        start, end = lines[first].number, lines[last].number
        if value <= 1e-9 or len(out) == most:
            break
        if any(start <= p.end and p.start <= end for p in out):
            continue
        inside = lines[first : last + 1]
        words = Counter(word for line in inside for word in line.words)
        ordered = sorted(words, key=lambda w: (w not in own, -words[w]))[:_MAX_WORDS]
        peak = max(inside, key=lambda x: (x.value(weights) * (LINK_SHARE if x.links else 1.0), -x.number))
        out.append(Passage(start, end, min(1.0, value / total), tuple(ordered), peak.number))
    return tuple(out)


def _windows(lines: Sequence[Line], weights: Mapping[str, float]) -> Iterator[tuple[float, float, int, int]]:
    """Yield score, matched weight, first and last line of the window that ends at each line: two pointers.

    Among windows that match the same, the one that matches it more often scores higher: the code, not its imports.
    """
    counts: Counter[str] = Counter()
    shares: dict[str, float] = {}
    value, first, links = 0.0, 0, 0
    for last, line in enumerate(lines):
        for term, share in line.hits.items():
            if not counts[term]:
                shares[term] = share
                value += weights.get(term, 0.0) * share
            counts[term] += 1
        links += line.links
        while lines[first].number <= line.number - PASSAGE_LINES:
            for term in lines[first].hits:
                counts[term] -= 1
                if not counts[term]:
                    value -= weights.get(term, 0.0) * shares[term]
            links -= lines[first].links
            first += 1
        dense = min(last - first + 1 - links, _DENSE)
        yield value * (1 + _DENSITY * dense), value, first, last
