"""Bridges in files: passages that say a word of the task near a word by which the codebase names things.

Words of prose count most: a comment or docstring beside the identifier, a document. A cue of definition in between
("is called", "our word for") makes a clear one. Each file is read once for all phrases of the task, and only its lines
that say one of their words, with two lines around, are taken apart.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate

from zeroin.index.view import View
from zeroin.parsing.facts import COMMENTS, TEXT
from zeroin.refine.definitions import definitions, telling
from zeroin.refine.scores import KIND, ExpansionScores, Phrase
from zeroin.refine.vocabulary import Vocabulary
from zeroin.terms import WORD, analyse_word, cut, split_identifier, stem, term_id
from zeroin.types import ExpansionSource, Role

_FILES = 10  # read for one phrase
_ALL_FILES = 40  # read for one task
_MAX_LINES = 3_000
_PASSAGES = 12  # of one file for one phrase: what says it everywhere explains it nowhere
_NEAR = (1.0, 0.6, 0.3)  # what a word is worth on the line itself, next to it, and two lines off
_MAX_WORD, _MAX_LINE = 80, 2_000
_COLUMNS = re.compile(r"\s*[|→≈]\s*")  # between words of a document that stand for each other
_COLUMN_WORDS, _MOST_COLUMNS = 2, 4
_COLUMN_SHARE = 0.5  # what the column beside is worth: most tables are no glossaries
_FAINT_CUE = re.compile(r"\b(?:i\.e\.|refers? to|means|alias|instead of)\b|[=≈→|]|->", re.IGNORECASE)
_PROSE = re.compile(r"\s*(?:#|//|/\*|\*|--|;;|%|\"{3}|'{3}|<!--|\{-)")
_TEXT_LANGUAGES = frozenset({"text", "markdown", "rst", "yaml", "toml", "json"})
_FADING, _FADING_WANTED = 0.5, 0.1  # of its worth with every word between
_MARKS = " \t#/*-;%"  # of comments, at either end of a line
_QUOTES = ('"""', "'''")
_IN_A_LIST = (
    3  # "what others call authentication, login or sign-on": words before a wanted one that is stated
)
_UNREAD = (Role.GENERATED, Role.VENDORED, Role.DATA)


@dataclass(frozen=True, slots=True)
class Wanted:
    """A phrase with its terms; of a run of words two must be said."""

    phrase: Phrase
    terms: frozenset[str]

    @property
    def needed(self) -> int:
        return 2 if len(self.phrase) > 1 else 1


def bridges(
    view: View,
    vocabulary: Vocabulary,
    phrases: Sequence[Phrase],
    task_terms: frozenset[str],
    scores: ExpansionScores,
) -> None:
    """Credit what stands near the phrases' words in files; words of the task itself are never credited."""
    wanted = [
        Wanted(phrase, frozenset(t for word in phrase for t in analyse_word(word))) for phrase in phrases
    ]
    chosen = _files(view, wanted)
    view.prefetch(chosen)
    for doc, asking in chosen.items():
        _Reader(view, vocabulary, task_terms, scores, doc).read(asking)


def _files(view: View, wanted: Sequence[Wanted]) -> dict[int, list[Wanted]]:
    """The files to read, each with those who ask for it: prose first, then those with most of the words, short ones."""
    snapshot, content = view.snapshot, view.snapshot.content
    holders: dict[str, dict[int, bool]] = {}
    for term in {t for w in wanted for t in w.terms}:
        rows = content.rows(term_id(term))
        prose = (content.counts[rows, COMMENTS] > 0) | (content.counts[rows, TEXT] > 0)
        holders[term] = dict(zip(content.docs[rows].tolist(), prose.tolist(), strict=True))
    out: dict[int, list[Wanted]] = {}
    lists = []
    for want in wanted:
        said: Counter[int] = Counter()
        in_prose: Counter[int] = Counter()
        for term in want.terms:
            said.update(holders[term].keys())
            in_prose.update(doc for doc, prose in holders[term].items() if prose)
        docs = [d for d, times in said.items() if times >= want.needed and _is_read(view, d)]
        docs.sort(key=lambda d: (-in_prose[d], -said[d], int(snapshot.lines[d]), d))
        lists.append(docs[:_FILES])
    for place in range(_FILES):  # the best of every phrase before the second of any
        for want, docs in zip(wanted, lists, strict=True):
            if place < len(docs) and (docs[place] in out or len(out) < _ALL_FILES):
                out.setdefault(docs[place], []).append(want)
    return out


def _is_read(view: View, doc: int) -> bool:
    return view.snapshot.role(doc) not in _UNREAD and int(view.snapshot.lines[doc]) <= _MAX_LINES


