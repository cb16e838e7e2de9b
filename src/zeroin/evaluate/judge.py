"""The built-in evaluator: features → one model → one calibration map → relevance, with reasons.

A function of its arguments: it keeps nothing from call to call. Texts are cached by content in `Matcher`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from zeroin.evaluate.deferred import Deferred
from zeroin.evaluate.features import retrieval
from zeroin.evaluate.features.pool import Pool
from zeroin.evaluate.features.registry import FeatureRows, features_of
from zeroin.evaluate.model import quoted
from zeroin.evaluate.model.linear import linear_scores
from zeroin.evaluate.model.ranker import LINEAR, NOT_JUDGED, SHIFTED, contributions, rank
from zeroin.evaluate.passages import Matcher, TextMatch
from zeroin.evaluate.purpose import effective_purpose
from zeroin.evaluate.reasons.writer import ReasonWriter
from zeroin.evaluate.task_terms import TaskTerms, task_terms_of
from zeroin.index.locate import telling_docs
from zeroin.index.view import View
from zeroin.protocols import RepositoryView
from zeroin.terms import analyse_word
from zeroin.types import Candidate, Evidence, Judgment, Origin, Purpose, Query, Reason, Task

# Candidates whose text is read; the rest is judged by the index alone. Reading is what a cycle costs most: the first
# one reads few, a later one more, chosen by what the first held of them, and fewest where that was sure of a file.
READ_FIRST, READ_SURE, READ = 32, 44, 80
_TELLING = 12  # changed files that reasons may name
_SURE = -0.4  # log odds: a relevance of 0.4
EXPLAINED = 30  # judgments with reasons of their own, written when they are looked at

Prior = Callable[[Sequence[str]], NDArray[np.float64]]  # paths → log odds that earlier tasks add


@dataclass(frozen=True, slots=True)
class Measured:
    """Features of all candidates, and the passages of those that were read, by document."""

    rows: FeatureRows
    passages: Mapping[int, TextMatch]


@dataclass(frozen=True, slots=True)
class Judge:
    """Judges candidates of one repository.

    `at_once` reads and compares in the first cycle what else only later ones do. `prior` says what was learned from
    earlier tasks.
    """

    view: View
    matcher: Matcher
    purpose: Purpose = "fix"
    without: frozenset[str] = frozenset()
    at_once: bool = False
    prior: Prior | None = None

    def evaluate(
        self,
        task: Task,
        query: Query,
        candidates: Sequence[Candidate],
        previous: Sequence[Judgment],
        view: RepositoryView,
    ) -> tuple[Judgment, ...]:
        """A judgment for every candidate, best first; equal relevance is ordered by score, then path."""
        terms = task_terms_of(query, self.view)
        measured = self.measure(query, candidates, previous, terms)
        profile = effective_purpose(self.purpose, query, self.view)
        said = self.quoted(query, candidates)
        offsets = said if self.prior is None else said + self.prior([c.path for c in candidates])
        ranked = rank(
            measured.rows,
            query,
            profile,
            history=any("history" in c.scores for c in candidates),
            offsets=offsets,
        )
        scores = np.where(ranked.scores > NOT_JUDGED, ranked.scores + said, ranked.scores)
        order = np.lexsort((np.arange(len(candidates)), -scores, -ranked.relevance)).tolist()
        change = any(mention.origin is Origin.DIFF for mention in query.paths)
        first = () if change else (candidates[i].doc for i in order[:5])
        best = tuple(telling_docs(query, self.view)[:_TELLING]) or tuple(first)
        reasons = _Reasons(
            ReasonWriter(query, terms, self.view, best),
            FeatureRows(measured.rows.values[order[:EXPLAINED]]),
            profile,
        )
        known = {judgment.path: judgment for judgment in previous}
        judged = set(ranked.judged.tolist())
        out = []
        for place, i in enumerate(order):
            candidate = candidates[i]
            if i not in judged and candidate.path in known:
                out.append(known[candidate.path])  # nothing new is known of it
                continue
            passages = measured.passages.get(candidate.doc)
            judgment = Judgment(
                candidate.path,
                round(float(ranked.relevance[i]), 4),
                score=round(float(scores[i]), 6),
                read=passages is not None,
            )
            old = known.get(candidate.path)
            if old is not None and judgment.relevance < old.relevance:
                shifted = float(measured.rows.column("shifted")[i])
                why = _against(judgment, old, shifted, passages, terms)
                if ranked.reordered and not why:
                    why = "other files are nearer to the task as a whole"
                judgment = replace(judgment, against=why)
            if place < EXPLAINED:
                written = partial(
                    reasons.of, place, candidate, passages or TextMatch(), judgment.against, float(said[i])
                )
                judgment = replace(judgment, reasons=Deferred(written))
            out.append(judgment)
        return tuple(sorted(out, key=lambda j: (-j.relevance, -j.score, j.path)))

    def measure(
        self,
        query: Query,
        candidates: Sequence[Candidate],
        previous: Sequence[Judgment],
        terms: TaskTerms,
    ) -> Measured:
        """Features of every candidate. Reads the texts of the most promising."""
        profile = effective_purpose(self.purpose, query, self.view)
        said = self.quoted(query, candidates)
        known = {c.path: float(odds) for c, odds in zip(candidates, said, strict=True)}
        held = {j.path: j.score - known.get(j.path, 0.0) for j in previous if j.score > NOT_JUDGED}
        deep = self.at_once or bool(previous)
        pool = Pool(
            query=query,
            candidates=candidates,
            passages={},
            in_pattern=frozenset(self.view.matching(query.patterns)),
            terms=terms,
            view=self.view,
            history=None if "history" in self.without else self.view.history,
            held=held,
            read_before=frozenset(j.path for j in previous if j.read),
            deep=deep,
            dense="meaning" not in self.without,
        )
        unread = retrieval.columns(pool)
        first = linear_scores(unread, profile)
        sure = bool(held) and max(held.values()) >= _SURE
        most = READ_FIRST if not deep else READ_SURE if sure else READ
        read = self._to_read(query, candidates, first + said, held, most)
        passages = self.matcher.read(read, terms)
        return Measured(features_of(replace(pool, passages=passages), profile, unread), passages)

    def quoted(self, query: Query, candidates: Sequence[Candidate]) -> NDArray[np.float64]:
        """Log odds for files that hold what the task quotes; the linear model's scores are none."""
        if effective_purpose(self.purpose, query, self.view) in LINEAR:
            return np.zeros(len(candidates))
        return quoted.log_odds(query, self.view, [c.doc for c in candidates])

    def _to_read(
        self,
        query: Query,
        candidates: Sequence[Candidate],
        first: NDArray[np.float64],
        held: Mapping[str, float],
        most: int,
    ) -> list[int]:
        """Documents to read: what must be read, then the best by first score and by what was held of them."""
        must = frozenset(query.must_read)
        value = first + np.array([_HELD_SHARE * max(held.get(c.path, _LEAST), _LEAST) for c in candidates])
        value += np.array([_MUST if c.path in must else 0.0 for c in candidates])
        return [candidates[i].doc for i in np.argsort(-value, kind="stable")[:most]]


