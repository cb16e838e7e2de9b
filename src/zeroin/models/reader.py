"""The reader: a small transformer that reads a task together with the digest of a file, and says how well they agree.

A cross-encoder in the form of BERT, three layers. A sequence is the pieces of the task, then those of the digest; each
piece that the other side has, too, carries a mark. Shapes below: B files, L places, D dimensions, H heads.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from zeroin.config import READER
from zeroin.models.file import Arrays, Header, read

SHIPPED = Path(__file__).with_name("reader.npz")

TASK_PIECES, FILE_PIECES = 48, 96
_WORD_PIECES = 6  # of one word, at most
_KEPT_WORDS = 50_000  # whose pieces are kept
_LONGEST = TASK_PIECES + FILE_PIECES + 3  # a sequence, with its begin and two ends
_EPSILON = 1e-12
_GELU = 0.7978845608  # √(2/π)

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]


class Vocabulary:
    """Cuts words into pieces, the longest known one first; a piece that does not begin its word is marked `##`."""

    PAD, START, END, UNKNOWN = range(4)  # the first rows: no piece; begin of a sequence; end of a side; not known
    SPECIAL = ("[PAD]", "[CLS]", "[SEP]", "[UNK]")

    def __init__(self, pieces: Sequence[str]) -> None:
        self._number = {piece: number for number, piece in enumerate(pieces)}
        self._longest = max(map(len, pieces), default=0)
        self._cut: dict[str, tuple[int, ...]] = {}

    def numbers(self, words: Iterable[str], most: int) -> list[int]:
        """Return the numbers of the first pieces of some words."""
        out: list[int] = []
        for word in words:
            out += self._pieces_of(word)
            if len(out) >= most:
                break
        return out[:most]

    def fitting(self, words: Sequence[str], most: int) -> int:
        """Return how many words have a piece among the first ones."""
        before = 0
        for count, word in enumerate(words):
            if before >= most:
                return count
            before += len(self._pieces_of(word))
        return len(words)

    def _pieces_of(self, word: str) -> tuple[int, ...]:
        known = self._cut.get(word)
        if known is None:
            if len(self._cut) >= _KEPT_WORDS:
                self._cut = {}
            known = self._cut[word] = self._pieces(word)
        return known

    def _pieces(self, word: str) -> tuple[int, ...]:
        out: list[int] = []
        at = 0
        while at < len(word) and len(out) < _WORD_PIECES:
            for end in range(min(len(word), at + self._longest), at, -1):
                number = self._number.get(word[at:end] if at == 0 else f"##{word[at:end]}")
                if number is not None:
                    break
            else:
                return (self.UNKNOWN,)
            out.append(number)
            at = end
        return tuple(out)


class Batch(NamedTuple):
    """Sequences, shapes (B, L) each: numbers of pieces; side, 0 task and 1 file; mark, 1 where both sides say it."""

    pieces: Ints
    sides: Ints
    marks: Ints

    @property
    def used(self) -> NDArray[np.bool_]:
        return np.asarray(self.pieces != Vocabulary.PAD)


def batch_of(vocabulary: Vocabulary, task: Sequence[str], files: Sequence[Sequence[str]]) -> Batch:
    """Make one sequence of the task and each file; all are as long as the longest."""
    asked = vocabulary.numbers(task, TASK_PIECES)
    said = [vocabulary.numbers(words, FILE_PIECES) for words in files]
    length = len(asked) + max(map(len, said), default=0) + 3
    pieces, sides, marks = (np.zeros((len(files), length), np.int64) for _ in range(3))
    own = set(asked) - {Vocabulary.UNKNOWN}
    for row, numbers in enumerate(said):
        both = own & set(numbers)
        sequence = [Vocabulary.START, *asked, Vocabulary.END, *numbers, Vocabulary.END]
        pieces[row, : len(sequence)] = sequence
        sides[row, len(asked) + 2 : len(sequence)] = 1
        marks[row, : len(sequence)] = [number in both for number in sequence]
    return Batch(pieces, sides, marks)


@dataclass(frozen=True, slots=True, eq=False)
class Dense:
    """A linear map: `weights` (in, out) and `bias` (out,).

    By BLAS, in as many threads as it is given: without it a question would take a second.
    """

    weights: Floats
    bias: Floats

    def __call__(self, values: Floats) -> Floats:
        return np.asarray(values @ self.weights + self.bias, np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Norm:
    """Layer normalisation: `scale` and `shift` (D,)."""

    scale: Floats
    shift: Floats

    def __call__(self, values: Floats) -> Floats:
        values = values - values.mean(axis=-1, keepdims=True)
        spread = np.sqrt(np.mean(values * values, axis=-1, keepdims=True) + np.float32(_EPSILON))
        return np.asarray(values / spread * self.scale + self.shift, np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Layer:
    """Attention, then a perceptron; each is added to what comes in, and normalised."""

    asked: Dense  # to queries of all heads, side by side
    kept: Dense  # to their keys, then to their values
    joined: Dense
    after: Norm
    wide: Dense
    narrow: Dense
    last: Norm
    heads: int

    def __call__(self, values: Floats, bias: Floats, places: int) -> Floats:
        """Apply to values (B, L, D) at the first places, shape (B, places, D). `bias` (B, 1, 1, L) is of the keys."""
        first = values[:, :places]
        first = self.after(first + self.joined(self._attention(first, values, bias)))
        wide = self.wide(first)
        wide *= 0.5 * (1.0 + np.tanh(np.float32(_GELU) * (wide + np.float32(0.044715) * wide * wide * wide)))
        return self.last(first + self.narrow(wide))

    def _attention(self, first: Floats, values: Floats, bias: Floats) -> Floats:
        """Attend from `first` (B, F, D) to `values` (B, L, D), shape (B, F, D)."""
        count, length, size = first.shape
        heads = (self.heads, size // self.heads)
        queries = self.asked(first).reshape(count, length, *heads).swapaxes(1, 2)
        keys, said = self.kept(values).reshape(count, -1, 2, *heads).transpose(2, 0, 3, 1, 4)
        products = queries @ keys.swapaxes(-1, -2) / np.float32(np.sqrt(size // self.heads)) + bias
        products -= products.max(axis=-1, keepdims=True)
        np.exp(products, out=products)
        products /= products.sum(axis=-1, keepdims=True)
        return np.ascontiguousarray((products @ said).transpose(0, 2, 1, 3)).reshape(count, length, size)


@dataclass(frozen=True, eq=False)
class Reader:
    """Says how well files agree with a task.

    `table` (V, D) int8 times `scales` (V,) are the vectors of pieces; `places` (L, D), `sides` (2, D) and `mark` (D,)
    are added to them.
    """

    vocabulary: Vocabulary
    table: NDArray[np.int8]
    scales: Floats
    places: Floats
    sides: Floats
    mark: Floats
    first: Norm
    layers: tuple[Layer, ...]
    out: Dense
    card: Mapping[str, object] = field(default_factory=dict)

    def scores(self, task: Sequence[str], files: Sequence[Sequence[str]]) -> NDArray[np.float64]:
        """Score files for a task, shape (files,): differences are log odds. Sides are given as words."""
        if not files:
            return np.zeros(0)
        batch = batch_of(self.vocabulary, task, files)
        values = self.table[batch.pieces].astype(np.float32) * self.scales[batch.pieces, None]
        values += self.places[: values.shape[1]] + self.sides[batch.sides] + batch.marks[..., None] * self.mark
        values = self.first(np.asarray(values, np.float32))
        bias = np.where(batch.used, np.float32(0), np.float32(-1e4))[:, None, None, :]
        for layer in self.layers[:-1]:
            values = layer(values, bias, values.shape[1])
        values = self.layers[-1](values, bias, 1)  # the score is read off the first place
        return np.asarray(self.out(values[:, 0])[:, 0], np.float64)


def read_reader(path: Path) -> Reader:
    """Read a reader. Raises `ModelError`."""
    return read(path, "a reader", _build)


def _build(header: Header, arrays: Arrays) -> Reader:
    pieces = bytes(arrays["pieces"]).decode().split("\n")
    table, heads, count = arrays["table"], header["heads"], header["layers"]
    size = table.shape[-1]
    counted = isinstance(heads, int) and isinstance(count, int) and heads > 0 and size % heads == 0
    if not counted or table.ndim != 2 or len(pieces) != len(table) or tuple(pieces[:4]) != Vocabulary.SPECIAL:
        raise ValueError("its arrays do not belong together")

    def floats(name: str, *shape: int) -> Floats:
        found = arrays[name].astype(np.float32)
        if found.shape != shape:
            raise ValueError(f"its array {name} has another shape")
        return found

    def dense(name: str, inside: int, outside: int) -> Dense:
        """Weights are stored a row for each output, int8, each with a scale."""
        stored = floats(f"{name}.weights", outside, inside) * floats(f"{name}.scales", outside)[:, None]
        return Dense(np.ascontiguousarray(stored.T), floats(f"{name}.bias", outside))

    def norm(name: str) -> Norm:
        return Norm(floats(f"{name}.scale", size), floats(f"{name}.shift", size))

    def layer(n: int) -> Layer:
        wide = arrays[f"{n}.wide.bias"].size
        attend = dense(f"{n}.attend", size, 3 * size)
        return Layer(
            Dense(np.ascontiguousarray(attend.weights[:, :size]), attend.bias[:size]),
            Dense(np.ascontiguousarray(attend.weights[:, size:]), attend.bias[size:]),
            dense(f"{n}.joined", size, size),
            norm(f"{n}.after"),
            dense(f"{n}.wide", size, wide),
            dense(f"{n}.narrow", wide, size),
            norm(f"{n}.last"),
            heads,
        )

    return Reader(
        Vocabulary(pieces),
        table,
        floats("scales", len(pieces)),
        floats("places", _LONGEST, size),
        floats("sides", 2, size),
        floats("mark", size),
        norm("first"),
        tuple(map(layer, range(count))),
        Dense(floats("out.weights", size, 1), floats("out.bias", 1)),
        header["card"],
    )


def reader() -> Reader:
    """Return the reader that the environment names, or the shipped one. Raises `ModelError`."""
    return _read(os.environ.get(READER) or str(SHIPPED))


_read = lru_cache(maxsize=2)(lambda path: read_reader(Path(path)))
