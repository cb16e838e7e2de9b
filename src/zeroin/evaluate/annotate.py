"""What an answer needs beside relevance, for whoever judged: spans, role, exclusions, and reasons where there are none.

A function of query, view and judgments alone, so that an injected evaluator gets all of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from zeroin.evaluate.deferred import Deferred
from zeroin.evaluate.passages import Matcher, TextMatch
from zeroin.evaluate.purpose import effective_purpose
from zeroin.evaluate.reasons.writer import ReasonWriter
from zeroin.evaluate.spans.changed import as_given
from zeroin.evaluate.spans.spans import Spans
from zeroin.evaluate.task_terms import TaskTerms, task_terms_of
from zeroin.index.view import View
from zeroin.types import LOW, Candidate, Judgment, Purpose, Query, Reason, Role, Span, Task

ANNOTATED = 30  # judgments that carry spans, made when they are looked at
HEAD_LINES = 16  # of each file of an overview
_FEW_MATCHES = 3
_TELLING = ("symbols", "paths", "history")  # lists that find a file only where the task means it


@dataclass(frozen=True, slots=True)
class Annotator:
    """Annotates the judgments of one cycle."""

    view: View
    matcher: Matcher
    spans: Spans
    purpose: Purpose = "fix"

    def annotate(
        self, task: Task, query: Query, candidates: Sequence[Candidate], judgments: Sequence[Judgment]
    ) -> tuple[Judgment, ...]:
        """The same judgments in the same order, annotated; those of paths that are not in the tree are left out."""
        view = self.view
        terms = task_terms_of(query, view)
        profile = effective_purpose(self.purpose, query, view)
        there = [j for j in judgments if view.doc_of(j.path) is not None]
        top = [view.numbers[j.path] for j in there[:ANNOTATED]]
        passages = self.matcher.read(top, terms)
        writer = ReasonWriter(query, terms, view, tuple(top[:5]))
        known = {candidate.path: candidate for candidate in candidates}
        changed = {f.path: f for f in task.diff.files} if task.diff is not None else {}
        out = []
        for place, judgment in enumerate(there):
            doc = view.numbers[judgment.path]
            judgment = replace(judgment, role=view.snapshot.role(doc), language=view.snapshot.language(doc))
            if place < ANNOTATED:
                candidate = known.get(judgment.path, Candidate(doc, judgment.path, 0.0))
                judgment = self._one(judgment, candidate, query, terms, profile, writer, passages)
            if judgment.path in changed:
                definitions = tuple(view.snapshot.symbols.of_document(doc))
                judgment = as_given(
                    judgment, changed[judgment.path], definitions, int(view.snapshot.lines[doc])
                )
            out.append(judgment)
        return tuple(out)

    def _one(
        self,
        judgment: Judgment,
        candidate: Candidate,
        query: Query,
        terms: TaskTerms,
        profile: Purpose,
        writer: ReasonWriter,
        read: Mapping[int, TextMatch],
    ) -> Judgment:
        passages = read.get(candidate.doc, TextMatch())
        reasons: Sequence[Reason] = judgment.reasons
        if not isinstance(reasons, Deferred) and not reasons:
            reasons = Deferred(partial(writer.stated, candidate, passages))
        spans: Sequence[Span] = judgment.spans or Deferred(
            partial(self._spans, query, candidate.doc, passages, terms, profile)
        )
        return replace(
            judgment,
            reasons=reasons,
            spans=spans,
            irrelevant_because=judgment.irrelevant_because
            or self._irrelevant(judgment, candidate, passages, terms.title),
        )

    def _spans(
        self, query: Query, doc: int, passages: TextMatch, terms: TaskTerms, profile: Purpose
    ) -> tuple[Span, ...]:
        """Of an overview the heads of files, so that many fit; else what matches."""
        if profile == "architecture":
            lines = max(1, int(self.view.snapshot.lines[doc]))
            return (Span(1, min(HEAD_LINES, lines), "", "head of file", 1.0),)
        return self.spans.of(query, doc, passages, terms)

    def _irrelevant(
        self, judgment: Judgment, candidate: Candidate, passages: TextMatch, title: frozenset[str]
    ) -> str:
        """Positive evidence that a file is not meant, or "": a low score alone is none (PATTERN P7)."""
        if judgment.relevance >= LOW or any(candidate.scores.get(name) for name in _TELLING):
            return ""
        if candidate.asked_by:
            return ""
        role = self.view.snapshot.role(candidate.doc)
        if role in (Role.GENERATED, Role.VENDORED):
            return f"{role.value} file"
        said = passages.terms & title
        if len(title) >= 2 and len(said) < len(title) and passages.matched_lines <= _FEW_MATCHES:
            words = ", ".join(sorted({w for window in passages.passages for w in window.words})[:3])
            if not words:
                return "says nothing of the task"
            lines = f"{passages.matched_lines} line{'s' if passages.matched_lines != 1 else ''}"
            return f"says {words} on {lines}, in passing"
        return ""
