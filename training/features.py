"""Features of tasks with known answers, cycle by cycle: what the ranker is trained and calibrated on.

    python -m training.features --mined TASKS.jsonl --repos REPOS --out FOLDER [--most 30] [--jobs 2]
    python -m training.features --data DATA --repos REPOS --out FOLDER [--only KIND] [--cycles 1]

Runs the product's own loop with its stopping rules off, and writes one file a repository; a repository whose file
exists is not run again, so a run can be stopped and resumed. Of each pool the first candidates are kept, as many as
the ranker judges. One mined task in seven is measured without history, so that the ranker learns to do without. Each
task has a second cycle, unless `--cycles 1` says otherwise. What a cycle asks depends on what the one before found:
`--models` names rankers that never saw the repository, so that nothing of a task's answer comes back in the rows of its
later cycles.
"""

import argparse
import json
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field, replace
from hashlib import sha256
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.data import Task, load
from benchmarks.models import use_model
from benchmarks.repositories import RepositoryError, find_repositories, run_git
from training.mined import Mined, read_mined
from training.usefulness import patch_of, usefulness
from zeroin.config import Options
from zeroin.dispatch.stage import Dispatcher
from zeroin.engine import Repository
from zeroin.errors import ZeroinError
from zeroin.evaluate.annotate import Annotator
from zeroin.evaluate.features.table import FEATURES, FEATURES_VERSION
from zeroin.evaluate.judge import Judge
from zeroin.evaluate.judge import Measured as Rows
from zeroin.evaluate.model.ranker import JUDGED
from zeroin.evaluate.passages import Matcher
from zeroin.evaluate.task_terms import task_terms_of
from zeroin.gaps.finder import GapFinder
from zeroin.index import gather
from zeroin.loop import Loop
from zeroin.query.task import formulate
from zeroin.refine.rewrite import Refiner
from zeroin.stopping import CyclesUsed, unasked
from zeroin.types import Candidate, Query

CYCLES = 3
KEPT = JUDGED  # what the ranker judges is what it is trained on
NO_HISTORY = frozenset({"history", "cochange"})
TEST_USEFULNESS = 0.6  # of a changed test (PATTERN.md)


@dataclass(frozen=True, slots=True)
class Measured:
    """One task in one cycle: candidate paths, their feature rows and usefulness, and how the cycle stood.

    `useful` maps every useful file of the tree, found or not, to its usefulness; `gold` are the edited ones.
    """

    id: str
    repo: str
    kind: str  # that of the task: mined, young, absent, issue, query, plain, written, stranger or report
    language: str
    task_kind: str
    gold: tuple[str, ...]
    useful: dict[str, float]
    cycle: int
    paths: tuple[str, ...]
    rows: np.ndarray  # (candidates, features)
    critical: int = 0
    excluded_gold: int = 0
    seconds: float = 0.0
    history: bool = True
    unseen: bool = False  # earlier cycles were judged by a ranker that never saw the repository
    once: bool = False  # everything was asked in this one cycle

    @property
    def target(self) -> np.ndarray:
        """Usefulness of each candidate, shape (candidates,)."""
        return np.array([self.useful.get(path, 0.0) for path in self.paths], np.float32)


@dataclass(frozen=True, slots=True)
class RecordingJudge(Judge):
    """The product's judge, keeping the feature rows of every cycle."""

    recorded: list[tuple[tuple[str, ...], np.ndarray]] = field(default_factory=list)

    def measure(self, query: Query, candidates: Sequence[Candidate], *rest: Any) -> Rows:
        found = Judge.measure(self, query, candidates, *rest)
        self.recorded.append((tuple(c.path for c in candidates), found.rows))
        return found


