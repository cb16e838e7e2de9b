"""The lines of a file that are nearest to the task by the encoder, and the word pairs that explain why."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from zeroin.index.view import View
from zeroin.models.encoder import encoder
from zeroin.models.products import along, each_with_each
from zeroin.parsing.passages import number_vectors
from zeroin.terms import STOPWORDS, WORD, split_identifier, stem, term_id
from zeroin.types import Query

LEAST_NEAR = 0.4  # cosine from which a reader sees that two words are related
_MIN_CHARS = 3
_PAIRS = 3


class WordPair(NamedTuple):
    """A word of some lines, the first line that says it, and the task's word that it is nearest to."""

    said: str
    line: int
    asked: str  # or the phrase in the task that the word stands for
    same: bool  # two forms of one word


class _Word(NamedTuple):
    """A word that the encoder knows, the first of its stem; `value` is the line that says it, or its task weight."""

    row: int
    stem: str
    word: str
    value: float


def nearest_lines(query: Query, view: View, doc: int, most: int) -> list[tuple[int, int]]:
    """Return first and last line of the passages of a document that are nearest to the task, the nearest first."""
    first, end = view.snapshot.passage_pointers[doc : doc + 2].tolist()
    near = encoder().similarity(view.snapshot.vectors[first:end], view.dense_scores(query.own, query).vector)
    rows = [row for row in np.argsort(-near, kind="stable")[:most].tolist() if near[row] > 0]
    return [(start, last) for start, last in view.snapshot.passages[first:end][rows].tolist()]


def nearness(query: Query, view: View, doc: int, cuts: Sequence[tuple[int, int]]) -> NDArray[np.float32]:
    """Return how near stretches of lines of a document are to the task, shape (n,): cosines with the task's vector."""
    lexicon = view.lexicon
    text = lexicon.load([doc], view.prefetch, view.text)[doc]
    first, last = np.array(cuts, np.int32).reshape(-1, 2).T
    bounds = np.searchsorted(text.lines, first), np.searchsorted(text.lines, last, side="right")
    numbers = [text.words[start:end] for start, end in zip(*bounds, strict=True)]
    vector = view.dense_scores(query.own, query).vector
    return along(number_vectors(numbers, lexicon.words), vector)


def word_pairs(query: Query, view: View, doc: int, lines: tuple[int, int]) -> list[WordPair]:
    """Pair words of some lines with the task's word that each is nearest to, the most telling pairs first.

    Pairs are ranked by cosine × weight of the one word × weight of the other. Left out are words of the lines that are
    near no word of the task, or near one that the lines say themselves.
    """
    said, asked = _said(view, doc, lines), _asked(query)
    if not said or not asked:
        return []
    model = encoder()
    rows, task_rows = (np.array([word.row for word in words], np.int32) for words in (said, asked))
    near = each_with_each(model.vectors(rows), model.vectors(task_rows))
    column, cosine = near.argmax(axis=1), near.max(axis=1)
    weights = np.array([word.value for word in asked], np.float32) * model.task_weights[task_rows]
    telling = cosine * model.code_weights[rows] * weights[column]
    both = {word.stem for word in said} & {word.stem for word in asked}
    pairs: list[WordPair] = []
    for i in np.argsort(-telling, kind="stable").tolist():
        one, other = said[i], asked[int(column[i])]
        alike = one.stem == other.stem
        if cosine[i] >= LEAST_NEAR and (alike or other.stem not in both):
            pairs.append(WordPair(one.word, int(one.value), other.word, alike and stem(other.word) == other.stem))
    return pairs[:_PAIRS]


def _said(view: View, doc: int, lines: tuple[int, int]) -> list[_Word]:
    """List the words of some lines, each with the first line that says it."""
    first: dict[str, tuple[str, float]] = {}
    for number, line in enumerate(view.text(doc).split("\n")[lines[0] - 1 : lines[1]], start=lines[0]):
        for part in _parts(line):
            first.setdefault(stem(part), (part, number))
    return _known(first)


def _asked(query: Query) -> list[_Word]:
    """List the words of the task and of the caller, each with its greatest weight."""
    best: dict[str, tuple[str, float]] = {}
    for keyword in query.own:
        for part in _parts(keyword.text):
            if keyword.weight > best.get(stem(part), ("", 0.0))[1]:
                best[stem(part)] = keyword.phrase or part, keyword.weight
    return _known(best)


def _parts(text: str) -> list[str]:
    parts = (part for word in WORD.findall(text) for part in split_identifier(word))
    return [part for part in parts if len(part) >= _MIN_CHARS and part not in STOPWORDS]


def _known(found: dict[str, tuple[str, float]]) -> list[_Word]:
    """Keep the stems that the encoder knows."""
    rows = encoder().rows(np.array([term_id(term) for term in found], np.uint64))
    return [_Word(row, term, *found[term]) for row, term in zip(rows.tolist(), found, strict=True) if row >= 0]
