"""The built-in evaluator: features → score → calibrated relevance, with spans, reasons and gaps."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from zeroin.evaluate.change import as_given
from zeroin.evaluate.features import FeatureRows, features_of
from zeroin.evaluate.gaps import GapFinder
from zeroin.evaluate.information import Information, information_of
from zeroin.evaluate.linear import linear_scores
from zeroin.evaluate.passages import Matcher, Passages, Words
from zeroin.evaluate.purposes import profile_of
from zeroin.evaluate.ranker import contributions, rank
from zeroin.evaluate.reasons import Explainer
from zeroin.evaluate.signals import retrieval
from zeroin.evaluate.signals.pool import Pool
from zeroin.evaluate.spans import spans_of
from zeroin.index.locate import changed_docs
from zeroin.index.view import View
from zeroin.protocols import RepositoryView
from zeroin.types import LOW, Candidate, Gap, Judgment, Origin, Purpose, Query, Role, Span, Task

READ = 80  # candidates whose text is read; the rest is judged by the index alone
EXPLAINED = 30  # judgments that carry spans and reasons
HEAD_LINES = 16  # of each file of an overview
_FEW_MATCHES = 3


class Judge:
    """Judges candidates of one repository. Keeps nothing between cycles but the words it has analysed."""

    def __init__(
        self, view: View, purpose: Purpose = "fix", *, without: frozenset[str] = frozenset()
    ) -> None:
        self._view = view
        self._history = None if "history" in without else view.history
        self._purpose = purpose
        self._passages: dict[int, Passages] = {}
        self._words: dict[int, Words] = {}

    def evaluate(
        self, task: Task, query: Query, candidates: Sequence[Candidate], view: RepositoryView
    ) -> tuple[Judgment, ...]:
        """A judgment for every candidate, best first; equal relevance is ordered by score, then path."""
        information = information_of(query, query.terminology, self._view)
        rows = self.measure(query, candidates, information)
        profile = profile_of(self._purpose, query, self._view)
        ranked = rank(rows, query, profile, history=any("history" in c.scores for c in candidates))
        scores, relevance = ranked.scores, ranked.relevance
        order = sorted(range(len(candidates)), key=lambda i: (-scores[i], candidates[i].path))
        moved = contributions(rows, order[:EXPLAINED], profile)
        # Of a change, what goes with it is told beside its own files.
        best = (*changed_docs(query, self._view), *(candidates[i].doc for i in order[:5]))[:5]
        explainer = Explainer(query, information, self._view, best)
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
                    reasons=explainer.reasons(candidate, moved[place], passages),
                    spans=self._spans(query, candidate.doc, passages, information),
                    irrelevant_because=self._irrelevant(judgment, candidate, passages, information.title),
                )
            if candidate.path in changed:
                definitions = tuple(symbols.of_document(candidate.doc))
                last = int(self._view.snapshot.lines[candidate.doc])
                judgment = as_given(judgment, changed[candidate.path], definitions, last)
            out.append(judgment)
        return tuple(out)

    def _spans(
        self, query: Query, doc: int, passages: Passages, information: Information
    ) -> tuple[Span, ...]:
        """Of an overview the heads of files, so that many fit; else what matches."""
        if profile_of(self._purpose, query, self._view) == "architecture":
            lines = max(1, int(self._view.snapshot.lines[doc]))
            return (Span(1, min(HEAD_LINES, lines), "", "head of file", 1.0),)
        return spans_of(query, doc, passages, information, self._words.get(doc), self._view)

    def measure(self, query: Query, candidates: Sequence[Candidate], information: Information) -> FeatureRows:
        """Features of every candidate. Reads the texts of the most promising, whose passages it keeps."""
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
        )
        first = linear_scores(retrieval.columns(pool), profile)
        read = [candidates[i].doc for i in np.argsort(-first, kind="stable")[:READ]]
        self._view.prefetch(read)
        matcher = Matcher(information)
        self._words = {doc: self._words.get(doc) or Words.of(self._view.text(doc)) for doc in read}
        self._passages = {doc: matcher.passages(self._words[doc]) for doc in read}
        return features_of(replace(pool, passages=self._passages), profile)

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
