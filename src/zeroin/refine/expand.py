"""The codebase's own words for what the task names, each with a weight and with where it was learned.

Sources: what somebody wrote in this repository (`bridges`, `said_together`), abbreviations (`short_forms`), and what
belongs together elsewhere (`association`). What each is worth stands in one place, `credit`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from zeroin.index.view import View
from zeroin.models.words import word_table
from zeroin.refine.abbreviations import short_forms
from zeroin.refine.association import Encoder, nearest_terms, text_similarity, translations
from zeroin.refine.cooccurrence import bridges
from zeroin.refine.said_together import from_commits
from zeroin.refine.scores import LEAST, ExpansionScores, Phrase
from zeroin.refine.vocabulary import MIN_WORD, Vocabulary
from zeroin.terms import INTENT_WORDS, STOPWORDS, WORD, analyse, analyse_word, term_id
from zeroin.types import Expansion, Query, Role

_BITS = frozenset(
    "doesn isn wasn aren didn won couldn shouldn wouldn hasn haven don ain one two three".split()
)
_MAX_RUN = 3
_WORDS = 24  # of the title that are looked for
_READ_PHRASES = 24  # for which files and commits are read
_WEAKLY_NAMED = 2  # a word that names something in more files is the codebase's own
_TITLE_CHARS = 300
_MOST_LEARNED = 12  # pairs that a reformulation can bear
_TELLING = frozenset({Role.IMPLEMENTATION, Role.CONFIG, Role.DOC})
_SURE = 0.5  # a run learned this surely is not learned again word by word


@dataclass(frozen=True, slots=True)
class ExpansionLearner:
    """Learns pairs (task word, code word); `without` switches kinds of sources off."""

    view: View
    encoder: Encoder | None = None
    without: frozenset[str] = frozenset()

    def learn(self, query: Query) -> tuple[Expansion, ...]:
        """Pairs, strongest first, for the words of the title; a code word once, for the word that it fits best."""
        task_terms = frozenset(t for k in query.own for t in analyse(k.text))
        learned = {w for term in query.terminology if not term.joined for w in term.task_word.split()}
        found = self.pairs(query.title or query.text[:_TITLE_CHARS], task_terms, learned)
        found.sort(key=lambda t: not t.is_synonym)
        runs = [t for t in found if t.is_synonym and " " in t.task_word and t.weight >= _SURE]
        whole = {word for t in runs for word in t.task_word.split()}
        out: dict[str, Expansion] = {}
        for term in found:
            if term.task_word not in whole:
                out.setdefault(term.code_word, term)
        return tuple(sorted(out.values(), key=lambda t: -t.weight)[:_MOST_LEARNED])

    def pairs(
        self,
        text: str,
        task_terms: frozenset[str] = frozenset(),
        learned: set[str] | frozenset[str] = frozenset(),
        *,
        least: float = LEAST,
    ) -> list[Expansion]:
        """All pairs for the words and short runs of words of a text, strongest first, but for `learned` words."""
        vocabulary = Vocabulary.of(self.view)
        runs = _runs(text)
        asked = [w for w in dict.fromkeys(w for run in runs for w in run) if w not in learned][:_WORDS]
        weak = [w for w in asked if self._weakly_named(w)]
        longer: list[Phrase] = [
            tuple(run) for run in runs if 2 <= len(run) <= _MAX_RUN and set(asked) & set(run)
        ]
        single: list[Phrase] = [(word,) for word in asked]
        phrases = list(dict.fromkeys([*longer, *single]))
        # What is weakly named is read for first: the others are the codebase's own words already.
        read = sorted(phrases, key=lambda phrase: not set(phrase) & set(weak))[:_READ_PHRASES]
        own = task_terms | {t for phrase in phrases for word in phrase for t in analyse_word(word)}
        alike = text_similarity(self.encoder, vocabulary, single) if self.encoder is not None else None
        scores = ExpansionScores(vocabulary, alike, frozenset(asked) - frozenset(weak), self.without)
        bridges(self.view, vocabulary, read, own, scores)
        from_commits(self.view.history, vocabulary, read, own, scores)
        short_forms(vocabulary, phrases, own, scores)
        translations(word_table(), vocabulary, single, own, scores)
        if self.encoder is not None:
            nearest_terms(self.encoder, vocabulary, phrases, own, scores)
        return [self._checked(term) for term in scores.terms(phrases, least=least)]

    def _checked(self, term: Expansion) -> Expansion:
        """A guess where only the names of files, tests or what nobody wrote by hand say the word."""
        if term.certainty == "guess":
            return term
        snapshot = self.view.snapshot
        docs = snapshot.content.rows(term_id(analyse_word(term.code_word)[0]))
        told = any(snapshot.role(doc) in _TELLING for doc in snapshot.content.docs[docs].tolist())
        return term if told else replace(term, certainty="guess")

    def named(self, text: str) -> dict[str, int]:
        """The words of a text that are looked for, each with the number of files in which it is part of a name."""
        asked = list(dict.fromkeys(word for run in _runs(text) for word in run))[:_WORDS]
        return {
            word: max((self.view.name_df(t) for t in analyse_word(word)[:1]), default=0) for word in asked
        }

    def _weakly_named(self, word: str) -> bool:
        return all(self.view.name_df(term) <= _WEAKLY_NAMED for term in analyse_word(word)[:1])


def _runs(text: str) -> list[list[str]]:
    """Neighbouring words of a text that can have another word, broken where another stands between."""
    runs: list[list[str]] = [[]]
    for word in WORD.findall(text):
        if word.lower() in STOPWORDS or word.lower() in INTENT_WORDS or not _is_word(word):
            runs.append([])
        else:
            runs[-1].append(word)
    return runs


def _is_word(word: str) -> bool:
    """Whether a word can have another: `s`, `doesn` and `3` are bits of one."""
    return len(word) >= MIN_WORD and not word.isdigit() and word.lower() not in _BITS
