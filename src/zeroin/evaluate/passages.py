"""Passages: the windows of a file where most of the task's information meets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from zeroin.evaluate.information import Information
from zeroin.terms import WORD, analyse_word

WINDOW_LINES = 24
_MAX_CHARS = 300_000  # of one file; what lies beyond is judged by its index terms alone
_MAX_WINDOWS = 5
_DENSITY, _DENSE = 0.015, 10  # each line that says something adds this share, up to ten lines
_LINKS = ("import ", "from ", "#include", "use ", "using ", "require", "export {", "export * ", "package ")
_LINK_SHARE = 0.3

# Most words are met again in the next cycle, by another matcher.
_terms = lru_cache(maxsize=1 << 16)(analyse_word)


class Line(NamedTuple):
    """A line that matches: shares by task term, and the words that did."""

    number: int
    hits: dict[str, float]
    words: list[str]
    links: bool  # an import or the like: it names things that are elsewhere


@dataclass(frozen=True, slots=True)
class Window:
    """Lines of a file, the share of the task's information that they match, and the words that matched."""

    start: int
    end: int
    share: float
    words: tuple[str, ...]
    peak: int  # the line that matches most


@dataclass(frozen=True, slots=True)
class Passages:
    """What a file's text says of the task; shares are in 0–1."""

    windows: tuple[Window, ...] = ()
    share: float = 0.0  # best window, whole task
    title_share: float = 0.0  # best window, title
    covered: float = 0.0  # whole file, whole task
    matched_lines: int = 0
    terms: frozenset[str] = frozenset()  # task terms that the file matches
    lines: tuple[Line, ...] = ()  # all that match, in order


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a text, line by line: what does not change from cycle to cycle."""

    lines: tuple[str, ...]
    words: tuple[list[str], ...]  # one list a line
    distinct: frozenset[str]

    @classmethod
    def of(cls, text: str) -> Words:
        lines = tuple(text[:_MAX_CHARS].split("\n"))
        words = tuple(map(WORD.findall, lines))
        return cls(lines, words, frozenset().union(*words))


class Matcher:
    """Finds the task's terms in texts; remembers every word that it has analysed."""

    def __init__(self, information: Information) -> None:
        self._information = information
        self._known: dict[str, tuple[tuple[str, float], ...]] = {}
        self._own: set[str] = set()  # words that match the task itself, not through a learned word

    def match(self, word: str) -> tuple[tuple[str, float], ...]:
        """Task terms that a word matches, with shares; most words match none."""
        found = self._known.get(word)
        if found is None:
            best: dict[str, float] = {}
            terms = _terms(word)
            for term in terms:
                for task_term, share in self._information.matches(term):
                    best[task_term] = max(best.get(task_term, 0.0), share)
            found = self._known[word] = tuple(best.items())
            if any(term in self._information.worth for term in terms):
                self._own.add(word)
        return found

    def passages(self, text: Words) -> Passages:
        """The passages of one text."""
        said = {word: matches for word in text.distinct if (matches := self.match(word))}
        if not said:
            return Passages()
        lines: list[Line] = []
        for number, found in enumerate(text.words, 1):
            if said.keys().isdisjoint(found):
                continue
            hits: dict[str, float] = {}
            words = [word for word in found if word in said]
            for word in words:
                for term, share in said[word]:
                    if share > hits.get(term, 0.0):
                        hits[term] = share
            if hits:
                lines.append(Line(number, hits, words, text.lines[number - 1].lstrip().startswith(_LINKS)))
        return self._summarise(lines) if lines else Passages()

    def _summarise(self, lines: Sequence[Line]) -> Passages:
        info = self._information
        covered: dict[str, float] = {}
        for line in lines:
            for term, share in line.hits.items():
                covered[term] = max(covered.get(term, 0.0), share)
        windows = _windows(lines, info.worth, info.total, self._own)
        title = {t: w for t, w in info.worth.items() if t in info.title}
        title_best = (
            _windows(lines, title, info.title_total, self._own, limit=1)
            if info.title != set(info.worth)
            else windows
        )
        return Passages(
            windows=windows,
            share=max((w.share for w in windows), default=0.0),
            title_share=max((w.share for w in title_best), default=0.0),
            covered=sum(info.worth[t] * s for t, s in covered.items()) / info.total if info.total else 0.0,
            matched_lines=len(lines),
            terms=frozenset(covered),
            lines=tuple(lines),
        )


def _windows(
    lines: Sequence[Line], worth: Mapping[str, float], total: float, own: Set[str], limit: int = _MAX_WINDOWS
) -> tuple[Window, ...]:
    """The best windows that do not overlap, best first: two pointers over the matched lines.

    Among windows that match the same, the one that says it more often wins: the code, not its imports.
    """
    if total <= 0:
        return ()
    scored: list[tuple[float, float, int, int]] = []
    counts: Counter[str] = Counter()
    shares: dict[str, float] = {}
    value, first, linking = 0.0, 0, 0
    for last, line in enumerate(lines):
        for term, share in line.hits.items():
            if not counts[term]:
                shares[term] = share
                value += worth.get(term, 0.0) * share
            counts[term] += 1
        linking += line.links
        while lines[first].number <= line.number - WINDOW_LINES:
            for term in lines[first].hits:
                counts[term] -= 1
                if not counts[term]:
                    value -= worth.get(term, 0.0) * shares[term]
            linking -= lines[first].links
            first += 1
        saying = last - first + 1 - linking
        scored.append((value * (1 + _DENSITY * min(saying, _DENSE)), value, first, last))
    scored.sort(key=lambda s: (-s[0], s[3]))
    out: list[Window] = []
    for _, value, first, last in scored:
        start, end = lines[first].number, lines[last].number
        if value <= 1e-9 or len(out) == limit:
            break
        if any(start <= w.end and w.start <= end for w in out):
            continue
        inside = lines[first : last + 1]
        words = Counter(word for line in inside for word in line.words)
        ordered = sorted(words, key=lambda w: (w not in own, -words[w]))
        peak = max(inside, key=lambda x: (_line_value(x, worth), -x.number))
        out.append(Window(start, end, min(1.0, value / total), tuple(ordered[:8]), peak.number))
    return tuple(out)


def _line_value(line: Line, worth: Mapping[str, float]) -> float:
    value = sum(worth.get(term, 0.0) * share for term, share in line.hits.items())
    return value * (_LINK_SHARE if line.links else 1.0)
