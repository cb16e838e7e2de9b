"""Words that belong together: neighbours by the encoder within the repository's vocabulary words, and the word table.

Neither says where in this repository both were written: they propose, and weigh less than what somebody wrote down.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from zeroin.models.words import WordTable
from zeroin.refine.scores import ExpansionScores, Phrase
from zeroin.refine.vocabulary import Vocabulary
from zeroin.terms import analyse_word, term_id
from zeroin.types import ExpansionSource

_NEIGHBOURS = 24  # of one phrase
_FOLLOWERS = 16
_LEAST_ALIKE = 0.2


class Encoder(Protocol):
    """What a static encoder must offer: vectors of phrase length for terms, and one for a weighted text."""

    def rows(self, ids: NDArray[np.uint64]) -> NDArray[np.int32]:
        """The encoder's row of each term id, -1 for an unknown one."""

    def vectors(self, rows: NDArray[np.int32]) -> NDArray[np.float32]:
        """Vectors of rows, (n, D)."""

    def task(self, terms: Mapping[int, float]) -> NDArray[np.float32]:
        """The vector of weighted term ids, (D,); all zero if none is known."""


def text_similarity(
    encoder: Encoder, vocabulary: Vocabulary, phrases: Sequence[Phrase]
) -> NDArray[np.float32]:
    """How alike each vocabulary word and the whole text are, (W,); 0 for words that the encoder does not know."""
    known, matrix = _matrix(encoder, vocabulary)
    out = np.zeros(len(vocabulary), np.float32)
    out[known] = matrix @ encoder.task(
        {term_id(t): 1.0 for phrase in phrases for w in phrase for t in analyse_word(w)}
    )
    return out


def nearest_terms(
    encoder: Encoder,
    vocabulary: Vocabulary,
    phrases: Sequence[Phrase],
    task_terms: frozenset[str],
    scores: ExpansionScores,
) -> None:
    """Credit the vocabulary words that the encoder puts nearest to each phrase."""
    known, matrix = _matrix(encoder, vocabulary)
    if not scores.wants("neighbour") or not len(known):
        return
    for phrase in phrases:
        alike = matrix @ encoder.task({term_id(t): 1.0 for word in phrase for t in analyse_word(word)})
        most = min(_NEIGHBOURS, len(alike))
        for place in np.argpartition(-alike, most - 1)[:most].tolist():
            row, cosine = int(known[place]), float(alike[place])
            if cosine > _LEAST_ALIKE and vocabulary.terms[row] not in task_terms:
                share = (cosine - _LEAST_ALIKE) * float(vocabulary.weights[row]) ** 0.25
                source = ExpansionSource("neighbour", "", None, f"{cosine:.2f} alike")
                scores.add(phrase, row, "neighbour", share, source, alike=cosine)


_matrices: WeakKeyDictionary[Vocabulary, tuple[NDArray[np.int64], NDArray[np.float32]]] = WeakKeyDictionary()


def _matrix(encoder: Encoder, vocabulary: Vocabulary) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Rows of the vocabulary words that the encoder knows, and their vectors; kept for as long as the vocabulary is."""
    if vocabulary not in _matrices:
        rows = encoder.rows(vocabulary.ids)
        known = np.flatnonzero(rows >= 0)
        _matrices[vocabulary] = (known, encoder.vectors(rows[known]))
    return _matrices[vocabulary]


def translations(
    table: WordTable,
    vocabulary: Vocabulary,
    phrases: Sequence[Phrase],
    task_terms: frozenset[str],
    scores: ExpansionScores,
) -> None:
    """Credit the vocabulary words that, in many repositories' histories, name what is spoken of in a phrase's word."""
    if not scores.wants("global"):
        return
    for phrase in phrases:
        if len(phrase) > 1:
            continue
        for term in analyse_word(phrase[0])[:1]:
            found = [
                f
                for f in table.translations(term)
                if f.term in vocabulary.number and f.term not in task_terms
            ]
            for follower in found[:_FOLLOWERS]:
                row = vocabulary.number[follower.term]
                text = f"so in the histories of {follower.repositories} repositories"
                share = follower.weight * float(vocabulary.weights[row])
                scores.add(phrase, row, "global", share, ExpansionSource("global", "", None, text))
