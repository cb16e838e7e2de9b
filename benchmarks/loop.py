"""Does the loop pay against asking everything at once? The same questions, three ways, in the same open repository.

    python -m benchmarks.loop --data DATA --repos REPOS --mined TASKS.jsonl --young YOUNG.jsonl --models FOLDS
                              --out benchmarks/results/loop.json [--jobs 2] [--limit N] [--per-repository 4]

**one shot** asks with every retriever, feature and learned word in a single cycle (`Options.at_once`), **one cycle** is
the loop's first, **loop** the loop as it is. Every way is asked anew; which one comes first turns with a hash of the
task's id, so that no way always finds the caches warm. Processor seconds are those of asking and answering, without
indexing. Useful are edited and labelled files, changed tests, and of mined changes what `training.usefulness` tells.
`benchmarks.loop_figures` says what is made of it.
"""

import argparse
import json
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, fields
from hashlib import sha256
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from benchmarks.data import Task, load
from benchmarks.loop_figures import LOOP, ONE_CYCLE, ONE_SHOT, SETS, VARIANTS, figures, markdown, task_rows
from benchmarks.measure import result_text
from benchmarks.models import use_model
from benchmarks.provenance import provenance
from benchmarks.repositories import RepositoryError, find_repositories, has_commit
from training.features import TEST_USEFULNESS, analyse_here, of_mined
from training.mined import Mined, Sort, read_mined
from training.usefulness import patch_of, usefulness
from zeroin.answer import Context
from zeroin.config import Options
from zeroin.engine import Repository
from zeroin.errors import ModelError, ZeroinError

TOP = 50
AT_ONCE = any(option.name == "at_once" for option in fields(Options))
Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Case:
    """A task, the sets that it counts in, and the change that it was mined from, if any."""

    task: Task
    sets: tuple[str, ...]
    mined: Mined | None = None


# --- which tasks -----------------------------------------------------------------------------------


def data_cases(data: Path, repos: Path, limit: int | None, skipped: Counter[str]) -> list[Case]:
    """Issues, queries and the open half of the plain-word tasks."""
    loaded = load(data, repos, kinds=("issue", "query", "plain"), limit=limit)
    skipped.update(loaded.skipped)
    names = {"issue": "issues", "query": "queries", "plain": "plain words"}
    several = "issues, several gold files"
    return [
        Case(task, (names[task.kind], *([several] if task.kind == "issue" and len(task.gold) > 1 else [])))
        for task in loaded.tasks
    ]


def mined_cases(paths: Sequence[Path], repos: Path, limit: int | None, each: int, skipped: Counter[str]) -> list[Case]:
    """At most `each` tasks of a repository and `limit` in all for every set of mined tasks, by a hash of the id."""
    found = find_repositories(repos)
    by_set: dict[str, list[Mined]] = defaultdict(list)
    for mined in (row for path in paths for row in read_mined(path)):
        if name := set_of(mined):
            by_set[name].append(mined)
    cases: list[Case] = []
    for name, rows in sorted(by_set.items()):
        taken: Counter[str] = Counter()
        for mined in sorted(rows, key=lambda row: _digest(row.id)):
            if taken[mined.repo] >= each or (limit is not None and taken.total() >= limit):
                continue
            git_dir = found.get(mined.repo.lower())
            if git_dir is None or not has_commit(git_dir, mined.commit):
                skipped[f"{name}: {'commit' if git_dir else 'repository'} absent"] += 1
                continue
            taken[mined.repo] += 1
            cases.append(Case(of_mined(mined, git_dir), (name,), mined))
    return cases


def set_of(mined: Mined) -> str:
    """The set of a mined task; "" for an ordinary change that edits a single file."""
    names: Mapping[Sort, str] = {"young": "small trees", "subtree": "single folders", "absent": "no answer"}
    if mined.sort == "change":
        return "several files" if len(mined.gold) > 1 else ""
    return names[mined.sort]


def _digest(identity: str) -> bytes:
    return sha256(identity.encode()).digest()


# --- one task --------------------------------------------------------------------------------------


