"""Words of code for everyday phrases: `retry` for "trying again", `sequential` for "one after the other".

Who does not know the code describes what it names in one word. `phrases.tsv` lists phrases, sorted, each with such
words, the likeliest first; `*` stands for one to three words. They were written from general knowledge of English and
of software, not from tasks. A word counts only where the tree names things by it.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache

import numpy as np

from zeroin.beside import text_beside
from zeroin.index.postings import among
from zeroin.index.view import View
from zeroin.patterns import lazy_pattern
from zeroin.terms import analyse, term_id
from zeroin.types import Keyword, Origin, Query, TaskKind

# 0.8 of a word of the task (`query/weights.py`); several words for one phrase share it. 0.6 and 1 are as good.
_WEIGHTS = {Origin.TITLE: 2.4, Origin.PROSE: 0.8}
_MOST_BETWEEN = 3  # words in place of `*`
_WORD = lazy_pattern(r"(?<![\w'’])[a-z]+(?:['’][a-z]+)*(?![\w'’])", re.IGNORECASE)
_BETWEEN = lazy_pattern(r"[ \t]*(?:[ \t]|\r?\n)[ \t]*|-")  # two words of a phrase
_MOST_CHARS = 60  # of a phrase as the task says it


def with_phrases(query: Query, view: View) -> Query:
    """Add the words of the code for phrases of a task in English, at the weight of where the task says them."""
    if query.kind is TaskKind.DIFF:
        return query
    known = {term for keyword in query.own for term in analyse(keyword.text)}
    rest = query.text.removeprefix(query.title)
    found: dict[str, Keyword] = {}
    for text, origin in ((query.title, Origin.TITLE), (rest, Origin.PROSE)):
        for said, words in phrases_of(text):
            named = [word for word in _named(words, view) if not set(analyse(word)) <= known]
            for word in named:
                weight = round(_WEIGHTS[origin] / len(named) ** 0.5, 4)
                if word not in found or weight > found[word].weight:
                    found[word] = Keyword(word, weight, origin, f"for “{said}”", said)
    return replace(query, keywords=(*query.keywords, *found.values()))


def phrases_of(text: str) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield every phrase of a text that is listed, as the text says it, with its words of code."""
    for run in _runs(text):
        words = [token[0].lower().replace("’", "'") for token in run]
        at = 0
        while at < len(words):
            fitting = ((_length(words, at, phrase), code) for phrase, code in _listed(words[at]))
            length, code = max(fitting, key=lambda one: one[0], default=(0, ""))
            said = " ".join(text[run[at].start() : run[at + max(1, length) - 1].end()].split())
            if length and len(said) <= _MOST_CHARS:
                yield said, code.split()
            at += max(1, length)


def _runs(text: str) -> Iterator[list[re.Match[str]]]:
    """Yield the words of a text in runs: whatever is no space or hyphen ends one, and an empty line."""
    run: list[re.Match[str]] = []
    for token in _WORD.finditer(text):
        if run and not _BETWEEN.fullmatch(text, run[-1].end(), token.start()):
            yield run
            run = []
        run.append(token)
    yield run


def _named(words: Sequence[str], view: View) -> list[str]:
    """Return the words by which the tree names things: those of its vocabulary, else those of its paths.

    The vocabulary lacks words that most files say, but one of these may be what a phrase means. It has no number:
    paths say whether a word with one names something (win32).
    """
    ids, paths = view.vocabulary.ids, view.snapshot.path_terms
    terms = {word: [term_id(term) for term in analyse(word)] for word in words}
    wanted = np.array([term for each in terms.values() for term in each], np.uint64)
    named = set(ids[among(ids, wanted)].tolist())
    in_paths = {word for word in words if all(map(paths.document_frequency, terms[word]))}
    numbered = {word for word in words if not word.isalpha() and all(map(paths.document_frequency, _parts(word)))}
    said = [word for word in words if word in numbered or named.issuperset(terms[word])]
    return said or [word for word in words if word in in_paths]


def _parts(word: str) -> list[int]:
    """Return the terms of a word with a number that longer names share with it: `win` and `32`, else its own."""
    terms = analyse(word)
    return list(map(term_id, terms[:-1] if any(map(str.isalpha, terms[:-1])) else terms))


def _length(words: Sequence[str], at: int, phrase: str) -> int:
    """Return how many words from `at` on a phrase takes, 0 where it is not there."""
    end, most = at, 1  # the next part is among so many words
    for part in phrase.split(" "):
        if part == "*":
            end, most = end + 1, _MOST_BETWEEN
            continue
        window = words[end : end + most]
        if part not in window:
            return 0
        end, most = end + window.index(part) + 1, 1
    return end - at


def _listed(word: str) -> Iterator[tuple[str, str]]:
    """Yield the phrases that begin with a word, with their words of code."""
    rows = _rows()
    for at in range(bisect_left(rows, word), len(rows)):
        phrase, _, code = rows[at].partition("\t")
        if phrase != word and not phrase.startswith(f"{word} "):
            return
        yield phrase, code


@cache
def _rows() -> Sequence[str]:
    """Return a row for each phrase, sorted: those that begin with the same word stand together."""
    return text_beside(__file__, "phrases.tsv").splitlines()
