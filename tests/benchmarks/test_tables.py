"""The tables of the pages are those of the result files; none of the real worlds was trained on."""

import json
from pathlib import Path
from typing import Any

from benchmarks import tables
from benchmarks.checkout import is_inside
from benchmarks.vocabulary import TASKS, read_tasks
from benchmarks.worlds import REAL
from training.held_out import refuse

ROOT = Path(__file__).resolve().parents[2]


def test_no_world_was_trained_on() -> None:
    rows: list[dict[str, Any]] = read_tasks(REAL)
    repos = {row["repo"].lower() for row in rows}
    assert len(repos) == len(rows) == 6
    refuse(sorted(repos))  # nor is any kept for the final measurement
    for name in ("repositories.json", "encoder_repositories.json"):
        listed = json.loads((ROOT / "training" / name).read_text())["repositories"]
        assert not repos & {repo.lower() for repo in listed}, name
    assert not repos & {row["repo"].lower() for row in read_tasks(TASKS)}
    for row in rows:
        assert 1 <= len(row["expect_files"]) <= 4 and len(row["decoys"]) <= 3
        assert not set(row["expect_files"]) & set(row["decoys"])


def test_pages_show_what_was_measured() -> None:
    """Where they do not: python -m benchmarks.tables"""
    stale = [name for name, text in tables.wanted().items() if not (tables.ROOT / name).exists() or _read(name) != text]
    assert stale == []


def test_every_table_is_shown_once() -> None:
    shown = [name for page in tables.PAGES for _, name in tables.marks(_read(page))]
    assert sorted(shown) == sorted(tables.TABLES)


def _read(name: str) -> str:
    return (tables.ROOT / name).read_text(encoding="utf-8")


def test_no_path_leaves_the_folder() -> None:
    assert is_inside("src/..a/b.py")
    assert not any(is_inside(path) for path in ("../a", "a/../../b", "/etc/passwd", ".git/hooks/x", "a/.GIT/config"))
