"""Words of the codebase near words of the task: in one passage of a file, or in one commit.

Prose counts most: a comment or docstring beside the identifier, a document. A cue of definition in between ("is
called", "our word for") makes a definition. Each file is read once for all phrases of the task, and only its lines that
say one of their words, with two lines around, are analysed. The lexicon knows which lines these are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import islice
from typing import NamedTuple

import numpy as np

from zeroin.corpus.roles import is_licence
from zeroin.index.history import History, bm25_commits
from zeroin.index.lexicon import Lexicon, NumberedText
from zeroin.index.view import View
from zeroin.parsing.facts import COMMENTS, TEXT
from zeroin.patterns import lazy_pattern
from zeroin.refine.definitions import content_words, definitions
from zeroin.refine.evidence import KIND, ExpansionScores, Finding, Phrase
from zeroin.terms import MAX_WORD_CHARS, WORD, analyse_word, cut, term_id
from zeroin.types import ExpansionSource, Role

_FILES, _ALL_FILES = 10, 40  # read for one phrase, for one task
_MAX_LINES, _MAX_LINE = 3_000, 2_000  # lines of a file, characters of a line
_PASSAGES = 12  # of one file for one phrase: a file that says it everywhere hardly explains it
_NEAR = (1.0, 0.6, 0.3)  # weight of a word on the line itself, next to it, and two lines off
_SOURCE_CHARS = 160
_COLUMNS = lazy_pattern("[|→≈]")  # between words of a document that stand for each other
_MAX_COLUMNS, _COLUMN_WORDS = 4, 2
_COLUMN_SHARE = 0.5  # of a definition: most tables are no glossaries
_FAINT_CUE = lazy_pattern(r"\b(?:i\.e\.|refers? to|means|alias|instead of)\b|[=≈→|]|->", re.IGNORECASE)
_PROSE = lazy_pattern(r"\s*(?:#|//|/\*|\*|--|;;|%|\"{3}|'{3}|<!--|\{-)")
_TEXT_LANGUAGES = frozenset({"text", "markdown", "rst", "yaml", "toml", "json"})
_DECAY, _DECAY_WANTED = 0.5, 0.1  # of a definition, with every word between cue and word
# "what others call authentication, login or sign-on": words before a wanted one that is stated.
_LIST_WORDS = 3
_COMMENT_MARKS = " \t#/*-;%"  # at either end of a line
_QUOTES = ('"""', "'''")
_COMMITS, _COMMIT_PATHS = 40, 8  # best matches, and paths of each
_PATH_SHARE = 0.5  # weight of a commit's paths beside its subject

Defined = dict[str, tuple[float, bool]]  # word across a cue → its share, and whether it stands right across


class Wanted(NamedTuple):
    """A phrase with its terms, and how many of them a passage must say."""

    phrase: Phrase
    terms: frozenset[str]
    needed: int


def _wanted(phrase: Phrase) -> Wanted:
    terms = frozenset(term for word in phrase for term in analyse_word(word))
    return Wanted(phrase, terms, min(2, len(phrase)))


def from_passages(view: View, phrases: Sequence[Phrase], scores: ExpansionScores) -> None:
    """Add the vocabulary words that stand near the phrases' words in files."""
    chosen = _files(view, list(map(_wanted, phrases)))
    view.prefetch(chosen)  # needed even if the lexicon knows the files: their lines are read, too
    lexicon = view.lexicon
    texts = lexicon.load(chosen, view.prefetch, view.text)
    saying = _Saying(lexicon, {t for wanted in chosen.values() for want in wanted for t in want.terms})
    for doc, wanted in chosen.items():
        _Reader(view, scores, doc).read(wanted, saying.lines(texts[doc]))


class _Saying:
    """The words of a lexicon that say some terms."""

    def __init__(self, lexicon: Lexicon, terms: set[str]) -> None:
        self._terms: dict[int, frozenset[str]] = {}
        size = len(lexicon)  # other threads can add words from here on
        for number in {n for term in terms for n in lexicon.by_term.get(term, ()) if n < size}:
            if len(lexicon.words[number]) <= MAX_WORD_CHARS:
                self._terms[number] = frozenset(terms.intersection(lexicon.terms[number]))
        self._says = np.zeros(size, np.bool_)
        self._says[list(self._terms)] = True

    def lines(self, text: NumberedText) -> dict[int, frozenset[str]]:
        """Return line number (0-based) → the terms that it says, in order."""
        at = np.flatnonzero(self._says[text.words])
        out: dict[int, frozenset[str]] = {}
        for line, number in zip((text.lines[at] - 1).tolist(), text.words[at].tolist(), strict=True):
            out[line] = out.get(line, frozenset()) | self._terms[number]
        return out


