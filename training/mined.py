"""Mined tasks: the rows that `training.mine` writes and everything else in `training` reads."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

Ranges = tuple[tuple[int, int], ...]
Sort = Literal["change", "young", "subtree", "absent"]


@dataclass(frozen=True, slots=True)
class Mined:
    """A change as a task: `task` is asked at `commit`, the parent of `change`.

    `gold` are edited files, `tests` edited tests (both exist at `commit`), `added` the files the change adds.
    `lines` are 1-based inclusive ranges of the parent's gold files that the patch replaces; an insertion is the
    line that it follows, at least 1. Below `root` alone is looked, everywhere where it is "".

    `sort` says how the task was found: among all changes, among those of a small tree (`young`), as one whose answer
    lies in one folder (`subtree`, with `root`), or in another project (`absent`: nothing answers it here, no `change`).
    """

    id: str
    repo: str
    change: str
    commit: str
    language: str
    task: str
    gold: tuple[str, ...]
    tests: tuple[str, ...]
    added: tuple[str, ...]
    lines: Mapping[str, Ranges]
    root: str = ""
    sort: Sort = "change"

    def row(self) -> dict[str, Any]:
        """The row as it is written, one JSON object a line; `root` and `sort` where they are not the default."""
        row: dict[str, Any] = {
            "id": self.id,
            "repo": self.repo,
            "change": self.change,
            "commit": self.commit,
            "language": self.language,
            "task": self.task,
            "gold": list(self.gold),
            "tests": list(self.tests),
            "added": list(self.added),
            "lines": {path: [list(pair) for pair in pairs] for path, pairs in self.lines.items()},
        }
        if self.root:
            row["root"] = self.root
        return row if self.sort == "change" else row | {"sort": self.sort}


def read_mined(path: Path) -> list[Mined]:
    """Tasks of a file that `training.mine` wrote, in its order."""
    with path.open(encoding="utf-8") as file:
        return [_mined(json.loads(line)) for line in file if line.strip()]


def groups(repositories: Path) -> dict[str, str]:
    """Repository → the group it is split by, from the pinned list: forks of one project are one group."""
    listed: Mapping[str, Mapping[str, Any]] = json.loads(repositories.read_text(encoding="utf-8"))["repositories"]
    return {name: str(row.get("group", name)) for name, row in listed.items()}


def _mined(row: Mapping[str, Any]) -> Mined:
    return Mined(
        id=row["id"],
        repo=row["repo"],
        change=row["change"],
        commit=row["commit"],
        language=row["language"],
        task=row["task"],
        gold=tuple(row["gold"]),
        tests=tuple(row["tests"]),
        added=tuple(row["added"]),
        lines={path: tuple((a, b) for a, b in pairs) for path, pairs in row["lines"].items()},
        root=row.get("root", ""),
        sort=row.get("sort", "change"),
    )