class _Reader:
    """One file, taken apart where it says a wanted word."""

    def __init__(
        self,
        view: View,
        vocabulary: Vocabulary,
        task_terms: frozenset[str],
        scores: ExpansionScores,
        doc: int,
    ) -> None:
        self._path = view.paths[doc]
        self._text = view.text(doc)
        self._lines = self._text.split("\n")
        self._starts = list(accumulate((len(line) + 1 for line in self._lines), initial=0))
        self._is_text = view.snapshot.language(doc) in _TEXT_LANGUAGES
        self._is_doc = self._is_text and view.snapshot.role(doc) is not Role.CONFIG
        self._is_test = view.snapshot.role(doc) is Role.TEST
        self._vocabulary, self._task_terms, self._scores = vocabulary, task_terms, scores
        self._named: dict[int, list[tuple[str, int]]] = {}

    def read(self, asking: Sequence[Wanted]) -> None:
        said = self._said({t for want in asking for t in want.terms})
        for want in asking:
            passages = 0
            for number in said:
                hit = said[number] & want.terms
                around = hit | (said.get(number + 1, frozenset()) & want.terms if want.needed > 1 else set())
                if hit and len(around) >= want.needed:
                    self._passage(number, want)
                    passages += 1
                    if passages == _PASSAGES:
                        break

    def _said(self, terms: set[str]) -> dict[int, frozenset[str]]:
        """Line number (0-based) → the wanted terms that it says, in order."""
        beginnings = "|".join(re.escape(b) for b in sorted({_beginning(t) for t in terms}))
        out: dict[int, frozenset[str]] = {}
        for hit in re.finditer(beginnings, self._text, re.IGNORECASE):
            number = bisect_right(self._starts, hit.start()) - 1
            if number not in out:
                words = WORD.findall(self._lines[number])
                out[number] = frozenset(t for word in words for t in _terms(word) if t in terms)
        return {number: found for number, found in out.items() if found}

    def _passage(self, at: int, want: Wanted) -> None:
        """Credit the vocabulary words near a line: the nearer the more, each once a passage."""
        kind, across = self._kind(at, want)
        if not self._scores.wants(KIND.get(kind, kind)) and not across:
            return
        source = ExpansionSource(KIND.get(kind, kind), self._path, at + 1, cut(self._lines[at].strip(), 160))
        defined = ExpansionSource("definition", self._path, at + 1, cut(self._lines[at].strip(), 160))
        seen: set[int] = set()
        for distance, near in enumerate(_NEAR):
            for number in sorted({at - distance, at + distance}):
                for word, row in self._naming_words(number):
                    if row in seen:
                        continue
                    seen.add(row)
                    worth = float(self._vocabulary.weights[row])
                    if word in across and self._scores.wants("definition"):
                        share, stated = across[word]
                        self._scores.add(
                            want.phrase, row, "definition", share * worth**0.5, defined, stated=stated
                        )
                    elif self._scores.wants(source.kind):
                        self._scores.add(want.phrase, row, kind, near * worth, source, told=not self._is_test)

    def _kind(self, at: int, want: Wanted) -> tuple[str, dict[str, tuple[float, bool]]]:
        """What kind of evidence a line is, and the words across a cue of definition from the wanted ones.

        With each how much it counts (the nearer to the cue the more), and whether it stands right across.
        """
        across: dict[str, tuple[float, bool]] = {}
        if not (self._is_text or _PROSE.match(self._lines[at])):
            return "code", across
        for found in definitions(self._prose(at)):
            for side, other, named in (
                (found.before, found.behind, found.named),
                (found.behind, found.before, 0),
            ):
                near = [place for place, word in enumerate(side) if want.terms & set(_terms(word))]
                for place, word in enumerate(other) if near else ():
                    share = 1 / (1 + _FADING * place + _FADING_WANTED * near[0])
                    beside = near[0] <= (_IN_A_LIST if side is found.behind else len(want.phrase) - 1)
                    stated = beside and place < max(1, named)
                    across[word] = max(across.get(word, (0.0, False)), (share, stated))
        if self._is_doc:
            self._across_columns(self._lines[at], want, across)
        if across or (self._is_doc and _FAINT_CUE.search(self._lines[at])):
            return "cue", across
        return "documentation" if self._is_doc else "comment", across

    def _prose(self, at: int) -> str:
        """A line of prose with up to two that go on with it: not beyond the end of a comment."""
        taken = [self._lines[at]]
        for line in self._lines[at + 1 : at + 3]:
            if not self._is_text:
                marks = sum(taken[0].count(quotes) for quotes in _QUOTES)
                if "*/" in taken[-1] or marks > 1 or not (marks or _PROSE.match(line)):
                    break
            taken.append(line)
        return " ".join(line.strip(_MARKS) for line in taken)

    def _across_columns(self, line: str, want: Wanted, across: dict[str, tuple[float, bool]]) -> None:
        """The words beside a column (of a table, say) that says what is wanted and nothing else."""
        columns = _COLUMNS.split(line.strip(" |"))
        if len(columns) > _MOST_COLUMNS:
            return
        words = [telling(column) for column in columns]
        for at, column in enumerate(words):
            said = {t for word in column for t in _terms(word)}
            if "`" not in columns[at] and said <= want.terms and len(said) >= want.needed:
                for beside in (other for other in words[max(0, at - 1) : at + 2] if other is not column):
                    for word in beside if len(beside) <= _COLUMN_WORDS else ():
                        across.setdefault(word, (_COLUMN_SHARE, False))

    def _naming_words(self, number: int) -> list[tuple[str, int]]:
        """(word, row of the vocabulary word that one of its parts is) for every word of a line."""
        if not 0 <= number < len(self._lines):
            return []
        if number not in self._named:
            self._named[number] = list(self._parts(self._lines[number]))
        return self._named[number]

    def _parts(self, line: str) -> Iterator[tuple[str, int]]:
        number: Mapping[str, int] = self._vocabulary.number
        for word in WORD.findall(line[:_MAX_LINE]):
            for term in parts(word):
                row = number.get(term)
                if row is not None and term not in self._task_terms:
                    yield word, row


@lru_cache(maxsize=1 << 15)  # words recur within a file and between tasks
def parts(word: str) -> tuple[str, ...]:
    """Stems of the parts of a word; none for what is too long to be one."""
    return tuple(stem(part) for part in split_identifier(word)) if len(word) <= _MAX_WORD else ()


@lru_cache(maxsize=1 << 15)
def _terms(word: str) -> tuple[str, ...]:
    return analyse_word(word) if len(word) <= _MAX_WORD else ()


def _beginning(term: str) -> str:
    """How every form of a term begins: the stem of `happy` ends in an i that the word has not."""
    return term[:-1] if len(term) > 3 and term.endswith("i") else term
