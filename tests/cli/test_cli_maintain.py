"""`zeroin index` and `zeroin cache`."""

import subprocess
from pathlib import Path

from tests.cli.conftest import Run, refused


def test_index_then_move_it(zeroin: Run, repo: Path, tmp_path: Path) -> None:
    out = tmp_path / "facts"
    first = zeroin("index", repo, "--export", out)
    assert first.returncode == 0, first.stderr
    assert b"7 files" in first.stdout and b"7 analysed, 0 known" in first.stdout
    assert f"\n7 facts are new in {out}\n".encode() in first.stdout
    assert b"0 analysed, 7 known" in zeroin("index", repo).stdout
    elsewhere = {"ZEROIN_CACHE_DIR": str(tmp_path / "other")}
    taken = zeroin("index", repo, "--import", out, **elsewhere)
    assert b"0 analysed, 7 known" in taken.stdout, taken.stderr
    assert zeroin("index", repo, "--rev", "HEAD~1", **elsewhere).returncode == 0
    (repo / "src/new.ts").write_text("export const fresh = 1;\n")
    assert b"with local changes: 1 analysed, 7 known" in zeroin("index", repo).stdout


def test_what_is_no_place_of_facts_is_left_alone(zeroin: Run, repo: Path, tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("mine")
    zeroin("index", repo)
    said = "no facts can be kept in mine: Not a directory\n"
    assert said in failed(zeroin("index", repo, "--export", "mine"))
    for empty in ("--export", "--import"):
        assert "need a PLACE" in refused(zeroin("index", repo, empty, ""))
    assert (tmp_path / "mine").read_text() == "mine"
    no_cache = {"ZEROIN_CACHE_DIR": str(tmp_path / "mine")}  # one line, though there is more to say
    assert failed(zeroin("index", repo, "--export", "mine", **no_cache)).count("\n") == 1
    for number, wrong in enumerate(("mine", "nowhere", "ftp2://x/y")):
        done = zeroin("index", repo, "--import", wrong, ZEROIN_CACHE_DIR=str(tmp_path / str(number)))
        assert (done.returncode, done.stderr.count(b"\n")) == (0, 1), done.stderr
        assert b"7 analysed" in done.stdout and b"Errno" not in done.stderr


def failed(done: subprocess.CompletedProcess[bytes]) -> str:
    assert done.returncode == 2
    return done.stderr.decode()


def test_index_of_bad_input(zeroin: Run, repo: Path, tmp_path: Path) -> None:
    for args in (("index", tmp_path / "nowhere"), ("index", repo, "--rev", "no")):
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
    assert zeroin("cache", "--prune", "--max-mb", "1e308").stdout == b"removed 0 bytes\n"
    for args in (("--clear", "--prune"), ("--max-mb", "1"), ("--clear", "--max-age-days", "1")):
        assert "--prune" in refused(zeroin("cache", *args))
    for number in ("nan", "inf"):
        assert f"'{number}' is no number" in refused(zeroin("cache", "--prune", "--max-mb", number))
