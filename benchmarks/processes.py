"""Measuring in processes: a process reads one ranker only, so tasks that need another one get another one."""

import multiprocessing
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Any

from benchmarks.data import Task
from benchmarks.models import folds

Measure = Callable[[Sequence[Task], Path | None], list[dict[str, Any]]]


def by_repository(measure: Measure, tasks: Sequence[Task], models: Path | None, jobs: int) -> list[dict[str, Any]]:
    """Rows of all tasks, sorted by id; every repository gets a process of its own."""
    return _in_groups(measure, tasks, models, jobs, lambda task: task.repo)


def by_model(measure: Measure, tasks: Sequence[Task], models: Path | None, jobs: int) -> list[dict[str, Any]]:
    """The same with a process for each ranker: for what takes long to open and is used by many tasks."""
    known = folds(models) if models is not None else {}
    return _in_groups(measure, tasks, models, jobs, lambda task: known.get(task.repo.lower(), ""))


def _in_groups(
    measure: Measure, tasks: Sequence[Task], models: Path | None, jobs: int, group: Callable[[Task], str]
) -> list[dict[str, Any]]:
    groups: dict[str, list[Task]] = {}
    for task in tasks:
        groups.setdefault(group(task), []).append(task)
    rows: list[dict[str, Any]] = []
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, mp_context=context, max_tasks_per_child=1) as pool:
        running = [pool.submit(measure, some, models) for some in groups.values()]
        for number, job in enumerate(as_completed(running), start=1):
            rows += job.result()
            print(f"{number} of {len(running)} groups of tasks", file=sys.stderr, flush=True)
    return sorted(rows, key=lambda row: str(row["id"]))
