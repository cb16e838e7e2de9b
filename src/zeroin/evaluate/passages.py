"""Passages: the windows of a file where most of the task's information meets."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

from zeroin.evaluate.task_terms import TaskTerms
from zeroin.index.view import View
from zeroin.terms import WORD, analyse_word

WINDOW_LINES = 24
_MAX_CHARS = 300_000  # of one file; what lies beyond is judged by its index terms alone
_MAX_WINDOWS = 5
_DENSITY, _DENSE = 0.015, 10  # each line that says something adds this share, up to ten lines
_LINKS = ("import ", "from ", "#include", "use ", "using ", "require", "export {", "export * ", "package ")
_LINK_SHARE = 0.3

# Words of a text → the task's terms that they match, with shares.
Said = dict[str, tuple[tuple[str, float], ...]]

# Most words are met again in the next question.
_terms = lru_cache(maxsize=1 << 16)(analyse_word)


class Line(NamedTuple):
    """A line that matches: shares by task term, and the words that did."""

    number: int
    hits: dict[str, float]
    words: list[str]
    links: bool  # an import or the like: it names things that are elsewhere


@dataclass(frozen=True, slots=True)
class Passage:
    """Lines of a file, the share of the task's information that they match, and the words that matched."""

    start: int
    end: int
    share: float
    words: tuple[str, ...]
    peak: int  # the line that matches most


@dataclass(frozen=True, slots=True)
class TextMatch:
    """What a file's text says of the task; shares are in 0–1."""

    passages: tuple[Passage, ...] = ()
    share: float = 0.0  # best window, whole task
    title_share: float = 0.0  # best window, title
    covered: float = 0.0  # whole file, whole task
    matched_lines: int = 0
    terms: frozenset[str] = frozenset()  # task terms that the file matches
    lines: tuple[Line, ...] = ()  # all that match, in order


@dataclass(frozen=True, slots=True)
class Words:
    """A text, its lines and its distinct words: what does not change from cycle to cycle."""

    text: str
    lines: tuple[str, ...]
    starts: tuple[int, ...]  # where each line begins in the text
    distinct: frozenset[str]

    @classmethod
    def of(cls, text: str) -> Words:
        text = text[:_MAX_CHARS]
        lines = tuple(lines_of(text))
        starts = tuple(accumulate((len(line) + 1 for line in lines[:-1]), initial=0))
        return cls(text, lines, starts, frozenset(WORD.findall(text)))

    def holding(self, words: Iterable[str]) -> list[int]:
        """Places of the lines that hold any of the words, be it inside a longer one, in order."""
        found: set[int] = set()
        for word in words:
            at = self.text.find(word)
            while at >= 0:
                place = bisect_right(self.starts, at) - 1
                found.add(place)
                at = self.text.find(word, self.starts[place] + len(self.lines[place]) + 1)
        return sorted(found)


def lines_of(text: str) -> list[str]:
    """The lines of a text as far as it is read."""
    return text[:_MAX_CHARS].split("\n")


class Matcher:
    """Finds the task's terms in texts. Kept for all cycles: texts and words are analysed once.

    What a text says is looked for again only if a cycle learned something about a word that it holds.
    """

    def __init__(self, view: View) -> None:
        self._view = view
        self._texts: dict[int, Words] = {}
        self._words: set[str] = set()
        self._saying: dict[str, list[str]] = {}  # words by the index terms that they have
        self._asked: tuple[dict[str, float], frozenset[str]] = ({}, frozenset())
        self._told: dict[int, _CandidateText] = {}

    def read(self, docs: Sequence[int], terms: TaskTerms) -> dict[int, TextMatch]:
        """The passages of some documents."""
        if self._asked != (terms.weights, terms.title):
            self._asked = (terms.weights, terms.title)
            self._told = {}
        self._view.prefetch(doc for doc in docs if doc not in self._texts)
        held = self._texts
        texts = {doc: held.get(doc) or Words.of(self._view.text(doc)) for doc in docs}
        for doc, text in texts.items():
            if doc not in held:
                self._learn(text)
                held[doc] = text
        found = self._matches(terms)
        finder = _Finder(terms, found)
        out: dict[int, TextMatch] = {}
        for doc, text in texts.items():
            said = {word: found[word] for word in text.distinct & found.keys()}
            told = self._told.get(doc)
            if told is None or told.said != said:
                told = self._told[doc] = finder.told(text, said, told)
            out[doc] = told.passages
        return out

    def _learn(self, text: Words) -> None:
        new = text.distinct - self._words
        self._words |= new
        for word in new:
            for term in _terms(word):
                self._saying.setdefault(term, []).append(word)

    def _matches(self, terms: TaskTerms) -> Said:
        """Of the words read so far those that match terms of the task."""
        out: Said = {}
        for said in terms.matching:
            for word in self._saying.get(said, ()):
                if word not in out:
                    best: dict[str, float] = {}
                    for term in _terms(word):
                        for task_term, share in terms.matches(term):
                            best[task_term] = max(best.get(task_term, 0.0), share)
                    out[word] = tuple(best.items())
        return out


