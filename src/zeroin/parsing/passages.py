"""Cut a file into passages, at definitions where that gives a usable length, and encode each as a vector."""

from collections.abc import Iterable, Sequence
from itertools import chain, count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zeroin.models.encoder import Encoder, Vectors, encoder
from zeroin.parsing.term_counts import firsts, packed_ids
from zeroin.terms import NEWLINE, words_and_lines

MIN_LINES, MAX_LINES = 12, 40  # shorter passages have too few terms, longer ones mix subjects
MAX_PASSAGES = 250  # of one file; a file with more is mostly data


def passage_lines(lines: int, starts: Iterable[int]) -> list[tuple[int, int]]:
    """Return first and last line (1-based, inclusive) of every passage; definitions begin at `starts`.

    A passage ends before the next definition once it has MIN_LINES, and at MAX_LINES in any case; a short rest of the
    file belongs to the passage before it.
    """
    out: list[tuple[int, int]] = []
    first = 1
    for start in sorted({s for s in starts if 1 < s <= lines} | {lines + 1}):
        if start - first < MIN_LINES and start <= lines:
            continue
        while start - first > MAX_LINES:
            out.append((first, first + MAX_LINES - 1))
            first += MAX_LINES
        if start <= lines or start - first >= MIN_LINES or not out:
            if start > first:
                out.append((first, start - 1))
        else:
            out[-1] = (out[-1][0], start - 1)
        first = start
    return out


def passage_vectors(rows: Sequence[str], starts: Iterable[int]) -> tuple[NDArray[np.uint32], NDArray[np.int8]]:
    """Return passages of a file by its lines: first and last line (n, 2), packed vectors (n, D)."""
    cuts = passage_lines(len(rows), starts)[:MAX_PASSAGES]
    return np.array(cuts, np.uint32).reshape(-1, 2), encoder().pack(stretch_vectors(rows, cuts))


def stretch_vectors(rows: Sequence[str], cuts: Sequence[tuple[int, int]]) -> Vectors:
    """Return vectors of stretches of a file, each given by its first and last line, shape (n, D)."""
    parts = [rows[first - 1 : last] for first, last in cuts]
    words = words_and_lines("\n".join(chain.from_iterable(parts)))
    at: dict[str, int] = {}
    first = np.fromiter(map(at.setdefault, words, count()), np.int64, len(words))  # where the same word is said first
    numbers = (np.cumsum(first == np.arange(len(words))) - 1)[first]
    line = np.cumsum(first == at.get(NEWLINE, -1))
    text_of = np.repeat(np.arange(len(parts)), list(map(len, parts)))[line]
    return _vectors(list(at), numbers, text_of, len(parts))


def number_vectors(texts: Sequence[NDArray[np.int32]], words: Sequence[str]) -> Vectors:
    """Return vectors of texts, each given by the numbers of its words among `words`, shape (n, D)."""
    numbers = np.concatenate([np.empty(0, np.int32), *texts])
    kinds = np.sort(numbers)
    kinds = kinds[firsts(kinds)]
    text_of = np.repeat(np.arange(len(texts)), list(map(len, texts)))
    return _vectors([words[kind] for kind in kinds.tolist()], np.searchsorted(kinds, numbers), text_of, len(texts))


def _vectors(words: Sequence[str], numbers: NDArray[Any], text_of: NDArray[np.int64], size: int) -> Vectors:
    """Return vectors of `size` texts from occurrences of words, each by its number and its text."""
    model = encoder()
    ids, sizes = packed_ids(words)
    rows = model.rows(ids)
    known = rows >= 0
    # Where the known terms of each word begin, and how many there are.
    before = np.zeros(len(rows) + 1, np.int64)
    known.cumsum(out=before[1:])
    end = sizes.cumsum()
    first = before[end - sizes]
    times = (before[end] - first)[numbers]
    # Where the terms of each occurrence lie, one after another.
    at = np.arange(int(times.sum())) + np.repeat(first[numbers] - times.cumsum() + times, times)
    return text_vectors(model, np.repeat(text_of, times), rows[known][at], size)


def text_vectors(model: Encoder, text_of: NDArray[np.int64], terms: NDArray[np.int32], size: int) -> Vectors:
    """Return vectors of `size` texts from pairs of text and term row, one an occurrence, any order; shape (size, D)."""
    bits = len(model.ids).bit_length()
    key = np.sort(text_of << bits | terms)
    new = np.flatnonzero(firsts(key))
    total = np.diff(new, append=len(key)).astype(np.float32)
    key = key[new]
    bounds = np.searchsorted(key >> bits, np.arange(size + 1))
    return model.passages((key & (1 << bits) - 1).astype(np.int32), total, bounds.tolist())