def _files(view: View, wanted: Sequence[Wanted]) -> dict[int, list[Wanted]]:
    """The files to read: those that say most of the words in prose, then anywhere, short ones first."""
    snapshot = view.snapshot
    content, lines = snapshot.content, snapshot.lines
    readable = snapshot.is_read() & (lines <= _MAX_LINES)
    rows_of = {term: content.rows(term_id(term)) for want in wanted for term in want.terms}
    lists: list[list[int]] = []
    for want in wanted:
        rows = [np.arange(one.start, one.stop) for one in map(rows_of.__getitem__, sorted(want.terms))]
        at = np.concatenate([np.empty(0, np.int64), *rows])
        in_prose = content.counts[at][:, [COMMENTS, TEXT]].any(axis=1)
        found, place = np.unique(content.docs[at], return_inverse=True)
        said, prose = np.bincount(place, minlength=len(found)), np.bincount(place, in_prose, len(found))
        order = np.lexsort((found, lines[found], -said, -prose))
        best = found[order[((said >= want.needed) & readable[found])[order]]].tolist()
        lists.append(list(islice((doc for doc in best if not is_licence(view.paths[doc])), _FILES)))
    out: dict[int, list[Wanted]] = {}
    for rank in range(_FILES):  # the best of every phrase before the second of any
        for want, docs in zip(wanted, lists, strict=True):
            if rank < len(docs) and (docs[rank] in out or len(out) < _ALL_FILES):
                out.setdefault(docs[rank], []).append(want)
    return out


class _Reader:
    """One file, analysed where it says a wanted word."""

    def __init__(self, view: View, scores: ExpansionScores, doc: int) -> None:
        self._path = view.paths[doc]
        self._lines = [line[:_MAX_LINE] for line in view.text(doc).split("\n")]
        role = view.snapshot.role(doc)
        self._is_text = view.snapshot.language(doc) in _TEXT_LANGUAGES
        self._is_doc = self._is_text and role is not Role.CONFIG
        self._is_test = role is Role.TEST
        self._scores = scores
        self._rows: dict[int, list[tuple[str, int]]] = {}

    def read(self, wanted: Sequence[Wanted], said: dict[int, frozenset[str]]) -> None:
        """Add what stands near each phrase; `said` are the lines that say a term of any, with these terms."""
        for want in wanted:
            for number in islice(self._passages(said, want), _PASSAGES):
                self._add_passage(number, want)

    def _passages(self, said: dict[int, frozenset[str]], want: Wanted) -> Iterator[int]:
        """Yield the lines that say enough of a phrase; of a run of words the next line counts too."""
        for number, terms in said.items():
            near = terms | said.get(number + 1, frozenset()) if want.needed > 1 else terms
            if terms & want.terms and len(near & want.terms) >= want.needed:
                yield number

    def _add_passage(self, at: int, want: Wanted) -> None:
        """Add the vocabulary words near a line: the nearer the more, each once a passage."""
        scores = self._scores
        kind, across = self._kind(at, want)
        shown = KIND.get(kind, kind)
        line = cut(self._lines[at].strip(), _SOURCE_CHARS)
        source = ExpansionSource(shown, self._path, at + 1, line)
        defined = ExpansionSource("definition", self._path, at + 1, line)
        near = ((share, n) for d, share in enumerate(_NEAR) for n in sorted({at - d, at + d}))
        first: dict[int, tuple[float, str]] = {}
        for share, number in near:
            for word, row in self._rows_of(number):
                first.setdefault(row, (share, word))
        for row, (share, word) in first.items():
            weight = float(scores.vocabulary.weights[row])
            if word in across and scores.wants("definition"):
                of_definition, stated = across[word]
                found = Finding("definition", of_definition * weight**0.5, defined, stated)
                scores.add(want.phrase, row, found)
            elif scores.wants(shown):
                scores.add(want.phrase, row, Finding(kind, share * weight, source, trusted=not self._is_test))

    def _kind(self, at: int, want: Wanted) -> tuple[str, Defined]:
        """The kind of evidence that a line is, and the words across a cue of definition from the wanted ones."""
        line, across = self._lines[at], Defined()
        if not (self._is_text or _PROSE.match(line)):
            return "code", across
        for found in definitions(self._prose(at)):
            self._across_cue(found.before, found.after, want, across, len(want.phrase) - 1, found.named)
            self._across_cue(found.after, found.before, want, across, _LIST_WORDS, 0)
        if self._is_doc:
            self._across_columns(line, want, across)
        if across or (self._is_doc and _FAINT_CUE.search(line)):
            return "cue", across
        return "documentation" if self._is_doc else "comment", across

    @staticmethod
    def _across_cue(
        side: Sequence[str], other: Sequence[str], want: Wanted, across: Defined, reach: int, named: int
    ) -> None:
        """Add the words of the `other` side of a cue: less, the farther they and the wanted word stand from it."""
        near = next((place for place, word in enumerate(side) if want.terms & set(_terms(word))), None)
        for place, word in enumerate(other) if near is not None else ():
            share = 1 / (1 + _DECAY * place + _DECAY_WANTED * (near or 0))
            stated = (near or 0) <= reach and place < max(1, named)
            across[word] = max(across.get(word, (0.0, False)), (share, stated))

    def _prose(self, at: int) -> str:
        """Return a line of prose with up to two that continue it: not beyond the end of a comment."""
        taken = [self._lines[at]]
        for line in self._lines[at + 1 : at + 3]:
            if not self._is_text:
                marks = sum(taken[0].count(quotes) for quotes in _QUOTES)
                if "*/" in taken[-1] or marks > 1 or not (marks or _PROSE.match(line)):
                    break
            taken.append(line)
        return " ".join(line.strip(_COMMENT_MARKS) for line in taken)

    @staticmethod
    def _across_columns(line: str, want: Wanted, across: Defined) -> None:
        """Add the words of columns (of a table, say) beside one that holds the wanted words alone."""
        columns = _COLUMNS.split(line.strip(" |"))
        if len(columns) > _MAX_COLUMNS:
            return
        words = [content_words(column) for column in columns]
        for at, column in enumerate(words):
            said = {t for word in column for t in _terms(word)}
            if "`" not in columns[at] and said <= want.terms and len(said) >= want.needed:
                for beside in (other for other in words[max(0, at - 1) : at + 2] if other is not column):
                    for word in beside if len(beside) <= _COLUMN_WORDS else ():
                        across.setdefault(word, (_COLUMN_SHARE, False))

    def _rows_of(self, number: int) -> list[tuple[str, int]]:
        """(word, row in the vocabulary) for the words of a line."""
        if not 0 <= number < len(self._lines):
            return []
        if number not in self._rows:
            self._rows[number] = list(self._scores.rows(self._lines[number]))
        return self._rows[number]


