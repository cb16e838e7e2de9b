"""Does feedback between cycles help? A reader judges in place of the evaluator, simulated by known answers.

    ZEROIN_CACHE_DIR=… python -m benchmarks.steering --data DATA --repos REPOS [--models FOLDS] [--out FILE]

Of every issue and plain-word task whose answers are not all among the first five files of the ranking, the reader has
read those five and knows of each whether it is an answer. Then it reads five files more:

- **reading on**: the next five of the same ranking;
- **more**: the first five unread ones after one more cycle, told nothing;
- **refined**: the first five unread ones after one more cycle that was told which of the five are relevant and which
  are not.

Measured are the answers among those five: whether any is found, and which share of those that were left.
"""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np

from benchmarks.data import Task, load
from benchmarks.models import use_model
from benchmarks.processes import by_repository
from benchmarks.provenance import provenance
from zeroin.config import Options
from zeroin.engine import Repository
from zeroin.types import Feedback, Judgment

READ = 5
WAYS = ("reading on", "more", "refined")
ROUNDS = 2000  # of the bootstrap

Row = dict[str, Any]


def next_unread(ranking: Sequence[Judgment], read: Sequence[str]) -> list[str]:
    """The first files that the reader has not read."""
    return [j.path for j in ranking if j.path not in read][:READ]


def simulate(task: Task, repository: Repository) -> Row | None:
    """What each way finds of the answers that were left; None where none was left."""
    options = Options(always_loop=True)
    first = repository.ask(task.task, options)
    best = first.run().ranking
    read = [j.path for j in best[:READ]]
    left = sorted(set(task.gold) - set(read))
    if not left:
        return None
    relevant = tuple(path for path in read if path in task.gold)
    irrelevant = tuple(path for path in read if path not in task.gold)
    found = {"reading on": next_unread(best, read)}
    first.apply(Feedback())
    found["more"] = next_unread(first.run().ranking, read)
    told = repository.ask(task.task, options)
    told.run()
    told.apply(Feedback(relevant=relevant, irrelevant=irrelevant))
    found["refined"] = next_unread(told.run().ranking, read)
    return {
        "id": task.id,
        "repo": task.repo,
        "kind": task.kind,
        "relevant": len(relevant),
        "left": len(left),
        "found": {way: len(set(paths) & set(left)) for way, paths in found.items()},
    }


def measure(tasks: Sequence[Task], models: Path | None) -> list[Row]:
    """Rows of the tasks of one repository."""
    use_model(models, tasks[0].repo)
    rows = (simulate(task, Repository.open(task.git_dir, rev=task.rev, jobs=1)) for task in tasks)
    return [row for row in rows if row is not None]


def gain(rows: Sequence[Row], way: str) -> Mapping[str, object]:
    """Any found, share found, and the gain of any found over reading on, with a paired interval over repositories."""
    hits = {name: [float(row["found"][name] > 0) for row in rows] for name in WAYS}
    groups: dict[str, list[float]] = {}
    for row, after, before in zip(rows, hits[way], hits["reading on"], strict=True):
        groups.setdefault(row["repo"], []).append(after - before)
    drawn = np.random.default_rng(7).integers(0, len(groups), (ROUNDS, len(groups)))
    parts = [(sum(values), len(values)) for values in groups.values()]
    means = [sum(parts[i][0] for i in draw) / sum(parts[i][1] for i in draw) for draw in drawn]
    return {
        "any": round(100 * fmean(hits[way]), 1),
        "share": round(100 * fmean(row["found"][way] / row["left"] for row in rows), 1),
        "gain": round(100 * (fmean(hits[way]) - fmean(hits["reading on"])), 1),
        "interval": [round(100 * float(np.quantile(means, q)), 1) for q in (0.025, 0.975)],
    }


def report(rows: Sequence[Row]) -> Row:
    """By set: all issues, those where one of the five was right, those where none was, plain words."""
    issues = [row for row in rows if row["kind"] == "issue"]
    sets = {
        "issues": issues,
        "issues, one of the five right": [row for row in issues if row["relevant"]],
        "issues, none of the five right": [row for row in issues if not row["relevant"]],
        "plain words": [row for row in rows if row["kind"] == "plain"],
    }
    return {name: {"tasks": len(mine), **{way: gain(mine, way) for way in WAYS}} for name, mine in sets.items() if mine}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--repos", type=Path, required=True, help="folder of bare repositories")
    parser.add_argument("--models", type=Path, help="folder of rankers that never saw the repository")
    parser.add_argument("--limit", type=int, help="tasks of each kind, by a hash of their id")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    loaded = load(options.data, options.repos, kinds=("issue", "plain"), limit=options.limit)
    rows = by_repository(measure, loaded.tasks, options.models, options.jobs)
    result = {"provenance": provenance("benchmarks.steering", sys.argv[1:]), "skipped": loaded.skipped}
    result |= report(rows)
    print(json.dumps(result, indent=1))
    if options.out:
        options.out.write_text(json.dumps(result | {"rows": rows}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
