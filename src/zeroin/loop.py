"""The product on one page: dispatch → evaluate → refine → stop, a `Cycle` each time.

Judgments are merged across cycles before the stopping test, so that a file found in cycle 1 is never lost because
cycle 2 succeeded (PATTERN P8). The gaps that a cycle finds are searched for in the next one, which records the outcome.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from zeroin.answer import Change, Cycle, StopCode, StopReason
from zeroin.evaluate.annotate import Annotator
from zeroin.gaps.finder import GapFinder, outcomes_of
from zeroin.protocols import Dispatch, Evaluator, RepositoryView
from zeroin.stopping import CyclesUsed, StoppingRule
from zeroin.types import LOW, Gap, Judgment, Query, Task, best_first

NOTHING_NEW = StopReason(StopCode.NO_GAIN, "nothing new to ask: another cycle would find the same")
_LIMITS = (StopCode.DEADLINE, StopCode.CYCLES)  # a new query does not lift them


class Refine(Protocol):
    def refine(
        self, query: Query, judgments: Sequence[Judgment], gaps: Sequence[Gap]
    ) -> tuple[Query, tuple[Change, ...]]: ...

    def expanded(self, query: Query) -> Query: ...


@dataclass(slots=True)
class Loop:
    """The loop of one question. Iterate to run it, cycle by cycle; stop iterating whenever you have enough.

    `query` may be replaced between cycles. It is then asked as it is, as long as time and cycles are left.
    """

    task: Task
    query: Query
    view: RepositoryView
    dispatcher: Dispatch
    evaluator: Evaluator
    annotator: Annotator
    gap_finder: GapFinder
    refiner: Refine
    rules: Sequence[StoppingRule]
    cycles: list[Cycle] = field(default_factory=list)
    stop_reason: StopReason | None = None
    pending: tuple[Change, ...] = ()  # what was changed in the query that is asked next
    last: Cycle | None = None  # the last cycle, until `_follow` has handled it
    # Processor time when work on the next cycle began.
    began: float = field(default_factory=time.process_time)

    def __iter__(self) -> Iterator[Cycle]:
        while (cycle := self.step()) is not None:
            yield cycle

    def step(self) -> Cycle | None:
        """Run and return the next cycle, None when it is time to stop.

        Whether a cycle is followed by a stop or by REFINE is decided when the next cycle is asked for.
        """
        if self.last is not None:
            self.began = time.process_time()
            cycle, self.last = self.last, None
            self._follow(cycle)
        if self.stop_reason is None:
            self.last = self._cycle()
            self.cycles.append(self.last)
        return self.last

    def _follow(self, cycle: Cycle) -> None:
        self.stop_reason = self._why_stop()
        if self.query is not cycle.query:  # the caller has replaced it: nothing is refined
            self.pending = ()
            if self.stop_reason is not None and self.stop_reason.code not in _LIMITS:
                self.stop_reason = None
        elif self.stop_reason is None:
            self._refine(cycle)

    def _cycle(self) -> Cycle:
        began, number, query = time.monotonic(), len(self.cycles) + 1, self.query
        candidates = self.dispatcher.dispatch(query)
        found = self.evaluator.evaluate(self.task, query, candidates, self.best, self.view)
        new = self.annotator.annotate(self.task, query, candidates, sorted(found, key=best_first))
        best = merge(self.best, new, number)
        return Cycle(
            number=number,
            query=query,
            changes=self.pending,
            candidates=candidates,
            judgments=best,
            gaps=self.gap_finder.gaps(self.task, query, best),
            asked=outcomes_of(query.gaps, candidates, best),
            terminology=query.terminology,
            seconds=time.monotonic() - began,
            cpu_seconds=time.process_time() - self.began,
        )

    def _refine(self, cycle: Cycle) -> None:
        """REFINE the query for the next cycle; stop where nothing changes or no time is left."""
        query, self.pending = self.refiner.refine(self.query, cycle.judgments, cycle.gaps)
        if self.pending:
            self.query = query
            self.stop_reason = self._why_stop()
        else:
            self.stop_reason = NOTHING_NEW

    def again(self, query: Query, changes: tuple[Change, ...]) -> None:
        """Ask `query` in one more cycle although the rules said stop; iterate to run it."""
        self.query, self.pending, self.stop_reason, self.last = query, changes, None, None
        last = CyclesUsed(len(self.cycles) + 1)
        self.rules = tuple(last if isinstance(rule, CyclesUsed) else rule for rule in self.rules)

    def _why_stop(self) -> StopReason | None:
        return next((why for rule in self.rules if (why := rule.check(self.cycles))), None)

    @property
    def best(self) -> tuple[Judgment, ...]:
        return self.cycles[-1].judgments if self.cycles else ()


def merge(best: Sequence[Judgment], new: Sequence[Judgment], number: int) -> tuple[Judgment, ...]:
    """Return each file's latest judgment, best first; `cycle` is the first in which its relevance reached 0.2.

    A file that a cycle does not find again keeps its judgment. A lower relevance replaces a higher one only with
    evidence against the file (`against`, `irrelevant_because`).
    """
    merged = {j.path: j for j in best}
    for judgment in new:
        old = merged.get(judgment.path)
        justified = judgment.against or judgment.irrelevant_because
        if old is not None and judgment.relevance < old.relevance and not justified:
            continue
        first = old.cycle if old is not None and old.relevance >= LOW else number
        merged[judgment.path] = judgment if judgment.cycle == first else replace(judgment, cycle=first)
    return tuple(sorted(merged.values(), key=best_first))
