"""Whole commands in three repositories: zeroin beside semble and `git grep`, by turns, from process start to end.

*cold*: nothing cached. *warm*: the same command again, about a tree whose snapshot is kept. *edited*: again, after one
source file was changed. *second*: the same once more.
"""

import shutil
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks import trees
from benchmarks.ledger import Ledger
from benchmarks.timed import timed
from benchmarks.tools import STATES, Tool, git_grep, resident, starts


@dataclass(frozen=True, slots=True)
class Case:
    """A repository at a commit, what is asked of it, and the file name ending of the file that is edited."""

    commit: str
    language: str
    task: str
    word: str
    ending: str


CASES: Mapping[str, Case] = {
    "getmoto/moto": Case(
        "0af643a5dbfc98797f08ee64f5be3ef8002d56ff",
        "Python",
        "Pagination token of list_queues is ignored when a prefix is given",
        "list_queues",
        ".py",
    ),
    "alibaba/fastjson2": Case(
        "ae13900f650afcfe70c6656f0ffc2685fc63f9a2",
        "Java",
        "Dates with a time zone offset are parsed into the wrong instant",
        "ZoneOffset",
        ".java",
    ),
    "tutao/tutanota": Case(
        "0f34397ae95db354b707ab963bec84cdcbd8f5b6",
        "TypeScript",
        "The reminder of a repeating event is shown once more after the event was moved",
        "reminder",
        ".ts",
    ),
}


def measure(name: str, bare: Path, place: Path, tools: Sequence[Tool], runs: int, ledger: Ledger) -> None:
    """Time the tools in one repository of `CASES`; `place` is a folder that is not there yet."""
    case, work = CASES[name], place / "work"
    files = clone(bare, case.commit, work)
    commits = int(trees.git(work, "rev-list", "--count", "HEAD"))
    ledger.fact(name, language=case.language, commit=case.commit, files=files, commits=commits)
    edited = max((path for path in work.rglob(f"*{case.ending}") if path.is_file()), key=str)
    with tempfile.TemporaryDirectory(dir="/tmp") as short, resident(Path(short) / "resident") as served:
        timed_tools = (*tools, served, git_grep(case.word), *starts())
        alternate(ledger, name, timed_tools, Asked(case.task, work, edited, place), runs)


def clone(bare: Path, commit: str, work: Path) -> int:
    """Make a work tree with its history, so that history is read, too; returns how many files it has."""
    trees.git(bare, "clone", "-q", "--shared", "--no-checkout", str(bare), str(work))
    files = trees.export(bare, commit, work)
    trees.git(work, "update-ref", "--no-deref", "HEAD", commit)
    trees.git(work, "read-tree", "HEAD")
    trees.git(work, "add", "-A")
    trees.git(work, "commit", "-q", "--allow-empty", "-m", "What was exported")
    settle(work)
    return files


def settle(work: Path) -> None:
    """Wait until files are older than git's index: git reads those as new as it at every look."""
    time.sleep(1.1)
    trees.git(work, "status")


@dataclass(frozen=True, slots=True)
class Asked:
    """A task over a tree, the file in it that is edited between two commands, and where caches are kept."""

    task: str
    tree: Path
    edited: Path
    caches: Path


def alternate(
    ledger: Ledger, row: str, tools: Sequence[Tool], asked: Asked, runs: int, most_s: float = float("inf")
) -> None:
    """Time every tool in every state, by turns; which goes first changes from run to run.

    A tool whose cold commands, or all others, took `most_s` together is not asked so again: on a large tree
    a figure may rest on a single run.
    """
    for run in range(runs):
        for tool in tools:
            if ledger.seconds(row, tool.name, "cold") < most_s:
                shutil.rmtree(asked.caches / tool.name, ignore_errors=True)
        order = tools if run % 2 == 0 else tools[::-1]
        for state in STATES:
            together = ("cold",) if state == "cold" else STATES[1:]
            due = [tool for tool in order if state in tool.states]
            due = [tool for tool in due if run == 0 or ledger.seconds(row, tool.name, *together) < most_s]
            if state == "edited":
                _edit(asked.edited, run)
            for tool in due:
                _ask(ledger, row, tool, state, asked)


def _ask(ledger: Ledger, row: str, tool: Tool, state: str, asked: Asked) -> None:
    cache = asked.caches / tool.name
    command, environment = tool.command(asked.task, asked.tree), tool.environment(cache)
    run = timed(command, environment)
    ledger.add(row, tool.name, state, replace(run, code=0) if run.code in tool.answers else run)
    if state == "cold" and cache.is_dir():
        size = sum(path.stat().st_size for path in cache.rglob("*") if path.is_file())
        ledger.fact(row, **{f"{tool.name}: index_bytes": size})


def _edit(path: Path, number: int) -> None:
    comment = "#" if path.suffix in (".py", ".rb", ".sh") else "//"
    path.write_bytes(path.read_bytes() + f"\n{comment} edit {number}\n".encode())
