"""Features of the tuning tasks, cycle by cycle, for fitting and ablation.

    python -m benchmarks.features --data DATA --repos REPOS --out FOLDER [--jobs 2] [--without history]

Runs the loop with its rules off, so that every task has all its cycles, and writes one file a repository; a
repository whose file exists is not run again.
"""

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.data import Task, load
from zeroin.config import Options
from zeroin.dispatch.stage import Dispatcher
from zeroin.engine import Repository
from zeroin.errors import ZeroinError
from zeroin.evaluate.features import FEATURES, FeatureRows
from zeroin.evaluate.information import Information
from zeroin.evaluate.judge import Judge
from zeroin.index.view import View
from zeroin.loop import Loop
from zeroin.query.purpose import purpose_of
from zeroin.query.task import query_of
from zeroin.refine.rewrite import Refiner
from zeroin.stopping import CyclesUsed
from zeroin.types import Candidate, Query
from zeroin.types import Task as ZeroinTask

CYCLES = 3


@dataclass(frozen=True, slots=True)
class Measured:
    """One task in one cycle: candidate paths and their feature rows, and how the cycle stood."""

    id: str
    repo: str
    kind: str
    language: str
    gold: tuple[str, ...]
    tests: tuple[str, ...]
    cycle: int
    paths: tuple[str, ...]
    rows: np.ndarray
    critical: int
    excluded_gold: int
    seconds: float
    reworded: bool = False


class RecordingJudge(Judge):
    """The product's judge, keeping the feature rows of every cycle."""

    def __init__(self, view: View) -> None:
        super().__init__(view)
        self.recorded: list[tuple[tuple[str, ...], np.ndarray]] = []

    def measure(self, query: Query, candidates: Sequence[Candidate], information: Information) -> FeatureRows:
        rows = super().measure(query, candidates, information)
        self.recorded.append((tuple(c.path for c in candidates), rows.values))
        return rows


def measure_task(repository: Repository, task: Task, without: frozenset[str]) -> list[Measured]:
    """All cycles of one task."""
    view = repository.opened.view
    options = Options(includes=(f"{task.root}/**",) if task.root else (), without=without)
    asked = ZeroinTask(task.task)
    asked = ZeroinTask(task.task, purpose_of(asked))
    judge = RecordingJudge(view)
    loop = Loop(
        task=asked,
        query=query_of(asked, options),
        view=view,
        dispatcher=Dispatcher(view, without=without),
        evaluator=judge,
        gap_finder=judge,
        refiner=Refiner(view, without=without),
        rules=(CyclesUsed(CYCLES),),
    )
    out = []
    for cycle in loop:
        paths, rows = judge.recorded[-1]
        out.append(
            Measured(
                id=task.id,
                repo=task.repo,
                kind=task.kind,
                language=task.language,
                gold=task.gold,
                tests=task.tests,
                cycle=cycle.number,
                paths=paths,
                rows=rows,
                reworded=cycle.query.reworded,
                critical=sum(g.critical for g in cycle.gaps),
                excluded_gold=len(set(cycle.query.excludes) & set(task.gold)),
                seconds=cycle.seconds,
            )
        )
    return out


def measure_repository(tasks: Sequence[Task], out: Path, without: frozenset[str]) -> str:
    """Measure one repository's tasks into `out`; returns a line for the log."""
    measured: list[Measured] = []
    failed = 0
    by_rev: dict[str, list[Task]] = defaultdict(list)
    for task in tasks:
        by_rev[task.rev].append(task)
    for rev, group in by_rev.items():
        try:
            repository = Repository.open(group[0].git_dir, rev=rev, jobs=1)
            for task in group:
                measured += measure_task(repository, task, without)
        except ZeroinError as error:
            failed += len(group)
            print(f"{tasks[0].repo} {rev[:10]}: {error}", file=sys.stderr)
    write(out, measured)
    return f"{tasks[0].repo}: {len(tasks) - failed} tasks, {failed} failed"


def write(path: Path, measured: Sequence[Measured]) -> None:
    """Save as one npz: feature rows concatenated, the rest as JSON."""
    meta = [
        {name: getattr(m, name) for name in Measured.__slots__ if name != "rows"} | {"count": len(m.rows)}
        for m in measured
    ]
    rows = np.concatenate([m.rows for m in measured]) if measured else np.empty((0, len(FEATURES)))
    np.savez_compressed(
        path, rows=rows.astype(np.float32), meta=json.dumps(meta), features=json.dumps(list(FEATURES))
    )


def read(folder: Path) -> list[Measured]:
    """Everything under a folder, in the columns of today's registry."""
    out: list[Measured] = []
    for path in sorted(folder.glob("*.npz")):
        with np.load(path) as data:
            stored = json.loads(str(data["features"]))
            gone = set(stored) - set(FEATURES)
            if gone:
                print(f"{path.name}: features {sorted(gone)} are gone and left out", file=sys.stderr)
            rows = np.zeros(
                (len(data["rows"]), len(FEATURES)), np.float32
            )  # a newer feature counts as absent
            kept = [i for i, name in enumerate(stored) if name in FEATURES]
            rows[:, [list(FEATURES).index(stored[i]) for i in kept]] = data["rows"][:, kept]
            at = 0
            for row in json.loads(str(data["meta"])):
                count = row.pop("count")
                fields: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in row.items()}
                out.append(Measured(**fields, rows=rows[at : at + count]))
                at += count
    return out


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--repos", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", choices=("issue", "query"))
    parser.add_argument("--without", default="")
    arguments = parser.parse_args()
    kinds = (arguments.only,) if arguments.only else ("issue", "query")
    loaded = load(arguments.data, arguments.repos, kinds=kinds)
    print(f"{len(loaded.tasks)} tasks; skipped {dict(loaded.skipped)}", file=sys.stderr)
    arguments.out.mkdir(parents=True, exist_ok=True)
    by_repo: dict[str, list[Task]] = defaultdict(list)
    for task in loaded.tasks:
        by_repo[task.repo].append(task)
    without = frozenset(filter(None, arguments.without.split(",")))
    with ProcessPoolExecutor(arguments.jobs, mp_context=get_context("spawn")) as pool:
        futures = [
            pool.submit(measure_repository, tasks, arguments.out / f"{repo.replace('/', '+')}.npz", without)
            for repo, tasks in sorted(by_repo.items())
            if not (arguments.out / f"{repo.replace('/', '+')}.npz").exists()
        ]
        for future in futures:
            print(future.result(), file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
