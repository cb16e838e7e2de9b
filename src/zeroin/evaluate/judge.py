"""The built-in evaluator: features → score → calibrated relevance, with spans, reasons and gaps."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np

from zeroin.evaluate.change import as_given
from zeroin.evaluate.deferred import Deferred
from zeroin.evaluate.features import FeatureRows, features_of
from zeroin.evaluate.gaps import GapFinder
from zeroin.evaluate.information import Information, information_of
from zeroin.evaluate.likeness import reordered, unsaid
from zeroin.evaluate.linear import linear_scores
from zeroin.evaluate.passages import Matcher, Passages
from zeroin.evaluate.purposes import profile_of
from zeroin.evaluate.ranker import contributions, finds, rank
from zeroin.evaluate.reasons import Explainer
from zeroin.evaluate.signals import retrieval
from zeroin.evaluate.signals.pool import Pool
from zeroin.evaluate.spans import Spans
from zeroin.index.locate import changed_docs
from zeroin.index.view import View
from zeroin.protocols import RepositoryView
from zeroin.types import (
    LOW,
    Candidate,
    Gap,
    Judgment,
    Origin,
    Purpose,
    Query,
    Reason,
    Role,
    Span,
    Task,
)

READ = 80  # candidates whose text is read; the rest is judged by the index alone
EXPLAINED = 30  # judgments that carry spans and reasons, made when they are looked at
HEAD_LINES = 16  # of each file of an overview
_FEW_MATCHES = 3


class Judge:
    """Judges candidates of one repository, cycle after cycle.

    Keeps what it has read, as far as that cannot change, and what it held of files, for as long as the same is asked.
    """

    def __init__(
        self, view: View, purpose: Purpose = "fix", *, without: frozenset[str] = frozenset()
    ) -> None:
        self._view = view
        self._history = None if "history" in without else view.history
        self._purpose = purpose
        self._passages: dict[int, Passages] = {}
        self._matcher = Matcher(view)
        self._spans = Spans(view)
        self._held: dict[str, float] = {}
        self._grounded = True
        self._unsaid = False
        self._asked: tuple[object, ...] = ()

    def evaluate(
        self, task: Task, query: Query, candidates: Sequence[Candidate], view: RepositoryView
    ) -> tuple[Judgment, ...]:
        """A judgment for every candidate, best first; equal relevance is ordered by score, then path."""
        information = information_of(query, query.terminology, self._view)
        rows = self.measure(query, candidates, information)
        profile = profile_of(self._purpose, query, self._view)
        ranked = rank(
            rows,
            query,
            profile,
            history=any("history" in c.scores for c in candidates),
            grounded=self._grounded,
        )
        scores, relevance = ranked.scores, ranked.relevance
        found = {candidates[i].path: float(scores[i]) for i in ranked.judged}
        if not self._held:
            self._grounded = finds(found)
        self._held |= found
        if not query.by_meaning:
            self._unsaid = unsaid(query, found)
        elif self._unsaid and found:
            docs = np.array([candidate.doc for candidate in candidates], np.int64)
            scores, relevance = reordered(query, self._view, docs, scores, relevance)
        order = sorted(range(len(candidates)), key=lambda i: (-scores[i], candidates[i].path))
        # Of a change, what goes with it is told beside its own files.
        best = (*changed_docs(query, self._view), *(candidates[i].doc for i in order[:5]))[:5]
        teller = _Teller(
            query,
            information,
            Explainer(query, information, self._view, best),
            FeatureRows(rows.values[order[:EXPLAINED]]),
            profile,
            self._spans,
        )
        changed = {f.path: f for f in task.diff.files} if task.diff is not None else {}
        symbols = self._view.snapshot.symbols
        out = []
        for place, i in enumerate(order):
            candidate = candidates[i]
            passages = self._passages.get(candidate.doc, Passages())
            judgment = Judgment(
                path=candidate.path,
                relevance=round(float(relevance[i]), 4),
                role=self._view.snapshot.role(candidate.doc),
                language=self._view.snapshot.language(candidate.doc),
                score=round(float(scores[i]), 6),
            )
            if place < EXPLAINED:
                judgment = replace(
                    judgment,
                    reasons=Deferred(partial(teller.reasons, place, candidate, passages)),
                    spans=Deferred(partial(teller.spans, candidate.doc, passages)),
                    irrelevant_because=self._irrelevant(judgment, candidate, passages, information.title),
                )
            if candidate.path in changed:
                definitions = tuple(symbols.of_document(candidate.doc))
                last = int(self._view.snapshot.lines[candidate.doc])
                judgment = as_given(judgment, changed[candidate.path], definitions, last)
            out.append(judgment)
        return tuple(out)

    def measure(self, query: Query, candidates: Sequence[Candidate], information: Information) -> FeatureRows:
        """Features of every candidate. Reads the texts of the most promising, whose passages it keeps."""
        asked = (query.own, query.paths, query.includes)
        if asked != self._asked:  # another question: nothing is held of it
            self._held, self._grounded, self._unsaid, self._asked = {}, True, False, asked
        profile = profile_of(self._purpose, query, self._view)
        pool = Pool(
            query=query,
            candidates=candidates,
            passages={},
            followed=self._followed(query),
            in_pattern=frozenset(self._view.matching(query.patterns)),
            information=information,
            view=self._view,
            history=self._history,
            held=dict(self._held),
        )
        unread = retrieval.columns(pool)
        first = linear_scores(unread, profile)
        read = [candidates[i].doc for i in np.argsort(-first, kind="stable")[:READ]]
        self._passages = self._matcher.read(read, information)
        return features_of(replace(pool, passages=self._passages), profile, unread)

    def gaps(self, task: Task, query: Query, judgments: Sequence[Judgment]) -> tuple[Gap, ...]:
        """What is missing, given everything in hand."""
        information = information_of(query, query.terminology, self._view)
        return GapFinder(task, query, information, self._view).find(judgments, self._passages)

    def _followed(self, query: Query) -> dict[str, float]:
        """Files that define symbols which an earlier cycle found missing: 1 − e^(−Σ weight of the symbols)."""
        weights: dict[int, float] = {}
        for mention in query.symbols:
            if mention.origin is Origin.LEARNED:
                for doc, share in self._view.tied_to(mention.name).items():
                    weights[doc] = weights.get(doc, 0.0) + share * mention.weight
        return {self._view.paths[doc]: 1 - math.exp(-weight) for doc, weight in weights.items()}

    def _irrelevant(
        self, judgment: Judgment, candidate: Candidate, passages: Passages, title: frozenset[str]
    ) -> str:
        """Positive evidence that a file is not meant, or "": a low score alone is none (PATTERN P7)."""
        if (
            judgment.relevance >= LOW or candidate.doc not in self._passages
        ):  # what was not read may say anything
            return ""
        if (
            candidate.scores.get("symbols")
            or candidate.scores.get("paths")
            or candidate.scores.get("history")
        ):
            return ""
        if judgment.role in (Role.GENERATED, Role.VENDORED):
            return f"{judgment.role.value} file"
        said = passages.terms & title
        if len(title) >= 2 and len(said) < len(title) and passages.matched_lines <= _FEW_MATCHES:
            words = ", ".join(sorted({w for window in passages.windows for w in window.words})[:3])
            if not words:
                return "says nothing of the task"
            lines = f"{passages.matched_lines} line{'s' if passages.matched_lines != 1 else ''}"
            return f"says {words} on {lines}, in passing"
        return ""


@dataclass(frozen=True)
class _Teller:
    """What is told of the best candidates of one cycle, written when somebody asks."""

    query: Query
    information: Information
    explainer: Explainer
    rows: FeatureRows  # of the best candidates, best first
    profile: Purpose
    kept: Spans

    def reasons(self, place: int, candidate: Candidate, passages: Passages) -> tuple[Reason, ...]:
        return self.explainer.reasons(candidate, self._moved[place], passages)

    @cached_property
    def _moved(self) -> list[dict[str, float]]:
        return contributions(self.rows, range(len(self.rows.values)), self.profile)

    def spans(self, doc: int, passages: Passages) -> tuple[Span, ...]:
        """Of an overview the heads of files, so that many fit; else what matches."""
        if self.profile == "architecture":
            lines = max(1, int(self.explainer.view.snapshot.lines[doc]))
            return (Span(1, min(HEAD_LINES, lines), "", "head of file", 1.0),)
        return self.kept.of(self.query, doc, passages, self.information)
