"""What zeroin saves an agent: gold files and gold lines reached at a token budget, against reading without it.

    python -m benchmarks.savings --data DATA --mined TASKS.jsonl --repos REPOS --models FOLDER --jobs 2
        [--semble COMMAND --model MODEL]

A simulated agent reads in the orders of ``benchmarks.reading``. A gold file is reached when one of its lines was read;
gold lines are the lines of the parent's file that the change replaces (mined changes only: issues tell files alone).
A failed question counts as nothing reached. Writes a result file, a plot, and prints Markdown.
"""

import argparse
import json
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from hashlib import sha256
from multiprocessing import get_context
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np

from benchmarks.data import Task, load
from benchmarks.measure import RESULTS, result_path
from benchmarks.models import use_model
from benchmarks.plot import Across, Panel, plot
from benchmarks.provenance import ROOT, provenance
from benchmarks.reading import BASELINES, Reading, Tree, read, read_answer, rest_in_order, semble, whole_in_order
from benchmarks.repositories import RepositoryError, find_repositories, has_commit
from benchmarks.scoring import RESAMPLES, resampled_ratio
from benchmarks.tools import Semble, add_semble, semble_of
from training.mined import Mined, read_mined
from zeroin.config import Options
from zeroin.engine import Repository
from zeroin.errors import ModelError, ZeroinError

BUDGETS = (500, 2_000, 8_000, 32_000)
REPOSITORIES = 30  # a sample of mined changes holds at least so many, if there are
SYSTEMS = {
    "zeroin": "zeroin",
    "zeroin-spans": "its spans alone",
    "zeroin-whole": "its files, whole",
    "semble": "semble's chunks",
    "grep": "grep and read",
    "grep-title": "grep the title and read",
    "names": "guess by file name",
    "everything": "send everything",
}
PLOTTED = ("zeroin", "semble", "grep-title", "names", "everything")
PLOT = ROOT / "docs" / "savings.svg"
ACROSS = Across(BUDGETS, "tokens", "Share of the gold reached against tokens read")
Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Case:
    """A task and, where its change is known, the lines that the change replaces, by path."""

    task: Task
    lines: Mapping[str, frozenset[int]] = field(default_factory=dict)


# --- which tasks -----------------------------------------------------------------------------------


def mined_cases(path: Path, repos: Path, count: int, skipped: Counter[str]) -> list[Case]:
    """``count`` mined changes by a hash of their ids, from at least ``REPOSITORIES`` repositories if there are."""
    found = find_repositories(repos)
    rows = sorted(read_mined(path), key=lambda mined: sha256(mined.id.encode()).digest())
    most = max(1, count // REPOSITORIES)
    seen: Counter[str] = Counter()
    first: list[Mined] = []
    later: list[Mined] = []  # taken only when there are fewer repositories than hoped for
    for mined in rows:
        git_dir = found.get(mined.repo.lower())
        if git_dir is None:
            skipped["mined: repository absent"] += 1
            continue
        (first if seen[mined.repo] < most else later).append(mined)
        seen[mined.repo] += 1
    cases: list[Case] = []
    for mined in (*first, *later):
        if len(cases) == count:
            break
        git_dir = found[mined.repo.lower()]
        if has_commit(git_dir, mined.commit):
            cases.append(mined_case(mined, git_dir))
        else:
            skipped["mined: commit absent"] += 1
    return cases


def mined_case(mined: Mined, git_dir: Path) -> Case:
    """A mined change with the lines of its parent's files that it replaces."""
    lines = {
        path: frozenset(n for first, last in mined.lines.get(path, ()) for n in range(first, last + 1))
        for path in mined.gold
    }
    task = Task(
        id=mined.id,
        repo=mined.repo,
        git_dir=git_dir,
        rev=mined.commit,
        task=mined.task,
        gold=mined.gold,
        tests=mined.tests,
        language=mined.language,
        kind="issue",
        group="mined",
    )
    return Case(task, lines)


# --- one task --------------------------------------------------------------------------------------


def measure_case(case: Case, peer: Semble | None = None) -> Row:
    """What each system reaches at each budget: [gold files, gold lines, tokens read], and the sizes of the gold."""
    task = case.task
    readings: dict[str, Sequence[Reading]] = {}
    started = time.perf_counter()
    error = ""
    try:
        session = Repository.open(task.git_dir, rev=task.rev, jobs=1).ask(task.task, Options())
        context = session.run()
        readings["zeroin"] = read_answer(session, context, BUDGETS)
        readings["zeroin-spans"] = read(rest_in_order(session, context), BUDGETS)
        readings["zeroin-whole"] = read(whole_in_order(session, context), BUDGETS)
    except ModelError:  # every task would fail: no measurement at all, not zeros
        raise
    except ZeroinError as failure:
        error = str(failure)
    tree = Tree.at(task.git_dir, task.rev)
    for name, order in BASELINES.items():
        readings[name] = read(order(tree, task.task), BUDGETS)
    if peer is not None:
        readings["semble"] = read(semble(peer, tree, task.task, task.rev), BUDGETS)
    measured = [name for name in SYSTEMS if name != "semble" or peer is not None]
    return {
        "id": task.id,
        "repo": task.repo,
        "group": "mined" if task.group == "mined" else "issues",
        "files": len(task.gold),
        "lines": sum(map(len, case.lines.values())),
        "reached": {
            name: [reached(case, reading) for reading in readings.get(name, [Reading()] * len(BUDGETS))]
            for name in measured
        },
        "seconds": round(time.perf_counter() - started, 2),
    } | ({"error": error} if error else {})


def reached(case: Case, reading: Reading) -> list[int]:
    """Gold files of which a line was read, gold lines that were read, tokens read."""
    files = sum(bool(reading.lines.get(path)) for path in case.task.gold)
    lines = sum(len(numbers & reading.lines.get(path, set())) for path, numbers in case.lines.items())
    return [files, lines, reading.tokens]


def measure_repository(cases: Sequence[Case], models: Path | None, peer: Semble | None) -> tuple[str, list[Row]]:
    """Rows of one repository's tasks, and the name of the model that ranked them."""
    model = use_model(models, cases[0].task.repo)
    rows = []
    for case in cases:
        try:
            rows.append(measure_case(case, peer))
        except RepositoryError as error:
            raise RepositoryError(f"{case.task.id}: {error}") from error
    name = model.name if model else "shipped"
    return name, [row | {"model": name} for row in rows]


def measure(cases: Sequence[Case], models: Path | None, jobs: int, peer: Semble | None = None) -> Iterator[Row]:
    """Rows as they are done; every repository has a process of its own, since a process ranks with one model."""
    by_repo: dict[str, list[Case]] = defaultdict(list)
    for case in cases:
        by_repo[case.task.repo].append(case)
    done = 0
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), max_tasks_per_child=1) as pool:
        futures = {pool.submit(measure_repository, part, models, peer): repo for repo, part in by_repo.items()}
        for future in as_completed(futures):
            model, rows = future.result()
            done += len(rows)
            spent = sum(row["seconds"] for row in rows)
            print(
                f"{done}/{len(cases)} {futures[future]}: {len(rows)} in {spent:.0f} s ({model})",
                file=sys.stderr,
                flush=True,
            )
            yield from rows