def _terms(word: str) -> tuple[str, ...]:
    return analyse_word(word) if len(word) <= MAX_WORD_CHARS else ()


def from_commits(history: History, phrases: Sequence[Phrase], scores: ExpansionScores) -> None:
    """Add the other words in subjects of the best matching commits, and in the paths that these touched."""
    if not scores.wants("commit"):
        return
    said: dict[int, _Commit] = {}
    for want in map(_wanted, phrases):
        commits, values = bm25_commits(history, {term_id(t): 1.0 for t in sorted(want.terms)}, _COMMITS)
        for commit, value in zip(commits.tolist(), values.tolist(), strict=True):
            if commit not in said:
                said[commit] = _Commit(history, commit, scores)
            one = said[commit]
            if len(want.terms & one.terms) < want.needed:
                continue
            for rows, share in one.rows:
                for row in rows:
                    amount = share * value / float(values[0]) * float(scores.vocabulary.weights[row])
                    scores.add(want.phrase, row, Finding("commit", amount, one.source))


class _Commit:
    def __init__(self, history: History, commit: int, scores: ExpansionScores) -> None:
        self._history, self._commit, self._scores = history, commit, scores
        self._subject = history.subjects[commit]
        self.terms = frozenset(t for w in WORD.findall(self._subject) for t in _terms(w))

    @cached_property
    def source(self) -> ExpansionSource:
        return ExpansionSource("commit", self._history.commits[self._commit], None, cut(self._subject, _SOURCE_CHARS))

    @cached_property
    def rows(self) -> tuple[tuple[Sequence[int], float], ...]:
        """Rows of the vocabulary that the subject says, and the paths that it touched; how much each counts."""
        files = self._history.files_of(self._commit)[:_COMMIT_PATHS].tolist()
        paths = " ".join(self._history.paths.pick(files))
        texts = ((self._subject, 1.0), (paths, _PATH_SHARE))
        return tuple((sorted({row for _, row in self._scores.rows(text)}), share) for text, share in texts)