def measure_task(
    repository: Repository,
    task: Task,
    useful: dict[str, float],
    cycles: int = CYCLES,
    without: frozenset[str] = frozenset(),
) -> list[Measured]:
    """The first cycles of one task, and everything asked in one."""
    view = repository.opened.view
    options = Options(includes=(f"{task.root}/**",) if task.root else (), without=without)
    asked, query = formulate(task.task, options)
    matcher = Matcher(view)
    judge = RecordingJudge(view, matcher, asked.purpose, without)
    dispatcher = Dispatcher(view, without=without, purpose=asked.purpose)
    refiner = Refiner(view, without=without)
    one = Measured(
        id=task.id,
        repo=task.repo,
        kind=task.kind,
        language=task.language,
        task_kind=query.kind.value,
        gold=task.gold,
        useful=useful,
        cycle=1,
        paths=(),
        rows=np.empty((0, len(FEATURES)), np.float32),
        history=not without and len(view.history) > 0,
    )
    full = refiner.expanded(query)
    at_once = replace(judge, at_once=True)
    at_once.measure(full, dispatcher.dispatch(full), (), task_terms_of(full, view))
    paths, rows = _kept(*judge.recorded[-1])
    once = replace(one, paths=paths, rows=rows, once=True)
    if cycles == 1:  # nothing is asked again: neither reasons nor gaps are needed
        judge.measure(query, dispatcher.dispatch(query), (), task_terms_of(query, view))
        paths, rows = _kept(*judge.recorded[-1])
        return [replace(one, paths=paths, rows=rows), once]
    loop = Loop(
        task=asked,
        query=query,
        view=view,
        dispatcher=dispatcher,
        evaluator=judge,
        annotator=Annotator(view, matcher, asked.purpose),
        gap_finder=GapFinder(view, matcher),
        refiner=refiner,
        rules=(CyclesUsed(cycles),),
    )
    out = [once]
    for cycle in loop:
        paths, rows = _kept(*judge.recorded[-1])
        out.append(
            replace(
                one,
                cycle=cycle.number,
                paths=paths,
                rows=rows,
                critical=len(unasked(cycle)),
                excluded_gold=len(set(cycle.query.excludes) & set(task.gold)),
                seconds=cycle.seconds,
            )
        )
    return out


def _kept(paths: tuple[str, ...], rows: np.ndarray) -> tuple[tuple[str, ...], np.ndarray]:
    order = np.argsort(-rows[:, list(FEATURES).index("prior")], kind="stable")
    places = sorted(order[:KEPT].tolist())
    return tuple(paths[i] for i in places), rows[places]


def of_mined(mined: Mined, git_dir: Path) -> Task:
    """A mined task in the form of the tuning tasks."""
    return Task(
        id=mined.id,
        repo=mined.repo,
        git_dir=git_dir,
        rev=mined.commit,
        task=mined.task,
        gold=tuple(mined.gold),
        tests=tuple(mined.tests),
        language=mined.language,
        kind="mined" if mined.sort == "change" else "absent" if mined.sort == "absent" else "young",
        root=mined.root,
    )


def _digit(identity: str, salt: str) -> int:
    return int(sha256(f"{salt}{identity}".encode()).hexdigest()[:8], 16)


def analyse_here() -> None:
    """Analyse files in this process: one of their own for every commit's few files would cost most."""
    gather.FEW_FILES = 1 << 30


def measure_mined(rows: Sequence[Mined], git_dir: Path, models: Path | None, out: Path) -> str:
    """Measure one repository's mined tasks into `out`, oldest first; returns a line for the log."""
    began = time.monotonic()
    unseen = use_model(models, rows[0].repo) is not None
    analyse_here()
    times = run_git(git_dir, "log", "--no-walk=unsorted", "--format=%H %ct", *(row.commit for row in rows))
    when = dict(line.split() for line in times.decode().splitlines())
    measured: list[Measured] = []
    failed = 0
    for row in sorted(rows, key=lambda r: (int(when.get(r.commit, 0)), r.id)):
        try:
            repository = Repository.open(git_dir, rev=row.commit, jobs=1)
            useful = usefulness(repository.opened.view, row, patch_of(git_dir, row)) if row.change else {}
            without = NO_HISTORY if _digit(row.id, "history") % 7 == 0 else frozenset()
            found = measure_task(repository, of_mined(row, git_dir), useful, 2, without)
            measured += [replace(one, unseen=unseen) for one in found]
        except (ZeroinError, RepositoryError) as error:
            failed += 1
            print(f"{row.id}: {error}", file=sys.stderr)
    write(out, measured)
    spent = time.monotonic() - began
    return f"{rows[0].repo}: {len(rows) - failed} tasks, {failed} failed, {spent / len(rows):.2f} s each"


def measure_data(tasks: Sequence[Task], models: Path | None, cycles: int, out: Path) -> str:
    """Measure one repository's tuning tasks into `out`; returns a line for the log."""
    unseen = use_model(models, tasks[0].repo) is not None
    measured: list[Measured] = []
    failed = 0
    by_rev: dict[str, list[Task]] = defaultdict(list)
    for task in tasks:
        by_rev[task.rev].append(task)
    for rev, group in by_rev.items():
        try:
            repository = Repository.open(group[0].git_dir, rev=rev, jobs=1)
            for task in group:
                useful = dict.fromkeys(task.tests, TEST_USEFULNESS) | dict.fromkeys(task.gold, 1.0)
                measured += [replace(one, unseen=unseen) for one in measure_task(repository, task, useful, cycles)]
        except ZeroinError as error:
            failed += len(group)
            print(f"{tasks[0].repo} {rev[:10]}: {error}", file=sys.stderr)
    write(out, measured)
    return f"{tasks[0].repo}: {len(tasks) - failed} tasks, {failed} failed"


