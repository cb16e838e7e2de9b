"""When the loop stops: rules as objects, asked in order after every cycle (PATTERN P9)."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from zeroin.types import HIGH, MEDIUM, Cycle, Origin, StopReason

ENOUGH_FILES = 3

# Chance that another cycle brings a right file among the ten best when no critical gap is open, by how good the
# best file is. Measured on the tuning tasks (`python -m training.gains`); see docs/QUALITY.md, "Cycles".
EXPECTED_GAIN = {"high": 0.01, "medium": 0.01, "low": 0.02}
NO_GAIN = 0.05


class StoppingRule(Protocol):
    """Asked with all cycles so far; a reason stops the loop."""

    def check(self, cycles: Sequence[Cycle]) -> StopReason | None: ...


@dataclass(frozen=True, slots=True)
class Enough:
    """Three files ≥ 0.7 and no critical gap."""

    files: int = ENOUGH_FILES

    def check(self, cycles: Sequence[Cycle]) -> StopReason | None:
        last = cycles[-1]
        given = {
            p.path for p in last.query.paths if p.origin is Origin.DIFF
        }  # a change does not explain itself
        high = sum(1 for j in last.judgments if j.relevance >= HIGH and j.path not in given)
        if high >= self.files and not any(g.critical for g in last.gaps):
            return StopReason("enough", f"{high} files ≥ {HIGH} and no critical gap")
        return None


@dataclass(frozen=True, slots=True)
class NoGain:
    """No critical gap is open, and another cycle is not expected to find a right file that is not in hand."""

    least: float = NO_GAIN

    def check(self, cycles: Sequence[Cycle]) -> StopReason | None:
        if any(g.critical for g in cycles[-1].gaps):
            return None
        chance = expected_gain(cycles[-1])
        if chance >= self.least:
            return None
        return StopReason(
            "no_gain", f"no critical gap, and another cycle finds more with a chance of {chance:.0%}"
        )


@dataclass(frozen=True, slots=True)
class Deadline:
    """No time is left; `at` is a reading of the monotonic clock."""

    at: float | None

    def check(self, cycles: Sequence[Cycle]) -> StopReason | None:
        if self.at is not None and time.monotonic() >= self.at:
            return StopReason("deadline", f"out of time after {_cycles(len(cycles))}: the best so far")
        return None


@dataclass(frozen=True, slots=True)
class CyclesUsed:
    """The agreed number of cycles is used up."""

    most: int

    def check(self, cycles: Sequence[Cycle]) -> StopReason | None:
        if len(cycles) >= self.most:
            return StopReason("cycles", f"{_cycles(len(cycles))} used")
        return None


def expected_gain(cycle: Cycle) -> float:
    """The measured chance that another cycle brings a right file among the ten best."""
    best = max((j.relevance for j in cycle.judgments), default=0.0)
    level = "high" if best >= HIGH else "medium" if best >= MEDIUM else "low"
    return EXPECTED_GAIN[level]


def _cycles(count: int) -> str:
    return f"{count} cycle{'s' if count != 1 else ''}"
