"""Tasks of small trees, of single folders and without an answer, from real repositories."""

import json
from pathlib import Path

import pytest
from written_repository import Repo

from training import young
from training.mined import Mined, read_mined
from training.usefulness import patch_of
from training.young import roots_of

NAME, OTHER = "someone/counter", "someone/printer"
WORDS = "alpha bravo charlie delta echo foxtrot golf hotel india juliet kilo lima".split()


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    monkeypatch.setattr(young, "SMALLEST", 3)
    monkeypatch.setattr(young, "LARGEST", 6)
    return Repo(tmp_path / "repos" / "someone+counter")


def mined(repo: str, change: str = "0" * 40, task: str = "Print totals elegantly", **given: object) -> Mined:
    base: dict[str, object] = {
        "id": f"{repo}@{change[:12]}", "repo": repo, "change": change, "commit": "1" * 40, "language": "python",
        "task": task, "gold": ("printer/core.py",), "tests": (), "added": (), "lines": {"printer/core.py": ((1, 1),)},
    }  # fmt: skip
    return Mined(**(base | given))  # type: ignore[arg-type]


def run(repo: Repo, tmp_path: Path, *ordinary: Mined) -> tuple[list[Mined], dict[str, int]]:
    head = repo.git("rev-parse", "HEAD")
    listed = {"repositories": {NAME: {"commit": head}, "Fork/counter": {"commit": head, "group": NAME}}}
    (tmp_path / "list.json").write_text(json.dumps(listed))
    known = (mined(NAME), mined("Fork/counter", task="Count differently"), mined(OTHER), *ordinary)
    (tmp_path / "tasks.jsonl").write_text("".join(json.dumps(task.row()) + "\n" for task in known))
    out = tmp_path / "young.jsonl"
    given = ["--mined", str(tmp_path / "tasks.jsonl"), "--out", str(out)]
    given += ["--repos", str(tmp_path / "repos"), "--repositories", str(tmp_path / "list.json")]
    assert young.main(given) == 0
    summary = json.loads(out.with_name("young.jsonl.summary.json").read_text())
    return read_mined(out), summary["repositories"][NAME]["counts"]


def grow(repo: Repo, files: int) -> list[str]:
    """A file a change, from one to so many; their ids."""
    out = []
    for number in range(files):
        edited = {f"core/mod_{number}.py": "A = 1\n", "core/mod_0.py": f"A = {number}\n"}
        out.append(repo.change(f"Teach counting {WORDS[number]} generators", dict(edited)))
    return out


def test_young_tasks_are_those_of_a_small_tree(repo: Repo, tmp_path: Path) -> None:
    changes = grow(repo, 10)
    tasks, counts = run(repo, tmp_path, mined(NAME, changes[4]))
    found = [task for task in tasks if task.sort == "young"]
    # The parents of these have 3 to 5 files; what is mined already is no second task, and the last small tree's
    # own change led out of it.
    assert [task.change for task in found] == [changes[5], changes[3]]
    assert [task.commit for task in found] == [changes[4], changes[2]]
    assert all(task.id == f"{NAME}@{task.change[:12]}:young" and task.root == "" for task in found)
    assert counts["kept young"] == 2
    assert tasks == run(repo, tmp_path, mined(NAME, changes[4]))[0]


def test_subtree_tasks_are_asked_below_the_folder_of_their_answer(repo: Repo, tmp_path: Path) -> None:
    files = {f"{folder}/mod_{n}.py": "A = 1\n" for folder in ("core", "shell") for n in range(5)}
    repo.change("Counting for everybody interested", files | {"tests/test_core.py": "A = 1\n", "few/one.py": "A = 1\n"})
    edited = ("core/mod_1.py", "core/mod_2.py", "tests/test_core.py")
    inside = repo.change("Teach counting lazy generators", dict.fromkeys(edited, "A = 2\n"))
    repo.change("Print lazy totals everywhere", {"core/mod_1.py": "A = 3\n", "shell/mod_1.py": "A = 3\n"})
    repo.change("Explain single totals elegantly", {"few/one.py": "A = 3\n"})
    tasks, counts = run(repo, tmp_path)
    (found,) = [task for task in tasks if task.sort == "subtree"]
    assert (found.change, found.root, found.gold) == (inside, "core", ("core/mod_1.py", "core/mod_2.py"))
    assert found.id == f"{NAME}@{inside[:12]}:core"
    assert found.tests == ()  # it lies elsewhere
    assert counts["kept subtree"] == 1 and counts["kept young"] == 0


def test_absent_tasks_are_those_of_another_project(repo: Repo, tmp_path: Path) -> None:
    head = grow(repo, 2)[-1]
    tasks, _ = run(repo, tmp_path)
    (found,) = [task for task in tasks if task.sort == "absent"]
    assert (found.repo, found.commit, found.task) == (NAME, head, "Print totals elegantly")  # not the fork's
    assert (found.gold, found.tests, found.change, dict(found.lines)) == ((), (), "", {})
    assert found.id == f"{NAME}@{head[:12]}:absent:{OTHER}@{'0' * 12}"
    assert patch_of(repo.folder / ".git", found) == {}


def test_roots_hold_the_whole_answer() -> None:
    assert roots_of(["a/b/c.py", "a/b/d/e.py"]) == ["a", "a/b"]
    assert roots_of(["a/b/c.py", "a/f.py"]) == ["a"]
    assert roots_of(["a/b.py", "c.py"]) == []
