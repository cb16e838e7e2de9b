"""Tasks with known answers: reading them, and finding the commit of each on this machine."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal

from benchmarks.repositories import RepositoryError, find_repositories, has_commit, list_blobs, locate
from benchmarks.vocabulary import SECOND, STRANGERS, WRITTEN, Half, half_of, read_tasks

Kind = Literal["issue", "query", "mined", "plain", "written", "stranger", "report"]
TAUGHT = Path(__file__).parents[1] / "training" / "written.jsonl"  # of these repositories other tasks train the encoder
READ = TAUGHT.with_name("reader_repositories.json")  # and of these, the reader
TOP = 100  # deep enough for every depth that is scored


@dataclass(frozen=True, slots=True)
class Task:
    """One task: what is asked, where, and the files that answer it (``gold``, at ``rev``).

    ``root`` limits what is searched ("" = everything); ``group`` is the query's category or the issue's source.
    """

    id: str
    repo: str
    git_dir: Path
    rev: str
    task: str
    gold: tuple[str, ...]
    tests: tuple[str, ...]
    language: str
    kind: Kind
    root: str = ""
    group: str = ""

    def row(self, top: int = TOP) -> dict[str, Any]:
        """The row that ``zeroin batch`` reads."""
        row: dict[str, Any] = {"id": self.id, "repo": str(self.git_dir), "rev": self.rev, "task": self.task}
        if self.root:
            row["include"] = [f"{self.root}/**"]
        return row | {"top": top}


@dataclass(frozen=True, slots=True)
class Loaded:
    """Tasks that can be run here, and how many rows were left out, by reason."""

    tasks: tuple[Task, ...]
    skipped: Mapping[str, int] = field(default_factory=dict)


class DataError(Exception):
    """The data folder does not hold what its README promises."""


def load(
    data: Path,
    repos: Path,
    *,
    kinds: Iterable[Kind] = ("issue", "query"),
    all_issues: bool = False,
    ids: frozenset[str] | None = None,
    limit: int | None = None,
    whole: bool = False,
    half: Half = "open",
) -> Loaded:
    """Tasks of a data folder whose commits are under ``repos``.

    Issues are those of ``tune_ids.txt`` unless ``all_issues``. ``limit`` keeps that many runnable rows of each kind,
    chosen by a hash of the id, so that a smaller limit is a subset of a larger one. ``whole`` drops the root of
    every task (all files are searched; the gold stays). ``half`` is that of the plain-word tasks, or their second
    set; they are the project's own and not in ``data``. Reports are in a folder that ``training.reports`` wrote.
    Raises DataError for missing or malformed files.
    """
    found = find_repositories(repos)
    forks: Mapping[str, Sequence[str]] = json.loads(_read(data / "forks.json"))
    skipped: Counter[str] = Counter()
    tasks: list[Task] = []
    for kind in kinds:
        rows = _rows(data, kind, all_issues, half)
        kept: list[Task] = []
        for row in rows:
            if ids is not None and row["id"] not in ids:
                skipped[f"{kind}: not selected by id"] += 1
                continue
            git_dirs = locate(row["repo"], found, forks)
            git_dir = next((g for g in git_dirs if _has_commit(g, row["commit"])), None)
            if git_dir is None:
                skipped[f"{kind}: {'commit' if git_dirs else 'repository'} absent"] += 1
                continue
            task = _task(row, kind, git_dir)
            kept.append(replace(task, root="") if whole else task)
        if limit is not None and len(kept) > limit:
            skipped[f"{kind}: over --limit"] += len(kept) - limit
            chosen = {task.id for task in sorted(kept, key=lambda t: sha256(t.id.encode()).digest())[:limit]}
            kept = [task for task in kept if task.id in chosen]
        tasks += kept
    return Loaded(tuple(tasks), dict(sorted(skipped.items())))


def read_texts(data: Path) -> dict[str, str]:
    """Id → text of every issue and query of a data folder, also where its repository is not on this machine."""
    return {row["id"]: row["task"] for row in (*_issue_rows(data, True), *_query_rows(data))}


def read_repositories(data: Path) -> frozenset[str]:
    """Names of all repositories that a data folder has issues or queries of, also of those not on this machine."""
    return frozenset(row["repo"] for row in (*_issue_rows(data, True), *_query_rows(data)))


def _task(row: Mapping[str, Any], kind: Kind, git_dir: Path) -> Task:
    root = row.get("root") or ""
    return Task(
        id=row["id"],
        repo=row["repo"],
        git_dir=git_dir,
        rev=row["commit"],
        task=row["task"],
        gold=gold_paths(row["gold"], root, _paths(git_dir, row["commit"]) if root else frozenset()),
        tests=tuple(row.get("tests", ())),
        language=row["language"],
        kind=kind,
        root=root,
        group=row.get("category") or row.get("source") or "",
    )


def gold_paths(gold: Iterable[str], root: str, paths: frozenset[str]) -> tuple[str, ...]:
    """Gold paths relative to the repository, without repeats.

    Some labels are written relative to ``root`` (``Core.hs`` for ``src/XMonad/Core.hs``): nothing outside ``root`` is
    searched, so such a label can only mean the file below it.
    """
    resolved = []
    for path in gold:
        inside = not root or path.startswith(f"{root}/")
        resolved.append(path if inside or f"{root}/{path}" not in paths else f"{root}/{path}")
    return tuple(dict.fromkeys(resolved))


def _rows(data: Path, kind: Kind, all_issues: bool, half: Half) -> list[dict[str, Any]]:
    if kind == "written":
        taught = {row["repo"] for row in _read_rows(TAUGHT)} | set(json.loads(_read(READ))["repositories"])
        return [row for row in read_tasks(WRITTEN) if row["repo"] not in taught]
    if kind == "stranger":
        return read_tasks(STRANGERS)
    if kind == "report":
        return _read_rows(data / "reports.jsonl")
    if kind == "plain":
        if half == "second":
            return read_tasks(SECOND)
        return [row for row in read_tasks() if half_of(row["repo"]) == half]
    return _issue_rows(data, all_issues) if kind == "issue" else _query_rows(data)


def _issue_rows(data: Path, all_issues: bool) -> list[dict[str, Any]]:
    rows = _read_rows(data / "issues_tune.jsonl")
    if all_issues:
        return rows
    chosen = frozenset(_read(data / "tune_ids.txt").split())
    return [row for row in rows if row["id"] in chosen]


def _query_rows(data: Path) -> list[dict[str, Any]]:
    """Queries have no id of their own: the repository's name and the query's number within it make one."""
    numbers: Counter[str] = Counter()
    rows = []
    for row in _read_rows(data / "queries_tune.jsonl"):
        rows.append(row | {"id": f"{row['name']}:{numbers[row['name']]:02d}"})
        numbers[row["name"]] += 1
    return rows


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise DataError(f"{path.name}: {error.strerror}") from error


def _read_rows(path: Path) -> list[dict[str, Any]]:
    rows = []
    for number, line in enumerate(_read(path).split("\n"), start=1):
        if not line.strip():
            continue
        try:
            rows.append(json.loads(line))
        except json.JSONDecodeError as error:
            raise DataError(f"{path.name} line {number}: {error.msg}") from error
    return rows


@cache
def _has_commit(git_dir: Path, rev: str) -> bool:
    return has_commit(git_dir, rev)


@cache
def _paths(git_dir: Path, rev: str) -> frozenset[str]:
    try:
        return frozenset(blob.path for blob in list_blobs(git_dir, rev))
    except RepositoryError as error:
        raise DataError(f"{git_dir}: {error}") from error
