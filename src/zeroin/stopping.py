"""When the loop stops: rules as objects, asked in order after every cycle (PATTERN P9)."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from zeroin.answer import Cycle, StopCode, StopReason
from zeroin.types import HIGH, LOW, PROMISING, Gap, Judgment, Origin, figure_of

ENOUGH_FILES = 3

# New is a file among the best TOP that was not among the best KNOWN one cycle before. A third cycle gains where the
# second brought a new file, and nowhere else (`python -m training.gains`; benchmarks/NOTES.md, "Cycles").
TOP, KNOWN = 3, 10

# (best relevance below, least precision of an unasked gap that is worth a cycle). Below 0.4 a cycle always pays; above,
# only a gap that is likely to lead somewhere does (benchmarks/NOTES.md, "Cycles").
LEAST_PRECISION = ((0.4, -1.0), (2.0, 0.35))
CHEAP_FILES = 150  # a tree of so many files is read in milliseconds: every promising gap buys a cycle


class StoppingRule(Protocol):
    """Asked with all cycles so far; a reason stops the loop."""

    def check(self, cycles: Sequence[Cycle]) -> StopReason | None: ...


class Enough:
    """Three files ≥ 0.7 and no promising gap, let alone a critical one."""

    def check(self, cycles: Sequence[Cycle]) -> StopReason | None:
        last = cycles[-1]
        high = sum(1 for j in _besides(last) if j.relevance >= HIGH)
        if high >= ENOUGH_FILES and not any(g.promising for g in last.gaps):
            return StopReason(StopCode.ENOUGH, f"{high} files ≥ {HIGH} and no critical gap")
        return None


@dataclass(frozen=True, slots=True)
class NoGain:
    """Another cycle is not expected to change the answer.

    After the first cycle this depends on its best file and on the most precise gap that no cycle asked
    (`LEAST_PRECISION`), after a later one on whether it brought a new file. In a `cheap` tree every promising gap
    justifies a cycle, and so does a file that only the last cycle brought to 0.2: its own gaps are not searched yet.
    """

    cheap: bool = False

    def check(self, cycles: Sequence[Cycle]) -> StopReason | None:
        if len(cycles) > 1:
            last = cycles[-1]
            listed = self.cheap and any(j.cycle == last.number and j.relevance >= LOW for j in last.judgments)
            if not listed and not news(cycles[-2].judgments, cycles[-1].judgments):
                text = "the last cycle brought nothing new among the best files"
                return StopReason(StopCode.NO_GAIN, text)
            if _best(cycles[0]) < LOW:
                text = "the task's words found little, and other words no more"
                return StopReason(StopCode.NO_GAIN, text)
            if listed:
                return None
        best = _best(cycles[-1])
        least = next(precision for below, precision in LEAST_PRECISION if best < below)
        least = min(least, PROMISING) if self.cheap else least
        if max((gap.precision for gap in unasked(cycles[-1])), default=-1.0) < least:
            besides = _besides(cycles[-1])
            found = f"a file of {figure_of(besides[0].relevance)}" if besides else "no file besides the change"
            return StopReason(StopCode.NO_GAIN, f"{found}, and no gap whose search is worth a cycle")
        return None


@dataclass(frozen=True, slots=True)
class Deadline:
    """No time is left; `at` is a reading of the monotonic clock."""

    at: float | None

    def check(self, cycles: Sequence[Cycle]) -> StopReason | None:
        if self.at is not None and time.monotonic() >= self.at:
            return StopReason(StopCode.DEADLINE, f"out of time after {_cycles(len(cycles))}: the best so far")
        return None


@dataclass(frozen=True, slots=True)
class CyclesUsed:
    """The agreed number of cycles is used up; `why` there are no more than that, if not because the caller says so."""

    most: int
    why: str = ""

    def check(self, cycles: Sequence[Cycle]) -> StopReason | None:
        if len(cycles) >= self.most:
            return StopReason(StopCode.CYCLES, self.why or f"{_cycles(len(cycles))} used")
        return None


def unasked(cycle: Cycle) -> list[Gap]:
    """Promising gaps whose search no cycle ran."""
    asked = {gap.key for gap in cycle.query.gaps}
    return [gap for gap in cycle.gaps if gap.promising and gap.key not in asked]


def news(before: Sequence[Judgment], now: Sequence[Judgment]) -> list[str]:
    """Return paths among the best that were far behind, or unknown, one cycle before; both best first."""
    known = {judgment.path for judgment in before[:KNOWN]}
    return [judgment.path for judgment in now[:TOP] if judgment.path not in known]


def _besides(cycle: Cycle) -> list[Judgment]:
    """Return the judgments, best first, without those of the files of a reviewed change: they are given."""
    given = {p.path for p in cycle.query.paths if p.origin is Origin.DIFF}
    return [judgment for judgment in cycle.judgments if judgment.path not in given]


def _best(cycle: Cycle) -> float:
    return max((j.relevance for j in cycle.judgments), default=0.0)


def _cycles(count: int) -> str:
    return f"{count} cycle{'s' if count != 1 else ''}"
