"""Which commit did what was asked, in a real repository."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from zeroin import lessons
from zeroin.config import Options
from zeroin.engine import retrieve
from zeroin.errors import InputError
from zeroin.learning.lessons import Asked, identity_of, words_of
from zeroin.learning.store import LessonStore
from zeroin.query.task import query_of
from zeroin.types import Task

TASK = "Invoices round the tax of each line, totals are off by a cent"


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ZEROIN_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("ZEROIN_DATA_DIR", str(tmp_path / "data"))
    folder = tmp_path / "repo"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    for name in ("billing/invoice.py", "billing/tax.py", "web/page.py", "web/form.py"):
        commit(folder, f"Add {name}", name)
    return folder


def git(folder: Path, *args: str) -> str:
    who = {f"GIT_{a}_{b}": "a" for a in ("AUTHOR", "COMMITTER") for b in ("NAME", "EMAIL")}
    done = subprocess.run(
        ["git", "-C", str(folder), *args],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, **who},
    )
    return done.stdout.strip()


def commit(folder: Path, message: str, *names: str) -> None:
    for name in names:
        file = folder / name
        file.parent.mkdir(exist_ok=True)
        file.write_text((file.read_text() if file.exists() else "") + f"# {message}\n")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", message)


def ask(
    folder: Path, *answered: str, task: str = TASK, at: int = 0, commit: str | None = None
) -> LessonStore:
    store = LessonStore(f"git:{(folder / '.git').resolve()}")
    now = git(folder, "rev-parse", "HEAD") if commit is None else commit
    store.note(Asked(identity_of(task), task, words_of(query_of(Task(task), Options())), now, answered, at))
    return store


def test_the_commit_that_speaks_of_the_task_is_the_one(repo: Path) -> None:
    store = ask(repo, "web/page.py")
    commit(repo, "Rename a field of the form", "web/form.py")
    commit(
        repo,
        "Round the tax of invoices once, totals were off by a cent",
        "billing/invoice.py",
        "billing/tax.py",
    )
    commit(repo, "Round corners of the form", "web/form.py")
    found = lessons.learn_from_git(repo)
    (lesson,) = found.lessons
    assert lesson.relevant == ("billing/invoice.py", "billing/tax.py") and found.waiting == 0
    assert lesson.commit == git(repo, "rev-parse", "HEAD~1") and lesson.taught == "git"
    assert store.asked() == () and lessons.learn_from_git(repo).lessons == ()


def test_the_files_answered_decide_between_two(repo: Path) -> None:
    ask(repo, "web/form.py")
    commit(repo, "Invoices: totals are off by a cent", "web/page.py")
    commit(repo, "Invoices: totals are off by a cent", "web/form.py")
    assert lessons.learn_from_git(repo).lessons[0].relevant == ("web/form.py",)


def test_what_came_before_or_says_something_else_is_not_it(repo: Path) -> None:
    commit(repo, TASK, "web/page.py")
    ask(repo, "billing/tax.py")
    commit(repo, "Rename a field", "billing/tax.py")
    found = lessons.learn_from_git(repo)
    assert found.lessons == () and found.waiting == 1


def test_a_sweep_is_not_it(repo: Path) -> None:
    ask(repo)
    commit(repo, TASK, *(f"many/f{n}.py" for n in range(21)))
    assert lessons.learn_from_git(repo).lessons == ()


def test_where_history_was_rewritten_the_clock_decides(repo: Path) -> None:
    ask(repo, at=4_000_000_000, commit="0" * 40)
    commit(repo, TASK, "billing/tax.py")
    assert lessons.learn_from_git(repo).lessons == ()
    ask(repo, at=1, commit="0" * 40)
    assert lessons.learn_from_git(repo).lessons[0].relevant == ("billing/tax.py",)


def test_from_a_folder_of_the_repository(repo: Path) -> None:
    ask(repo, "billing/tax.py")
    commit(repo, TASK, "billing/tax.py", "web/page.py")
    assert lessons.learn_from_git(repo / "billing").lessons[0].relevant == ("billing/tax.py",)


def test_outside_git_there_is_nothing_to_learn_from(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        lessons.learn_from_git(tmp_path)


def test_the_library_never_remembers_what_is_asked(repo: Path) -> None:
    lessons.remember(repo, on=True)
    retrieve(TASK, repo)
    assert lessons.learned(repo).asked == ()
