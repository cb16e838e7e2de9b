"""Passages: the stretches of up to 24 lines where most of the task's terms meet."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import islice, pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from zeroin.evaluate.deferred import Deferred
from zeroin.evaluate.task_terms import Matches, TaskTerms
from zeroin.evaluate.windows import FEW_LINES, NOTHING, Hits, Ints, Lines, Windows, best_apart, windows_of
from zeroin.index.lexicon import MAX_CHARS, Lexicon, NumberedText
from zeroin.index.postings import among
from zeroin.index.view import View

_MAX_WORDS = 8
LINK_SHARE = 0.3  # weight of a match in an import or the like, which names things of other files


class Line(NamedTuple):
    """A line that matches: shares by task term, and the words that match; `links`: it imports or the like."""

    number: int
    hits: dict[str, float]
    words: Sequence[str]
    links: bool

    def value(self, weights: Mapping[str, float]) -> float:
        """Return the term weight that it matches."""
        return sum(weights.get(term, 0.0) * share for term, share in self.hits.items())


class Passage(NamedTuple):
    """Lines of a file, the share of the task's term weight that they match, and the words that matched."""

    start: int
    end: int
    share: float
    words: tuple[str, ...]


class TextMatch(NamedTuple):
    """What a text matches of the task; shares of the term weight, 0–1."""

    passages: Sequence[Passage] = ()  # best first
    share: float = 0.0  # best passage, whole task
    title_share: float = 0.0  # best passage, title
    two_lines: float = 0.0  # best two lines that follow each other, whole task
    covered: float = 0.0  # whole file, whole task
    matched_lines: int = 0
    terms: frozenset[str] = frozenset()  # task terms that the file matches
    lines: Sequence[Line] = ()  # all that match, in order


def lines_of(text: str) -> list[str]:
    """Split the first `MAX_CHARS` characters of a text into lines."""
    return text[:MAX_CHARS].split("\n")


class Matcher:
    """Matches texts with the task's terms. Kept for all cycles.

    A text is matched again only if weights, title terms, or the matches of one of its words have changed.
    """

    def __init__(self, view: View) -> None:
        self._view = view
        self._lexicon = view.lexicon
        self._found = _Found(TaskTerms({}, frozenset()), self._lexicon)
        self._matched: dict[int, tuple[NumberedText, TextMatch]] = {}

    def read(self, docs: Sequence[int], terms: TaskTerms) -> dict[int, TextMatch]:
        """Match some documents with the terms."""
        texts = self._lexicon.load(docs, self._view.prefetch, self._view.text)
        before = self._found
        if before.terms != terms or before.size != len(self._lexicon):
            self._found = _Found(terms, self._lexicon)
            if (before.terms.weights, before.terms.title) != (terms.weights, terms.title):
                self._matched = {}
            elif before.terms != terms:
                changed = self._found.other_than(before)
                self._matched = {d: old for d, old in self._matched.items() if not changed[old[0].words].any()}
        new = {doc: text for doc, text in texts.items() if doc not in self._matched}
        if new:
            matched = _Matched(list(new.values()), self._found).texts()
            self._matched |= {doc: (new[doc], match) for doc, match in zip(new, matched, strict=True)}
        return {doc: self._matched[doc][1] for doc in texts}


class _Found:
    """The words of a lexicon that match some terms: by number, with the task terms that they match."""

    def __init__(self, terms: TaskTerms, lexicon: Lexicon) -> None:
        self.terms = terms
        self.size = len(lexicon)  # other threads can add words from here on
        self.lexicon = lexicon
        self.total, self.title_total = terms.total, terms.title_total
        self.names = list(terms.weights)
        self.weights = np.array(list(terms.weights.values()), np.float64)
        self.words = self._matching_words()
        self.row = np.full(self.size, -1, np.int64)  # of the word among those that match
        self.row[list(self.words)] = np.arange(len(self.words))
        # Pairs of a row and a task term that its word matches, and where the pairs of each row begin.
        self.pairs = self._pairs()
        self.pointers = np.searchsorted(self.pairs.line, np.arange(len(self.words) + 1))

    def _matching_words(self) -> dict[int, Matches]:
        """Find the words that match: each matches a task term with its best share."""
        out: dict[int, dict[str, float]] = {}
        for index_term, matches in self.terms.matching.items():
            numbers = self.lexicon.by_term.get(index_term, ())
            for number in numbers[: bisect_left(numbers, self.size)]:
                best = out.setdefault(number, {})
                for task_term, share in matches:
                    if share > best.get(task_term, -1.0):
                        best[task_term] = share
        return {number: tuple(best.items()) for number, best in out.items()}

    def _pairs(self) -> Hits:
        term = {name: number for number, name in enumerate(self.names)}
        pairs = [(row, term[t], s) for row, ms in enumerate(self.words.values()) for t, s in ms if s > 0]
        rows, terms, shares = zip(*pairs, strict=True) if pairs else ((), (), ())
        return Hits(np.array(rows, np.int64), np.array(terms, np.int64), np.array(shares, np.float64))

    def other_than(self, before: _Found) -> NDArray[np.bool_]:
        """Tell which words match other terms than `before`, or with other shares, shape (words,)."""
        out = np.zeros(self.size, np.bool_)
        numbers = self.words.keys() | before.words.keys()
        out[[n for n in numbers if self.words.get(n) != before.words.get(n)]] = True
        return out

    def is_own(self, number: int) -> bool:
        """Tell whether a word matches the task without an expansion."""
        return any(term in self.terms.weights for term in self.lexicon.terms[number])


