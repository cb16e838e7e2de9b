"""The tables of docs/SOURCES.md on several repositories in one question."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.markdown import table

RESULTS = Path(__file__).resolve().parent / "results"


def _load(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((RESULTS / name).read_text(encoding="utf-8"))
    return found


def workspace() -> str:
    """Issues asked of their own repository alone, and of that one among others."""
    found = _load("workspace.json")["summary"]
    rows = []
    for way, figures in found.items():
        if way == "tasks":
            continue
        rows.append(
            [
                "its own alone" if way == "alone" else f"{way} repositories",
                f"{figures['files']:,.0f}" if "files" in figures else "",
                *(f"{figures[key]:.1f}" if key in figures else "" for key in ("@1", "@5", "first", "searched")),
                f"{figures['cpu']:.2f}",
            ]
        )
    head = (f"issues, {found['tasks']}, asked of", "files", "right file first, %", "among five")
    return table((*head, "first file in the right repository", "that was searched", "processor s"), rows)


def workspace_time() -> str:
    """Whole commands over ten repositories beside one of all their files."""
    found = _load("workspace-time.json")
    one, several = "one repository", f"{found['members']} repositories"
    rows = [
        [f"{state}, {label}", *(f"{found[way][state][figure]:,.2f}" for way in (one, several)), f"{ratio[figure]:.2f}"]
        for state, ratio in found["ratio"].items()
        for label, figure in (("wall s", "wall_s"), ("processor s", "cpu_s"), ("memory MB", "memory_mb"))
    ]
    return table((f"{found['files']:,} files, {found['runs']} runs by turns", one, several, "ratio"), rows)


TABLES: dict[str, Callable[[], str]] = {made.__name__: made for made in (workspace, workspace_time)}
