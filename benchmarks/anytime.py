"""How good an answer is that had little time: the first question about a large tree, with nothing cached.

    python -m benchmarks.anytime --data DATA --repos REPOS [--limits 1,2,5,10,30] [--files 3000] [--tasks N]

Issues of the tuning data whose tree has at least `--files` files. Each is asked with every limit and without one, in
a process of its own with an empty cache. `analysed` is
the share of the files that were read in time; `over` is by how many seconds the slowest
tenth of the answers was late. Times depend on the machine; compare rows of one file only.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean, median, quantiles
from typing import Any

from benchmarks.data import Task, load
from benchmarks.provenance import provenance
from benchmarks.scoring import any_hit, strict

RESULTS = Path(__file__).parent / "results" / "anytime.json"
_ASK = """
import json, sys, time, zeroin
began = time.monotonic()
asked = json.load(sys.stdin)
answer = zeroin.retrieve(asked["task"], asked["place"], rev=asked["rev"], timeout_s=asked["limit"])
json.dump({
    "ranking": [judgment.path for judgment in answer.ranking],
    "seconds": time.monotonic() - began,
    "missing": answer.stats["missing"] / max(1, answer.stats["documents"]),
}, sys.stdout)
"""


def large(tasks: Sequence[Task], files: int) -> list[Task]:
    """Tasks whose tree has at least so many files."""
    sizes: dict[str, int] = {}
    for task in tasks:
        if task.repo not in sizes:
            command = ["git", "-C", str(task.git_dir), "ls-tree", "-r", "--name-only", task.rev]
            sizes[task.repo] = subprocess.run(command, check=True, capture_output=True).stdout.count(b"\n")
    return [task for task in tasks if sizes[task.repo] >= files]


def ask(task: Task, limit: float | None) -> dict[str, Any]:
    """Ask with an empty cache; `seconds` is wall time from the call to the answer."""
    asked = {"task": task.task, "place": str(task.git_dir), "rev": task.rev, "limit": limit}
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "ZEROIN_CACHE_DIR": folder}
        done = subprocess.run(
            [sys.executable, "-P", "-c", _ASK],
            input=json.dumps(asked),
            capture_output=True,
            text=True,
            check=True,
            env=environment,
        )
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def row(limit: float | None, tasks: Sequence[Task], answers: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Summarise the answers under one limit: percentages, and seconds."""
    pairs = [(answer["ranking"], task.gold) for task, answer in zip(tasks, answers, strict=True)]
    seconds = [answer["seconds"] for answer in answers]
    slow = quantiles(seconds, n=10)[-1] if len(seconds) > 1 else seconds[0]
    return {
        "limit": limit,
        "tasks": len(tasks),
        **{f"any@{k}": round(100 * fmean(any_hit(r, g, k) for r, g in pairs), 1) for k in (1, 5, 10)},
        "strict@10": round(100 * fmean(strict(r, g, 10) for r, g in pairs), 1),
        "analysed": round(100 * fmean(1 - answer["missing"] for answer in answers), 1),
        "seconds": round(median(seconds), 2),
        "over": None if limit is None else round(max(0.0, slow - limit), 2),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--repos", type=Path, required=True)
    parser.add_argument("--limits", default="1,2,5,10,30", help="seconds, separated by commas")
    parser.add_argument("--files", type=int, default=3_000, help="least size of a tree")
    parser.add_argument("--tasks", type=int, help="only so many, spread over all")
    parser.add_argument("--out", type=Path, default=RESULTS)
    arguments = parser.parse_args()
    tasks = large(load(arguments.data, arguments.repos, kinds=("issue",)).tasks, arguments.files)
    if arguments.tasks:
        tasks = tasks[:: max(1, len(tasks) // arguments.tasks)][: arguments.tasks]
    limits: list[float | None] = [*map(float, filter(None, arguments.limits.split(","))), None]
    answers: list[list[dict[str, Any]]] = [[] for _ in limits]
    began = time.monotonic()
    for number, task in enumerate(tasks, 1):
        for place, limit in enumerate(limits):
            answers[place].append(ask(task, limit))
        print(f"[{number}/{len(tasks)}] {task.id}, {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)
    rows = [row(limit, tasks, found) for limit, found in zip(limits, answers, strict=True)]
    result = {**provenance("benchmarks.anytime", sys.argv[1:]), "least_files": arguments.files, "rows": rows}
    arguments.out.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    for one in rows:
        print(one)


if __name__ == "__main__":
    main()
