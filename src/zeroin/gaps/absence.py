"""Whether a word is absent in every form, and whether it is worth asking about at all.

A gap that claims an absence is checked against the texts: inflected, inside a longer name, in a path, or written as one
with its neighbour. In doubt the claim is dropped. No gap asks about everyday words (`everyday_words.txt`, with function
words of other languages) or names of tests.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from weakref import WeakKeyDictionary

import numpy as np

from zeroin.beside import text_beside
from zeroin.index.lexicon import MAX_CHARS
from zeroin.index.postings import distinct
from zeroin.index.view import View
from zeroin.parsing.facts import DEFINITIONS, IDENTIFIERS
from zeroin.patterns import lazy_pattern, lines_with
from zeroin.terms import INTENT_WORDS, STOPWORDS, analyse_word, count_words, split_identifier, stem, term_id
from zeroin.types import UNREAD_ROLES

_MIN_ROOT = 4  # letters: a shorter stem is the beginning of unrelated words
_MIN_SPLIT = 6  # letters of a word that may be written as two
_MIN_WORD = 3
_MANY_LINES = 1_000  # a file of so many lines without a word in the index was not analysed
_TRIED = 50  # unanalysed files whose text is read, at most: a partial clone lacks most
_SEAM = lazy_pattern(r"[\s_\-./]+")
_SEAM_ASCII = b"\t\n\v\f\r\x1c\x1d\x1e\x1f _-./"
# Fragments of contractions.
CONTRACTIONS = frozenset(
    "ain aren couldn didn doesn don hadn hasn haven isn mustn needn shouldn wasn weren won wouldn ll ve re".split()
)
_NO_ADVERBS = frozenset(
    "ally anomaly apply assembly bully butterfly cataly comply family fly imply italy monopoly multiply poly rally "
    "readonly reply reapply supply tally underly".split()
)
_TEST_NAME = lazy_pattern(r"^_*[tT]ests?(?=[A-Z_\d])|_(?:tests?|specs?)$|(?<=[a-z\d])(?:Tests?|Spec|TestCase)$")


@dataclass(frozen=True)
class Absence:
    """Looks words up in the texts of some documents, and in all names of the tree."""

    view: View
    docs: Sequence[int]

    def in_text(self, word: str) -> bool:
        """Tell whether any of the documents contains a word in any form."""
        return self._texts.contain(word)

    def in_name(self, word: str) -> bool:
        """Tell whether a path, definition or identifier of the documents contains a word in any form."""
        root, own = _root(word), stem(word.lower())
        if self._indexed(word, self.docs) or self._paths.contain(word):
            return True
        # The word alone may stand in a comment (the index knows). Inside a longer word it is part of a name.
        letters, words = self._words
        return any(
            stem(lower) != own or len(split_identifier(words[lower])) > 1 for _, lower in lines_with(letters, root)
        )

    def in_any_name(self, word: str) -> bool:
        """Whether a path or definition of the tree contains a word in any form, or an identifier the word itself.

        True, too, if a file that people write was too large or too late to be analysed: it may contain any word.
        """
        if self.view not in _trees:
            _trees[self.view] = _Lower([*self.view.paths, *self.view.snapshot.symbols.names])
        return self.unread or self._indexed(word) or _trees[self.view].contain(word)

    def _indexed(self, word: str, docs: Sequence[int] | None = None) -> bool:
        """Tell whether the index has the word (of a compound the whole) among the names of documents, or of any."""
        content, paths = self.view.snapshot.content, self.view.snapshot.path_terms
        for term in analyse_word(word)[-1:]:
            naming = content.holding(term_id(term), DEFINITIONS, IDENTIFIERS)
            holding = distinct(naming, paths.holding(term_id(term)))
            if len(holding if docs is None else np.intersect1d(holding, docs, assume_unique=True)):
                return True
        return False

    @cached_property
    def unread(self) -> bool:
        """Whether a file that people write was not analysed, or has many lines of which the index knows no word."""
        snapshot = self.view.snapshot
        large = (snapshot.lines >= _MANY_LINES) & ~snapshot.content.lengths.any(axis=1)
        late = np.flatnonzero(~snapshot.analysed)[:_TRIED]
        docs = (*np.flatnonzero(large).tolist(), *late.tolist())
        written = (doc for doc in docs if snapshot.role(doc) not in UNREAD_ROLES)
        # A text is empty for a binary file, and for one that a partial clone lacks.
        return any(self.view.text(doc) for doc in written)

    @cached_property
    def _texts(self) -> _Lower:
        self.view.prefetch(self.docs)
        return _Lower(part for doc in self.docs for part in (self.view.paths[doc], self.view.text(doc)))

    @cached_property
    def _paths(self) -> _Lower:
        return _Lower(self.view.paths[doc] for doc in self.docs)

    @cached_property
    def _words(self) -> tuple[str, dict[str, str]]:
        """The words of the texts as letters in lower case, one a line, and each word by these letters."""
        lexicon = self.view.lexicon
        texts = lexicon.load(self.docs, self.view.prefetch, self.view.text).values()
        numbers = distinct(np.empty(0, np.int32), *(text.words for text in texts))
        found = {lexicon.words[number] for number in numbers.tolist()}
        for rest in (self.view.text(doc)[MAX_CHARS:] for doc in self.docs):
            found.update(count_words(rest))
        words = {word.replace("_", "").lower(): word for word in sorted(found)}
        return "\n".join(words), words


class _Lower:
    """Texts in lower case, as they are and with nothing between their words."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._texts = [text.lower() for text in texts]
        self._whole = "\n".join(self._texts)

    def contain(self, word: str) -> bool:
        """Tell whether texts contain the root of a word; a long root also where it is written apart."""
        root = _root(word)
        return root in self._whole or (len(root) >= _MIN_SPLIT and root in self._joined)

    @cached_property
    def _joined(self) -> str:
        """The texts without what stands between words; for ASCII `translate` takes a fiftieth of the pattern's time."""
        return "\0".join(
            text.encode().translate(None, _SEAM_ASCII).decode() if text.isascii() else _SEAM.sub("", text)
            for text in self._texts
        )


