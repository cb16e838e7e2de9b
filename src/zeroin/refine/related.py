"""Words related to the task's by models: nearest terms by the encoder, and the word table of many repositories.

Neither can cite a place in this repository, so both count less than written evidence.
"""

from __future__ import annotations

from collections.abc import Sequence
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from zeroin.index.vocabulary import Vocabulary
from zeroin.models.encoder import Encoder
from zeroin.models.products import along
from zeroin.models.words import WordTable
from zeroin.refine.evidence import ExpansionScores, Finding, Phrase
from zeroin.terms import analyse_word, term_id
from zeroin.types import ExpansionSource

_NEAREST, _TRANSLATIONS = 24, 16  # of one phrase
_MIN_COSINE = 0.2


_kept: WeakKeyDictionary[Vocabulary, RelatedTerms] = WeakKeyDictionary()


class RelatedTerms:
    """Vocabulary words by their similarity to phrases."""

    @classmethod
    def of(cls, encoder: Encoder, vocabulary: Vocabulary) -> RelatedTerms:
        """Return the terms of a vocabulary; kept, since decoding 20,000 vectors takes 0.2 s."""
        kept = _kept.get(vocabulary)
        if kept is None or kept._encoder is not encoder:
            kept = _kept[vocabulary] = cls(encoder, vocabulary)
        return kept

    def __init__(self, encoder: Encoder, vocabulary: Vocabulary) -> None:
        self._encoder = encoder
        self._size = len(vocabulary)
        rows = encoder.rows(vocabulary.ids)
        self._known = np.flatnonzero(rows >= 0)
        self._matrix = encoder.vectors(rows[self._known])

    def similarity(self, phrases: Sequence[Phrase]) -> NDArray[np.float32]:
        """Cosine of each vocabulary word with the whole text, (W,); 0 for words that the encoder does not know."""
        out = np.zeros(self._size, np.float32)
        out[self._known] = self._cosines([word for phrase in phrases for word in phrase])
        return out

    def nearest(self, phrases: Sequence[Phrase], scores: ExpansionScores) -> None:
        """Add the vocabulary words that are nearest to each phrase: share (cosine − 0.2) × weight^¼."""
        for phrase in phrases if scores.wants("neighbour") and len(self._known) else ():
            cosines = self._cosines(phrase)
            most = min(_NEAREST, len(cosines))
            for place in np.argpartition(-cosines, most - 1)[:most].tolist():
                row, cosine = int(self._known[place]), float(cosines[place])
                if cosine > _MIN_COSINE and scores.row(scores.vocabulary.terms[row]) is not None:
                    share = (cosine - _MIN_COSINE) * float(scores.vocabulary.weights[row]) ** 0.25
                    source = ExpansionSource("neighbour", "", None, f"{cosine:.2f} alike")
                    scores.add(phrase, row, Finding("neighbour", share, source, similarity=cosine))

    def _cosines(self, words: Sequence[str]) -> NDArray[np.float32]:
        terms = {term_id(term): 1.0 for word in words for term in analyse_word(word)}
        return along(self._matrix, self._encoder.task(terms))


def translations(table: WordTable, phrases: Sequence[Phrase], scores: ExpansionScores) -> None:
    """Add the vocabulary words that translate a phrase's first word by the histories of other repositories."""
    for phrase in phrases if scores.wants("global") else ():
        for term in analyse_word(phrase[0])[:1]:
            found = ((scores.row(f.term), f) for f in table.translations(term))
            for row, follower in [(row, f) for row, f in found if row is not None][:_TRANSLATIONS]:
                text = f"so in the histories of {follower.repositories} repositories"
                share = follower.weight * float(scores.vocabulary.weights[row])
                scores.add(phrase, row, Finding("global", share, ExpansionSource("global", "", None, text)))