def write(path: Path, measured: Sequence[Measured]) -> None:
    """Save as one npz: feature rows concatenated, the rest as JSON; whole or not at all."""
    meta = [
        {name: getattr(m, name) for name in Measured.__slots__ if name != "rows"} | {"count": len(m.rows)}
        for m in measured
    ]
    rows = np.concatenate([m.rows for m in measured]) if measured else np.empty((0, len(FEATURES)))
    part = path.with_suffix(".part")
    with part.open("wb") as file:
        np.savez(
            file,
            rows=rows.astype(np.float32),
            meta=json.dumps(meta),
            features=json.dumps(list(FEATURES)),
            version=FEATURES_VERSION,
        )
    part.replace(path)


def read(*folders: Path, cycles: int = CYCLES) -> list[Measured]:
    """Everything under some folders up to a cycle, in the columns of today's registry; what is unknown is 0."""
    out: list[Measured] = []
    columns = list(FEATURES)
    for path in sorted(p for folder in folders for p in folder.glob("*.npz")):
        with np.load(path) as data:
            stored = json.loads(str(data["features"]))
            rows = data["rows"]
            if stored != columns:
                known = [i for i, name in enumerate(stored) if name in FEATURES]
                full = np.zeros((len(rows), len(columns)), np.float32)
                full[:, [columns.index(stored[i]) for i in known]] = rows[:, known]
                rows = full
            at = 0
            for row in json.loads(str(data["meta"])):
                count = row.pop("count")
                fields: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in row.items()}
                if fields["cycle"] <= cycles:
                    out.append(Measured(**fields, rows=rows[at : at + count]))
                at += count
    return out


def _run(jobs: dict[str, tuple[Callable[..., str], tuple[Any, ...]]], workers: int) -> None:
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        futures = {pool.submit(job, *arguments): name for name, (job, arguments) in jobs.items()}
        for done, future in enumerate(as_completed(futures), 1):
            try:
                line = future.result()
            except (RepositoryError, OSError) as error:
                line = f"{futures[future]}: {error}"
            print(f"[{done}/{len(futures)}] {line}", file=sys.stderr, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="the tuning data")
    parser.add_argument("--mined", type=Path, help="mined tasks, as training.mine writes them")
    parser.add_argument("--repos", type=Path, required=True, help="folder of git directories, owner+name/…")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", choices=("issue", "query", "plain", "written", "stranger", "report"))
    parser.add_argument(
        "--repositories", type=Path, help="names of the repositories to take mined tasks of, one a line"
    )
    parser.add_argument("--models", type=Path, help="rankers that never saw the repository, for the later cycles")
    parser.add_argument("--cycles", type=int, choices=(1, 2), default=2, help="of --data; with 1 no ranker is asked")
    parser.add_argument("--most", type=int, default=30, help="mined tasks a repository")
    parser.add_argument("--from", dest="start", type=int, default=0, help="mined tasks to leave out first")
    arguments = parser.parse_args()
    if (arguments.data is None) == (arguments.mined is None):
        parser.error("give either --data or --mined")
    arguments.out.mkdir(parents=True, exist_ok=True)
    jobs: dict[str, tuple[Callable[..., str], tuple[Any, ...]]] = {}

    def add(repo: str, job: Callable[..., str], *given: Any) -> None:
        out = arguments.out / f"{repo.replace('/', '+')}.npz"
        if not out.exists():
            jobs[repo] = (job, (*given, out))

    if arguments.data is not None:
        kinds = (arguments.only,) if arguments.only else ("issue", "query", "plain")
        loaded = load(arguments.data, arguments.repos, kinds=kinds)
        print(f"{len(loaded.tasks)} tasks; skipped {dict(loaded.skipped)}", file=sys.stderr)
        by_repo: dict[str, list[Task]] = defaultdict(list)
        for task in loaded.tasks:
            by_repo[task.repo].append(task)
        for repo, tasks in sorted(by_repo.items()):
            add(repo, measure_data, tasks, arguments.models, arguments.cycles)
    else:
        found = find_repositories(arguments.repos)
        mined: dict[str, list[Mined]] = defaultdict(list)
        named = set(arguments.repositories.read_text(encoding="utf-8").split()) if arguments.repositories else None
        for row in read_mined(arguments.mined):
            if named is None or row.repo in named:
                mined[row.repo].append(row)
        for repo in sorted(mined, key=lambda r: _digit(r, "order")):
            rows = sorted(mined[repo], key=lambda r: _digit(r.id, "pick"))
            rows = rows[arguments.start : arguments.start + arguments.most]
            if rows and repo.lower() in found:
                add(repo, measure_mined, rows, found[repo.lower()], arguments.models)
    _run(jobs, arguments.jobs)


if __name__ == "__main__":
    main()
