"""Runs on disk: bounded, readable by their owner alone, and never in the way of an answer."""

import os
import stat
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from zeroin.config import Options
from zeroin.errors import SessionError
from zeroin.sessions import store
from zeroin.sessions.record import SessionRecord
from zeroin.tree import TreeState
from zeroin.types import Task

SESSION = SessionRecord("/repo", "git:/repo", Task("Fix the limit", "fix"), Options(), TreeState("", "t" * 64, True))


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ZEROIN_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


def numbered(number: int, identity: str = "git:/repo") -> SessionRecord:
    return replace(SESSION, task=Task(f"task {number}", "fix"), identity=identity, at=number)


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX permissions")
def test_only_its_owner_may_read_it(cache: Path) -> None:
    store.keep(SESSION)
    assert stat.S_IMODE((cache / "runs").stat().st_mode) & 0o077 == 0
    assert stat.S_IMODE((cache / "runs" / f"{SESSION.id}.json").stat().st_mode) & 0o077 == 0


def test_the_oldest_go_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "MAX_SESSIONS", 5)
    runs = [numbered(n) for n in range(9)]
    for number, run in enumerate(runs):
        store.keep(run)
        os.utime(store.sessions_dir() / f"{run.id}.json", (number, number))
    kept = {run.id for run in store.newest()[0]}
    assert runs[-1].id in kept and runs[0].id not in kept and len(kept) <= 5
    assert not list(store.sessions_dir().glob(".*"))


def test_a_session_is_kept_though_all_others_are_dated_later(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "MAX_SESSIONS", 3)
    for number in range(3):
        store.keep(numbered(number))
        os.utime(store.sessions_dir() / f"{numbered(number).id}.json", (4e9, 4e9))
    assert store.keep(numbered(9)) and store.load(numbered(9).id).at == 9
    assert len(store.newest()[0]) == 3


def test_a_folder_that_cannot_be_looked_at_holds_none(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ZEROIN_CACHE_DIR", str(tmp_path / ("x" * 300)))
    assert not store.keep(SESSION) and store.newest() == ([], 0)


@pytest.mark.parametrize("name", ["../../etc/passwd", "r-0", "", "r-ZZZZZZZZZZ", "r-0123456789/..", "R-0123456789"])
def test_a_name_is_no_path(name: str) -> None:
    with pytest.raises(SessionError, match="is no run"):
        store.load(name)


@pytest.mark.parametrize("raw", [b"", b"{", b"[1]", b'"text"', b'{"\\udcff": 1}', b"\xff\xfe", b"[" * 100_000])
def test_a_damaged_run_is_an_error_of_its_own(raw: bytes) -> None:
    store.keep(SESSION)
    (store.sessions_dir() / f"{SESSION.id}.json").write_bytes(raw)
    with pytest.raises(SessionError):
        store.load(SESSION.id)
    assert store.newest()[0] == []


def test_where_nothing_can_be_kept_nothing_fails(cache: Path) -> None:
    cache.mkdir()
    (cache / "runs").write_text("in the way")
    assert not store.keep(SESSION)
    assert store.newest()[0] == [] and store.forget() == 0


def test_a_task_too_long_is_not_kept() -> None:
    assert not store.keep(replace(SESSION, task=Task("x" * (store.MAX_BYTES + 1), "fix")))


def test_a_run_under_anothers_name_is_none() -> None:
    store.keep(SESSION)
    other = "r-0123456789"
    (store.sessions_dir() / f"{SESSION.id}.json").rename(store.sessions_dir() / f"{other}.json")
    with pytest.raises(SessionError, match="damaged"):
        store.load(other)


def test_forgetting_one_repository_leaves_the_others() -> None:
    for number in range(3):
        store.keep(numbered(number, "git:/a"))
    store.keep(numbered(9, "git:/b"))
    assert store.forget("git:/a") == 3
    assert [run.identity for run in store.newest()[0]] == ["git:/b"]
    assert store.forget() == 1
