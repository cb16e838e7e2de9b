"""How long whole commands take: first, again, after an edit, and with a time limit on a very large tree.

    python -m benchmarks.speed --repos DIR [--only NAME ...] [--large N] [--runs N] [--cycles] [--out FILE]

`--repos` is a folder of bare git repositories (`owner+name/repo`, `owner+name` or `owner/name`). Trees are written
to a temporary folder; every command is a process of its own with a cache of its own. Beside the wall time stand the
processor time (user + system, children included) and two yardsticks of the same run, `git ls-files` and `git grep`.

What later cycles cost is measured in pairs, five tasks a repository: one cycle and all that the loop wants, by turns,
as whole commands and in this process. Ratios are of processor time, which other programs disturb least, and of the
least of several runs. `--cycles` measures that alone.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import resource
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
from zeroin.config import Options
from zeroin.context.rendering.json import render
from zeroin.engine import Repository, build_index

RESULTS = Path(__file__).parent / "results" / "speed.json"
CYCLES = RESULTS.with_name("speed_cycles.json")
# Tasks by repository, of 3,000 to 5,000 files each; the first is the one of the whole commands.
TASKS: Mapping[str, tuple[str, ...]] = {
    "getmoto/moto": (
        "Pagination token of list_queues is ignored when a prefix is given",
        "Deleting a bucket that still holds old versions of an object should be refused",
        "Where are credentials of a request checked against the policies of a user?",
        "A message that was received too often does not end up in the queue for failures",
        "KeyError when a stack is updated whose template refers to a parameter without a default",
    ),
    "ktorio/ktor": (
        "The websocket session is not closed when the client cancels its coroutine",
        "Allow to limit how many requests a caller may send in a minute",
        "How are compressed responses decoded by the client?",
        "Cookie with an expiry date in the past is still sent by HttpCookies",
        "Uploading a large file with several parts keeps all of it in memory",
    ),
    "alibaba/fastjson2": (
        "Dates with a time zone offset are parsed into the wrong instant",
        "NullPointerException when a record has a field of a generic type",
        "Property names are not converted to snake case while writing",
        "How is a path expression with a filter evaluated?",
        "Numbers beyond the range of a long lose digits when they are read",
    ),
}
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
    parser.add_argument("--cycles", action="store_true", help="only what later cycles cost")
    parser.add_argument("--out", type=Path, help=f"default: {RESULTS.name}, with --cycles {CYCLES.name}")
    options = parser.parse_args(given)
    rows: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as place:
        for name, tasks in TASKS.items():
            bare = locate(options.repos, name)
            if bare is not None and (not options.only or name in options.only):
                folder = Path(place) / name.replace("/", "+")
                files = clone(bare, folder / "work")
                rows[name] = {"files": files}
                if not options.cycles:
                    rows[name] |= _repository(tasks[0], folder, options.runs)
                rows[name]["cycles"] = _cycles(tasks, folder / "work", folder / "cache", options.runs)
                print(name, json.dumps(rows[name], indent=1), flush=True)
        if len(rows) > 1:
            rows["cycles"] = _together([row["cycles"] for row in rows.values()])
            print(json.dumps(rows["cycles"], indent=1), flush=True)
        if options.large and not options.cycles:
            rows["large"] = _large(options.repos, options.large, Path(place) / "large")
            print(json.dumps(rows["large"], indent=1), flush=True)
    result = {**provenance("benchmarks.speed", given), "load": os.getloadavg(), "rows": rows}
    out = options.out or (CYCLES if options.cycles else RESULTS)
    out.write_text(json.dumps(result, indent=1) + "\n")


def clone(bare: Path, work: Path) -> int:
    """A clone with its history, so that history is read, too; returns how many files it has."""
    subprocess.run(["git", "clone", "-q", "--shared", "--no-checkout", str(bare), str(work)], check=True)
    files = trees.export(bare, "HEAD", work)
    trees.git(work, "read-tree", "HEAD")
    trees.git(work, "add", "-A")
    trees.git(work, "commit", "-q", "--allow-empty", "-m", "What was exported")
    # Files as new as the index are read by git at every look; in a tree that somebody works in they are not.
    time.sleep(1.1)
    trees.git(work, "status")
    return files


def _repository(task: str, place: Path, runs: int) -> dict[str, Any]:
    """Whole commands in one repository."""
    work, cache = place / "work", place / "cache"
    commits = int(trees.git(work, "rev-list", "--count", "HEAD"))
    cold = _ask(task, work, cache)
    warm = [_ask(task, work, cache) for _ in range(runs)]
    sample = max((p for p in work.rglob("*.*") if p.suffix in (".py", ".kt", ".java")), key=str)
    edited = []
    for number in range(3):
        sample.write_bytes(sample.read_bytes() + f"\n// edit {number}\n".encode())
        edited.append(_ask(task, work, cache))
    return {
        "commits": commits,
        "cold": cold,
        "warm": _median(warm),
        "edited": _median(edited),
        "git_ls_files": _median([_run(["git", "-C", str(work), "ls-files", "-s"]) for _ in range(5)]),
        "git_grep": _median([_run(["git", "-C", str(work), "grep", "-ic", "token"]) for _ in range(5)]),
    }


def _cycles(tasks: Sequence[str], work: Path, cache: Path, runs: int) -> dict[str, Any]:
    """One cycle and all cycles by turns, the least processor seconds of each, and how many cycles all are."""
    os.environ["ZEROIN_CACHE_DIR"] = str(cache)
    build_index(work)
    rows = []
    for task in tasks:
        spent: dict[str, list[float]] = {name: [] for name in (*_IN_PROCESS, *_COMMANDS)}
        used = 0
        for _ in range(runs):
            for name, most in _IN_PROCESS.items():
                seconds, used = _answer(task, work, most)
                spent[name].append(seconds)
            for name, given in _COMMANDS.items():
                spent[name].append(_ask(task, work, cache, *given)["cpu_s"])
        rows.append({"task": task, "cycles": used, **{n: round(min(s), 3) for n, s in spent.items()}})
    return {**_together([{"tasks": rows}]), "tasks": rows}


_IN_PROCESS: Mapping[str, int | None] = {"one": 1, "all": None}
_COMMANDS: Mapping[str, tuple[str, ...]] = {"command_one": ("--max-cycles", "1"), "command_all": ()}


def _answer(task: str, work: Path, most: int | None) -> tuple[float, int]:
    """Processor seconds from an open repository to its answer, nothing of it read before, and the cycles used."""
    options = Options() if most is None else Options(max_cycles=most)
    asked = Repository.open(work).ask(task, options)
    gc.collect()
    before = resource.getrusage(resource.RUSAGE_SELF)
    context = asked.run()
    render(context, asked.read)
    after = resource.getrusage(resource.RUSAGE_SELF)
    spent = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return spent, len(context.cycles)


def _together(measured: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Sums over tasks as ratios, and the median of the tasks' ratios."""
    tasks = [task for part in measured for task in part["tasks"]]

    def sums(name: str) -> float:
        return sum(float(task[name]) for task in tasks)

    return {
        "count": len(tasks),
        "mean_cycles": round(sums("cycles") / len(tasks), 2),
        "ratio": round(sums("all") / sums("one"), 3),
        "ratio_median": round(statistics.median(task["all"] / task["one"] for task in tasks), 3),
        "command_ratio": round(sums("command_all") / sums("command_one"), 3),
        "command_ratio_median": round(
            statistics.median(task["command_all"] / task["command_one"] for task in tasks), 3
        ),
        "command_all_mean_s": round(sums("command_all") / len(tasks), 3),
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
    # Installed packages are compiled; without this every command would compile all of it again where a shell says so.
    inherited = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    before, began = os.times(), time.monotonic()
    done = subprocess.run(
        command,
        env={**inherited, **(environment or {})},
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
