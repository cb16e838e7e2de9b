"""Cut a file into passages, at definitions where that gives a usable length, and encode each as a vector."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from zeroin.models.encoder import Encoder, Vectors, encoder
from zeroin.parsing.term_counts import MadeOnce, firsts, packed_ids
from zeroin.terms import count_words

MIN_LINES, MAX_LINES = 12, 40  # shorter passages have too few terms, longer ones mix subjects
MAX_PASSAGES = 250  # of one file; a file with more is mostly data
_MAX_CACHED = 200_000  # words


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
    model = encoder()
    known = _rows_of(model)
    packed: list[bytes] = []
    counts: list[int] = []
    sizes: list[int] = []  # words of each stretch
    for first, last in cuts:
        words = count_words("\n".join(rows[first - 1 : last]))
        packed += map(known.__getitem__, words)
        counts += words.values()
        sizes.append(len(words))
    terms = np.frombuffer(b"".join(packed), np.int32)
    lengths = np.fromiter(map(len, packed), np.int64, len(packed)) >> 2
    text_of = np.repeat(np.repeat(np.arange(len(cuts)), sizes), lengths)
    return text_vectors(model, text_of, terms, np.repeat(np.array(counts, np.float32), lengths), len(cuts))


def number_vectors(texts: Sequence[NDArray[np.int32]], words: Sequence[str]) -> Vectors:
    """Return vectors of texts, each given by the numbers of its words among `words`, shape (n, D)."""
    model = encoder()
    known = _rows_of(model)
    numbers = np.concatenate([np.empty(0, np.int32), *texts])
    kinds = np.sort(numbers)
    kinds = kinds[firsts(kinds)]
    packed = [known[words[number]] for number in kinds.tolist()]
    terms = np.frombuffer(b"".join(packed), np.int32)
    pointers = np.cumsum([0, *map(len, packed)]) >> 2
    kind = np.searchsorted(kinds, numbers)
    first, size = pointers[kind], (pointers[1:] - pointers[:-1])[kind]
    text_of = np.repeat(np.repeat(np.arange(len(texts)), [len(text) for text in texts]), size)
    # Where the terms of each word lie, one after another.
    at = np.arange(len(text_of)) + np.repeat(first - np.cumsum(size) + size, size)
    return text_vectors(model, text_of, terms[at], np.ones(len(at), np.float32), len(texts))


def text_vectors(
    model: Encoder, text_of: NDArray[np.int64], terms: NDArray[np.int32], counts: Vectors, size: int
) -> Vectors:
    """Return vectors of `size` texts from (text, term row, count) triples in any order, shape (size, D)."""
    bits = len(model.ids).bit_length()
    key = text_of << bits | terms
    order = np.argsort(key)
    key = key[order]
    new = np.flatnonzero(firsts(key))
    total = np.add.reduceat(counts[order], new) if len(new) else counts
    key = key[new]
    bounds = np.searchsorted(key >> bits, np.arange(size + 1))
    return model.passages((key & (1 << bits) - 1).astype(np.int32), total, bounds.tolist())


def _rows_by_word(model: Encoder) -> MadeOnce[bytes]:
    """Map a word to the rows of its terms in the encoder's table, four bytes each; unknown terms are left out."""
    rows = np.arange(len(model.ids), dtype=np.int32)
    row = dict(zip(model.ids.astype("<u8").view("V8").tolist(), rows.view("V4").tolist(), strict=True))

    def pack(word: str) -> bytes:
        known = packed_ids(word)
        return b"".join([row.get(known[at : at + 8], b"") for at in range(0, len(known), 8)])

    return MadeOnce(pack)


_kept: list[tuple[Encoder, MadeOnce[bytes]]] = []  # at most one


def _rows_of(model: Encoder) -> MadeOnce[bytes]:
    if not _kept or _kept[0][0] is not model or len(_kept[0][1]) > _MAX_CACHED:
        _kept[:] = [(model, _rows_by_word(model))]
    return _kept[0][1]
