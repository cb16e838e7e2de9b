"""The parts of the measurement, and how shares of one that run beside each other become one result."""

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path
from typing import Any

from benchmarks.faults.damage import damages
from benchmarks.faults.kills import kills
from benchmarks.faults.place import World
from benchmarks.faults.scarce import scarce
from benchmarks.faults.together import together

PARTS = ("kills", "damage", "scarce", "together")


def measured(part: str, given: argparse.Namespace, job: int, jobs: int) -> dict[str, Any]:
    """Do one of so many equal shares of a part; deviations are told as they come."""

    def tell(text: str) -> None:
        print(f"{part}: {text}", file=sys.stderr, flush=True)

    seed = given.seed + 1_000 * job
    with tempfile.TemporaryDirectory(dir=given.place, ignore_cleanup_errors=True) as folder:
        world = World(Path(folder), fork=True)
        if part == "kills":
            return kills(world, until(given.kills // jobs, given.most_minutes), seed, tell)
        if part == "damage":
            return damages(world, until(given.damage, given.most_minutes), seed, tell)
        return scarce(world, tell) if part == "scarce" else together(world, given.minutes, seed, tell)


def until(count: int, minutes: float | None) -> Iterator[int]:
    """Count up, but not for longer than so many minutes."""
    end = time.monotonic() + 60 * (minutes or 1e9)
    return takewhile(lambda _: time.monotonic() < end, range(count))


def joined(one: Any, other: Any, name: str = "") -> Any:
    """Two results as one: counts are added."""
    if isinstance(one, dict):
        return {key: joined(one.get(key, 0), other.get(key, 0), key) for key in {**one, **other}}
    return max(one, other) if name in ("seconds", "ways") else one + other
