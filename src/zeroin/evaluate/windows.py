"""Windows of a text: for each line that matches, the task's term weight that it and the lines before it hold.

All texts of a cycle are computed at once, in arrays. Each text is summed by itself in the order of its lines, so that
its numbers do not depend on the other texts.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from zeroin.index.lexicon import MAX_CHARS

PASSAGE_LINES = 24
FEW_LINES = 2
_MAX_PASSAGES = 5
_DENSITY, _DENSE = 0.015, 10  # each matching line adds this share of its passage's value, up to ten lines
NOTHING = 1e-9  # term weight that is a rounding error
_APART = MAX_CHARS + PASSAGE_LINES + 1  # between the lines of two texts: no window holds both

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Hits:
    """What lines match, as E pairs of a line and a task term, in the order of the words.

    `line` (E,) rows of the lines; `term` (E,) numbers of the task's terms; `share` (E,) in 0–1.
    """

    line: Ints
    term: Ints
    share: Floats

    def only(self, chosen: NDArray[np.bool_]) -> Hits:
        return Hits(self.line[chosen], self.term[chosen], self.share[chosen])

    def best(self, of: Ints, terms: int) -> Hits:
        """Keep one pair for each group and term, with the best share; `of` (E,) are the groups.

        The group becomes the pair's `line`, and the pair stands where its first one stood. `terms`: number of terms.
        """
        if not len(of):
            return self
        key = of * terms + self.term
        order = np.argsort(key, kind="stable")
        starts = np.flatnonzero(np.diff(key[order], prepend=-1))
        share = np.maximum.reduceat(self.share[order], starts)
        first = order[starts]
        back = np.argsort(first)
        first = first[back]
        return Hits(of[first], self.term[first], share[back])


@dataclass(frozen=True, slots=True, eq=False)
class Lines:
    """The N lines that match, text after text.

    `number` (N,) 1-based; `links` (N,) whether they name what is elsewhere; `text` (N,) rows of the texts, ascending.
    """

    number: Ints
    links: NDArray[np.bool_]
    text: Ints

    def of_text(self, text: int) -> slice:
        return slice(*np.searchsorted(self.text, (text, text + 1)).tolist())


@dataclass(frozen=True, slots=True, eq=False)
class Windows:
    """The window that ends at each line: at most 24 lines of its text, or as many as were asked for.

    `first` (N,) is the row of its first line, `value` (N,) the term weight that it matches. Of windows that match the
    same, the `score` (N,) is higher where it is matched more often: the code, not its imports.
    """

    first: Ints
    value: Floats
    score: Floats


def windows_of(lines: Lines, hits: Hits, weights: Floats, length: int = PASSAGE_LINES) -> Windows:
    """Return the windows of all lines; `weights` are those of the terms. A term counts once in a window."""
    place = lines.number + lines.text * _APART
    first = np.searchsorted(place, place - length, side="right")
    value = np.zeros(len(place))
    steps, amounts = _changes(place, lines, hits, weights, length)
    last = np.searchsorted(steps, np.arange(len(place)), side="right")
    count = int(lines.text[-1]) + 1 if len(place) else 0
    texts = np.searchsorted(lines.text, np.arange(count + 1))
    for begin, end in zip(texts[:-1].tolist(), texts[1:].tolist(), strict=True):
        if begin < end:
            changed = int(last[begin - 1]) if begin else 0
            sums = np.cumsum(np.concatenate(([0.0], amounts[changed : int(last[end - 1])])))
            value[begin:end] = sums[last[begin:end] - changed]
    linking = np.concatenate(([0], np.cumsum(lines.links)))
    rows = np.arange(len(place))
    dense = np.minimum(rows - first + 1 - (linking[rows + 1] - linking[first]), _DENSE)
    return Windows(first, value, value * (1 + _DENSITY * dense))


def _changes(place: Ints, lines: Lines, hits: Hits, weights: Floats, length: int) -> tuple[Ints, Floats]:
    """Return at which line the weight of the window changes, and by how much, in the order of the lines.

    A term is added at the first line that holds it, and subtracted where the last such line has left the window. At
    one line additions come first.
    """
    left = np.searchsorted(place, place + length, side="left")[hits.line]  # where each pair leaves
    order = np.argsort(lines.text[hits.line] * len(weights) + hits.term, kind="stable")
    key = (lines.text[hits.line] * len(weights) + hits.term)[order]
    brings = np.ones(len(order), np.bool_)
    brings[1:] = (key[1:] != key[:-1]) | (left[order][:-1] < hits.line[order][1:])
    begins = np.flatnonzero(brings)
    brought = order[begins]
    lost = order[np.append(begins[1:], len(order)) - 1] if len(order) else order
    gain = weights[hits.term[brought]] * hits.share[brought]
    leaves = left[lost]
    stays = (leaves >= len(place)) | (lines.text[np.minimum(leaves, len(place) - 1)] != lines.text[hits.line[lost]])
    steps = np.concatenate((hits.line[brought], leaves[~stays]))
    amounts = np.concatenate((gain, -gain[~stays]))
    pairs = np.concatenate((brought, lost[~stays]))
    phase = np.repeat((0, 1), (len(brought), len(steps) - len(brought)))
    sequence = np.lexsort((pairs, phase, steps))
    return steps[sequence], amounts[sequence]


def best_apart(windows: Windows, lines: Lines, within: slice) -> list[int]:
    """Choose the best windows of one text that do not overlap, best first: the rows of their last lines."""
    score, value = windows.score[within].copy(), windows.value[within]
    ends = lines.number[within]
    starts = lines.number[windows.first[within]]
    out: list[int] = []
    while len(out) < _MAX_PASSAGES and len(score):
        best = int(score.argmax())
        if value[best] <= NOTHING or score[best] < 0:
            break
        out.append(within.start + best)
        score[(starts <= ends[best]) & (ends >= starts[best])] = -1.0
    return out
