"""`zeroin doctor` where things are well, and where they are really broken."""

import json
import os
import re
import shutil
import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path

import jsonschema
import pytest

from tests.cli.conftest import Run
from tests.repositories import git

if sys.platform == "win32":
    pytest.skip("breaks things by POSIX means", allow_module_level=True)

from zeroin import engine, kept_indexes
from zeroin.cli.main import main
from zeroin.doctor import MACHINE, Finding, Result, examine, works
from zeroin.errors import InputError
from zeroin.install import texts

Said = Callable[..., tuple[int, str]]


@pytest.fixture(autouse=True)
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A home, a cache and a data directory of the test's own."""
    (tmp_path / "home").mkdir()
    for name, folder in (("HOME", "home"), ("ZEROIN_CACHE_DIR", "cache"), ("ZEROIN_DATA_DIR", "data")):
        monkeypatch.setenv(name, str(tmp_path / folder))
    for name in (
        "ZEROIN_RANKER",
        "ZEROIN_ENCODER",
        "ZEROIN_READER",
        "XDG_CONFIG_HOME",
        "XDG_STATE_HOME",
        "CLAUDE_CONFIG_DIR",
    ):
        monkeypatch.delenv(name, raising=False)


def test_a_data_directory_with_an_impossible_name_is_a_finding(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ZEROIN_DATA_DIR", str(tmp_path / ("x" * 300)))
    assert examine(".")


def look(name: str, path: Path | str = ".") -> Finding:
    """What is found of one thing; all else is examined, too, and must not fail."""
    return found_in(examine(path), name)


def run(name: str) -> Finding:
    """What one check of this machine finds."""
    found = next(check for _, known, check in MACHINE if known == name)()
    assert found is not None
    return found


def found_in(results: list[Result], name: str) -> Finding:
    return next(result.finding for result in results if result.name == name)


def shadowed(folder: Path) -> str:
    """A path of modules that begins with `folder`."""
    return os.pathsep.join(filter(None, [str(folder), os.environ.get("PYTHONPATH")]))


def unfolded(text: str) -> str:
    """The text with single blanks: a line is folded at the terminal's width, which a long path moves anywhere."""
    return " ".join(text.split())


@pytest.fixture
def said(capsys: pytest.CaptureFixture[str]) -> Said:
    """Runs the command line in this process: exit code, and what it wrote to stdout; nothing goes to stderr."""

    def run(*args: str | Path) -> tuple[int, str]:
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main([str(arg) for arg in args])
        out, err = capsys.readouterr()
        assert err == "" and isinstance(ended.value.code, int)
        return ended.value.code, out

    return run


# --- the command ------------------------------------------------------------------------------------


def test_all_is_well(zeroin: Run, said: Said, repo: Path) -> None:
    ran = zeroin("doctor", repo, fresh=True)
    text = unfolded(ran.stdout.decode())
    assert ran.returncode == 0, text
    for words in (
        "Machine",
        "20 of 20 languages are parsed",
        "5 files are what was shipped",
        "a git work tree at",
        "7 files",
    ):
        assert words in text
    assert "Everything that zeroin needs works" in text
    assert "\x1b" not in text
    again = json.loads(said("doctor", repo, "-f", "json")[1])
    jsonschema.validate(again, json.loads(said("schema", "doctor")[1]))
    assert again["works"] is True
    areas = {c["area"] for c in again["checks"]}
    assert areas == {"machine", "parts", "storage", "repository", "agents", "terminal"}
    assert all(c["state"] in ("ok", "warn", "bad") and c["text"] for c in again["checks"])
    assert all("\n" not in c["text"] + c["advice"] for c in again["checks"])


def test_without_git(said: Said, repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "empty").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    code, text = said("doctor", repo)
    assert code == 1
    assert "bad  git: not found on PATH" in text and "install git 2.31 or later" in unfolded(text)


@pytest.mark.parametrize("dot", [".", "", "bin"])
def test_programs_of_the_repository_are_not_run(zeroin: Run, repo: Path, tmp_path: Path, dot: str) -> None:
    mark = tmp_path / "mark"
    for folder in (tmp_path, repo, tmp_path / "bin"):
        folder.mkdir(exist_ok=True)
        for name in ("git", "zeroin", "claude", "code", "codex"):
            (folder / name).write_text(f"#!/bin/sh\necho $0 >> {mark}\n")
            (folder / name).chmod(0o755)
    path = f"{dot}{os.pathsep}{os.environ['PATH']}"
    for args in (("doctor", repo), ("doctor", "."), ("install", "claude", "--yes"), ("find", "token", repo)):
        assert zeroin(*args, PATH=path).returncode in (0, 1)
    assert not mark.exists(), mark.read_text()


@pytest.mark.parametrize(
    ("name", "script", "state", "text", "advice"),
    [
        ("git", "echo git version 2.25.1", "bad", "2.25.1 at", "install git 2.31 or later"),
        ("git", "exit 3", "bad", "does not run", "install git 2.31 or later"),
        ("git", "echo hello", "bad", "does not say its version", "install git 2.31 or later"),
        ("zeroin", "echo zeroin 0.0.1", "warn", "but 0.0.1 is on PATH", "upgrade it"),
        ("zeroin", "exit 1", "warn", "one that does not run is on PATH", "upgrade it"),
    ],
)
def test_programs_on_the_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, script: str, state: str, text: str, advice: str
) -> None:
    program = tmp_path / "bin" / name
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    found = run(name)
    assert found.state == state and text in found.text and advice in found.advice