def options_of(variant: str, task: Task) -> Options:
    """What a way of asking sets; without `Options.at_once` a single cycle stands for it."""
    given: dict[str, Any] = {"top": TOP, "learned": False}
    if task.root:
        given["includes"] = (f"{task.root}/**",)
    if variant == ONE_SHOT and AT_ONCE:
        given["at_once"] = True
    elif variant != LOOP:
        given["max_cycles"] = 1
    return Options(**given)


def order_of(identity: str) -> tuple[str, ...]:
    """The ways of asking in the order in which one task is asked."""
    first = int.from_bytes(_digest(f"order {identity}")[:4], "big") % len(VARIANTS)
    return (*VARIANTS[first:], *VARIANTS[:first])


def measure_case(case: Case) -> Row:
    """A task's useful files and its answer in every way; what cannot be opened failed in every way."""
    task = case.task
    useful = dict.fromkeys(task.gold, 1.0)
    answers: dict[str, Row] = {}
    try:
        repository = Repository.open(task.git_dir, rev=task.rev, jobs=1)
        useful = useful_of(case, repository)
        answers = {variant: answer(repository, task, variant) for variant in order_of(task.id)}
    except ModelError:  # every task would fail: no measurement at all, not zeros
        raise
    except (ZeroinError, RepositoryError) as error:
        answers = {variant: {"error": str(error)} for variant in VARIANTS}
    return {"id": task.id, "useful": useful, "answers": answers}


def useful_of(case: Case, repository: Repository) -> dict[str, float]:
    """The usefulness of every file that has any, by path."""
    view = repository.opened.view
    if case.mined is not None:
        return usefulness(view, case.mined, patch_of(case.task.git_dir, case.mined))
    tests = (path for path in case.task.tests if view.doc_of(path) is not None)  # others come with the change
    return dict.fromkeys(tests, TEST_USEFULNESS) | dict.fromkeys(case.task.gold, 1.0)


def answer(repository: Repository, task: Task, variant: str) -> Row:
    """The answer of one way as a result row, with its processor seconds."""
    began = time.process_time()
    try:
        context = repository.ask(task.task, options_of(variant, task)).run()
    except ModelError:
        raise
    except ZeroinError as error:
        return {"error": str(error), "cpu_seconds": time.process_time() - began}
    return row_of(context, time.process_time() - began)


def row_of(context: Context, cpu_seconds: float) -> Row:
    """An answer as a result row; `named` are the paths that any gap of any cycle names."""
    named = {path for cycle in context.cycles for gap in cycle.gaps for path in gap.search.paths}
    return {
        "ranking": [{"path": j.path, "relevance": round(j.relevance, 4)} for j in context.ranking],
        "files": [j.path for j in (*context.files, *context.supporting)],
        "cycles": len(context.cycles),
        "stop_reason": context.stop_reason.code,
        "named": sorted(named),
        "cpu_seconds": round(cpu_seconds, 4),
    }


def measure_repository(cases: Sequence[Case], models: Path | None) -> tuple[str, list[Row]]:
    """Rows of one repository's tasks, and the name of the model that ranked them."""
    model = use_model(models, cases[0].task.repo)
    analyse_here()
    rows = [measure_case(case) for case in sorted(cases, key=lambda case: (case.task.rev, case.task.id))]
    return (model.name if model else "shipped"), rows


def measure(cases: Sequence[Case], models: Path | None, jobs: int) -> Iterator[Row]:
    """Rows as they are done; every repository has a process of its own, since a process ranks with one model."""
    by_repo: dict[str, list[Case]] = defaultdict(list)
    for case in cases:
        by_repo[case.task.repo].append(case)
    done = 0
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), max_tasks_per_child=1) as pool:
        futures = {pool.submit(measure_repository, part, models): repo for repo, part in by_repo.items()}
        for future in as_completed(futures):
            model, rows = future.result()
            done += len(rows)
            line = f"{done}/{len(cases)} {futures[future]}: {len(rows)} ({model})"
            print(line, file=sys.stderr, flush=True)
            yield from rows


