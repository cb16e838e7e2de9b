"""Moves of refs that are seen without git: a stamp differs after them, and after nothing else."""

from pathlib import Path

import pytest

from tests.repositories import git, repository
from zeroin.corpus.stamp import stamp_of


@pytest.fixture
def bare(tmp_path: Path) -> tuple[Path, Path]:
    """A bare repository with a branch and a tag, and a clone that pushes to it."""
    repository(tmp_path / "clone", {"a.py": "x = 1\n"}, "Begin")
    git(tmp_path / "clone", "tag", "v1")
    git(tmp_path / "clone", "branch", "side")
    git(tmp_path, "clone", "-q", "--bare", "clone", "news.git")
    git(tmp_path / "clone", "remote", "add", "origin", "../news.git")
    return tmp_path / "news.git", tmp_path / "clone"


def commit(clone: Path) -> None:
    (clone / "a.py").write_text((clone / "a.py").read_text() + "y = 2\n")
    git(clone, "commit", "-qam", "Go on")


@pytest.mark.parametrize("rev", [None, "HEAD", "main", "refs/heads/main", "main~0", "@"])
@pytest.mark.parametrize("packed", [False, True])
def test_a_push_is_seen(bare: tuple[Path, Path], rev: str | None, packed: bool) -> None:
    place, clone = bare
    if packed:
        git(place, "pack-refs", "--all")
    before = stamp_of(place, rev)
    assert before and stamp_of(place, rev) == before
    commit(clone)
    assert stamp_of(place, rev) == before
    git(clone, "push", "-q", "origin", "HEAD:main")
    after = stamp_of(place, rev)
    assert after != before
    git(clone, "push", "-q", "origin", "HEAD:refs/heads/another")
    assert stamp_of(place, rev) == after


def test_other_names_are_seen(bare: tuple[Path, Path]) -> None:
    place, clone = bare
    tag, side, remote = stamp_of(place, "v1"), stamp_of(place, "side"), stamp_of(clone, "origin/main")
    head = stamp_of(place, None)
    commit(clone)
    git(clone, "tag", "-f", "v1")
    git(clone, "push", "-q", "-f", "--tags", "origin", "HEAD:main", "HEAD:side")
    assert stamp_of(place, "v1") != tag and stamp_of(place, "side") != side
    assert stamp_of(clone, "origin/main") != remote
    before = stamp_of(place, None)
    assert before != head
    git(place, "symbolic-ref", "HEAD", "refs/heads/side")
    assert stamp_of(place, None) != before


def test_a_commit_in_a_work_tree_is_seen(bare: tuple[Path, Path]) -> None:
    _, clone = bare
    before = stamp_of(clone, None)
    commit(clone)
    assert stamp_of(clone, None) != before


def test_where_it_cannot_be_told(bare: tuple[Path, Path], tmp_path: Path) -> None:
    place, clone = bare
    (clone / "below").mkdir()
    git(clone, "worktree", "add", "-q", "../linked")
    assert stamp_of(place, "a" * 40) == stamp_of(clone / "below", None) == stamp_of(tmp_path / "gone", None) == ()
    assert stamp_of(tmp_path / "linked", None) == ()
