"""What the trial asks: one JSON object a line, with the right files written down before asking."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from hashlib import sha256
from pathlib import Path
from typing import Any

from benchmarks.repositories import RepositoryError, list_blobs, run_git

KINDS = (
    "plain",
    "bug",
    "feature",
    "how",
    "error",
    "trace",
    "review",
    "overview",
    "vague",
    "nonsense",
    "other-language",
)
HALVES = ("open", "locked")


class TaskError(Exception):
    """A row is no task of the trial."""


@dataclass(frozen=True, slots=True)
class TrialTask:
    """One task: `right` must be found, best first; `related` a reader accepts besides.

    A review asks of the commit `diff` without its files `withheld`, at the commit's parent.
    """

    id: str
    repo: str
    commit: str
    language: str
    kind: str
    task: str
    right: tuple[str, ...]
    related: tuple[str, ...] = ()
    note: str = ""
    diff: str = ""
    withheld: tuple[str, ...] = ()


_LISTS = ("right", "related", "withheld")
_NAMES = tuple(field.name for field in fields(TrialTask))
_NEEDED = tuple(field.name for field in fields(TrialTask) if field.default is MISSING)


def half_of(repo: str) -> str:
    """The half that a repository belongs to, by a hash of its name."""
    return HALVES[int(sha256(repo.lower().encode()).hexdigest()[:8], 16) % 2]


def read_tasks(path: Path) -> tuple[TrialTask, ...]:
    """The tasks of a file; raises TaskError with the number of the first line that is none."""
    tasks: dict[str, TrialTask] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        try:
            task = task_of(json.loads(line))
        except (TaskError, ValueError) as error:
            raise TaskError(f"{path.name}:{number}: {error}") from error
        if task.id in tasks:
            raise TaskError(f"{path.name}:{number}: {task.id} is there twice")
        tasks[task.id] = task
    return tuple(tasks.values())


def task_of(row: Mapping[str, Any]) -> TrialTask:
    """The task of one row."""
    missing, unknown = [n for n in _NEEDED if n not in row], [n for n in row if n not in _NAMES]
    if missing or unknown:
        raise TaskError(f"missing {missing}, unknown {unknown}")
    given: dict[str, Any] = {name: _several(row[name]) if name in _LISTS else row[name] for name in row}
    task = TrialTask(**given)
    if task.kind not in KINDS:
        raise TaskError(f"unknown kind {task.kind}")
    if (task.kind == "nonsense") == bool(task.right):
        raise TaskError("only nonsense has no right file")
    if (task.kind == "review") != bool(task.diff and task.withheld):
        raise TaskError("a review has a diff and withheld files, and nothing else has")
    if not task.task and not task.diff:
        raise TaskError("nothing is asked")
    if both := set(task.right) & set(task.related):
        raise TaskError(f"right and related at once: {sorted(both)}")
    return task


def _several(paths: str | Sequence[str]) -> tuple[str, ...]:
    return (paths,) if isinstance(paths, str) else tuple(paths)


def asked_at(task: TrialTask, git_dir: Path) -> str:
    """The commit whose tree is searched: of a review the parent, so that the tree does not hold the change."""
    rev = f"{task.diff}^" if task.diff else task.commit
    return run_git(git_dir, "rev-parse", "--verify", f"{rev}^{{commit}}").decode().strip()


def shown_diff(task: TrialTask, git_dir: Path) -> tuple[str, tuple[str, ...]]:
    """A review's change with its message, withheld files taken out; and the paths that it shows."""
    kept = ("--", ".", *(f":(exclude,literal,top){path}" for path in task.withheld))
    ends = (f"{task.diff}^", task.diff)
    message = run_git(git_dir, "log", "-1", "--format=%B", task.diff)
    diff = run_git(git_dir, "diff", "--no-renames", "--no-ext-diff", "--no-textconv", *ends, *kept)
    names = run_git(git_dir, "diff", "--no-renames", "--name-only", "-z", *ends, *kept)
    paths = tuple(name.decode("utf-8", "replace") for name in names.split(b"\0") if name)
    return (message + b"\n" + diff).decode("utf-8", "replace"), paths


def problems(task: TrialTask, git_dir: Path) -> list[str]:
    """What does not hold of a task at its commit: absent files, a diff that shows nothing, a wrong commit."""
    try:
        commit = asked_at(task, git_dir)
        there = {blob.path for blob in list_blobs(git_dir, commit)}
        shown = shown_diff(task, git_dir)[1] if task.diff else ()
    except RepositoryError as error:
        return [str(error)]
    found = [f"no file {path}" for path in (*task.right, *task.related) if path not in there]
    if task.diff and not shown:
        found.append("the diff shows nothing")
    found += [f"the diff shows {path}" for path in task.right if path in shown]
    if not task.diff and commit != task.commit:
        found.append(f"{task.commit} is not a full commit id")
    return found
