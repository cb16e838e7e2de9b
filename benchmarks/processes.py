"""Measuring in processes: one a repository."""

import multiprocessing
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Any

from benchmarks.data import Task


def by_repository(
    measure: Callable[[Sequence[Task], Path | None], list[dict[str, Any]]],
    tasks: Sequence[Task],
    models: Path | None,
    jobs: int,
) -> list[dict[str, Any]]:
    """Rows of all tasks, sorted by id: a process reads one ranker only, so every repository gets one of its own."""
    groups: dict[str, list[Task]] = {}
    for task in tasks:
        groups.setdefault(task.repo, []).append(task)
    rows: list[dict[str, Any]] = []
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, mp_context=context, max_tasks_per_child=1) as pool:
        running = [pool.submit(measure, some, models) for some in groups.values()]
        for number, job in enumerate(as_completed(running), start=1):
            rows += job.result()
            print(f"{number} of {len(running)} repositories", file=sys.stderr, flush=True)
    return sorted(rows, key=lambda row: str(row["id"]))
