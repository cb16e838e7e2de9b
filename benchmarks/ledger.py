"""What `benchmarks.speed` has measured so far: every run by row, tool and state, and its medians."""

import sys
from collections import defaultdict
from statistics import median
from typing import Any

from benchmarks.timed import Timed

Json = dict[str, Any]
FIGURES = ("wall_s", "cpu_s", "memory_mb")


class Ledger:
    """Rows of figures; each run is told on standard error as it is noted."""

    def __init__(self) -> None:
        self._facts: dict[str, Json] = {}
        self._runs: dict[str, dict[str, dict[str, list[Timed]]]] = {}

    def fact(self, row: str, **facts: object) -> None:
        """Note what is known of a row besides its runs."""
        self._facts.setdefault(row, {}).update(facts)

    def add(self, row: str, tool: str, state: str, run: Timed) -> None:
        """Note a run; one that failed, by its exit code, is counted, and left out of the medians."""
        of_tool = self._runs.setdefault(row, {}).setdefault(tool, defaultdict(list))
        of_tool[state].append(run)
        failed = "" if not run.code else f", exit code {run.code}"
        print(
            f"{row}: {tool}, {state} {len(of_tool[state])}: {run.wall_s:.2f} s, CPU {run.cpu_s:.2f} s,"
            f" {run.memory_mb:.0f} MB{failed}",
            file=sys.stderr,
            flush=True,
        )

    def seconds(self, row: str, tool: str, *states: str) -> float:
        """Wall seconds spent on these states so far."""
        of_tool = self._runs.get(row, {}).get(tool, {})
        return sum(run.wall_s for state in states for run in of_tool.get(state, ()))

    def rows(self) -> Json:
        """Medians and all runs (wall, processor seconds, memory), by row, tool and state."""
        made: Json = {}
        for name in self._facts:
            tools = {
                tool: {state: _summary(runs) for state, runs in states.items()}
                for tool, states in self._runs.get(name, {}).items()
            }
            made[name] = {**self._facts[name], "tools": tools}
        return made


def _summary(runs: list[Timed]) -> Json:
    good = [run for run in runs if not run.code]
    made: Json = {name: round(median(getattr(run, name) for run in good), 3) for name in FIGURES if good}
    return made | {
        "runs": [[round(getattr(run, name), 3) for name in FIGURES] for run in good],
        "failed": len(runs) - len(good),
    }
