"""Several repositories in one question: what does it cost to ask a task of 5, 20 or 100 at once?

    ZEROIN_CACHE_DIR=… python -m benchmarks.workspace --data DATA --repos REPOS [--models FOLDS] [--out FILE]

Every issue is asked of its own repository alone, and of that repository hidden among others, chosen by a hash of the
issue's id. Each is named as a clone of it is: after the repository, without its owner. The others are repositories of
the tuning data at the commit of one of their tasks, then all others under REPOS at HEAD that are not held out, with at
most 5,000 files. Measured are any-hit @1 and @5, whether the first file lies in the right repository, whether that was
searched at all, and processor seconds. Further `--sizes` are added to the rows of a result file that is there, of the
same issues.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from random import Random
from statistics import fmean, median
from typing import Any

from benchmarks.data import Task, load
from benchmarks.models import use_model
from benchmarks.processes import by_model
from benchmarks.provenance import provenance
from benchmarks.repositories import find_repositories
from zeroin.config import Options
from zeroin.corpus.source import open_source
from zeroin.engine import Repository
from zeroin.index.gather import Effort
from zeroin.query.task import formulate
from zeroin.workspace.opening import workspace_of
from zeroin.workspace.repository import open_tree
from zeroin.workspace.tree import Below

SIZES = (5, 20, 100)
MOST_FILES = 5_000  # of a repository that others hide among
HELD_OUT = Path(__file__).resolve().parent.parent / "training" / "held_out.txt"
OTHERS = "ZEROIN_BENCHMARK_OTHERS"  # file of (name, git directory, revision), for the processes

Row = dict[str, Any]


def others_of(data: Path, repos: Path) -> list[tuple[str, str, str]]:
    """Name, git directory and revision of the repositories that others hide among."""
    known = {task.repo: (str(task.git_dir), task.rev) for task in reversed(load(data, repos).tasks)}
    out = [(name, *known[name]) for name in sorted(known)]
    held = {line.split()[0].lower() for line in HELD_OUT.read_text().splitlines() if line.strip()}
    for name, place in sorted(find_repositories(repos).items(), key=lambda item: digest(item[0])):
        if len(out) >= 2 * max(SIZES) or name.lower() in {*held, *(n.lower() for n in known)}:
            continue
        listed = subprocess.run(
            ["git", "-C", str(place), "ls-tree", "-r", "--name-only", "HEAD"], capture_output=True, check=False
        )
        if 30 <= listed.stdout.count(b"\n") <= MOST_FILES:
            out.append((name, str(place), "HEAD"))
    return out


def digest(text: str) -> str:
    """What orders by chance, the same every time."""
    return sha256(text.encode()).hexdigest()


def clone_of(name: str) -> str:
    """Return the name of the folder that a clone of owner/name makes."""
    return name.rpartition("/")[2]


@cache
def tree_at(name: str, place: str, rev: str) -> Below:
    """A repository that others hide among, opened once a process."""
    return Below(f"{clone_of(name)}/", open_tree(open_source(place, rev), Effort(jobs=1)))


def ask(task: Task, others: Sequence[tuple[str, str, str]], sizes: Sequence[int]) -> Row:
    """One row: hits alone and among others."""
    options = Options(top=20)
    own = open_tree(open_source(task.git_dir, task.rev), Effort(jobs=1))
    began = time.process_time()
    alone = [j.path for j in Repository(own).ask(task.task, options).run().ranking]
    row: Row = {"id": task.id, "repo": task.repo, "alone": _hits(alone, set(task.gold))}
    row["alone"]["cpu"] = time.process_time() - began
    name = clone_of(task.repo)
    order = [one for one in others if clone_of(one[0]) != name]
    Random(digest(task.id)).shuffle(order)
    for size in sizes:
        trees = [Below(f"{name}/", own), *(tree_at(*one) for one in order[: size - 1])]
        trees.sort(key=lambda tree: tree.prefix)
        _, query = formulate(task.task, options)
        began = time.process_time()
        workspace = workspace_of(trees, task.task, query)
        opened = time.process_time() - began
        context = Repository(workspace.opened, workspace=workspace).ask(task.task, options).run()
        ranking = [j.path for j in context.ranking]
        row[str(size)] = {
            **_hits(ranking, {f"{name}:{path}" for path in task.gold}),
            "first": bool(ranking) and ranking[0].startswith(f"{name}:"),
            "likeliest": context.members[0].name == name,
            "searched": next(member.searched for member in context.members if member.name == name),
            "files": sum(member.files for member in context.members),
            "cpu": time.process_time() - began,
            "cpu_open": opened,
        }
    return row


def _hits(ranking: Sequence[str], gold: set[str]) -> Row:
    return {f"@{depth}": any(path in gold for path in ranking[:depth]) for depth in (1, 5)}


def measure(tasks: Sequence[Task], models: Path | None) -> list[Row]:
    """Rows of tasks that have one ranker."""
    use_model(models, tasks[0].repo)
    chosen = json.loads(Path(os.environ[OTHERS]).read_text())
    others = [tuple(one) for one in chosen["others"]]
    rows = []
    for task in tasks:
        rows.append(ask(task, others, chosen["sizes"]))
        print(f"{len(rows)} of {len(tasks)}", file=sys.stderr, flush=True)
    return rows


def summary(rows: Sequence[Mapping[str, Any]], sizes: Sequence[int]) -> Row:
    """Percentages over the tasks, and medians of files and processor seconds."""
    out: Row = {"tasks": len(rows)}
    for way in ("alone", *map(str, sizes)):
        values = [row[way] for row in rows]
        out[way] = {
            key: round(100 * fmean(v[key] for v in values), 1)
            for key in values[0]
            if key not in ("files", "cpu", "cpu_open")
        } | {
            key: round(float(median(v[key] for v in values)), 3)
            for key in ("files", "cpu", "cpu_open")
            if key in values[0]
        }
    return out


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(prog="benchmarks.workspace", description="Several repositories in one question.")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--repos", type=Path, required=True)
    parser.add_argument("--models", type=Path)
    parser.add_argument("--sizes", type=lambda text: [int(n) for n in text.split(",")], default=list(SIZES))
    parser.add_argument("--limit", type=int)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--out", type=Path)
    given = parser.parse_args(arguments)
    loaded = load(given.data, given.repos, kinds=("issue",), limit=given.limit)
    chosen = Path(os.environ["ZEROIN_CACHE_DIR"]) / "benchmark-others.json"
    os.environ[OTHERS] = str(chosen)
    others = others_of(given.data, given.repos)
    chosen.write_text(json.dumps({"others": others, "sizes": given.sizes}))
    rows = by_model(measure, loaded.tasks, given.models, given.jobs)
    before = json.loads(given.out.read_text()) if given.out and given.out.exists() else {"rows": [], "runs": []}
    known = {row["id"]: row for row in before["rows"]}
    rows = [known.get(row["id"], {}) | row for row in rows]
    found = summary(rows, sorted({int(way) for way in rows[0] if way.isdecimal()}))
    print(json.dumps(found, indent=1))
    if given.out:
        run = provenance("benchmarks.workspace", arguments or sys.argv[1:])
        result = {"runs": [*before["runs"], run]}
        given.out.write_text(json.dumps(result | {"others": len(others), "summary": found, "rows": rows}, indent=1))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
