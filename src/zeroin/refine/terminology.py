"""The codebase's own words for what the task names, learned where somebody wrote both.

A *bridge* is a line of a comment, a document or a string, or a commit message, that says the task's word beside
a word by which this codebase names things (a defined name or a path carries it). Abbreviations are bridges too.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from zeroin.index.resemblance import files_of, resembling_commits
from zeroin.index.view import View
from zeroin.terms import STOPWORDS, WORD, analyse, analyse_word, split_identifier, stem, term_id
from zeroin.types import Gap, Query, Role, Term, TermSource

_FILES = 30  # files that say the task's word and are read for bridges
_COMMITS = 40
_PER_WORD = 3
_MIN_WORD = 3
_COMMON = 0.25  # a code word in more than this share of the files names nothing in particular
_MIN_SCORE = 0.6
_ABBREVIATION_WEIGHT = 0.6


@dataclass(slots=True)
class _Tally:
    score: float = 0.0
    surface: str = ""
    sources: list[TermSource] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class TermLearner:
    """Learns pairs (task word, code word) for the words that the code avoids."""

    view: View

    def learn(self, query: Query, gaps: Sequence[Gap]) -> tuple[Term, ...]:
        """Pairs for the words of terminology and aspect gaps, strongest first; one gap at most three."""
        words = [g.follow_up for g in gaps if g.kind in ("terminology", "aspect")]
        task_terms = {t for k in query.own for t in analyse(k.text)}
        groups = _compounds(query.title, words)
        out: list[Term] = []
        for group in groups:
            out += self._of_group(group, task_terms)
        out.sort(key=lambda t: (-t.weight, t.task_word, t.code_word))
        return tuple(out)

    def _of_group(self, group: tuple[str, ...], task_terms: set[str]) -> list[Term]:
        """Pairs for one task word, or for neighbouring words of the title that are learned as one."""
        tallies: dict[str, _Tally] = defaultdict(_Tally)
        wanted = {t for word in group for t in analyse(word)}
        self._from_files(wanted, task_terms, tallies)
        self._from_commits(wanted, task_terms, tallies)
        for word in group:
            self._abbreviations(word, task_terms, tallies)
        best = sorted(tallies.items(), key=lambda item: (-item[1].score, item[0]))[:_PER_WORD]
        top = best[0][1].score if best else 1.0
        phrase = " ".join(group)
        return [
            Term(phrase, t.surface, round(min(1.0, t.score / max(top, 1.0)), 3), tuple(t.sources[:3]))
            for _, t in best
            if t.score >= _MIN_SCORE
        ]

    def _from_files(self, wanted: set[str], task_terms: set[str], tallies: dict[str, _Tally]) -> None:
        content = self.view.snapshot.content
        docs: dict[int, int] = defaultdict(int)
        for term in wanted:
            for doc in content.docs[content.rows(term_id(term))].tolist():
                docs[doc] += 1
        most = max(docs.values(), default=0)
        chosen = sorted(
            (d for d, n in docs.items() if n == most), key=lambda d: (int(self.view.snapshot.lines[d]), d)
        )
        chosen = [d for d in chosen if self.view.snapshot.role(d) not in (Role.GENERATED, Role.VENDORED)][
            :_FILES
        ]
        self.view.prefetch(chosen)
        for doc in chosen:
            lines = self.view.text(doc).split("\n")
            for number, line in enumerate(lines, 1):
                said = {t for word in WORD.findall(line) for t in analyse_word(word)} & wanted
                if len(said) < min(len(wanted), most):
                    continue
                near = "\n".join(lines[max(0, number - 2) : number + 1])
                source = TermSource("line", self.view.paths[doc], number, line.strip()[:160])
                self._count(near, line, task_terms, source, tallies, 1.0)

    def _from_commits(self, wanted: set[str], task_terms: set[str], tallies: dict[str, _Tally]) -> None:
        history = self.view.history
        if history is None:
            return
        terms = {term_id(t): 1.0 for t in wanted}
        commits, scores = resembling_commits(history, terms, _COMMITS)
        if not len(commits):
            return
        for commit, score in zip(commits.tolist(), (scores / scores[0]).tolist(), strict=True):
            subject = history.subjects[commit]
            if not wanted & set(analyse(subject)):
                continue
            names = " ".join(history.paths[f] for f in files_of(history, commit)[:8].tolist())
            source = TermSource("commit", history.commits[commit], None, subject[:160])
            self._count(subject, subject, task_terms, source, tallies, 0.7 * score)
            self._count(names, "", task_terms, source, tallies, 0.3 * score)

    def _count(
        self,
        near: str,
        line: str,
        task_terms: set[str],
        source: TermSource,
        tallies: dict[str, _Tally],
        share: float,
    ) -> None:
        """Credit the naming words of a passage: full on the line itself, half beside it."""
        on_line = {t for word in WORD.findall(line) for t in analyse_word(word)}
        seen: set[str] = set()
        for word in WORD.findall(near):
            for term in analyse_word(word):
                if term in seen or term in task_terms or not self._names_things(word, term):
                    continue
                seen.add(term)
                tally = tallies[term]
                tally.score += share * self._rarity(term) * (1.0 if term in on_line else 0.4)
                tally.surface = tally.surface or _surface(word, term)
                tally.sources.append(source)

    def _names_things(self, word: str, term: str) -> bool:
        if (
            len(term) < _MIN_WORD
            or word.lower() in STOPWORDS
            or term.isdigit()
            or not self.view.naming.get(term)
        ):
            return False
        df = self.view.snapshot.content.document_frequency(term_id(term))
        return df <= max(3, _COMMON * len(self.view.snapshot))

    def _rarity(self, term: str) -> float:
        """idf, scaled so that a term of a single file is worth 1."""
        content = self.view.snapshot.content
        most = float(np.log1p((content.documents - 0.5) / 1.5))
        named = min(1.0, 0.4 + 0.2 * self.view.naming[term])
        return named * content.idf(term_id(term)) / most if most else 0.0

    def _abbreviations(self, word: str, task_terms: set[str], tallies: dict[str, _Tally]) -> None:
        """`auth` for `authentication`: a naming term that the word starts with, or that starts with it."""
        lower = word.lower()
        for term in self.view.naming:
            if term in task_terms or min(len(term), len(lower)) < _MIN_WORD or term == stem(lower):
                continue
            short, long = sorted((term, lower), key=len)
            if len(long) - len(short) >= 3 and long.startswith(short) and self.view.naming[term] > 1:
                tally = tallies[term]
                tally.score += _ABBREVIATION_WEIGHT + 0.02 * min(self.view.naming[term], 10)
                tally.surface = tally.surface or term
                tally.sources.append(TermSource("abbreviation", "", None, f"{short} / {long}"))


def _surface(word: str, term: str) -> str:
    """The part of a word that a term stands for, as the codebase writes it."""
    for part in split_identifier(word):
        if stem(part) == term:
            return part
    return word


def _compounds(title: str, words: Sequence[str]) -> list[tuple[str, ...]]:
    """Wanted words that stand side by side in the title are learned as one: `rate limiting`, not each alone."""
    wanted = list(dict.fromkeys(words))
    title_words = WORD.findall(title)
    groups: list[tuple[str, ...]] = []
    run: list[str] = []
    for word in title_words:
        if word in wanted:
            run.append(word)
            continue
        if run:
            groups.append(tuple(run))
        run = []
    if run:
        groups.append(tuple(run))
    held = {w for g in groups for w in g}
    return groups + [(w,) for w in wanted if w not in held]