def _against(
    judgment: Judgment, old: Judgment, shifted: float, passages: TextMatch | None, terms: TaskTerms
) -> str:
    """What speaks against a file that was held for more one cycle before; "" where nothing does."""
    if passages is not None and judgment.read and not old.read:
        lines = f"{passages.matched_lines} line{'s' if passages.matched_lines != 1 else ''}"
        return f"read since: {lines} of it match{'es' if passages.matched_lines == 1 else ''} the task"
    if shifted >= SHIFTED and passages is not None:
        surface = {
            t: word for window in passages.passages for word in window.words for t in analyse_word(word)
        }
        words = sorted({surface.get(t, t) for t in passages.terms & terms.overridden.keys()})
        said = ", ".join(f"“{word}”" for word in words[:3])
        return f"says {said}, for which this codebase has another word"
    return ""


_HELD_SHARE, _LEAST = 1.0, -6.0  # log odds held of a file, at least, beside its first score
_MUST = 1e3


@dataclass(frozen=True)
class _Reasons:
    """Why the best candidates of one cycle are relevant, written when somebody asks."""

    writer: ReasonWriter
    rows: FeatureRows  # of the best candidates, best first
    profile: Purpose

    def of(
        self, place: int, candidate: Candidate, passages: TextMatch, against: str, quoted: float
    ) -> tuple[Reason, ...]:
        found = self.writer.reasons(candidate, self._moved[place], passages, quoted)
        return (*found, Reason("against", against, (Evidence(candidate.path),))) if against else found

    @cached_property
    def _moved(self) -> list[dict[str, float]]:
        return contributions(self.rows, range(len(self.rows.values)), self.profile)
