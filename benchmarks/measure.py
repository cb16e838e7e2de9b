"""Run ``zeroin batch`` over tasks with known answers, score it, and write a result file with provenance.

Options that this command does not know go to ``zeroin batch`` as they are (``--without history``, ``--cycles 1`` …).
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.baselines import BASELINES, answers
from benchmarks.data import Kind, Loaded, Task, load
from benchmarks.models import ModelError, use_model
from benchmarks.provenance import ROOT, file_stamp, provenance
from benchmarks.report import System, markdown, summary, task_rows
from benchmarks.runs import Answer, after_cycle, answer_of, read_run, write_rows
from benchmarks.scoring import score

RESULTS = Path(__file__).resolve().parent / "results"
KINDS: Mapping[str | None, tuple[Kind, ...]] = {
    None: ("issue", "query"),
    "issues": ("issue",),
    "queries": ("query",),
    "reports": ("report",),
    "plain": ("plain",),
    "written": ("written",),
    "strangers": ("stranger",),
}


class MeasureError(Exception):
    """The command under measurement could not be run to its end."""


def run_batch(tasks: Sequence[Task], out: Path, *, program: Path, jobs: int, extra: Sequence[str]) -> float:
    """Write the tasks, run ``zeroin batch`` over them, return its wall seconds; raises MeasureError when it fails."""
    listed = out.with_name(f"{out.stem}.tasks.jsonl")
    write_rows(listed, (task.row() for task in tasks))
    started = time.perf_counter()
    command = [str(program), "batch", str(listed), "--out", str(out), "--jobs", str(jobs), *extra]
    try:
        done = subprocess.run(command, check=False)
    except OSError as error:
        raise MeasureError(f"{program.name}: {error.strerror}") from error
    if done.returncode != 0 and not out.exists():
        raise MeasureError(f"{program.name} batch exited with {done.returncode} and wrote no answers")
    if done.returncode != 0:
        print(f"warning: {program.name} batch exited with {done.returncode}; what it wrote is scored", file=sys.stderr)
    return time.perf_counter() - started


def by_model(tasks: Sequence[Task], folder: Path | None) -> list[list[Task]]:
    """Tasks by the model that answers for their repository; all in one list without a folder of models."""
    groups: dict[Path | None, list[Task]] = {}
    for task in tasks:
        groups.setdefault(use_model(folder, task.repo), []).append(task)
    return list(groups.values())


def system(name: str, tasks: Sequence[Task], found: Mapping[str, Answer]) -> System:
    """A system's answers, scored as they are and after each cycle."""
    deepest = max((len(answer.by_cycle) for answer in found.values()), default=0)
    cycles = {number: score(tasks, found, partial(after_cycle, number)) for number in range(1, deepest + 1)}
    return System(name, score(tasks, found), cycles)


def result_path(folder: Path, commit: str, dirty: bool, what: str) -> Path:
    """``<date>-<commit>-<what>.json``; a dirty checkout is marked in the name, since its commit is not what ran."""
    date = datetime.now(UTC).date().isoformat()
    return folder / f"{date}-{commit[:9]}{'+' if dirty else ''}-{what}.json"


def write_result(
    folder: Path,
    what: str,
    systems: Sequence[System],
    loaded: Loaded,
    arguments: Sequence[str],
    extra: Mapping[str, Any],
) -> Path:
    """Write one result file: provenance, skipped rows, summaries, and the raw ranks of every task."""
    origin = provenance("benchmarks.measure", arguments)
    path = result_path(folder, origin["commit"], origin["dirty"], what)
    body = {
        "what": what,
        "provenance": origin | dict(extra),
        "rows": {"run": len(loaded.tasks), "skipped": dict(loaded.skipped)},
        "systems": {measured.name: summary(measured) for measured in systems},
    }
    # Raw ranks go on a line each: a difference between two files shows the tasks that moved.
    raw = {measured.name: task_rows(measured.rows) for measured in systems}
    folder.mkdir(parents=True, exist_ok=True)
    path.write_text(result_text(body, raw), encoding="utf-8")
    return path


def result_text(body: Mapping[str, Any], raw: Mapping[str, Sequence[Any]]) -> str:
    """A result file: figures to five decimals, and the raw rows of each system (``tasks``) a line each."""
    rounded = json.loads(json.dumps(body), parse_float=lambda text: round(float(text), 5))
    listed = ",\n".join(
        f"  {json.dumps(name)}: [\n" + ",\n".join(f"   {json.dumps(row)}" for row in rows) + "\n  ]"
        for name, rows in raw.items()
    )
    return json.dumps(rounded, indent=1, ensure_ascii=False)[:-2] + f',\n "tasks": {{\n{listed}\n }}\n}}\n'


