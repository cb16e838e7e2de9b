"""Translate a task into English words: code is named in English, whatever language the question is in.

A dictionary of software words (`dictionaries/`: English, then the words of the language), looked up by stem, stands
for a translator: retrieval needs words, no grammar. Code, names and words that it lacks stay as they are. Quoted text
stays, followed by its English: labels and messages in the code may be in the users' language.
A dictionary's second part, after an empty line, counts where the first has no entry; a row without English holds words
that mean nothing.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np
import Stemmer

from zeroin.beside import text_beside
from zeroin.models.commonness import UNLISTED, commonness
from zeroin.patterns import lazy_pattern
from zeroin.query.tables import SYNTAX, Table
from zeroin.terms import MAX_WORD_CHARS, STOPWORDS, stem, term_id

LANGUAGES = Table("languages")
_LOOKED_AT = 2_000  # characters by which the language is decided
_ENGLISH = 6  # one English function word in so many words: an English text
_FUNCTION_WORDS, _FUNCTION_SHARE = 2, 0.15  # of the language, at least
_FEW = 12  # a text of so few words needs one function word, or none if a word has an accent
_KNOWN_WORDS, _KNOWN_SHARE = 2, 0.5  # words of such a text that the language has, at least
_CJK_SHARE = 0.2  # of the letters, in a text in Chinese or Japanese
_MEANINGS = 2  # English words for one word, the most frequent in tasks first
_PHRASE = 3  # words that one entry has at most
_LEAST_PART = 4  # characters of each part of a compound
_CODE = lazy_pattern(r"(```.*?(?:```|\Z)|`[^`\n]*`|^(?: {4}|\t)[^\n]*)", re.DOTALL | re.MULTILINE)
# Not a part of a name, a path, a number or a call.
_WORD = lazy_pattern(r"(?<![\w.$/@])[^\W\d_]+(?![\w(/@]|\.\w)")
_CJK = lazy_pattern("[\u3040-\u30ff\u4e00-\u9fff]+")
_KANA = lazy_pattern("[\u3040-\u30ff]")
_HIRAGANA = lazy_pattern("[\u3040-\u309f]+")


NativeWords = tuple[tuple[str, str], ...]  # word of the task in lower case, as the code writes it


class Translation(NamedTuple):
    """A task in English words; `words` are those that took the place of others, each once."""

    text: str
    language: str
    words: tuple[str, ...]


class Dictionary(NamedTuple):
    """The entries of one language: what is looked up → English words. `function_words` mean nothing alone.

    `exact` are entries as written, looked up before function words: a question word may be both.
    """

    entries: Mapping[str, tuple[str, ...]]
    exact: Mapping[str, tuple[str, ...]]
    function_words: frozenset[str]
    key: Callable[[str], str]  # of a single word
    longest: int  # characters of an entry, at most


def in_english(text: str, language: str | None = None, native: NativeWords = ()) -> str:
    """Return a text in English words if its language, recognised unless given, is another known one; else as it is.

    `native` as in `translated`.
    """
    translation = translated(text, language or language_of(text), native)
    return text if translation is None else translation.text


@lru_cache(maxsize=64)
def translated(text: str, language: str | None, native: NativeWords = ()) -> Translation | None:
    """Return a part of a task in a language (None: English) in English words; None where no word is known.

    `native` words are written as the code writes them instead.
    """
    if language is None:
        return None
    dictionary = dictionary_of(language)
    if native:
        dictionary = dictionary._replace(exact={**dictionary.exact, **{word: (name,) for word, name in native}})
    by_word = _by_run if "stemmer" not in LANGUAGES.data[language] else _by_word
    found: dict[str, None] = {}

    def read(text: str) -> str:
        out, done = [], 0
        for match in SYNTAX.pattern("quoted").finditer(text):
            quoted = match[match.lastindex or 0]
            english = by_word(quoted, dictionary, found)
            kept = f'"{quoted}"' if english == quoted else f'"{quoted}" {english}'
            out += [by_word(text[done : match.start()], dictionary, found), kept]
            done = match.end()
        return "".join((*out, by_word(text[done:], dictionary, found)))

    parts = _CODE.split(text)
    parts[::2] = map(read, parts[::2])  # those between are code
    return Translation("".join(parts), LANGUAGES.data[language]["name"], tuple(found)) if found else None


@lru_cache(maxsize=4)
def language_of(text: str) -> str | None:
    """Tell the language of a task by its function words, or by its script; None for English, or an unknown one.

    Quoted text counts only if the task has no other.
    """
    text = text[:_LOOKED_AT]
    unquoted = SYNTAX.pattern("quoted").sub(" ", text)
    text = unquoted if any(map(str.isalpha, unquoted)) else text
    if not text.isascii() and sum(map(len, _CJK.findall(text))) > _CJK_SHARE * sum(map(str.isalpha, text)):
        return "ja" if _KANA.search(text) else "zh"
    words = [word.lower() for word in _WORD.findall(text)]
    with_stems = (code for code, language in LANGUAGES.data.items() if "stemmer" in language)
    hits = {code: found for code in with_stems if (found := _function_hits(words, code)) is not None}
    best = max(hits, key=lambda code: hits[code], default=None)
    if best is not None and hits[best] >= max(_FUNCTION_WORDS, _FUNCTION_SHARE * len(words)):
        return best
    return _language_of_few(words, hits) if len(words) <= _FEW else None


def _function_hits(words: Sequence[str], code: str) -> int | None:
    """Count the function words of a language; None for a text with too many of those that only English has."""
    shared = LANGUAGES.data[code]["in_english_too"].split()
    if sum(word in STOPWORDS and word not in shared for word in words) * _ENGLISH > len(words):
        return None
    return sum(word in _function_words(code) and word not in STOPWORDS for word in words)


def _language_of_few(words: Sequence[str], codes: Iterable[str]) -> str | None:
    """Tell the language of a title by the words that its dictionary has; None where two languages have as many.

    A word that is common in English commit messages is ignored: "comment", "ci".
    """
    ids = np.array([term_id(stem(word)) for word in words], np.uint64)
    rare = [words[at] for at in np.flatnonzero(commonness().document_frequency(ids) <= UNLISTED).tolist()]
    accented = any(not word.isascii() for word in rare)
    known = {
        code: sum(_has(code, word) for word in rare)
        for code in codes
        if accented or not _function_words(code).isdisjoint(rare)
    }
    most = max(known.values(), default=0)
    best = [code for code, found in known.items() if found == most]
    return best[0] if len(best) == 1 and most >= max(_KNOWN_WORDS, _KNOWN_SHARE * len(words)) else None


def _has(code: str, word: str) -> bool:
    """Tell whether a language has a word: a function word, or one of its dictionary that is not also English."""
    english = meanings_of(word, code)
    return word in _function_words(code) or bool(english and word not in english)


def translatable(text: str, language: str) -> set[str]:
    """Return the words of a text, in lower case, that the dictionary of a language with stems has, without code."""
    if "stemmer" not in LANGUAGES.data[language]:
        return set()
    words = {match[0].lower() for part in _CODE.split(text)[::2] for match in _WORD.finditer(part)}
    return {word for word in words if meanings_of(word, language)}


def meanings_of(word: str, language: str) -> tuple[str, ...]:
    """Return the English words for a single word of a language with stems, none where the dictionary has none."""
    dictionary = dictionary_of(language)
    return _longest([dictionary.key(word)], 0, word, dictionary)[1] or ()


def _by_word(text: str, dictionary: Dictionary, found: dict[str, None]) -> str:
    """Translate a text of words between spaces, the longest entry first."""
    words = list(_WORD.finditer(text))
    keys = [dictionary.key(match[0]) for match in words]
    out, done, at = [], 0, 0
    while at < len(words):
        length, english = _longest(keys, at, words[at][0].lower(), dictionary)
        if english is not None and (words[at][0].islower() or words[at][0].istitle()):
            out += [text[done : words[at].start()], " ".join(english)]
            found |= dict.fromkeys(english)
            done = words[at + length - 1].end()
        at += length
    return "".join((*out, text[done:]))


def _longest(keys: Sequence[str], at: int, word: str, dictionary: Dictionary) -> tuple[int, tuple[str, ...] | None]:
    """Return how many words the longest entry at a place has, and its meanings; None where there is no entry."""
    for length in range(min(_PHRASE, len(keys) - at), 1, -1):
        english = dictionary.entries.get(" ".join(keys[at : at + length]))
        if english is not None:
            return length, english[:_MEANINGS]
    if word in dictionary.exact:
        return 1, dictionary.exact[word][:_MEANINGS]
    if len(word) == 1 or word in dictionary.function_words or keys[at] in dictionary.function_words:
        return 1, ()
    english = dictionary.entries.get(keys[at])
    return 1, english[:_MEANINGS] if english is not None else _of_compound(keys[at], dictionary.entries)


def _of_compound(key: str, entries: Mapping[str, tuple[str, ...]]) -> tuple[str, ...] | None:
    """Return the meanings of the two parts of a compound (Umgebungs|variable), None where it is none."""
    if len(key) > MAX_WORD_CHARS:
        return None
    for cut in range(len(key) - _LEAST_PART, _LEAST_PART - 1, -1):
        first = entries.get(key[:cut]) or entries.get(key[:cut].removesuffix("s"))
        second = entries.get(key[cut:])
        if first and second:
            return first[0], second[0]
    return None


def _by_run(text: str, dictionary: Dictionary, found: dict[str, None]) -> str:
    """Translate a text without spaces: the longest entry at each place; endings in Hiragana are dropped."""
    return _CJK.sub(lambda match: " ".join(("", *_of_run(match[0], dictionary, found), "")), text)


def _of_run(run: str, dictionary: Dictionary, found: dict[str, None]) -> Iterator[str]:
    at = unknown = 0
    while at <= len(run):
        sizes = range(min(dictionary.longest, len(run) - at), 0, -1)
        parts = (run[at : at + size] for size in sizes)
        part = next((p for p in parts if p in dictionary.entries or p in dictionary.function_words), "")
        if (part or at == len(run)) and (rest := _HIRAGANA.sub(" ", run[unknown:at]).strip()):
            yield rest
        if part:
            words = dictionary.entries.get(part, ())[:_MEANINGS]
            found |= dict.fromkeys(words)
            yield from words
            unknown = at + len(part)
        at += len(part) or 1


@cache
def dictionary_of(code: str) -> Dictionary:
    language = LANGUAGES.data[code]
    stemmer = Stemmer.Stemmer(language["stemmer"]) if "stemmer" in language else None

    def key(word: str) -> str:
        word = word.lower()
        return _folded(stemmer.stemWord(word)) if stemmer is not None else word

    entries: dict[str, tuple[str, ...]] = {}
    exact: dict[str, tuple[str, ...]] = {}
    text = text_beside(__file__, f"dictionaries/{code}.tsv")
    for part in text.split("\n\n"):
        by_key: dict[str, dict[str, None]] = {}
        as_written: dict[str, dict[str, None]] = {}
        for english, _, phrases in (line.partition("\t") for line in part.splitlines()):
            meanings = dict.fromkeys(english.split())
            for phrase in phrases.split(", "):
                looked_up = " ".join(map(key, _WORD.findall(phrase))) if stemmer is not None else phrase
                by_key.setdefault(looked_up, {}).update(meanings)
                as_written.setdefault(phrase, {}).update(meanings)
        entries = {name: tuple(found) for name, found in by_key.items()} | entries
        exact = {name: tuple(found) for name, found in as_written.items()} | exact
    function_words = _function_words(code)
    return Dictionary(entries, exact, function_words | set(map(key, function_words)), key, max(map(len, entries)))


@cache
def _function_words(code: str) -> frozenset[str]:
    return frozenset(LANGUAGES.data[code]["function_words"].split())


def _folded(word: str) -> str:
    """Drop accents: many write without them."""
    if word.isascii():
        return word
    return "".join(c for c in unicodedata.normalize("NFKD", word) if not unicodedata.combining(c))