# --- what it comes to --------------------------------------------------------------------------------


def summaries(rows: Sequence[Row]) -> dict[str, Any]:
    """Per group, system and budget: mean shares with 95 % intervals, mean tokens, and what 1,000 tokens reached."""
    made: dict[str, Any] = {}
    for group in sorted({row["group"] for row in rows}, reverse=True):
        part = [row for row in rows if row["group"] == group]
        made[group] = {
            "tasks": len(part),
            "repositories": len({row["repo"] for row in part}),
            "errors": sum("error" in row for row in part),
            "systems": {
                name: {str(budget): summary(part, name, i) for i, budget in enumerate(BUDGETS)}
                for name in SYSTEMS
                if name in part[0]["reached"]
            },
        }
    return made


def summary(rows: Sequence[Row], name: str, budget: int) -> dict[str, Any]:
    """One system at one budget (its place in ``BUDGETS``)."""
    tokens = sum(row["reached"][name][budget][2] for row in rows)
    made: dict[str, Any] = {"tokens": tokens / len(rows)}
    for what, place in (("files", 0), ("lines", 1)):
        known = [row for row in rows if row[what]]
        if not known:
            continue
        shares = [row["reached"][name][budget][place] / row[what] for row in known]
        repos: dict[str, list[float]] = defaultdict(list)
        for row, share in zip(known, shares, strict=True):
            repos[row["repo"]].append(share)
        counts = np.array([float(len(part)) for part in repos.values()])
        sums = np.array([sum(part) for part in repos.values()])
        count = sum(row["reached"][name][budget][place] for row in rows)
        made[what] = {
            "share": fmean(shares),
            "interval": list(resampled_ratio(sums, counts, RESAMPLES)),
            "per_1000_tokens": 1000 * count / tokens if tokens else None,
        }
    return made


def markdown(made: Mapping[str, Any]) -> str:
    """A table for each group."""
    lines = []
    for group, part in made.items():
        measures = [what for what in ("files", "lines") if what in part["systems"]["zeroin"][str(BUDGETS[0])]]
        head = [f"gold {what} at {short(budget)}" for what in measures for budget in BUDGETS]
        lines += [
            f"| {group}: {part['tasks']} tasks, {part['repositories']} repositories, {part['errors']} errors"
            f" | {' | '.join(head)} |",
            f"|---|{'---:|' * len(head)}",
        ]
        for name, label in SYSTEMS.items():
            if name not in part["systems"]:
                continue
            cells = []
            for what in measures:
                for budget in BUDGETS:
                    found = part["systems"][name][str(budget)]
                    rate = found[what]["per_1000_tokens"]
                    cells.append(f"{100 * found[what]['share']:.1f} ({'–' if rate is None else f'{rate:.2g}'})")
            shown = f"**{label}**" if name == "zeroin" else label
            lines.append(f"| {shown} | {' | '.join(cells)} |")
        lines.append("")
    lines.append("Share reached in %, in brackets files or lines per 1,000 tokens read.")
    return "\n".join(lines)