def _named(text: str) -> tuple[str, Path]:
    name, equals, path = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError("write NAME=RUN.jsonl")
    return name, Path(path)


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = argparse.ArgumentParser(prog="benchmarks.measure", description=__doc__, allow_abbrev=False)
    made.add_argument("--data", type=Path, required=True, help="folder with issues, queries, tune_ids.txt, forks.json")
    made.add_argument("--repos", type=Path, required=True, help="folder of bare repositories, owner+name/…")
    made.add_argument("--what", default="zeroin", help="last part of the result file's name")
    made.add_argument("--only", choices=tuple(filter(None, KINDS)))
    made.add_argument(
        "--half",
        choices=("open", "locked", "second"),
        default="open",
        help="of the plain-word tasks; the locked one and the second set are for the end",
    )
    made.add_argument("--limit", type=int, help="at most this many rows of each kind; a smaller limit is a subset")
    made.add_argument("--ids", type=Path, help="file of task ids to run")
    made.add_argument("--all-issues", action="store_true", help="every reachable issue, not only tune_ids.txt")
    made.add_argument(
        "--whole", action="store_true", help="search the whole repository, also where a query names a root"
    )
    made.add_argument(
        "--models",
        type=Path,
        metavar="FOLDER",
        help="leave-repository-out rankers, as training.train --folds writes them",
    )
    made.add_argument("--jobs", type=int, default=1)
    made.add_argument("--program", type=Path, default=Path(sys.executable).with_name("zeroin"))
    made.add_argument("--keep", type=Path, metavar="RUN.jsonl", help="keep the answers here")
    made.add_argument(
        "--resume", action="store_true", help="go on with an interrupted --keep; its rows are not run again"
    )
    made.add_argument(
        "--run", type=_named, metavar="NAME=RUN.jsonl", help="score these answers instead of running zeroin"
    )
    made.add_argument("--baselines", default="", help=f"run beside it, by comma: {', '.join(sorted(BASELINES))}")
    made.add_argument("--beside", type=_named, action="append", default=[], metavar="NAME=RUN.jsonl")
    made.add_argument("--results", type=Path, default=RESULTS)
    made.add_argument("--dry", action="store_true", help="print the tables, write no result file")
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure; prints Markdown, names the result file on standard error. 1 when the measured command failed."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    options, extra = parser().parse_known_args(given)
    ids = frozenset(options.ids.read_text(encoding="utf-8").split()) if options.ids else None
    loaded = load(
        options.data,
        options.repos,
        kinds=KINDS[options.only],
        all_issues=options.all_issues,
        ids=ids,
        limit=options.limit,
        whole=options.whole,
        half=options.half,
    )
    if not loaded.tasks:
        print(f"no task can be run: {dict(loaded.skipped)}", file=sys.stderr)
        return 1
    about: dict[str, Any] = {"zeroin_options": extra, "jobs": options.jobs}
    earlier = [*([options.run] if options.run else []), *options.beside]
    if earlier:  # these answers are not the commit's own: say which files they are
        about["answers_from"] = {name: file_stamp(path) for name, path in earlier}
    with tempfile.TemporaryDirectory(prefix="bench-") as scratch:
        if options.run:
            name, path = options.run
        else:
            name, path = options.what, options.keep or Path(scratch) / "run.jsonl"
            if path.exists() and not options.resume:
                # zeroin batch leaves rows alone that are already there: another commit's answers would pass as ours
                print(f"error: {path.name} exists; --resume goes on with it, else name another", file=sys.stderr)
                return 1
            about["resumed_rows"] = len(read_run(path)) if path.exists() else 0
            try:
                wall = 0.0
                for repos in by_model(loaded.tasks, options.models):
                    use_model(options.models, repos[0].repo)
                    wall += run_batch(repos, path, program=options.program, jobs=options.jobs, extra=extra)
            except (MeasureError, ModelError) as error:
                print(f"error: {error}", file=sys.stderr)
                return 1
            about["wall_seconds"] = round(wall, 1)
        systems = [system(name, loaded.tasks, read_run(path))]
    for baseline in filter(None, options.baselines.split(",")):
        found = {row["id"]: answer_of(row) for row in answers(baseline, loaded.tasks)}
        systems.append(system(baseline, loaded.tasks, found))
    systems += [system(name, loaded.tasks, read_run(path)) for name, path in options.beside]
    print(markdown(systems, loaded.skipped))
    if not options.dry:
        path = write_result(options.results, options.what, systems, loaded, given, about)
        print(f"wrote {path.relative_to(ROOT) if path.is_relative_to(ROOT) else path.name}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
