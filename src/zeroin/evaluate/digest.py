"""The digest of a file for one task: its path and the few short windows that a reader sees of it, as words."""

from collections.abc import Mapping
from itertools import islice
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from zeroin.evaluate.passages import TextMatch
from zeroin.index.view import View
from zeroin.models.products import along
from zeroin.parsing.passages import number_vectors
from zeroin.terms import WORD, split_identifier

WINDOW, STRIDE = 5, 3  # lines of a window, and from the first line of one to that of the next
WINDOWS = 4
MOST_WORDS = 120  # of a digest: more than a reader sees
_MAX_LETTERS = 24  # longer words are data
_COMPARED = 600  # windows of a file: those that match most
_MATCHED = 3_000  # lines of a file that may match
_WINDOW_WORDS = 400


class Digest(NamedTuple):
    """Words of a file, in lower case, names split: those of its path, then of its windows, the best window first.

    `lines` are the first and the last line with a word of each window, `starts` where its words begin.
    """

    words: tuple[str, ...]
    lines: tuple[tuple[int, int], ...]
    starts: tuple[int, ...]


def words_of(text: str) -> list[str]:
    """Split a text into words in lower case; names are split: `parseHTTP` → parse, http."""
    parts = (part for word in WORD.findall(text) for part in split_identifier(word))
    return [part for part in parts if len(part) <= _MAX_LETTERS]


def digest(view: View, doc: int, match: TextMatch, weights: Mapping[str, float], vector: NDArray[np.float32]) -> Digest:
    """Choose the windows of a file that match most of the task's terms and are nearest to its vector.

    `weights` are those of the task's terms. A window is worth the share of their sum that it matches, plus its cosine
    with `vector`. Chosen windows do not overlap.
    """
    lexicon = view.lexicon
    text = lexicon.load([doc], view.prefetch, view.text)[doc]
    words = [] if doc in view.unnamed else words_of(view.paths[doc])[:MOST_WORDS]
    if not len(text.words):
        return Digest(tuple(words), (), ())
    starts = np.unique((text.lines - 1) // STRIDE * STRIDE + 1)
    shares = _shares(match, weights, starts)
    compared = np.sort(np.argsort(-shares, kind="stable")[:_COMPARED])
    starts, shares = starts[compared], shares[compared]
    first = np.searchsorted(text.lines, starts)
    end = np.minimum(np.searchsorted(text.lines, starts + WINDOW - 1, side="right"), first + _WINDOW_WORDS)
    numbers = [text.words[a:b] for a, b in zip(first.tolist(), end.tolist(), strict=True)]
    value = along(number_vectors(numbers, lexicon.words), vector) + shares
    lines, at = [], []
    for row in _apart(value, starts):
        if len(words) >= MOST_WORDS:
            break
        at.append(len(words))
        lines.append((int(text.lines[first[row]]), int(text.lines[end[row] - 1])))
        parts = (part for number in numbers[row].tolist() for part in split_identifier(lexicon.words[number]))
        words += [part for part in parts if len(part) <= _MAX_LETTERS]
    return Digest(tuple(words[:MOST_WORDS]), tuple(lines), tuple(at))


def _apart(value: NDArray[np.float64], starts: NDArray[np.int32]) -> list[int]:
    """Return the rows of the best windows that do not overlap, the best first."""
    chosen: list[int] = []
    for row in np.argsort(-value, kind="stable").tolist():
        if all(abs(int(starts[row] - starts[other])) >= WINDOW for other in chosen):
            chosen.append(row)
            if len(chosen) == WINDOWS:
                break
    return chosen


def _shares(match: TextMatch, weights: Mapping[str, float], starts: NDArray[np.int32]) -> NDArray[np.float64]:
    """Return the share of the task's term weight that each window matches, shape (windows,)."""
    out = np.zeros(len(starts))
    best: dict[int, dict[str, float]] = {}
    for line in islice(match.lines, _MATCHED):
        low, high = np.searchsorted(starts, (line.number - WINDOW + 1, line.number + 1)).tolist()
        for row in range(low, high):
            terms = best.setdefault(row, {})
            for term, share in line.hits.items():
                if share > terms.get(term, 0.0):
                    terms[term] = share
    total = sum(weights.values()) or 1.0
    for row, terms in best.items():
        out[row] = sum(weights.get(term, 0.0) * share for term, share in terms.items()) / total
    return out
