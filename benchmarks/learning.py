"""Replay histories in order: does what turned out relevant for earlier tasks help a later one?

    python -m benchmarks.learning --data D --repos R --models M [--most 20]                    # issues
    python -m benchmarks.learning --mined TASKS.jsonl --repos R --models M --without-history   # as in a plain folder

Task n of a repository is asked twice at its own commit, with one cycle: without lessons, and with those of the tasks
whose fix the commit already contains (every file of the fix was changed between that task's commit and this one; of a
mined change, the change itself is an ancestor). A lesson is the task's text and the files of its fix. Paired; intervals
by bootstrap over repositories. A task that knows no lesson counts with no difference.
"""

import argparse
import json
import os
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.data import Task, load
from benchmarks.models import use_model
from benchmarks.provenance import provenance
from benchmarks.repositories import find_repositories, run_git
from benchmarks.runs import Answer
from benchmarks.scoring import RESAMPLES, mean, resampled_ratio, score
from training.features import of_mined
from training.mined import read_mined
from zeroin.answer import Context
from zeroin.config import Options
from zeroin.engine import Repository
from zeroin.errors import ZeroinError
from zeroin.index.history import history_of
from zeroin.index.view import View
from zeroin.learning.lessons import MAX_LESSONS, Lesson, identity_of, title_of, words_of
from zeroin.learning.store import LessonStore
from zeroin.query.task import query_of
from zeroin.types import Task as Asked

METRICS = ("acc@1", "acc@5", "hit@1", "hit@5", "hit@10", "recall@10", "ndcg@10", "rr")
LEARNED = 500  # lessons at most, newest first
TOP = 100


@dataclass(frozen=True, slots=True)
class Step:
    """One task of a replay: `change` is the commit that answered it, where it is known."""

    task: Task
    time: int
    change: str = ""


def steps_of_issues(data: Path, repos: Path) -> dict[str, list[Step]]:
    """All issues whose commit is here, by repository, in the order of their commits."""
    found = load(data, repos, kinds=("issue",), all_issues=True).tasks
    return _in_order([Step(task, _time(task.git_dir, task.rev)) for task in found])


def steps_of_mined(mined: Path, repos: Path, count: int) -> dict[str, list[Step]]:
    """Mined changes of `count` repositories, chosen by a hash of their names."""
    git_dirs = find_repositories(repos)
    rows = defaultdict(list)
    for row in read_mined(mined):
        if row.repo.lower() in git_dirs:
            rows[row.repo].append(row)
    chosen = sorted(rows, key=lambda name: sha256(name.encode()).digest())[:count]
    steps = []
    for name in chosen:
        git_dir = git_dirs[name.lower()]
        for row in rows[name]:
            task = of_mined(row, git_dir)
            steps.append(Step(task, _time(git_dir, task.rev), row.change))
    return _in_order(steps)


def _in_order(steps: Sequence[Step]) -> dict[str, list[Step]]:
    out = defaultdict(list)
    for step in sorted(steps, key=lambda s: (s.time, s.task.id)):
        out[step.task.repo].append(step)
    return dict(out)


def _time(git_dir: Path, rev: str) -> int:
    return int(run_git(git_dir, "log", "-1", "--format=%ct", rev).decode().strip() or 0)


