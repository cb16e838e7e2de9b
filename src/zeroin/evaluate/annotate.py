"""Add spans, role, why a file is irrelevant, and missing reasons to judgments.

It needs query, view and judgments alone, so that judgments of an injected evaluator are annotated, too.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from zeroin.evaluate.deferred import Deferred
from zeroin.evaluate.passages import Matcher, TextMatch
from zeroin.evaluate.purpose import effective_purpose
from zeroin.evaluate.reasons.subject import Question
from zeroin.evaluate.reasons.writer import stated
from zeroin.evaluate.spans.candidates import label_of
from zeroin.evaluate.spans.opening import opening_of
from zeroin.evaluate.spans.select import KeptSpans, with_cited
from zeroin.evaluate.task_terms import task_terms_of
from zeroin.index.lexicon import MAX_CHARS
from zeroin.index.view import View
from zeroin.tree import Definition, DiffFile
from zeroin.types import LOW, Candidate, Evidence, Judgment, Purpose, Query, Reason, Role, Span, Task
from zeroin.wording import counted

ANNOTATED = 30  # best judgments, which get spans and reasons; both are computed on first use
_BEST = 5  # files that reasons may name
_FEW_MATCHES = 3  # lines
_MARGIN = 3  # lines around a changed line
_MAX_CHANGED = 6
_LISTED = 3  # ranges of changed lines that the reason lists
_CERTAIN = ("symbols", "paths", "history")  # lists that find a file only where the task means it


@dataclass(frozen=True, slots=True)
class Annotator:
    """Annotates the judgments of one cycle."""

    view: View
    matcher: Matcher
    purpose: Purpose = "fix"
    spans: KeptSpans = field(default_factory=KeptSpans)

    def annotate(
        self, task: Task, query: Query, candidates: Sequence[Candidate], judgments: Sequence[Judgment]
    ) -> tuple[Judgment, ...]:
        """Annotate judgments in their order; those of paths that are not in the tree are left out."""
        view, snapshot = self.view, self.view.snapshot
        terms = task_terms_of(query, view)
        overview = effective_purpose(self.purpose, query, view) == "architecture"
        there = [j for j in judgments if view.doc_of(j.path) is not None]
        top = [view.numbers[j.path] for j in there[:ANNOTATED]]
        matches = self.matcher.read(top, terms)
        question = Question(query, terms, view, tuple(top[:_BEST]), self.spans)
        known = {candidate.path: candidate for candidate in candidates}
        changed = {f.path: f for f in task.diff.files} if task.diff is not None else {}
        out = []
        for place, judgment in enumerate(there):
            doc = view.numbers[judgment.path]
            judgment = replace(judgment, role=snapshot.role(doc), language=snapshot.language(doc))
            if place < ANNOTATED:
                candidate = known.get(judgment.path, Candidate(doc, judgment.path, 0.0))
                judgment = self._annotated(judgment, candidate, question, matches[doc], overview)
            if judgment.path in changed:
                definitions = tuple(snapshot.symbols.of_document(doc))
                judgment = as_given(judgment, changed[judgment.path], definitions, int(snapshot.lines[doc]))
            out.append(judgment)
        return tuple(out)

    def _annotated(
        self, judgment: Judgment, candidate: Candidate, question: Question, match: TextMatch, overview: bool
    ) -> Judgment:
        reasons, spans = judgment.reasons, judgment.spans
        if not isinstance(reasons, Deferred) and not reasons:
            reasons = Deferred(partial(stated, question, candidate, match))
        last_line = max(1, int(self.view.snapshot.lines[candidate.doc]))
        if overview:
            spans = spans or Deferred(partial(opening_of, self.view, candidate.doc))
        own = self.spans.of(self.view, question.query, candidate.doc, match, question.terms)
        because = judgment.irrelevant_because or self._irrelevant(judgment, candidate, question, match)
        return replace(
            judgment,
            reasons=reasons,
            spans=spans or Deferred(partial(with_cited, own, reasons, candidate.path, last_line)),
            irrelevant_because=because,
        )

    def _irrelevant(self, judgment: Judgment, candidate: Candidate, question: Question, match: TextMatch) -> str:
        """Say why a file is irrelevant, "" without positive evidence: a low score alone is none (PATTERN P7)."""
        certain = any(candidate.scores.get(name) for name in _CERTAIN) or candidate.asked_by
        if judgment.relevance >= LOW or certain:
            return ""
        role, title = self.view.snapshot.role(candidate.doc), question.terms.title
        if role in (Role.GENERATED, Role.VENDORED):
            return f"{role.value} file"
        in_part = int(self.view.snapshot.sizes[candidate.doc]) > MAX_CHARS  # only its beginning was read
        if in_part or len(title) < 2 or title <= match.terms or match.matched_lines > _FEW_MATCHES:
            return ""
        words = sorted({w for passage in match.passages for w in passage.words})[:3]
        if not words:
            return "says nothing of the task"
        return f"says only in passing, on {counted(match.matched_lines, 'line')}: {', '.join(words)}"


def as_given(judgment: Judgment, changed: DiffFile, definitions: Sequence[Definition], last_line: int) -> Judgment:
    """Judge a changed file relevant, with its changed lines as spans, in line order.

    Lines that the file does not have are left out: the tree may not be the one that the diff leads to.
    """
    there = [(start, min(end, last_line)) for start, end in changed.spans if start <= last_line]
    spans: list[Span] = []
    for start, end in there:
        low, high = max(1, start - _MARGIN), min(last_line, end + _MARGIN)
        # The line before a removed one belongs to the span and may lie outside: the last line decides.
        holders = [d for d in definitions if d.start <= end <= d.end]
        name = label_of(min(holders, key=lambda d: d.end - d.start, default=None))
        if spans and low <= spans[-1].end + 1:
            before = spans.pop()
            low, name = before.start, ", ".join(dict.fromkeys(n for n in (before.symbol, name) if n))
        spans.append(Span(low, high, name, "changed", 1.0))
    lines = ", ".join(str(a) if a == b else f"{a}–{b}" for a, b in there[:_LISTED])
    text = "the change touches it" + (f", lines {lines}" if lines else "")
    more = " …" if len(there) > _LISTED else ""
    evidence = Evidence(judgment.path, there[0][0] if there else None)
    return replace(
        judgment,
        relevance=1.0,
        reasons=(Reason("change", text + more, (evidence,)),),
        spans=tuple(spans[:_MAX_CHANGED]),
        irrelevant_because="",
    )
