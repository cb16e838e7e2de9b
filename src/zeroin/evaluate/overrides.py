"""The caller in the evaluator's seat: what it has read and judged stands, whatever the evaluator says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from zeroin.protocols import Evaluator, RepositoryView
from zeroin.types import Candidate, Judgment, Query, Reason, Task

RELEVANT = Reason("caller", "the caller has read it and judged it relevant")
IRRELEVANT = Reason("caller", "the caller has read it and judged it irrelevant")


@dataclass(frozen=True, slots=True)
class CallerOverrides:
    """Judges like `inner`, except for the files that the query says are relevant or irrelevant."""

    inner: Evaluator

    def evaluate(
        self,
        task: Task,
        query: Query,
        candidates: Sequence[Candidate],
        previous: Sequence[Judgment],
        view: RepositoryView,
    ) -> Sequence[Judgment]:
        """The evaluator's judgments of the files that the caller has not judged, and the caller's; best first."""
        judgments = self.inner.evaluate(task, query, candidates, previous, view)
        return apply_overrides(query, judgments)


def apply_overrides(query: Query, judgments: Sequence[Judgment]) -> Sequence[Judgment]:
    """The same judgments with the caller's word over them: 1 for a relevant file, 0 for an irrelevant one."""
    if not query.relevant and not query.irrelevant:
        return judgments
    good, bad = frozenset(query.relevant), frozenset(query.irrelevant)
    moved = [_moved(j, good, bad) for j in judgments]
    return tuple(sorted(moved, key=lambda j: (-j.relevance, -j.score, j.path)))


def _moved(judgment: Judgment, good: frozenset[str], bad: frozenset[str]) -> Judgment:
    others = tuple(r for r in judgment.reasons if r.kind != "caller") if judgment.path in good else ()
    if judgment.path in good:
        return replace(judgment, relevance=1.0, reasons=(RELEVANT, *others), irrelevant_because="")
    if judgment.path in bad:
        return replace(judgment, relevance=0.0, reasons=(IRRELEVANT,), irrelevant_because=IRRELEVANT.text)
    return judgment


@dataclass(frozen=True, slots=True)
class Injected:
    """A caller's evaluator: where it judges a file lower than before, that is its evidence."""

    inner: Evaluator

    def evaluate(
        self,
        task: Task,
        query: Query,
        candidates: Sequence[Candidate],
        previous: Sequence[Judgment],
        view: RepositoryView,
    ) -> Sequence[Judgment]:
        """Its judgments; those that fall say so."""
        before = {judgment.path: judgment.relevance for judgment in previous}
        return [
            replace(j, against=j.against or j.reason or "judged lower since")
            if j.relevance < before.get(j.path, 0.0)
            else j
            for j in self.inner.evaluate(task, query, candidates, previous, view)
        ]
