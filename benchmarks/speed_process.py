"""Real issues asked in an open process, as a server or a library does it, and where its time goes.

A process of its own opens a repository that is indexed. It asks the issues one after another (*first*: the first one
that it is asked; *another*: the next ones), each once more (*repeated*), and each with one cycle alone (*one cycle*).
Every run begins with another issue. Processor time is that of the whole process, answer rendered as JSON.

Where the time goes is sampled every 2 ms of processor time: the innermost module of zeroin that is at work, with all
that it calls in C. Sampled are indexing with one process, and the repeated issues.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

import zeroin
from benchmarks.ledger import Ledger
from benchmarks.timed import Timed, own_peak
from zeroin.config import Options
from zeroin.context.rendering.json import render
from zeroin.engine import Repository
from zeroin.kept_indexes import build_index

ISSUES = 3  # of a repository
CHARACTERS = 1500  # those nearest to so many are taken
SAMPLE_S = 0.002
ROUNDS = 5  # of all issues, while answering is sampled
SHOWN = 12  # parts of the product; the others are added up
PRODUCT = str(Path(zeroin.__file__).parent)


def issues(data: Path, repository: str) -> list[dict[str, str]]:
    """Real issues of a repository (`id`, `task`), those of about `CHARACTERS` first."""
    rows = map(json.loads, (data / "issues_tune.jsonl").read_text(encoding="utf-8").splitlines())
    found = [{"id": row["id"], "task": row["task"]} for row in rows if row["repo"] == repository]
    return sorted(found, key=lambda row: (abs(len(row["task"]) - CHARACTERS), row["id"]))[:ISSUES]


def measure(name: str, work: Path, place: Path, asked: Sequence[dict[str, str]], runs: int, ledger: Ledger) -> None:
    """Sample one process over a work tree, which also indexes it, then time `runs` others; `place` holds the index."""
    tasks = place / "issues.json"
    tasks.write_text(json.dumps([issue["task"] for issue in asked]))
    ledger.fact(name, issues={issue["id"]: len(issue["task"]) for issue in asked})
    cache = place / "index"
    where = _child("profile", work, tasks, 0, cache)
    for run in range(runs):
        for state, (wall, cpu, memory) in _child("ask", work, tasks, run, cache):
            ledger.add(name, "zeroin", state, Timed(wall, cpu, memory))
    ledger.fact(name, where=where)


def _child(what: str, work: Path, tasks: Path, run: int, cache: Path) -> Any:
    command = [sys.executable, "-m", "benchmarks.speed_process", what, str(work), str(tasks), str(run)]
    environment = os.environ | {"ZEROIN_CACHE_DIR": str(cache)}
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)


# --- in the process of its own -------------------------------------------------------------------------


def ask_all(work: Path, tasks: Sequence[str]) -> list[tuple[str, tuple[float, float, float]]]:
    """State and figures of every question."""
    rows = []
    opened: list[Repository] = []
    rows.append(("open", _spent(lambda: opened.append(Repository.open(work)))))
    for number, task in enumerate(tasks):
        rows.append(("another" if number else "first", _spent(partial(_answer, opened[0], task))))
    for state, options in (("repeated", Options()), ("one cycle", Options(max_cycles=1))):
        for task in tasks:
            rows.append((state, _spent(partial(_answer, opened[0], task, options))))
    return rows


def _answer(repository: Repository, task: str, options: Options | None = None) -> None:
    session = repository.ask(task, options or Options())
    render(session.run(), session.read)


def _spent(work: Callable[[], object]) -> tuple[float, float, float]:
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - wall, time.process_time() - cpu, own_peak() / 1e6


def sample_all(work: Path, tasks: list[str]) -> list[tuple[str, dict[str, float]]]:
    """Shares of processor time by part of the product: of indexing, and of answering."""
    indexing = sampled(lambda: build_index(work, jobs=1))
    repository = Repository.open(work)
    for task in tasks:
        _answer(repository, task)

    def answer_all() -> None:
        for task in tasks * ROUNDS:
            _answer(repository, task)

    answering = sampled(answer_all)
    return [("indexing", indexing), ("answering", answering)]


def sampled(work: Callable[[], object]) -> dict[str, float]:
    """Shares of the samples by module, the most frequent first, named `folder.module`."""
    counts: Counter[str] = Counter()

    def look(_: int, frame: FrameType | None) -> None:
        while frame is not None and not frame.f_code.co_filename.startswith(PRODUCT):
            frame = frame.f_back
        if frame is not None:
            path = Path(frame.f_code.co_filename).relative_to(PRODUCT).with_suffix("")
            counts[".".join(path.parts)] += 1

    before = signal.signal(signal.SIGPROF, look)
    signal.setitimer(signal.ITIMER_PROF, SAMPLE_S, SAMPLE_S)
    try:
        work()
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
    total = sum(counts.values()) or 1
    shares = {name: round(count / total, 4) for name, count in counts.most_common(SHOWN)}
    return shares | {"all others": round(1 - sum(shares.values()), 4)}


def main(arguments: Sequence[str] | None = None) -> None:
    """Do what one child does: `ask` or `profile`; prints JSON."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("what", choices=("ask", "profile"))
    parser.add_argument("work", type=Path)
    parser.add_argument("tasks", type=Path)
    parser.add_argument("first", type=int, help="the issue to begin with")
    options = parser.parse_args(arguments)
    tasks = json.loads(options.tasks.read_text())
    start = options.first % len(tasks)
    do = ask_all if options.what == "ask" else sample_all
    print(json.dumps(do(options.work, tasks[start:] + tasks[:start])))


if __name__ == "__main__":
    main()