class _Matched:
    """Some texts matched together: W words that match, on N lines."""

    def __init__(self, texts: Sequence[NumberedText], found: _Found) -> None:
        self._found, self._count = found, len(texts)
        at = [np.flatnonzero(found.row[text.words] >= 0) for text in texts]
        self._words = np.concatenate([text.words[here] for text, here in zip(texts, at, strict=True)])
        on = np.concatenate([text.lines[here] for text, here in zip(texts, at, strict=True)]).astype(np.int64)
        of = np.repeat(np.arange(len(texts)), [len(here) for here in at])
        begins = (np.diff(on, prepend=-1) != 0) | (np.diff(of, prepend=-1) != 0)
        hits = self._hits(np.cumsum(begins) - 1)
        # A line whose words match with no share at all does not count.
        first = np.flatnonzero(begins)
        counts = np.zeros(len(first), np.bool_)
        counts[hits.line] = True
        self._starts, self._ends = first[counts], np.append(first, len(on))[1:][counts]
        self._hits_of = Hits((np.cumsum(counts) - 1)[hits.line], hits.term, hits.share)
        number, text = on[self._starts], of[self._starts]
        linking = [among(number[text == i], one.links) for i, one in enumerate(texts)]
        self._lines = Lines(number, np.concatenate(linking), text)
        self._pointers = np.searchsorted(self._hits_of.line, np.arange(len(number) + 1))

    def _hits(self, line: Ints) -> Hits:
        """Return what the lines match; `line` (W,) is the row of each word's line."""
        pointers, pairs = self._found.pointers, self._found.pairs
        rows = self._found.row[self._words]
        sizes = pointers[rows + 1] - pointers[rows]
        chosen = np.repeat(pointers[rows] - np.cumsum(sizes) + sizes, sizes) + np.arange(sizes.sum())
        lines = np.repeat(line, sizes)
        found = Hits(lines, pairs.term[chosen], pairs.share[chosen])
        return found.best(lines, len(self._found.names))

    def texts(self) -> list[TextMatch]:
        """Return what each text matches."""
        found, terms = self._found, self._found.terms
        windows = windows_of(self._lines, self._hits_of, found.weights)
        few = windows_of(self._lines, self._hits_of, found.weights, FEW_LINES)
        titled = None
        if terms.title != terms.weights.keys():
            in_title = np.array([term in terms.title for term in found.names], np.bool_)
            titled = windows_of(self._lines, self._hits_of.only(in_title[self._hits_of.term]), found.weights)
        covered = self._hits_of.best(self._lines.text[self._hits_of.line], len(found.names))
        bounds = np.searchsorted(covered.line, np.arange(self._count + 1)).tolist()
        values = (found.weights[covered.term] * covered.share).tolist()
        out = []
        for text, (begin, end) in enumerate(pairwise(bounds)):
            within = self._lines.of_text(text)
            chosen = best_apart(windows, self._lines, within) if found.total > 0 else []
            shares = [min(1.0, float(windows.value[row]) / found.total) for row in chosen]
            share = max(shares, default=0.0)
            out.append(
                TextMatch(
                    passages=Deferred(partial(self._passages, windows, chosen, shares)),
                    share=share,
                    title_share=share if titled is None else _best_share(titled, within, found.title_total),
                    two_lines=_best_share(few, within, found.total),
                    covered=sum(values[begin:end]) / found.total if found.total else 0.0,
                    matched_lines=within.stop - within.start,
                    terms=frozenset(found.names[term] for term in covered.term[begin:end].tolist()),
                    lines=Deferred(partial(self._lines_of, within)),
                )
            )
        return out

    def _passages(self, windows: Windows, chosen: Sequence[int], shares: Sequence[float]) -> tuple[Passage, ...]:
        found, number, out = self._found, self._lines.number, []
        for last, share in zip(chosen, shares, strict=True):
            first = int(windows.first[last])
            inside = (self._words[self._starts[row] : self._ends[row]] for row in range(first, last + 1))
            words = Counter(word for said in inside for word in said.tolist())
            ordered = sorted(words, key=lambda w: (not found.is_own(w), -words[w]))[:_MAX_WORDS]
            names = tuple(found.lexicon.words[word] for word in ordered)
            out.append(Passage(int(number[first]), int(number[last]), share, names))
        return tuple(out)

    def _lines_of(self, within: slice) -> tuple[Line, ...]:
        if within.start == within.stop:
            return ()
        names, words = self._found.names, self._found.lexicon.words
        bounds = self._pointers[within.start : within.stop + 1].tolist()
        terms = [names[term] for term in self._hits_of.term[bounds[0] : bounds[-1]].tolist()]
        hits = zip(terms, self._hits_of.share[bounds[0] : bounds[-1]].tolist(), strict=True)
        starts, ends = self._starts[within], self._ends[within]
        said = [words[word] for word in self._words[starts[0] : ends[-1]].tolist()]
        rows = zip(
            self._lines.number[within].tolist(),
            pairwise(bounds),
            (starts - starts[0]).tolist(),
            (ends - starts[0]).tolist(),
            self._lines.links[within].tolist(),
            strict=True,
        )
        return tuple(
            Line(number, dict(islice(hits, last - first)), tuple(said[start:end]), links)
            for number, (first, last), start, end, links in rows
        )


def _best_share(windows: Windows, within: slice, total: float) -> float:
    """Return the share of the term weight in that window of one text which scores best, 0–1."""
    if within.start == within.stop or total <= 0:
        return 0.0
    best = float(windows.value[within.start + int(windows.score[within].argmax())])
    return min(1.0, best / total) if best > NOTHING else 0.0