# --- command ---------------------------------------------------------------------------------------


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = argparse.ArgumentParser(prog="benchmarks.loop", description=(__doc__ or "").partition("\n")[0])
    made.add_argument("--repos", type=Path, required=True, help="folder of bare repositories, owner+name/…")
    made.add_argument("--data", type=Path, help="folder with issues and queries; none without it")
    made.add_argument("--mined", type=Path, metavar="TASKS.jsonl", help="as training.mine writes it")
    made.add_argument("--young", type=Path, metavar="YOUNG.jsonl", help="as training.young writes it")
    made.add_argument("--models", type=Path, metavar="FOLDS", help="rankers that never saw the repository")
    made.add_argument("--only", choices=SETS, action="append", help="these sets alone; may be repeated")
    made.add_argument("--limit", type=int, help="at most this many tasks of each set, or of each kind of data")
    made.add_argument("--per-repository", type=int, default=4, help="mined tasks of a set and repository")
    made.add_argument("--jobs", type=int, default=2)
    made.add_argument("--keep", type=Path, metavar="ROWS.jsonl", help="keep the answers here as they are made")
    made.add_argument("--resume", action="store_true", help="go on with an interrupted --keep")
    made.add_argument("--out", type=Path, metavar="FILE.json", help="write figures and ranks with provenance")
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print Markdown, write the result; 1 when there is nothing to measure."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    options = parser().parse_args(given)
    skipped: Counter[str] = Counter()
    cases = data_cases(options.data, options.repos, options.limit, skipped) if options.data else []
    mined = [path for path in (options.mined, options.young) if path]
    cases += mined_cases(mined, options.repos, options.limit, options.per_repository, skipped)
    if options.only:
        cases = [case for case in cases if set(case.sets) & set(options.only)]
    if not cases:
        print(f"no task can be run: {dict(skipped)}", file=sys.stderr)
        return 1
    if not AT_ONCE:
        print(f"note: there is no option for {ONE_SHOT!r}: {ONE_CYCLE!r} stands for it", file=sys.stderr)
    began = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="bench-") as scratch:
        keep = options.keep or Path(scratch) / "rows.jsonl"
        if keep.exists() and not options.resume:
            print(f"error: {keep.name} exists; --resume goes on with it, else name another", file=sys.stderr)
            return 1
        try:
            rows, resumed = _rows(cases, keep, options.models, options.jobs)
        except ModelError as error:
            print(f"error: {error}", file=sys.stderr)
            return 1
    members = {name: [(case.task, rows[case.task.id]) for case in cases if name in case.sets] for name in SETS}
    sets = {name: figures(name, part) for name, part in members.items() if part}
    print(markdown(sets))
    print("\nSkipped:", "; ".join(f"{why}: {count}" for why, count in sorted(skipped.items())) or "none")
    if options.out:
        about = {"at_once": AT_ONCE, "jobs": options.jobs, "resumed_rows": resumed}
        about |= {"wall_seconds": round(time.perf_counter() - began, 1)}
        body = {"provenance": provenance("benchmarks.loop", given) | about}
        body |= {"rows": {"run": len(cases), "skipped": dict(sorted(skipped.items()))}, "sets": sets}
        raw = task_rows([(case.task, case.sets, rows[case.task.id]) for case in cases])
        options.out.parent.mkdir(parents=True, exist_ok=True)
        options.out.write_text(result_text(body, {"loop": raw}), encoding="utf-8")
    return 0


def _rows(cases: Sequence[Case], keep: Path, models: Path | None, jobs: int) -> tuple[dict[str, Row], int]:
    """Rows by task id, those that were kept already read instead of run, and how many these were."""
    earlier = keep.read_text(encoding="utf-8").splitlines() if keep.exists() else []
    rows: dict[str, Row] = {row["id"]: row for row in map(json.loads, earlier)}
    resumed = len(rows)
    with keep.open("a", encoding="utf-8") as stream:
        for row in measure([case for case in cases if case.task.id not in rows], models, jobs):
            rows[row["id"]] = row
            stream.write(json.dumps(row, ensure_ascii=False) + "\n")
            stream.flush()
    return rows, resumed


if __name__ == "__main__":
    sys.exit(main())
