"""The words by which a repository names things: subwords of what it defines and of its paths."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from zeroin.index.arrays import StringTable
from zeroin.index.postings import Postings
from zeroin.terms import INTENT_WORDS, STOPWORDS, split_identifier, stem, term_id

MIN_WORD = 3
# Names of folders and files that say nothing of what is in them.
GENERIC = frozenset(
    "src lib libs pkg test tests testing spec specs doc docs main index init app core common util utils helper helpers "
    "misc base types internal github workflows readme changelog license package packages module modules".split()
)
# Words although shorter than `MIN_WORD`.
SHORT = frozenset("db fs id io ip os ui ux vm ws ns tz kv ca gc js".split())
# A word is common in more than this share of the files, if those are more than so many.
_COMMON, _COMMON_FILES = 0.3, 20
_AT_ONCE = 8_192  # names that are split at once


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """W terms by which a repository names things, in alphabetical order, each with its most frequent surface form.

    `ids` (W,) are term ids; `documents` (W,) counts the files that hold a term; `weights` (W,) float32, 0–1, are full
    for a term of a path, half for one of definitions only, and higher for rare terms. `forms` are all F subwords of
    definitions and paths, sorted, and `times` (F,) says in how many of these each occurs.
    """

    words: StringTable
    terms: StringTable
    ids: NDArray[np.uint64]
    documents: NDArray[np.int64]
    weights: NDArray[np.float32]
    forms: StringTable
    times: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.terms)

    @cached_property
    def number(self) -> dict[str, int]:
        """The row of each term."""
        return {term: row for row, term in enumerate(self.terms)}

    @classmethod
    def of(cls, paths: Iterable[str], names: Iterable[str], content: Postings, path_terms: Postings) -> Vocabulary:
        """Return the vocabulary of files with these paths that define these names.

        `content` and `path_terms` say in how many files a term occurs, and in how many paths.
        """
        forms = Counter(_subwords(names))
        # Folders, and names of files without the suffix.
        parts = (path.rpartition("/") for path in paths)
        places = dict.fromkeys(place for f, _, n in parts for place in (f, n.rpartition(".")[0] or n))
        forms.update(_subwords(places))
        return cls._of_forms(forms, content, path_terms)

    def after(self, gone: Iterable[str], added: Iterable[str], content: Postings, path_terms: Postings) -> Vocabulary:
        """Return the vocabulary once some names are defined no longer and others are; the paths are the same."""
        forms = Counter(dict(zip(self.forms, self.times.tolist(), strict=True)))
        forms.update(_subwords(added))
        forms.subtract(_subwords(gone))
        return self._of_forms(+forms, content, path_terms)

    @classmethod
    def _of_forms(cls, forms: Counter[str], content: Postings, path_terms: Postings) -> Vocabulary:
        surface: dict[str, tuple[int, str]] = {}
        for word, times in forms.items():
            if names_things(word):
                term = stem(word)
                surface[term] = max(surface.get(term, (0, "")), (times, word))
        terms = sorted(surface)
        numbers = [term_id(term) for term in terms]
        in_paths = path_terms.document_frequencies(numbers)
        documents = np.maximum(content.document_frequencies(numbers), in_paths)
        count = content.documents
        idf = np.log1p((count - documents + 0.5) / (documents + 0.5))
        most = float(np.log1p((count - 0.5) / 1.5)) if count > 1 else 1.0
        named = np.where(in_paths > 0, 1.0, 0.5)
        weights = named * (0.25 + 0.75 * np.clip(idf / most, 0.0, 1.0))
        kept = np.flatnonzero((documents > 0) & (documents <= max(_COMMON_FILES, _COMMON * count)))
        chosen = [terms[row] for row in kept.tolist()]
        return cls(
            words=StringTable.pack([surface[term][1] for term in chosen]),
            terms=StringTable.pack(chosen),
            ids=np.array(numbers, np.uint64)[kept],
            documents=documents[kept],
            weights=weights[kept].astype(np.float32),
            forms=StringTable.pack(written := sorted(forms)),
            times=np.array([forms[form] for form in written], np.int32),
        )


def names_things(word: str) -> bool:
    """Tell whether a subword (lower case) can name something."""
    if len(word) < MIN_WORD:
        return word in SHORT
    return not (word.isdigit() or word in STOPWORDS or word in INTENT_WORDS or word in GENERIC)


def _subwords(names: Iterable[str]) -> Iterator[str]:
    """Yield the subwords of names; ASCII names are split many at once, as the others need another rule."""
    left = iter(names)
    while some := list(islice(left, _AT_ONCE)):
        yield from split_identifier("\n".join(name for name in some if name.isascii()))
        yield from (part for name in some if not name.isascii() for part in split_identifier(name))
