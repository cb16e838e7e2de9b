"""Words that belong together: neighbours by the encoder within the repository's naming words, and the word table.

Neither says where in this repository both were written: they propose, and weigh less than what somebody wrote down.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from zeroin.models.words import WordTable
from zeroin.refine.credit import Ledger, Unit
from zeroin.refine.naming import Naming
from zeroin.terms import analyse_word, term_id
from zeroin.types import TermSource

_NEIGHBOURS = 24  # of one unit
_FOLLOWERS = 16
_LEAST_ALIKE = 0.2


class Encoder(Protocol):
    """What a static encoder must offer: vectors of unit length for terms, and one for a weighted text."""

    def rows(self, ids: NDArray[np.uint64]) -> NDArray[np.int32]:
        """The encoder's row of each term id, -1 for an unknown one."""

    def vectors(self, rows: NDArray[np.int32]) -> NDArray[np.float32]:
        """Vectors of rows, (n, D)."""

    def task(self, terms: Mapping[int, float]) -> NDArray[np.float32]:
        """The vector of weighted term ids, (D,); all zero if none is known."""


def likeness(encoder: Encoder, naming: Naming, units: Sequence[Unit]) -> NDArray[np.float32]:
    """How alike each naming word and the whole text are, (W,); 0 for words that the encoder does not know."""
    known, matrix = _matrix(encoder, naming)
    out = np.zeros(len(naming), np.float32)
    out[known] = matrix @ encoder.task(
        {term_id(t): 1.0 for unit in units for w in unit for t in analyse_word(w)}
    )
    return out


def neighbours(
    encoder: Encoder, naming: Naming, units: Sequence[Unit], task_terms: frozenset[str], ledger: Ledger
) -> None:
    """Credit the naming words that the encoder puts nearest to each unit."""
    known, matrix = _matrix(encoder, naming)
    if not ledger.wants("neighbour") or not len(known):
        return
    for unit in units:
        alike = matrix @ encoder.task({term_id(t): 1.0 for word in unit for t in analyse_word(word)})
        most = min(_NEIGHBOURS, len(alike))
        for place in np.argpartition(-alike, most - 1)[:most].tolist():
            row, cosine = int(known[place]), float(alike[place])
            if cosine > _LEAST_ALIKE and naming.terms[row] not in task_terms:
                share = (cosine - _LEAST_ALIKE) * float(naming.worth[row]) ** 0.25
                source = TermSource("neighbour", "", None, f"{cosine:.2f} alike")
                ledger.credit(unit, row, "neighbour", share, source, alike=cosine)


_matrices: WeakKeyDictionary[Naming, tuple[NDArray[np.int64], NDArray[np.float32]]] = WeakKeyDictionary()


def _matrix(encoder: Encoder, naming: Naming) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Rows of the naming words that the encoder knows, and their vectors; kept for as long as the naming is."""
    if naming not in _matrices:
        rows = encoder.rows(naming.ids)
        known = np.flatnonzero(rows >= 0)
        _matrices[naming] = (known, encoder.vectors(rows[known]))
    return _matrices[naming]


def followers(
    table: WordTable, naming: Naming, units: Sequence[Unit], task_terms: frozenset[str], ledger: Ledger
) -> None:
    """Credit the naming words that, in many repositories' histories, name what is spoken of in a unit's word."""
    if not ledger.wants("global"):
        return
    for unit in units:
        if len(unit) > 1:
            continue
        for term in analyse_word(unit[0])[:1]:
            found = [f for f in table.following(term) if f.term in naming.number and f.term not in task_terms]
            for follower in found[:_FOLLOWERS]:
                row = naming.number[follower.term]
                text = f"so in the histories of {follower.repositories} repositories"
                share = follower.weight * float(naming.worth[row])
                ledger.credit(unit, row, "global", share, TermSource("global", "", None, text))