class Known:
    """Which earlier tasks of a repository were answered by the time of a later one."""

    def __init__(self, steps: Sequence[Step]) -> None:
        self._steps = steps
        self._git_dir = steps[0].task.git_dir
        self._revs = sorted({step.task.rev for step in steps})
        self._changes: dict[str, list[tuple[str, set[str]]]] = {}

    def before(self, number: int) -> list[Step]:
        """Earlier steps whose fix is in the tree of step `number`, newest first."""
        now = self._steps[number]
        led_here = set(run_git(self._git_dir, "rev-list", now.task.rev).decode().split())
        earlier = [s for s in self._steps[:number] if s.task.rev != now.task.rev and s.task.rev in led_here]
        return [s for s in reversed(earlier) if s.task.gold and self._is_answered(s, led_here)][:LEARNED]

    def _is_answered(self, step: Step, led_here: set[str]) -> bool:
        if step.change:
            return step.change in led_here
        seen: set[str] = set()
        for commit, paths in self._after(step):
            if commit in led_here:
                seen |= paths
        return set(step.task.gold) <= seen

    def _after(self, step: Step) -> list[tuple[str, set[str]]]:
        """Commits after a task that touch files of its fix, with those files."""
        if step.task.id not in self._changes:
            flags = ("--no-merges", "--format=%x01%H", "--name-only")
            said = run_git(
                self._git_dir, "log", *flags, *self._revs, "--not", step.task.rev, "--", *step.task.gold
            ).decode("utf-8", "surrogateescape")
            parts = [part.split("\n") for part in said.split("\x01") if part]
            self._changes[step.task.id] = [(lines[0], set(lines[1:])) for lines in parts]
        return self._changes[step.task.id]


def lesson_of(task: Task) -> Lesson:
    """What is learned when a task's fix is known."""
    query = query_of(Asked(task.task), Options())
    return Lesson(identity_of(task.task), title_of(query, task.task), words_of(query), task.gold)


@dataclass(frozen=True, slots=True)
class Pair:
    """A task's answers without and with lessons."""

    task: Task
    lessons: int
    used: int
    plain: Answer
    learned: Answer


def replay(steps: Sequence[Step], asked: set[str], directory: Path, *, history: bool) -> Iterator[Pair]:
    """The answers to the asked steps of one repository."""
    known = Known(steps)
    for number, step in enumerate(steps):
        if step.task.id not in asked:
            continue
        before = known.before(number)
        try:
            opened = Repository.open(step.task.git_dir, rev=step.task.rev).opened
        except ZeroinError as error:
            print(f"{step.task.id}: {error}", file=sys.stderr)
            continue
        if not history:
            view = opened.view
            opened = replace(opened, view=View(view.snapshot, history_of([]), view.contents, view.entries))
        store = LessonStore(f"replay:{step.task.id}", directory=directory)
        if before:
            store.add(*(lesson_of(s.task) for s in reversed(before[:MAX_LESSONS])))
        repository = Repository(opened, store)
        options = Options(max_cycles=1, always_loop=True, top=TOP)
        plain = repository.ask(step.task.task, replace(options, learned=False)).run()
        learned = repository.ask(step.task.task, options).run() if before else plain
        store.path.unlink(missing_ok=True)
        used = len(learned.learned.used) if learned.learned is not None else 0
        yield Pair(step.task, len(before), used, _answer(step.task, plain), _answer(step.task, learned))


def _answer(task: Task, context: Context) -> Answer:
    ranking = context.cycles[-1].judgments[:TOP]
    return Answer(task.id, tuple(j.path for j in ranking), {j.path: j.relevance for j in ranking})


def summary(pairs: Sequence[Pair]) -> dict[str, Any]:
    """Means without and with lessons, and the difference with its interval; in points."""
    tasks = [pair.task for pair in pairs]
    plain = score(tasks, {p.task.id: p.plain for p in pairs})
    learned = score(tasks, {p.task.id: p.learned for p in pairs})
    groups: dict[str, list[int]] = defaultdict(list)
    for place, pair in enumerate(pairs):
        groups[pair.task.repo].append(place)
    counts = np.array([float(len(places)) for places in groups.values()])
    means = mean(plain)
    out: dict[str, Any] = {
        "tasks": len(pairs),
        "repositories": len(groups),
        "with_lessons": sum(pair.lessons > 0 for pair in pairs),
        "with_resembling": sum(pair.used > 0 for pair in pairs),
        "lessons": float(np.mean([pair.lessons for pair in pairs])),
        "metrics": {},
    }
    for name in METRICS:
        moved = np.array([b.scores[name] - a.scores[name] for a, b in zip(plain, learned, strict=True)])
        sums = np.array([moved[places].sum() for places in groups.values()])
        low, high = resampled_ratio(sums, counts, RESAMPLES)
        values = (means[name], float(moved.mean()), low, high)
        out["metrics"][name] = dict(
            zip(("plain", "gain", "low", "high"), (round(100 * v, 2) for v in values), strict=True)
        ) | {"better": int((moved > 0).sum()), "worse": int((moved < 0).sum())}
    return out