def test_a_user_without_a_home(repo: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def nowhere() -> Path:
        raise RuntimeError("Could not determine home directory.")

    for name in ("ZEROIN_CACHE_DIR", "ZEROIN_DATA_DIR", "XDG_CACHE_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", staticmethod(nowhere))
    found = examine(repo)
    cache = found_in(found, "cache")
    assert cache.state == "bad" and "ZEROIN_CACHE_DIR" in cache.advice
    with pytest.raises(SystemExit) as ended:
        main(["token expiry", str(repo)])
    assert ended.value.code == 2
    assert "no home folder" in capsys.readouterr().err


def test_a_library_that_cannot_be_loaded(zeroin: Run, repo: Path, tmp_path: Path) -> None:
    (tmp_path / "shadow").mkdir()
    (tmp_path / "shadow" / "tree_sitter.py").write_text("raise ImportError('built for another machine')\n")
    ran = zeroin("doctor", repo, PYTHONPATH=shadowed(tmp_path / "shadow"), fresh=True)
    assert ran.returncode == 1 and ran.stdout == b""
    assert ran.stderr.startswith(b"zeroin: a library cannot be loaded: built for another machine; pip install")


def test_no_folder(said: Said, tmp_path: Path) -> None:
    code, text = said("doctor", tmp_path / "nowhere")
    assert code == 1 and "does not exist" in unfolded(text)


# --- what it looks at -------------------------------------------------------------------------------


def test_nothing_is_written(repo: Path, tmp_path: Path) -> None:
    before = sorted(path for path in tmp_path.rglob("*") if ".git/" not in str(path))
    assert works(examine(repo))
    assert sorted(path for path in tmp_path.rglob("*") if ".git/" not in str(path)) == before


def test_a_cache_that_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("in the way")
    found = run("cache")
    assert found.state == "bad" and "is no folder" in found.text and "ZEROIN_CACHE_DIR" in found.advice


@pytest.mark.parametrize(("name", "mode"), [("cache", 0o500), ("kind", 0o000)])
def test_a_folder_that_gives_no_rights(tmp_path: Path, name: str, mode: int) -> None:
    """Asked as another user where root asks, who may do anything anywhere."""
    folder = tmp_path / "cache"
    folder.mkdir()

    def is_bad() -> bool:
        return (run(name) if name == "cache" else look(name, folder / "below")).state == "bad"

    assert name == "cache" or is_bad()  # loads what another user may not
    folder.chmod(mode)
    if os.geteuid() != 0:
        assert is_bad()
        return
    child = os.fork()
    if child == 0:
        code = 3
        try:
            for above in folder.parents[:-1]:
                above.chmod(above.stat().st_mode | 0o005)
            os.setuid(65534)
            code = 0 if is_bad() else 1
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_the_cache_is_counted(repo: Path, tmp_path: Path) -> None:
    kept_indexes.build_index(repo)
    (tmp_path / "cache" / "runs").mkdir(exist_ok=True)
    (tmp_path / "cache" / "runs" / "r-0123456789.json").write_text("{}")
    found = run("cache")
    assert found.state == "ok" and re.search(r"cache: 1 repository in [\d.]+ kB, 1 run$", found.text)


def test_set_aside_files_are_counted(repo: Path, tmp_path: Path) -> None:
    kept_indexes.build_index(repo)
    (file,) = (tmp_path / "cache" / "index").glob("*.sqlite3")
    file.rename(file.with_name(file.name + ".set-aside"))
    found = run("cache")
    assert found.state == "warn" and "1 damaged indexes set aside" in found.text
    assert "--prune" in found.advice


def test_little_space(monkeypatch: pytest.MonkeyPatch) -> None:
    class Little:
        free = 1_000_000

    monkeypatch.setattr(shutil, "disk_usage", lambda _: Little)
    assert run("disk").state == "warn"


def test_how_far_the_index_is(repo: Path) -> None:
    assert look("index", repo).text == "none yet: the first question builds it"
    kept_indexes.build_index(repo)
    assert look("index", repo).text.startswith("7 of 7 committed files known")
    (repo / "src/new.ts").write_text("export const added = 1;\n")
    git(repo, "add", "-A")
    git(repo, "commit", "-q", "-m", "One more")
    (repo / "src/later.ts").write_text("export const later = 1;\n")
    found = look("index", repo)
    assert found.text.startswith("7 of 8 committed files known") and "; 1 changed or not committed" in found.text
    assert f"zeroin index {repo}" in found.advice


def test_a_damaged_index(repo: Path, tmp_path: Path) -> None:
    kept_indexes.build_index(repo)
    (file,) = (tmp_path / "cache" / "index").glob("*.sqlite3")
    whole = file.read_bytes()
    for data in (b"garbage" * 1000, whole[:100] + b"\xff" * (len(whole) - 100)):
        file.write_bytes(data)
        found = look("index", repo)
        assert found.state == "warn" and found.text.startswith("damaged"), found
        assert file.read_bytes() == data  # nothing is repaired here
    engine.retrieve("token expiry", repo)  # what was advised: asking builds it anew
    assert look("index", repo).text.startswith("7 of 7")


def test_an_index_of_another_version(repo: Path, tmp_path: Path) -> None:
    kept_indexes.build_index(repo)
    (file,) = (tmp_path / "cache" / "index").glob("*.sqlite3")
    connection = sqlite3.connect(file)
    connection.execute("PRAGMA user_version = 2000000000")
    connection.close()
    found = look("index", repo)
    assert found.state == "warn" and "another version" in found.text


def test_a_shallow_clone(repo: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--depth", "1", f"file://{repo}", "shallow")
    found = look("history", tmp_path / "shallow")
    assert found.state == "warn" and found.text == "a shallow clone, commits: 1"
    assert "git fetch --unshallow" in found.advice
    assert not any(result.name == "history" for result in examine(repo))


def test_a_partial_clone(repo: Path, tmp_path: Path) -> None:
    git(repo, "config", "uploadpack.allowFilter", "true")
    git(tmp_path, "clone", "-q", "--filter=blob:none", f"file://{repo}", "partial")
    found = look("history", tmp_path / "partial")
    assert found.state == "warn" and "fetches nothing" in found.text


@pytest.mark.parametrize("bare", [False, True])
def test_kinds(repo: Path, tmp_path: Path, bare: bool) -> None:
    if bare:
        git(tmp_path, "clone", "-q", "--bare", str(repo), "bare.git")
        assert "a bare repository at" in look("kind", tmp_path / "bare.git").text
        return
    assert ", folder src/auth" in look("kind", repo / "src/auth").text
    shutil.rmtree(repo / ".git")
    assert "a plain folder" in look("kind", repo).text


def test_without_a_commit_and_without_a_file(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "new")
    found = examine(tmp_path / "new")
    assert "without a commit" in found_in(found, "kind").text
    files = found_in(found, "files")
    assert files.state == "warn" and "nothing to search" in files.advice


def test_a_broken_git_directory(repo: Path) -> None:
    (repo / ".git" / "config").write_text("[core\n")
    found = look("kind", repo)
    assert found.state == "bad" and "config" in found.text and found.advice
    (repo / ".git" / "HEAD").unlink()
    (repo / ".git" / "config").unlink()
    found = look("kind", repo)
    assert found.state == "warn" and "does not take its .git for a repository" in found.text


def test_another_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine.npz").write_bytes(b"not a model")
    monkeypatch.setenv("ZEROIN_RANKER", str(tmp_path / "mine.npz"))
    found = run("models")
    assert found.state == "bad" and "not a ranker" in found.text and "unset" in found.advice


def test_a_missing_grammar(zeroin: Run, repo: Path, tmp_path: Path) -> None:
    (tmp_path / "shadow").mkdir()
    (tmp_path / "shadow" / "tree_sitter_rust.py").write_text("raise ImportError('built for another machine')\n")
    ran = zeroin("doctor", repo, PYTHONPATH=shadowed(tmp_path / "shadow"))
    assert ran.returncode == 0
    assert "19 of 20 languages are parsed; not rust" in unfolded(ran.stdout.decode())


# --- coding agents ----------------------------------------------------------------------------------


def test_agents(repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not any(result.name == "cursor" for result in examine(repo))
    (tmp_path / "home" / ".cursor").mkdir()
    found = look("cursor", repo)
    assert found.state == "ok" and "not installed in it" in found.text
    assert found.advice == "zeroin install cursor"
    with pytest.raises(SystemExit) as ended:
        main(["install", "cursor", "--yes"])
    assert ended.value.code == 0
    found = look("cursor", repo)
    assert "mcp" in found.text and "missing" not in found.text, found
    monkeypatch.setattr(texts, "skill", lambda: {"SKILL.md": "---\nname: zeroin\n---\nA later version.\n"})
    found = look("cursor", repo)
    assert found.state == "warn" and "skill stale" in found.text
    assert found.advice == "zeroin install cursor brings it up to date"
    (tmp_path / "home" / ".cursor" / "mcp.json").write_text("{ not json")
    found = look("cursor", repo)
    assert found.state == "warn" and "mcp.json" in found.text and "zeroin install cursor" in found.advice


def test_files_of_agents_that_are_no_files(repo: Path, tmp_path: Path) -> None:
    folder = tmp_path / "home" / ".cursor"
    folder.mkdir()
    (folder / "mcp.json").symlink_to("mcp.json")
    (repo / ".cursor").symlink_to(".cursor")
    found = look("cursor", repo)
    assert found.state == "warn" and "mcp.json" in found.text
    (folder / "mcp.json").unlink()
    os.mkfifo(folder / "mcp.json")
    found = look("cursor", repo)
    assert found.state == "warn" and "no regular file" in found.text


def test_what_is_no_path_is_named() -> None:
    with pytest.raises(InputError, match="the path must be a text or a Path, not 5"):
        examine(5)  # type: ignore[arg-type]
