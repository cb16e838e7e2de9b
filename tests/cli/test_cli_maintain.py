"""`zeroin index` and `zeroin cache`."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.cli.conftest import Run, refused


def test_index_then_move_it(zeroin: Run, repo: Path, tmp_path: Path) -> None:
    out = tmp_path / "index.zeroin"
    first = zeroin("index", repo, "--export", out)
    assert first.returncode == 0, first.stderr
    assert b"7 files" in first.stdout and b"7 analysed, 0 known" in first.stdout
    assert b"0 analysed, 7 known" in zeroin("index", repo).stdout
    elsewhere = {"ZEROIN_CACHE_DIR": str(tmp_path / "other")}
    taken = zeroin("index", repo, "--import", out, **elsewhere)
    assert b"0 analysed, 7 known" in taken.stdout, taken.stderr
    assert zeroin("index", repo, "--rev", "HEAD~1", **elsewhere).returncode == 0
    (repo / "src/new.ts").write_text("export const fresh = 1;\n")
    assert b"with local changes: 1 analysed, 7 known" in zeroin("index", repo).stdout


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="links and pipes of POSIX")
def test_only_a_regular_file_is_replaced(zeroin: Run, repo: Path, tmp_path: Path) -> None:
    place = tmp_path / "place"
    place.mkdir()
    (place / "mine").write_text("mine")
    (place / "link").symlink_to("mine")
    (place / "dangling").symlink_to("nothing")
    (place / "loop").symlink_to("loop")
    (place / "folder").mkdir()
    os.mkfifo(place / "pipe")
    before = {path.name: path.lstat().st_mode for path in place.iterdir()}
    for name in set(before) - {"mine"}:
        assert refused(zeroin("index", repo, "--export", place / name)), name
    assert zeroin("index", repo, "--import", place / "pipe").returncode == 2
    assert {path.name: path.lstat().st_mode for path in place.iterdir()} == before
    assert (place / "mine").read_text() == "mine"
    assert zeroin("index", repo, "--export", place / "mine").returncode == 0
    assert (place / "mine").read_bytes()[:8] == b"ZEROINA1"
    assert {path.name for path in place.iterdir()} == set(before)


def test_index_of_bad_input(zeroin: Run, repo: Path, tmp_path: Path) -> None:
    (tmp_path / "rubbish").write_bytes(b"rubbish")
    for args in (
        ("index", tmp_path / "nowhere"),
        ("index", repo, "--import", "rubbish"),
        ("index", repo, "--rev", "no"),
    ):
        assert refused(zeroin(*args))


def test_cache(zeroin: Run, repo: Path) -> None:
    zeroin("index", repo)
    size = zeroin("cache").stdout.decode()
    assert "  repo-" in size and "kB  in " in size
    assert zeroin("cache", "--size", repo).stdout.decode() == size
    assert zeroin("cache", "--prune").stdout == b"removed 0 bytes\n"
    assert zeroin("cache", "--prune", "--max-mb", "0").stdout != b"removed 0 bytes\n"
    assert "repo-" not in zeroin("cache").stdout.decode()
    zeroin("index", repo)
    assert zeroin("cache", "--clear", repo).stdout != b"removed 0 bytes\n"
    zeroin("index", repo)
    assert zeroin("cache", "--clear").returncode == 0
    assert zeroin("cache").stdout.startswith(b"   0 bytes  in ")
    assert zeroin("cache", "--prune", repo).returncode == 2
