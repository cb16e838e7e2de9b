"""What one sees first: of several repositories in several languages, in every form that people and agents read."""

import json
import re
from pathlib import Path

import pytest

from tests.cli.conftest import build_environment
from tests.ready_process import ReadyProcess
from tests.repositories import repository
from tests.worlds.history import build_world

ROOT = Path(__file__).resolve().parents[2]
WORLDS = {path.stem: json.loads(path.read_text()) for path in sorted((ROOT / "tests/worlds").glob("*.json"))}
TASKS = [(name, about["task"]) for name, about in WORLDS.items()]
ROWS, COLUMNS, EXPLAINED = 24, 100, 60
CODE_FROM, SHORT = 0.12, 3_000  # of the characters; an answer of fewer is all on one screen or two


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Every world as a git repository with its history."""
    folder = tmp_path_factory.mktemp("screens")
    for name, about in WORLDS.items():
        build_world(about, folder / name)
    return folder


@pytest.fixture
def ask(place: Path, ready: ReadyProcess):  # type: ignore[no-untyped-def]
    environment = build_environment(place)

    def run(name: str, task: str, *args: str, code: int = 0) -> str:
        done = ready.run([task, str(place / name), *args], cwd=place, env=environment, stdin=b"")
        assert done.returncode == code, done.stderr.decode()
        return str(done.stdout.decode())

    return run


def listed(ask, name: str, task: str) -> dict:  # type: ignore[no-untyped-def,type-arg]
    return dict(json.loads(ask(name, task, "-f", "json", "--always-loop")))


@pytest.mark.parametrize(("name", "task"), TASKS)
def test_the_first_screen_of_the_table(ask, name: str, task: str) -> None:  # type: ignore[no-untyped-def]
    rows = ask(name, task, "--always-loop").splitlines()
    answer = listed(ask, name, task)
    assert max(map(len, rows)) <= COLUMNS
    screen = rows[:ROWS]
    heads = [row for row in screen if re.match(r"\d\.\d\d ", row)]
    files = answer["files"] + answer["supporting"]
    assert len(heads) == len(files) or any(row.startswith("and ") for row in screen)
    for row, file in zip(heads, files, strict=False):
        assert file["path"] in row
        below = [row.strip() for row in screen[screen.index(row) + 1 : screen.index(row) + 3]]
        told = " ".join([row, *below]).partition(file["path"])[2]
        assert re.match(r" (\(\w+\) )?( lines)? ?\d+(-\d+)?\b", told), "lines to read"
        reason = file["reasons"][0]["text"] if file["reasons"] else "no single reason stands out"
        assert " ".join(reason.split()[:3]) in told
    labels = [row.split(" ")[0] for row in screen]
    assert labels.count("missing") == 1
    assert labels.count("words") == any(term["certainty"] != "guess" for term in answer["terminology"])
    assert any("; stopped: " in row for row in screen)


@pytest.mark.parametrize(("name", "task"), TASKS)
def test_the_code_begins_early_in_markdown(ask, name: str, task: str) -> None:  # type: ignore[no-untyped-def]
    text = ask(name, task, "--always-loop", "-f", "markdown")
    assert text.index("\n```") <= CODE_FROM * max(SHORT, len(text))
    head = text[: text.index("\n## Code\n")]
    assert len(head.splitlines()) <= ROWS
    assert head.startswith("| File | Relevance | Reason | Lines |") and "\nMissing: " in head
    for heading in ("Gaps", "Terminology", "Patterns", "Tests to run", "Documents", "How it ended"):
        assert f"## {heading}" not in head


@pytest.mark.parametrize(("name", "task"), TASKS)
def test_what_is_explained_is_short_and_said_once(ask, name: str, task: str) -> None:  # type: ignore[no-untyped-def]
    rows = ask(name, task, "--always-loop", "--explain").splitlines()
    assert len(rows) <= EXPLAINED
    explained = [row for row in rows[rows.index(next(r for r in rows if r.startswith("Cycle 1"))) :] if row]
    assert len(explained) == len(set(explained))
    assert any(row.startswith("Stopped: ") for row in explained)


@pytest.mark.parametrize("task", ["purple elephants dance on the quantum moon", "asdf qwer zxcv"])
@pytest.mark.parametrize("name", ["go_retry", "python_undo"])
def test_nonsense_says_so_and_ends_with_1(ask, name: str, task: str) -> None:  # type: ignore[no-untyped-def]
    said = "Nothing is sure: no file reaches relevance 0.2; "
    for form in ("table", "markdown"):
        assert ask(name, task, "-f", form, code=1).startswith(said)
    assert "No file found" not in ask(name, task, code=1)


def test_an_empty_folder_is_said(ready: ReadyProcess, tmp_path: Path) -> None:
    environment = build_environment(tmp_path)
    (tmp_path / "empty").mkdir()
    done = ready.run(["fix it", "empty", "-f", "markdown"], cwd=tmp_path, env=environment, stdin=b"")
    assert done.returncode == 1
    assert f"there is no file to search in {tmp_path / 'empty'}" in done.stderr.decode()
    assert "| File |" not in done.stdout.decode() and b"fits the budget" not in done.stdout + done.stderr


def test_where_only_other_repositories_lie_they_are_named(ready: ReadyProcess, tmp_path: Path) -> None:
    environment = build_environment(tmp_path)
    home = repository(tmp_path / "home", {"notes.md": "# Notes\n"}, "Start")
    for name in ("till", "shelf"):
        repository(home / "src" / name, {"basket.py": "def basket():\n    return 1\n"}, "Start")
    done = ready.run(["where is the basket", "home/src", "-f", "json"], cwd=tmp_path, env=environment, stdin=b"")
    assert done.returncode == 1
    said = f"there is no file to search in {home / 'src'} but other repositories; name them: shelf till"
    assert json.loads(done.stdout)["warnings"] == [said]
