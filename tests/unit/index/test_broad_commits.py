"""Commits that touched most files of a tree are no evidence for any of them."""

from pathlib import Path

import pytest

from tests.repositories import commit, repository
from zeroin.engine import Repository

FILES = [f"src/part{number}.py" for number in range(40)]


def touch(folder: Path, message: str, *paths: str) -> None:
    commit(folder, dict.fromkeys(paths, f"# {message}\n"), message)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    repo = repository(tmp_path / "repo")
    touch(repo, "Import everything", *FILES)
    touch(repo, "Throttle requests", "src/part1.py", "src/part2.py")
    return repo


def touched(repo: Path) -> dict[str, int]:
    history = Repository.open(repo).opened.view.history
    assert history is not None
    return {history.subjects[c]: len(history.files_of(c)) for c in range(len(history))}


def test_an_import_says_nothing_of_its_files(folder: Path) -> None:
    assert touched(folder) == {"Throttle requests": 2, "Import everything": 0}


def test_a_change_of_a_small_tree_counts(folder: Path) -> None:
    touch(folder, "Name the parts", *FILES[:20])  # half of them
    touch(folder, "Number the parts", *FILES[:21])
    assert touched(folder)["Name the parts"] == 20 and touched(folder)["Number the parts"] == 0


def test_what_counts_is_the_tree_that_is_asked_about(folder: Path) -> None:
    touch(folder, "Write about it", *(f"docs/page{number}.md" for number in range(16)))
    assert touched(folder)["Write about it"] == 16
    assert touched(folder / "docs")["Write about it"] == 0