def chosen(steps: Sequence[Step], most: int) -> set[str]:
    """Ids of at most `most` steps, spread evenly over the later four fifths, where there is something to know."""
    late = steps[len(steps) // 5 :]
    places = np.unique(np.linspace(0, len(late) - 1, min(most, len(late))).round().astype(int))
    return {late[place].task.id for place in places}


def printed(said: Mapping[str, Any]) -> str:
    """The summary as Markdown."""
    head = (
        f"{said['tasks']} tasks, {said['repositories']} repositories, {said['with_lessons']} with lessons "
        f"({said['lessons']:.1f} in the mean), {said['with_resembling']} with a resembling one"
    )
    rows = [
        f"| {name} | {m['plain']:.1f} | {m['gain']:+.2f} [{m['low']:+.2f}, {m['high']:+.2f}] | "
        f"{m['better']} | {m['worse']} |"
        for name, m in said["metrics"].items()
    ]
    return "\n".join([head, "", "| metric | without | gain | better | worse |", "|---|---|---|---|---|", *rows])


def main() -> int:
    """Replay, print, write."""
    parser = argparse.ArgumentParser(prog="benchmarks.learning", description=__doc__)
    parser.add_argument("--data", type=Path, help="folder of issues")
    parser.add_argument("--mined", type=Path, help="mined changes instead of issues")
    parser.add_argument("--repos", type=Path, required=True)
    parser.add_argument("--models", type=Path, help="leave-repository-out rankers")
    parser.add_argument("--repositories", type=int, default=25, help="of the mined changes")
    parser.add_argument("--most", type=int, default=1000, help="tasks asked of a repository; all are learned from")
    parser.add_argument("--without-history", action="store_true", help="as in a folder that git does not know")
    parser.add_argument("--out", type=Path, help="write the result file here")
    options = parser.parse_args()
    if (options.data is None) == (options.mined is None):
        parser.error("one of --data and --mined")
    replays = (
        steps_of_issues(options.data, options.repos)
        if options.data is not None
        else steps_of_mined(options.mined, options.repos, options.repositories)
    )
    pairs: list[Pair] = []
    with tempfile.TemporaryDirectory(prefix="replay-") as scratch:
        os.environ["ZEROIN_DATA_DIR"] = scratch
        for repo, steps in sorted(replays.items()):
            use_model(options.models, repo)
            asked = chosen(steps, options.most)
            pairs += replay(steps, asked, Path(scratch), history=not options.without_history)
            print(f"{repo}: {len(asked)} of {len(steps)}; {len(pairs)} in all", file=sys.stderr, flush=True)
    said = summary(pairs)
    print(printed(said))
    if options.out is not None:
        rows = {p.task.id: [p.lessons, p.used, _places(p.plain, p.task), _places(p.learned, p.task)] for p in pairs}
        body = {"provenance": provenance("benchmarks.learning", sys.argv[1:]), "summary": said, "tasks": rows}
        options.out.write_text(json.dumps(body, indent=1) + "\n", encoding="utf-8")
    return 0


def _places(answer: Answer, task: Task) -> list[int | None]:
    """The rank of every file of the fix."""
    places = {path: place for place, path in enumerate(answer.ranking, 1)}
    return [places.get(path) for path in task.gold]


if __name__ == "__main__":
    sys.exit(main())
