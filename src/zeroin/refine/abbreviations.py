"""Abbreviations: `auth` for authentication, `cfg` for configuration, `sso` for single sign-on.

By a list (`abbreviations.txt`), and by rule: initials, the beginning of a word, its consonants (`mgr`).
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from zeroin.beside import text_beside
from zeroin.index.vocabulary import MIN_WORD, Vocabulary
from zeroin.refine.evidence import ExpansionScores, Finding, Phrase
from zeroin.terms import stem
from zeroin.types import ExpansionSource

_LIST_SHARE, _RULE_SHARE = 1.0, 0.8
_MIN_INITIALS = 3  # words of a run whose initials may name it
_MIN_FILES = 2  # files that say a short form found by rule, at least
_INFLECTION = 2  # letters at the end of a listed word that may differ
_MAX_PREFIX, _MAX_ENDING = 5, 3  # letters of a word cut short; letters that are only an ending
_VOWELS = frozenset("aeiou")


class _List(NamedTuple):
    """`abbreviations.txt`: short form → what it stands for; stems of a long form, joined by a blank → its short forms.

    `others`: words of such a stem that mean something else.
    """

    long_of: Mapping[str, tuple[str, ...]]
    short_of: Mapping[str, Sequence[str]]
    others: frozenset[str]


@lru_cache(maxsize=1)
def _listed() -> _List:
    long_of: dict[str, tuple[str, ...]] = {}
    short_of: dict[str, list[str]] = defaultdict(list)
    others: set[str] = set()
    text = text_beside(__file__, "abbreviations.txt")
    for row in text.splitlines():
        short, separator, longs = row.partition(":")
        if row.startswith("!"):
            others.update(row.removeprefix("!").split())
        elif separator and not row.startswith("#"):
            long_of[short] = tuple(long.strip() for long in longs.split(","))
            for long in long_of[short]:
                short_of[" ".join(stem(w) for w in long.replace("-", " ").split())].append(short)
    return _List(long_of, short_of, frozenset(others))


def listed_short(word: str) -> tuple[str, ...]:
    """Return the customary short forms of a word (lower case), or of words joined by a blank."""
    listed = _listed()
    words = word.split()
    return () if listed.others.intersection(words) else tuple(listed.short_of.get(" ".join(map(stem, words)), ()))


def listed_long(short: str) -> tuple[str, ...]:
    """Return the single words that a customary short form stands for."""
    return tuple(long for long in _listed().long_of.get(short, ()) if long.isalpha())


def abbreviations(phrases: Sequence[Phrase], scores: ExpansionScores) -> None:
    """Add vocabulary words that abbreviate a phrase, or that a phrase abbreviates."""
    if not scores.wants("abbreviation"):
        return
    vocabulary = scores.vocabulary
    short_words: dict[str, list[str]] = defaultdict(list)  # by first letter
    for word, documents in zip(vocabulary.words, vocabulary.documents.tolist(), strict=True):
        if documents >= _MIN_FILES and MIN_WORD <= len(word) <= _MAX_PREFIX:
            short_words[word[0]].append(word)
    for phrase in phrases:
        for other, share in dict(_forms(phrase, vocabulary, short_words)).items():
            row = scores.row(stem(other))
            if row is not None:
                text = " / ".join(sorted((" ".join(phrase), other), key=len))
                source = ExpansionSource("abbreviation", "", None, text)
                scores.add(phrase, row, Finding("abbreviation", share, source, trusted=share == _LIST_SHARE))


def _forms(
    phrase: Phrase, vocabulary: Vocabulary, short_words: Mapping[str, Sequence[str]]
) -> Iterator[tuple[str, float]]:
    """Other forms of a phrase with their share; the surest last."""
    long_of = _listed().long_of
    lower = [word.lower() for word in phrase]
    if len(phrase) >= _MIN_INITIALS:
        yield "".join(word[0] for word in lower), _RULE_SHARE
    if len(phrase) == 1:
        word = lower[0]
        for short in short_words.get(word[0], ()):
            known = len(short) >= len(word) or short in long_of or stem(short) == stem(word)
            if not known and (_is_prefix(short, word) or _is_skeleton(short, word)):
                yield short, _RULE_SHARE
    for short in listed_short(" ".join(lower)):
        yield short, _LIST_SHARE
    for long in long_of.get(" ".join(lower), ()):
        row = vocabulary.number.get(stem(long))
        # The stem of `authorization` is that of `author`: what the code says must begin like the whole word.
        if row is not None and vocabulary.words[row].startswith(long[:-_INFLECTION]):
            yield vocabulary.words[row], _LIST_SHARE


def _is_prefix(short: str, long: str) -> bool:
    """Whether a word is cut after a consonant, before a vowel, and more goes than an ending: `auth|entication`."""
    rest = long[len(short) :]
    at_seam = long.startswith(short) and short[-1] not in _VOWELS and rest[:1] in _VOWELS
    return at_seam and len(short) <= _MAX_PREFIX and len(rest) > _MAX_ENDING


def _is_skeleton(short: str, long: str) -> bool:
    """Whether a short form is made of a word's consonants: first and last letter kept, in order, most of them."""
    if len(short) > _MAX_PREFIX or len(long) < len(short) + 2 or _VOWELS & set(short[1:]):
        return False
    consonants = long[0] + "".join(c for c in long[1:] if c not in _VOWELS)
    letters = iter(consonants)
    in_order = all(c in letters for c in short)
    return in_order and 2 * len(short) > len(consonants) and short[-1] == consonants[-1]
