"""Words of a document → sorted term ids with counts by field, fast.

Whole words are counted first and only distinct ones split; the ids of a word's terms are computed once a process.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from zeroin.parsing.facts import CONTENT_FIELDS
from zeroin.terms import MAX_WORD_CHARS, has_bigrams, packed_id, parts_of_word, stem_once, terms_of_word

T = TypeVar("T")
_WIDTH = len(CONTENT_FIELDS)
_MAX_CACHED = 200_000  # words; about 40 MB, then the cache starts anew
_MAX_COUNT = 65_535


class MadeOnce(dict[str, T]):
    """A cache of a function of words: a subclass of `dict`, whose own look-up is the fastest there is."""

    def __init__(self, make: Callable[[str], T]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, word: str) -> T:
        made = self[word] = self._make(word)
        return made


_stems = MadeOnce(lambda part: packed_id(stem_once(part)))  # by subword: they recur far more often than words


def _packed(word: str) -> bytes:
    if len(word) > MAX_WORD_CHARS:
        return b""
    if not word.isascii() and has_bigrams(word):
        return b"".join(map(packed_id, terms_of_word(word)))
    parts, compound = parts_of_word(word)
    ids = b"".join(map(_stems.__getitem__, parts))
    return ids + packed_id(compound) if compound else ids


_terms = MadeOnce(_packed)
_names = MadeOnce(lambda word: b"" if len(word) > MAX_WORD_CHARS or word[0].isdigit() else packed_id(word))


def count_terms(fields: Mapping[int, Mapping[str, int]]) -> tuple[NDArray[np.uint64], NDArray[np.uint16]]:
    """Return term ids, sorted and unique, shape (n,), and their counts by field, shape (n, 4), from words by field."""
    found: list[str] = []
    weights: list[int] = []
    columns: list[int] = []
    for column, words in fields.items():
        found += words
        weights += words.values()
        columns += [column] * len(words)
    ids, repeats = packed_ids(found)
    if not len(ids):
        return np.empty(0, np.uint64), np.empty((0, _WIDTH), np.uint16)
    weight = np.repeat(np.array(weights, np.float64), repeats)
    column_of = np.repeat(np.array(columns, np.int64), repeats)
    order = ids.argsort()
    ids = ids[order]
    new = firsts(ids)
    row = np.cumsum(new) - 1
    unique = ids[new]
    cell = row * _WIDTH + column_of[order]
    counts = np.bincount(cell, weight[order], len(unique) * _WIDTH)
    np.minimum(counts, _MAX_COUNT, out=counts)
    return unique, counts.astype(np.uint16).reshape(-1, _WIDTH)


def count_texts(texts: Sequence[Mapping[str, int]]) -> tuple[NDArray[np.int64], NDArray[np.uint64], NDArray[np.uint16]]:
    """Return how many terms each text has, shape (D,), and the ids (N,) and counts (N, 1) of all texts in turn.

    Each text is counted as one field of `count_terms`, but all at once: array calls for each short text cost too much.
    """
    ids, repeats = packed_ids(word for text in texts for word in text)
    weights = [times for text in texts for times in text.values()]
    words = np.fromiter(map(len, texts), np.int64, len(texts))
    text_of = np.repeat(np.repeat(np.arange(len(texts)), words), repeats)
    order = np.lexsort((ids, text_of))
    ids, text_of = ids[order], text_of[order]
    new = firsts(ids) | firsts(text_of)
    counts = np.bincount(np.cumsum(new) - 1, np.repeat(np.array(weights, np.float64), repeats)[order])
    terms = np.bincount(text_of[new], minlength=len(texts))
    return terms, ids[new], np.minimum(counts, _MAX_COUNT).astype(np.uint16)[:, None]


def firsts(numbers: NDArray[Any]) -> NDArray[np.bool_]:
    """Tell which numbers differ from the one before them; `np.unique` takes three times as long."""
    out = np.ones(len(numbers), np.bool_)
    np.not_equal(numbers[1:], numbers[:-1], out=out[1:])
    return out


def packed_ids(words: Iterable[str]) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """Return the ids of the terms of words, one after another, and how many each word has."""
    if len(_terms) > _MAX_CACHED:
        _terms.clear()
        _stems.clear()
    packed = list(map(_terms.__getitem__, words))
    return np.frombuffer(b"".join(packed), np.uint64), np.fromiter(map(len, packed), np.int64, len(packed)) >> 3


def name_ids(identifiers: Iterable[str]) -> NDArray[np.uint64]:
    """Return sorted unique ids of whole identifiers; numbers and overlong words are left out."""
    if len(_names) > _MAX_CACHED:
        _names.clear()
    ids = np.sort(np.frombuffer(b"".join(map(_names.__getitem__, identifiers)), np.uint64))
    return ids[firsts(ids)]
