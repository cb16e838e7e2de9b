"""Whether a word is absent in every form: inflected, inside a longer name, in a path, written as one with another.

What a gap says to be absent is looked up in the texts themselves. A doubt speaks against the gap.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from zeroin.index.view import View
from zeroin.parsing.facts import DEFINITIONS, IDENTIFIERS
from zeroin.terms import WORD, analyse_word, split_identifier, stem, term_id

_LEAST_ROOT = 4  # letters that the forms of one word begin with
_LEAST_APART = 6  # letters of a word that may be written as two
_SEAM = re.compile(r"[\s_\-./]+")


@dataclass(frozen=True)
class Absence:
    """What some documents of a tree say, and what all names of the tree say."""

    view: View
    docs: Sequence[int]

    def said(self, word: str) -> bool:
        """Whether any of the documents says a word in any form."""
        return _holds(self._texts, word)

    def named(self, word: str) -> bool:
        """Whether a name in any of the documents carries a word in any form: path, definition or identifier."""
        root, own = _root(word), stem(word.lower())
        if self._counted(word, self.docs) or _holds(self._paths, word):
            return True
        # The word alone may stand in a comment, as the index tells. Inside a longer one it is part of a name.
        return any(
            root in lower and (stem(lower) != own or len(split_identifier(written)) > 1)
            for lower, written in self._words.items()
        )

    def named_anywhere(self, word: str) -> bool:
        """Whether a name of the tree carries a word: any form of it in paths and definitions, itself in identifiers."""
        return self._counted(word, range(len(self.view.snapshot))) or _holds(self._tree, word)

    def _counted(self, word: str, docs: Sequence[int]) -> bool:
        """Whether the index has a term of a word among the names of documents."""
        content, paths = self.view.snapshot.content, self.view.snapshot.path_terms
        for term in analyse_word(word)[-1:]:  # of a compound the whole
            rows = content.rows(term_id(term))
            naming = content.docs[rows][content.counts[rows][:, [DEFINITIONS, IDENTIFIERS]].any(axis=1)]
            holding = np.union1d(naming, paths.docs[paths.rows(term_id(term))])
            if len(np.intersect1d(holding, docs)):
                return True
        return False

    @cached_property
    def _texts(self) -> tuple[str, str]:
        """Paths and texts."""
        self.view.prefetch(self.docs)
        return _lower(part for doc in self.docs for part in (self.view.paths[doc], self.view.text(doc)))

    @cached_property
    def _paths(self) -> tuple[str, str]:
        return _lower(self.view.paths[doc] for doc in self.docs)

    @cached_property
    def _words(self) -> dict[str, str]:
        """The words of the texts, by their letters in lower case."""
        words = (word for doc in self.docs for word in WORD.findall(self.view.text(doc)))
        return {word.replace("_", "").lower(): word for word in sorted(set(words))}

    @cached_property
    def _tree(self) -> tuple[str, str]:
        """All paths and all names that anything defines."""
        return _lower([*self.view.paths, *self.view.snapshot.symbols.names])


def _lower(texts: Iterable[str]) -> tuple[str, str]:
    """Texts in lower case, as they are and with nothing between their words."""
    lines = [text.lower() for text in texts]
    return "\n".join(lines), "\0".join(_SEAM.sub("", line) for line in lines)


def _holds(texts: tuple[str, str], word: str) -> bool:
    """Whether texts hold what every form of a word begins with; a long word also where it is written apart."""
    root = _root(word)
    return root in texts[0] or (len(root) >= _LEAST_APART and root in texts[1])


def _root(word: str) -> str:
    """What every form of a word begins with, in lower case; of a compound the whole."""
    parts = split_identifier(word) or [word.lower()]
    root = stem(parts[-1])
    while not parts[-1].startswith(root):  # the stem of "happy" is "happi"
        root = root[:-1]
    return "".join(parts[:-1]) + (root if len(root) >= _LEAST_ROOT else parts[-1])