_trees: WeakKeyDictionary[View, _Lower] = WeakKeyDictionary()  # the names of the tree


def _root(word: str) -> str:
    """Return the beginning of every form of a word, in lower case; only the last part of a compound is cut."""
    parts = split_identifier(word) or [word.lower()]
    root = stem(parts[-1])
    while not parts[-1].startswith(root):  # the stem of "happy" is "happi"
        root = root[:-1]
    return "".join(parts[:-1]) + (root if len(root) >= _MIN_ROOT else parts[-1])


def may_be_name(word: str, text: str) -> bool:
    """Tell whether a word of a text can name something: written like code, quoted, or no everyday word."""
    if is_test_name(word) or len(word) < _MIN_WORD or word.isdigit() or word.lower() in CONTRACTIONS:
        return False
    # Written as no English word is: `max_size`, `sha256`, `maxSize`, `TLS`.
    is_code = "_" in word or any(c.isdigit() for c in word) or any(c.isupper() for c in word[1:])
    if is_code or any(f"{q}{word}{q}" in text for q in "`\"'"):
        return True
    lower = word.lower()
    if not word.isascii():
        return lower not in _everyday_words().get(stem(lower), ())
    # "important" has the stem of "import": an inflection must also begin like the everyday word.
    everyday = any(lower.startswith(known[:-1]) for known in _everyday_words().get(stem(lower), ()))
    adverb = lower.endswith("ly") and lower not in _NO_ADVERBS
    participle = lower.endswith("ed") and not lower.endswith("eed")
    return not (adverb or participle or lower in STOPWORDS or lower in INTENT_WORDS or everyday)


@lru_cache(maxsize=1)
def _everyday_words() -> Mapping[str, Sequence[str]]:
    """Everyday words by stem."""
    out: dict[str, list[str]] = {}
    for line in text_beside(__file__, "everyday_words.txt").splitlines():
        for word in () if line.startswith("#") else line.split():
            out.setdefault(stem(word), []).append(word)
    return out


def is_test_name(word: str) -> bool:
    """Tell whether a name is that of a test: no codebase has another word for it."""
    return bool(_TEST_NAME.search(word))
