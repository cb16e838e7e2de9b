"""How long whole commands take: first, again, after an edit, and with a time limit on a very large tree.

    python -m benchmarks.speed --repos DIR [--only NAME ...] [--large N] [--runs N] [--out FILE]

`--repos` is a folder of bare git repositories (`owner+name/repo`, `owner+name` or `owner/name`). Trees are written
to a temporary folder; every command is a process of its own with a cache of its own. Beside the wall time stand the
processor time (user + system, children included) and two yardsticks of the same run, `git ls-files` and `git grep`.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks import trees
from benchmarks.imports import locate
from benchmarks.provenance import provenance

RESULTS = Path(__file__).parent / "results" / "speed.json"
# (repository, task): about 3,000 files each, and one in which nothing is named
TASKS = (
    ("getmoto/moto", "Pagination token of list_queues is ignored when a prefix is given"),
    ("ktorio/ktor", "The websocket session is not closed when the client cancels its coroutine"),
    ("alibaba/fastjson2", "Dates with a time zone offset are parsed into the wrong instant"),
)
LARGE_TASK = "Flow run retries are not respected when the worker crashes"
LIMIT_S = 5


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, print, write."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--repos", type=Path, required=True)
    parser.add_argument("--only", nargs="*", help="repositories to measure")
    parser.add_argument("--large", type=int, default=50_000, help="files of the large tree; 0: none")
    parser.add_argument("--runs", type=int, default=7, help="warm runs")
    parser.add_argument("--out", type=Path, default=RESULTS)
    options = parser.parse_args(given)
    rows: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as place:
        for name, task in TASKS:
            bare = locate(options.repos, name)
            if bare is not None and (not options.only or name in options.only):
                rows[name] = _repository(bare, task, Path(place) / name.replace("/", "+"), options.runs)
                print(name, json.dumps(rows[name], indent=1), flush=True)
        if options.large:
            rows["large"] = _large(options.repos, options.large, Path(place) / "large")
            print(json.dumps(rows["large"], indent=1), flush=True)
    result = {**provenance("benchmarks.speed", given), "load": os.getloadavg(), "rows": rows}
    options.out.write_text(json.dumps(result, indent=1) + "\n")


def _repository(bare: Path, task: str, place: Path, runs: int) -> dict[str, Any]:
    """One repository: a clone with its history, so that history is read, too."""
    work, cache = place / "work", place / "cache"
    subprocess.run(["git", "clone", "-q", "--shared", "--no-checkout", str(bare), str(work)], check=True)
    files = trees.export(bare, "HEAD", work)
    trees.git(work, "read-tree", "HEAD")
    trees.git(work, "add", "-A")
    trees.git(work, "commit", "-q", "--allow-empty", "-m", "What was exported")
    commits = int(trees.git(work, "rev-list", "--count", "HEAD"))
    cold = _ask(task, work, cache)
    warm = [_ask(task, work, cache) for _ in range(runs)]
    sample = max((p for p in work.rglob("*.*") if p.suffix in (".py", ".kt", ".java")), key=str)
    edited = []
    for number in range(3):
        sample.write_bytes(sample.read_bytes() + f"\n// edit {number}\n".encode())
        edited.append(_ask(task, work, cache))
    return {
        "files": files,
        "commits": commits,
        "cold": cold,
        "warm": _median(warm),
        "edited": _median(edited),
        "git_ls_files": _median([_run(["git", "-C", str(work), "ls-files", "-s"]) for _ in range(5)]),
        "git_grep": _median([_run(["git", "-C", str(work), "grep", "-ic", "token"]) for _ in range(5)]),
    }


def _large(repos: Path, most: int, place: Path) -> dict[str, Any]:
    """A cold tree of `most` files of many repositories, as a repository and as a plain folder, with a time limit."""
    plain, work = place / "plain", place / "work"
    count = 0
    for bare in sorted(p.parent for p in repos.glob("*/*/HEAD")) or sorted(repos.iterdir()):
        if count >= most:
            break
        count += trees.export(bare, "HEAD", plain / bare.parent.name, most - count)
        trees.export(bare, "HEAD", work / bare.parent.name, most)
    trees.commit(work)
    out: dict[str, Any] = {"files": count, "limit_s": LIMIT_S}
    for kind, tree in (("folder", plain), ("git", work)):
        calls = [
            _ask(LARGE_TASK, tree, place / f"cache-{kind}", "--timeout-s", str(LIMIT_S)) for _ in range(4)
        ]
        out[kind] = {"cold": calls[0], "again": calls[1:]}
    return out


def _ask(task: str, tree: Path, cache: Path, *options: str) -> dict[str, Any]:
    command = [sys.executable, "-m", "zeroin", task, str(tree), "--format", "json", *options]
    told = _run(command, {"ZEROIN_CACHE_DIR": str(cache)})
    stats = json.loads(told.pop("output")).get("stats", {})
    return {**told, "analysed": stats.get("analysed"), "missing": stats.get("missing")}


def _run(command: Sequence[str], environment: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Wall and processor seconds of a process and its children, exit code and output."""
    before, began = os.times(), time.monotonic()
    done = subprocess.run(
        command,
        env={**os.environ, **(environment or {})},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        check=False,
    )
    wall, after = time.monotonic() - began, os.times()
    spent = after.children_user - before.children_user + after.children_system - before.children_system
    told: dict[str, Any] = {"wall_s": round(wall, 3), "cpu_s": round(spent, 3), "code": done.returncode}
    return {**told, "output": done.stdout} if environment else told


def _median(runs: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    return {name: round(statistics.median(run[name] for run in runs), 3) for name in ("wall_s", "cpu_s")}


if __name__ == "__main__":
    main()
