"""The codebase's own words for what the task names, each with a weight and with where it was learned.

Sources: what somebody wrote in this repository (`bridges`, `said_together`), abbreviations (`short_forms`), and what
belongs together elsewhere (`association`). What each is worth stands in one place, `credit`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from zeroin.index.view import View
from zeroin.models.words import word_table
from zeroin.refine.association import Encoder, followers, likeness, neighbours
from zeroin.refine.bridges import bridges
from zeroin.refine.credit import LEAST, Ledger, Unit
from zeroin.refine.naming import MIN_WORD, Naming
from zeroin.refine.said_together import from_commits
from zeroin.refine.short_forms import short_forms
from zeroin.terms import INTENT_WORDS, STOPWORDS, WORD, analyse, analyse_word, term_id
from zeroin.types import Query, Role, Term

_BITS = frozenset(
    "doesn isn wasn aren didn won couldn shouldn wouldn hasn haven don ain one two three".split()
)
_MAX_RUN = 3
_WORDS = 24  # of the title that are looked for
_READ_UNITS = 24  # for which files and commits are read
_WEAKLY_NAMED = 2  # a word that names something in more files is the codebase's own
_TITLE_CHARS = 300
_MOST_LEARNED = 12  # pairs that a reformulation can bear
_TELLING = frozenset({Role.IMPLEMENTATION, Role.CONFIG, Role.DOC})
_SURE = 0.5  # a run learned this surely is not learned again word by word


@dataclass(frozen=True, slots=True)
class TermLearner:
    """Learns pairs (task word, code word); `without` switches kinds of sources off."""

    view: View
    encoder: Encoder | None = None
    without: frozenset[str] = frozenset()

    def learn(self, query: Query) -> tuple[Term, ...]:
        """Pairs, strongest first, for the words of the title; a code word once, for the word that it fits best."""
        task_terms = frozenset(t for k in query.own for t in analyse(k.text))
        learned = {w for term in query.terminology if not term.joined for w in term.task_word.split()}
        found = self.pairs(query.title or query.text[:_TITLE_CHARS], task_terms, learned)
        found.sort(key=lambda t: not t.stands_in)
        runs = [t for t in found if t.stands_in and " " in t.task_word and t.weight >= _SURE]
        whole = {word for t in runs for word in t.task_word.split()}
        out: dict[str, Term] = {}
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
    ) -> list[Term]:
        """All pairs for the words and short runs of words of a text, strongest first, but for `learned` words."""
        naming = Naming.of(self.view)
        runs = _runs(text)
        asked = [w for w in dict.fromkeys(w for run in runs for w in run) if w not in learned][:_WORDS]
        weak = [w for w in asked if self._weakly_named(w)]
        longer: list[Unit] = [
            tuple(run) for run in runs if 2 <= len(run) <= _MAX_RUN and set(asked) & set(run)
        ]
        single: list[Unit] = [(word,) for word in asked]
        units = list(dict.fromkeys([*longer, *single]))
        # What is weakly named is read for first: the others are the codebase's own words already.
        read = sorted(units, key=lambda unit: not set(unit) & set(weak))[:_READ_UNITS]
        own = task_terms | {t for unit in units for word in unit for t in analyse_word(word)}
        alike = likeness(self.encoder, naming, single) if self.encoder is not None else None
        ledger = Ledger(naming, alike, frozenset(asked) - frozenset(weak), self.without)
        bridges(self.view, naming, read, own, ledger)
        from_commits(self.view.history, naming, read, own, ledger)
        short_forms(naming, units, own, ledger)
        followers(word_table(), naming, single, own, ledger)
        if self.encoder is not None:
            neighbours(self.encoder, naming, units, own, ledger)
        return [self._checked(term) for term in ledger.terms(units, least=least)]

    def _checked(self, term: Term) -> Term:
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
