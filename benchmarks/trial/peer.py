"""The peer engine semble on the tasks of a trial, beside what the product answered.

python -m benchmarks.trial.peer --tasks TASKS.jsonl --repos DIR --model MODEL --product RESULT.json --out PEER.json

It runs in semble's own environment (see "A peer" in benchmarks/README.md), with what it does by default: source files,
ignore files honoured, the whole task as the query. A file stands where its best chunk stands. The model comes from
`benchmarks.semble_model`, since semble's own cannot be had offline. Reviews are left out: they are asked by a diff.
RESULT.json is what `benchmarks.trial score` wrote for the same tasks.
"""

import argparse
import json
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from benchmarks.checkout import Checkout
from benchmarks.provenance import file_stamp, provenance
from benchmarks.repositories import find_repositories
from benchmarks.semble_peer import RUNS, Semble
from benchmarks.trial.tasks import TrialTask, read_tasks

_AMONG = (1, 3, 5, 10)


def ranks(tasks: Sequence[TrialTask], git_dir: Path, model: Path) -> Iterator[tuple[str, dict[str, int | None]]]:
    """Where the best right file of each task of a repository stands, by run; from 1, None where it is not found."""
    by_commit: dict[str, list[TrialTask]] = defaultdict(list)
    for task in tasks:
        by_commit[task.commit].append(task)
    with tempfile.TemporaryDirectory(prefix="trial-") as name:
        folder = Path(name).resolve()
        checkout, engine = Checkout(git_dir, folder), Semble(model)
        for commit, asked in by_commit.items():
            checkout.move(commit)
            index = engine.index(folder)
            for task in asked:
                found = {
                    run: index.search(task.task, top_k=search.top_k, alpha=search.alpha) for run, search in RUNS.items()
                }
                yield task.id, {run: _rank(task, results, folder) for run, results in found.items()}


def _rank(task: TrialTask, results: Sequence[Any], folder: Path) -> int | None:
    paths = dict.fromkeys(str(result.chunk.file_path).removeprefix(f"{folder}/") for result in results)
    return next((place for place, path in enumerate(paths, 1) if path in task.right), None)


def shares(found: Mapping[str, int | None]) -> dict[str, float]:
    """Percent of tasks with a right file among the first 1, 3, 5 and 10."""
    places = [place for place in found.values() if place is not None]
    return {f"@{k}": round(100 * sum(place <= k for place in places) / len(found), 1) for k in _AMONG}


def main() -> int:
    """Ask the peer and write the result file."""
    parser = argparse.ArgumentParser(prog="benchmarks.trial.peer", description=__doc__)
    for name in ("tasks", "repos", "model", "product", "out"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    args = parser.parse_args()
    product = json.loads(args.product.read_text(encoding="utf-8"))
    ranked = {row["id"]: row["rank"] for row in product["outcomes"]}
    tasks = [task for task in read_tasks(args.tasks) if task.right and not task.diff and task.id in ranked]
    at = find_repositories(args.repos)
    by_repository: dict[str, list[TrialTask]] = defaultdict(list)
    for task in tasks:
        by_repository[task.repo.lower()].append(task)
    runs: dict[str, dict[str, int | None]] = {"zeroin": {task.id: ranked[task.id] for task in tasks}}
    for repo, asked in by_repository.items():
        print(repo, file=sys.stderr)
        for identity, places in ranks(asked, at[repo], args.model):
            for run, place in places.items():
                runs.setdefault(run, {})[identity] = place
    result = {
        "provenance": {**provenance("benchmarks.trial.peer", sys.argv[1:]), "semble": version("semble")},
        "product": {**file_stamp(args.product), "commit": product["provenance"]["commit"]},
        "tasks": len(tasks),
        "any right file among the first, %": {run: shares(found) for run, found in runs.items()},
        "ranks": runs,
    }
    args.out.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(result["any right file among the first, %"], indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