@dataclass(frozen=True, slots=True)
class _CandidateText:
    """What a text says of the task: its words that match, their lines by place, and the passages that they make."""

    said: Said
    saying: dict[int, list[str]]
    passages: TextMatch


class _Finder:
    """Finds the passages of texts in one cycle."""

    def __init__(self, terms: TaskTerms, words: Iterable[str]) -> None:
        self._information = terms
        weights = terms.weights
        # Words that match the task itself, not through a learned word.
        self._own = {word for word in words if any(term in weights for term in _terms(word))}

    def told(self, text: Words, said: Said, before: _CandidateText | None) -> _CandidateText:
        """What one text that says some words tells; of what it told `before`, the lines are not looked for again."""
        saying: dict[int, list[str]] = {}
        new: Iterable[str] = said
        if before is not None and before.said.keys() <= said.keys():
            saying.update(before.saying)
            new = said.keys() - before.said.keys()
        for place in text.holding(new):
            words = [word for word in WORD.findall(text.lines[place]) if word in said]
            if words:
                saying[place] = words
        told = (self._line(place, saying[place], text, said) for place in sorted(saying))
        lines = [line for line in told if line.hits]
        return _CandidateText(said, saying, self._summarise(lines) if lines else TextMatch())

    @staticmethod
    def _line(place: int, words: list[str], text: Words, said: Said) -> Line:
        hits: dict[str, float] = {}
        for word in words:
            for term, share in said[word]:
                if share > hits.get(term, 0.0):
                    hits[term] = share
        return Line(place + 1, hits, words, text.lines[place].lstrip().startswith(_LINKS))

    def _summarise(self, lines: Sequence[Line]) -> TextMatch:
        info = self._information
        covered: dict[str, float] = {}
        for line in lines:
            for term, share in line.hits.items():
                covered[term] = max(covered.get(term, 0.0), share)
        windows = _windows(lines, info.weights, info.total, self._own)
        title = {t: w for t, w in info.weights.items() if t in info.title}
        title_best = (
            _windows(lines, title, info.title_total, self._own, limit=1)
            if info.title != set(info.weights)
            else windows
        )
        return TextMatch(
            passages=windows,
            share=max((w.share for w in windows), default=0.0),
            title_share=max((w.share for w in title_best), default=0.0),
            covered=sum(info.weights[t] * s for t, s in covered.items()) / info.total if info.total else 0.0,
            matched_lines=len(lines),
            terms=frozenset(covered),
            lines=tuple(lines),
        )


def _windows(
    lines: Sequence[Line],
    weights: Mapping[str, float],
    total: float,
    own: Set[str],
    limit: int = _MAX_WINDOWS,
) -> tuple[Passage, ...]:
    """The best windows that do not overlap, best first: two pointers over the matched lines.

    Among windows that match the same, the one that says it more often wins: the code, not its imports.
    """
    if total <= 0:
        return ()
    scored: list[tuple[float, float, int, int]] = []
    counts: dict[str, int] = {}
    shares: dict[str, float] = {}
    value, first, linking = 0.0, 0, 0
    for last, line in enumerate(lines):
        for term, share in line.hits.items():
            count = counts.get(term, 0)
            if not count:
                shares[term] = share
                value += weights.get(term, 0.0) * share
            counts[term] = count + 1
        linking += line.links
        while lines[first].number <= line.number - WINDOW_LINES:
            for term in lines[first].hits:
                counts[term] -= 1
                if not counts[term]:
                    value -= weights.get(term, 0.0) * shares[term]
            linking -= lines[first].links
            first += 1
        saying = last - first + 1 - linking
        scored.append((value * (1 + _DENSITY * min(saying, _DENSE)), value, first, last))
    scored.sort(key=lambda s: (-s[0], s[3]))
    out: list[Passage] = []
    for _, value, first, last in scored:
        start, end = lines[first].number, lines[last].number
        if value <= 1e-9 or len(out) == limit:
            break
        if any(start <= w.end and w.start <= end for w in out):
            continue
        inside = lines[first : last + 1]
        words = Counter(word for line in inside for word in line.words)
        ordered = sorted(words, key=lambda w: (w not in own, -words[w]))
        peak = max(inside, key=lambda x: (_line_value(x, weights), -x.number))
        out.append(Passage(start, end, min(1.0, value / total), tuple(ordered[:8]), peak.number))
    return tuple(out)


def _line_value(line: Line, weights: Mapping[str, float]) -> float:
    value = sum(weights.get(term, 0.0) * share for term, share in line.hits.items())
    return value * (_LINK_SHARE if line.links else 1.0)
