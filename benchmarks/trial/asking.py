"""Asks the product as a stranger does: the command, once for JSON and once for the table."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any

from benchmarks.provenance import ROOT, commit_of
from benchmarks.trial.tasks import TrialTask, asked_at, shown_diff

WIDTH = "100"  # columns of the table
TIMEOUT_S = 600
ALONE = ("--no-learned", "--no-run", "--no-color")  # what was asked or learned earlier changes no answer


class AnswersError(Exception):
    """Answers that exist cannot be gone on with."""


def product() -> str:
    """The product's commit, with a + where its sources differ from it."""
    commit, dirty = commit_of(ROOT)
    return commit + "+" * dirty


def read_answers(path: Path) -> dict[str, dict[str, Any]]:
    """Answers by the id of their task."""
    rows = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())
    return {row["id"]: row for row in rows}


def unanswered(tasks: Sequence[TrialTask], out: Path) -> tuple[TrialTask, ...]:
    """Tasks that a file of answers lacks; raises AnswersError if those in it are of another product."""
    if not out.exists():
        return tuple(tasks)
    answers = read_answers(out)
    if others := {row["product"] for row in answers.values()} - {product()}:
        raise AnswersError(f"{out.name} holds answers of {', '.join(sorted(others))}: give another --out")
    return tuple(task for task in tasks if task.id not in answers)


def answers_to(tasks: Sequence[TrialTask], found: Mapping[str, Path]) -> Iterator[dict[str, Any]]:
    """One row a task, in order. `found` maps lower-cased ``owner/name`` to git directories."""
    made_by = product()
    for task in tasks:
        yield {**answer(task, found[task.repo.lower()]), "product": made_by}


def answer(task: TrialTask, git_dir: Path) -> dict[str, Any]:
    """What the command prints and exits with; `context` is None where it printed no JSON."""
    rev = asked_at(task, git_dir)
    with TemporaryDirectory() as folder:
        own: tuple[str, ...] = ()
        asked = [task.task] if task.task else []
        if task.diff:
            diff, own = shown_diff(task, git_dir)
            (Path(folder) / "change.diff").write_text(diff, encoding="utf-8")
            asked = [*asked, f"--diff={Path(folder) / 'change.diff'}"]
        given = [*asked, str(git_dir), "--rev", rev, *ALONE]
        began = monotonic()
        as_json = _run([*given, "--format", "json"], folder)
        seconds = monotonic() - began
        table = _run(given, folder)
    return {
        "id": task.id,
        "asked_at": rev,
        "own": list(own),
        "exit_code": as_json.returncode,
        "table_exit_code": table.returncode,
        "seconds": round(seconds, 2),
        "context": _context(as_json.stdout),
        "table": table.stdout.replace(str(git_dir), task.repo),
        "stderr": as_json.stderr.replace(str(git_dir), task.repo),
    }


def _run(arguments: Sequence[str], folder: str) -> subprocess.CompletedProcess[str]:
    """The command in an empty folder: nothing of this machine's places is nearer than the repository."""
    path = os.pathsep.join([str(ROOT / "src"), os.environ.get("PYTHONPATH", "")])
    return subprocess.run(
        [sys.executable, "-m", "zeroin", *arguments],
        capture_output=True,
        text=True,
        encoding="utf-8",
        errors="replace",
        cwd=folder,
        env={**os.environ, "COLUMNS": WIDTH, "PYTHONPATH": path},
        timeout=TIMEOUT_S,
        check=False,
    )


def _context(printed: str) -> dict[str, Any] | None:
    """The answer without what names the machine or is read by nobody here."""
    try:
        value = json.loads(printed)
    except ValueError:
        return None
    cycles = value.pop("cycles", [])
    value.pop("repository", None)
    return {**value, "cycles": len(cycles)}
