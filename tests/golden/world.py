"""The golden repositories and their tasks: one TOML file a world under worlds/, with files, history and tasks.

about, language         what it is
history                 [[message, path, path …], …], oldest first
[files]                 path = content at the end of the history
[[task]]                name, kind, gold, not (files that would be a mistake), and one of
  text                  the task; `{{path@words}}` becomes the number of the one line of `path` with `words`
  change                [[path, old, new], …]: the task is this change as a diff, `message` above it
"""

import difflib
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.worlds.history import commit_all
from zeroin.query.diff import parse_diff
from zeroin.types import Task

WORLDS = Path(__file__).parent / "worlds"
KINDS = ("bug_trace", "bug", "feature", "refactor", "docs", "config", "question", "symbol", "diff")
_LINE = re.compile(r"\{\{([^@{}]+)@([^{}]+)\}\}")


@dataclass(frozen=True, slots=True)
class Golden:
    """One task with its gold files; `changed` are the files of a diff, which are no answer to it."""

    id: str
    kind: str
    task: str | Task
    gold: frozenset[str]
    unwanted: frozenset[str]
    changed: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class World:
    """One repository: content by path, commits (message, paths) oldest first, and what is asked of it."""

    name: str
    language: str
    files: Mapping[str, str]
    history: tuple[tuple[str, tuple[str, ...]], ...]
    tasks: tuple[Golden, ...]

    def build(self, folder: Path) -> Path:
        """The repository, as a work tree in `folder`."""
        commit_all(folder, self.files, self.history)
        return folder


def worlds() -> tuple[World, ...]:
    """Every world, by name."""
    return tuple(_world(path) for path in sorted(WORLDS.glob("*.toml")))


def _world(path: Path) -> World:
    told = tomllib.loads(path.read_text(encoding="utf-8"))
    files: dict[str, str] = told["files"]
    history = tuple((message.strip(), tuple(paths)) for message, *paths in told["history"])
    tasks = tuple(_golden(path.stem, row, files) for row in told["task"])
    return World(path.stem, told["language"], files, history, tasks)


def _golden(world: str, row: Mapping[str, Any], files: Mapping[str, str]) -> Golden:
    changes: list[list[str]] = row.get("change", [])
    task: str | Task = _LINE.sub(lambda found: _line(files, *found.groups()), row.get("text", "")).strip()
    if changes:
        diff = parse_diff(row["message"] + "\n\n" + "".join(_diff(files, *change) for change in changes))
        task = Task(row["message"], purpose="review", diff=diff)
    return Golden(
        id=f"{world}/{row['name']}",
        kind=row["kind"],
        task=task,
        gold=frozenset(row["gold"]),
        unwanted=frozenset(row.get("not", ())),
        changed=frozenset(path for path, _, _ in changes),
    )


def _line(files: Mapping[str, str], path: str, words: str) -> str:
    found = [n for n, line in enumerate(files[path].split("\n"), start=1) if words in line]
    if len(found) != 1:
        raise ValueError(f"{path} has {words!r} on {len(found)} lines")
    return str(found[0])


def _diff(files: Mapping[str, str], path: str, old: str, new: str) -> str:
    before = files[path]
    if before.count(old) != 1:
        raise ValueError(f"{path} holds {old!r} {before.count(old)} times")
    lines = difflib.unified_diff(
        before.splitlines(keepends=True), before.replace(old, new).splitlines(keepends=True), f"a/{path}", f"b/{path}"
    )
    return f"diff --git a/{path} b/{path}\n" + "".join(lines)