def short(budget: int) -> str:
    """2000 → 2k."""
    return str(budget) if budget < 1000 else f"{budget // 1000}k"


def panels(made: Mapping[str, Any]) -> list[Panel]:
    """What the plot shows: files and lines of mined changes, files of issues."""
    titles = {
        ("mined", "files"): "Mined changes: files to edit",
        ("mined", "lines"): "Mined changes: lines to edit",
        ("issues", "files"): "Issues: files to edit",
    }
    shown = []
    for (group, what), title in titles.items():
        systems = made.get(group, {}).get("systems", {})
        if systems and what in systems["zeroin"][str(BUDGETS[0])]:
            curves = {
                SYSTEMS[name]: [systems[name][str(budget)][what]["share"] for budget in BUDGETS]
                for name in PLOTTED
                if name in systems
            }
            shown.append(Panel(title, curves))
    return shown


def write_result(path: Path, head: Mapping[str, Any], rows: Sequence[Row]) -> None:
    """The result file: what was measured, then a line for each task."""
    rounded = json.loads(json.dumps(head), parse_float=lambda text: round(float(text), 5))
    listed = ",\n".join(f"  {json.dumps(row)}" for row in rows)
    text = json.dumps(rounded, indent=1, ensure_ascii=False)[:-2] + f',\n "tasks": [\n{listed}\n ]\n}}\n'
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


# --- command -----------------------------------------------------------------------------------------


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = argparse.ArgumentParser(
        prog="benchmarks.savings", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    made.add_argument("--repos", type=Path, required=True, help="folder of bare repositories")
    made.add_argument("--mined", type=Path, metavar="TASKS.jsonl", help="mined changes; none without it")
    made.add_argument("--data", type=Path, help="folder with the issues; none without it")
    made.add_argument("--tasks", type=int, default=200, help="mined changes to take (default: 200)")
    made.add_argument("--issues", type=int, default=100, help="issues to take (default: 100)")
    made.add_argument("--models", type=Path, help="leave-repository-out models with folds.json")
    made.add_argument("--jobs", type=int, default=1)
    made.add_argument("--keep", type=Path, metavar="ROWS.jsonl", help="keep the rows here as they are made")
    made.add_argument("--resume", action="store_true", help="go on with an interrupted --keep")
    made.add_argument("--results", type=Path, default=RESULTS)
    made.add_argument("--plot", type=Path, default=PLOT, metavar="FILE.svg")
    add_semble(made)
    made.add_argument("--dry", action="store_true", help="print the tables, write no result file and no plot")
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure; prints Markdown, names what it wrote on standard error. 1 when there is nothing to measure."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    made_parser = parser()
    options = made_parser.parse_args(given)
    peer = semble_of(options, made_parser)
    skipped: Counter[str] = Counter()
    cases = mined_cases(options.mined, options.repos, options.tasks, skipped) if options.mined else []
    if options.data:
        loaded = load(options.data, options.repos, kinds=("issue",), limit=options.issues)
        skipped.update(loaded.skipped)
        cases += [Case(task) for task in loaded.tasks]
    if not cases:
        print(f"no task can be run: {dict(skipped)}", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory(prefix="bench-") as scratch:
        keep = options.keep or Path(scratch) / "rows.jsonl"
        if keep.exists() and not options.resume:
            print(f"error: {keep.name} exists; --resume goes on with it, else name another", file=sys.stderr)
            return 1
        earlier = keep.read_text(encoding="utf-8").splitlines() if keep.exists() else []
        rows: dict[str, Row] = {row["id"]: row for row in map(json.loads, earlier)}
        resumed = len(rows)
        started = time.perf_counter()
        with keep.open("a", encoding="utf-8") as stream:
            missing = [case for case in cases if case.task.id not in rows]
            try:
                for row in measure(missing, options.models, options.jobs, peer):
                    rows[row["id"]] = row
                    stream.write(json.dumps(row) + "\n")
                    stream.flush()
            except ModelError as error:
                print(f"error: {error}", file=sys.stderr)
                return 1
    ordered = [rows[case.task.id] for case in cases]
    made = summaries(ordered)
    print(markdown(made))
    if not options.dry:
        origin = provenance("benchmarks.savings", given)
        path = result_path(options.results, origin["commit"], origin["dirty"], "savings")
        about = {"jobs": options.jobs, "resumed_rows": resumed, "seconds": time.perf_counter() - started}
        if peer is not None:
            about["semble"] = peer.version()
        head = {"what": "savings", "provenance": origin | about, "skipped": dict(skipped), "groups": made}
        write_result(path, head, ordered)
        options.plot.write_text(plot(panels(made), ACROSS), encoding="utf-8")
        print(f"wrote {path.name} and {options.plot.name}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
