"""The cache as a whole."""

import os
from pathlib import Path

import pytest
from test_store import put

from zeroin.index import cache
from zeroin.index.cache import cache_size, clear, prune, usage
from zeroin.index.database import file_name
from zeroin.index.store import Store

DAY = 86_400


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "index_dir", lambda: tmp_path)


def fill(directory: Path, identity: str, count: int, *, used: float | None = None) -> Path:
    with Store.open(identity, directory=directory) as store:
        put(store, range(count))
        path = store.path_for("snapshot.bin")
        assert path is not None
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(bytes(10_000))
    file = directory / f"{file_name(identity)}.sqlite3"
    if used is not None:
        os.utime(file, (used, used))
    return file


def test_only_our_own_files_are_removed(tmp_path: Path) -> None:
    fill(tmp_path, "repo", 5)
    others = [tmp_path / n for n in ("mine.sqlite3", "notes.txt", ".x.tmp", "old.set-aside", "data.arrays/a.bin")]
    for path in others:
        path.parent.mkdir(exist_ok=True)
        path.write_text("mine")
    outside = tmp_path.parent / "outside"
    outside.mkdir(exist_ok=True)
    (outside / "keep").write_text("mine")
    (tmp_path / f"{file_name('gone')}.arrays").symlink_to(outside)
    clear()
    prune(0, 0)
    assert all(path.read_text() == "mine" for path in [*others, outside / "keep"])
    assert usage() == []


def test_prune_by_age_then_by_size(tmp_path: Path) -> None:
    now = 2_000_000_000.0
    for n, age in enumerate((1, 5, 40)):
        fill(tmp_path, f"r{n}", 10, used=now - age * DAY)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cache.time, "time", lambda: now)
        assert prune() == 0
        assert prune(max_age_days=30) > 0
        assert len(usage()) == 2
        prune(max_bytes=usage()[0].size)
        assert [u.name for u in usage()] == [file_name("r0")]
        prune(max_bytes=0)
        assert cache_size() == 0


def test_an_index_that_is_made_while_others_are_pruned_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(tmp_path, "old", 3)
    sweep = cache.sweep
    monkeypatch.setattr(cache, "sweep", lambda folder: (sweep(folder), fill(tmp_path, "new", 3)))
    prune(0)
    assert [u.name for u in usage()] == [file_name("new")]


def test_prune_sweeps_what_was_left_behind(tmp_path: Path) -> None:
    file = fill(tmp_path, "repo", 3)
    arrays = file.with_suffix(".arrays")
    aside = file.with_name(file.name + ".set-aside")
    aside.write_bytes(b"x" * 500)
    left = arrays / ".h.0123456789abcdef.zeroin-tmp"  # by a killed writer: nobody holds its lock
    left.write_bytes(b"x")
    os.utime(left, (1, 1))  # old enough where there are no locks
    orphan = tmp_path / f"{file_name('gone')}.arrays"
    orphan.mkdir()
    (orphan / "snapshot.bin").write_bytes(b"x")
    prune()
    assert not aside.exists()
    assert not left.exists()
    assert not orphan.exists()
    assert file.exists()


def test_size_usage_and_clear(tmp_path: Path) -> None:
    fill(tmp_path, "git:/a/one/.git", 20, used=1_000)
    fill(tmp_path, "git:/a/two/.git", 5, used=2_000)
    found = usage()
    assert [u.name.rpartition("-")[0] for u in found] == ["two", "one"]
    assert [u.used for u in found] == [2_000, 1_000]
    assert sum(u.size for u in found) == cache_size() > 20_000
    size = cache_size()
    assert clear() == size
    assert cache_size() == 0
