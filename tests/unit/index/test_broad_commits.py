"""Commits that touched most files of a tree are no evidence for any of them."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from zeroin.engine import Repository

FILES = [f"src/part{number}.py" for number in range(40)]


def commit(folder: Path, message: str, *paths: str) -> None:
    who = {f"GIT_{a}_{b}": "a@example.org" for a in ("AUTHOR", "COMMITTER") for b in ("NAME", "EMAIL")}
    for path in paths:
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text((file.read_text() if file.exists() else "") + f"# {message}\n")
    for command in (["add", "-A"], ["commit", "-q", "-m", message]):
        subprocess.run(["git", "-C", str(folder), *command], check=True, env={**os.environ, **who})


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ZEROIN_CACHE_DIR", str(tmp_path / "cache"))
    repo = tmp_path / "repo"
    subprocess.run(["git", "init", "-q", "-b", "main", str(repo)], check=True)
    commit(repo, "Import everything", *FILES)
    commit(repo, "Throttle requests", "src/part1.py", "src/part2.py")
    return repo


def touched(repo: Path) -> dict[str, int]:
    history = Repository.open(repo).opened.view.history
    assert history is not None
    return {history.subjects[c]: len(history.files_of(c)) for c in range(len(history))}


def test_an_import_says_nothing_of_its_files(folder: Path) -> None:
    assert touched(folder) == {"Throttle requests": 2, "Import everything": 0}


def test_a_change_of_a_small_tree_counts(folder: Path) -> None:
    commit(folder, "Name the parts", *FILES[:20])  # half of them
    commit(folder, "Number the parts", *FILES[:21])
    assert touched(folder)["Name the parts"] == 20 and touched(folder)["Number the parts"] == 0


def test_what_counts_is_the_tree_that_is_asked_about(folder: Path) -> None:
    commit(folder, "Write about it", *(f"docs/page{number}.md" for number in range(16)))
    assert touched(folder)["Write about it"] == 16
    assert touched(folder / "docs")["Write about it"] == 0
