"""Passages: the windows of a file where most of the task's information meets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

from zeroin.evaluate.information import Information
from zeroin.terms import WORD, analyse_word

WINDOW_LINES = 24
_MAX_CHARS = 300_000  # of one file; what lies beyond is judged by its index terms alone
_MAX_WINDOWS = 5


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
            for term in analyse_word(word):
                for task_term, share in self._information.matches(term):
                    best[task_term] = max(best.get(task_term, 0.0), share)
            found = self._known[word] = tuple(best.items())
            if any(term in self._information.worth for term in analyse_word(word)):
                self._own.add(word)
        return found

    def passages(self, text: str) -> Passages:
        """The passages of one text."""
        lines: list[tuple[int, dict[str, float], list[str]]] = []
        for number, line in enumerate(text[:_MAX_CHARS].split("\n"), 1):
            hits: dict[str, float] = {}
            words: list[str] = []
            for word in WORD.findall(line):
                matches = self._known.get(word)
                if matches is None:
                    matches = self.match(word)
                if matches:
                    words.append(word)
                    for term, share in matches:
                        if share > hits.get(term, 0.0):
                            hits[term] = share
            if hits:
                lines.append((number, hits, words))
        return self._summarise(lines) if lines else Passages()

    def _summarise(self, lines: Sequence[tuple[int, dict[str, float], list[str]]]) -> Passages:
        info = self._information
        covered: dict[str, float] = {}
        for _, hits, _ in lines:
            for term, share in hits.items():
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
            share=windows[0].share if windows else 0.0,
            title_share=title_best[0].share if title_best else 0.0,
            covered=sum(info.worth[t] * s for t, s in covered.items()) / info.total if info.total else 0.0,
            matched_lines=len(lines),
            terms=frozenset(covered),
        )


def _windows(
    lines: Sequence[tuple[int, dict[str, float], list[str]]],
    worth: Mapping[str, float],
    total: float,
    own: Set[str],
    limit: int = _MAX_WINDOWS,
) -> tuple[Window, ...]:
    """The best windows that do not overlap, best first: two pointers over the matched lines."""
    if total <= 0:
        return ()
    scored: list[tuple[float, int, int]] = []
    counts: Counter[str] = Counter()
    value, first = 0.0, 0
    for last, (number, hits, _) in enumerate(lines):
        for term in hits:
            if not counts[term]:
                value += worth.get(term, 0.0) * hits[term]
            counts[term] += 1
        while lines[first][0] <= number - WINDOW_LINES:
            for term, share in lines[first][1].items():
                counts[term] -= 1
                if not counts[term]:
                    value -= worth.get(term, 0.0) * share
            first += 1
        scored.append((value, first, last))
    scored.sort(key=lambda s: (-s[0], s[2]))
    out: list[Window] = []
    for value, first, last in scored:
        start, end = lines[first][0], lines[last][0]
        if value <= 0 or len(out) == limit:
            break
        if any(start <= w.end and w.start <= end for w in out):
            continue
        inside = lines[first : last + 1]
        words = Counter(word for _, _, ws in inside for word in ws)
        ordered = sorted(words, key=lambda w: (w not in own, -words[w]))
        peak = max(inside, key=lambda x: (sum(worth.get(t, 0.0) * s for t, s in x[1].items()), -x[0]))
        out.append(Window(start, end, min(1.0, value / total), tuple(ordered[:8]), peak[0]))
    return tuple(out)
