"""Mining on a real repository: which changes become tasks, and what a task says."""

import json
from pathlib import Path

import pytest
from written_repository import Repo

from training import mine
from training.held_out import HeldOutError, refuse
from training.messages import clean, no_task
from training.mined import Mined, groups, read_mined

NAME = "someone/counter"


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    monkeypatch.setattr(mine, "YOUNG", 0)
    return Repo(tmp_path / "repos" / "someone+counter")


def run(repo: Repo, tmp_path: Path, *options: str) -> tuple[list[Mined], dict[str, int]]:
    listed = {"repositories": {NAME: {"commit": repo.git("rev-parse", "HEAD")}}}
    (tmp_path / "list.json").write_text(json.dumps(listed))
    out = tmp_path / "out" / "tasks.jsonl"
    code = mine.main(
        ["--repos", str(tmp_path / "repos"), "--out", str(out), "--repositories", str(tmp_path / "list.json"), *options]
    )
    assert code == 0
    summary = json.loads(out.with_name("tasks.jsonl.summary.json").read_text())
    return read_mined(out), summary["repositories"][NAME]["counts"]


BASE = {
    "counter/core.py": "def count(items):\n    return len(items)\n\n\ndef total(items):\n    return sum(items)\n",
    "counter/cli.py": "from counter.core import count\n",
    "tests/test_core.py": "from counter.core import count\n",
    "CHANGELOG.md": "# Changes\n",
    "poetry.lock": "a\n",
    "README.md": "# Counter\n",
}


def test_a_change_becomes_a_task(repo: Repo, tmp_path: Path) -> None:
    parent = repo.change("Counting for everybody interested", BASE)
    edited = {
        "counter/core.py": BASE["counter/core.py"].replace("len(items)", "len(list(items))") + "\n\nX = 1\n",
        "counter/lazy.py": "LAZY = True\n",
        "tests/test_core.py": "from counter.core import count, total\n",
        "CHANGELOG.md": "# Changes\n- generators\n",
        "poetry.lock": "b\n",
    }
    message = "Count generators without length (#12)\n\nFixes #11\n\nSigned-off-by: Ann Author <a@example.org>"
    change = repo.change(message, edited)
    tasks, counts = run(repo, tmp_path)
    assert tasks == [
        Mined(
            id=f"{NAME}@{change[:12]}",
            repo=NAME,
            change=change,
            commit=parent,
            language="python",
            task="Count generators without length",
            gold=("counter/core.py",),
            tests=("tests/test_core.py",),
            added=("counter/lazy.py",),
            lines={"counter/core.py": ((2, 2), (6, 6))},  # the second is an insertion after the last line
        )
    ]
    assert counts["root"] == 1 and counts["kept"] == 1


def test_filters_are_counted(repo: Repo, tmp_path: Path) -> None:
    repo.change("Counting for everybody interested", BASE)
    core = iter(range(100))

    def edit(message: str, author: str = "Ann Author") -> None:
        repo.change(message, {"counter/core.py": f"A = {next(core)}\n"}, author)

    edit("Bump numpy from 1.2 to 1.3 in requirements", author="dependabot[bot]")
    edit("Fix counting")
    edit("Fix bug")
    edit("Fix typo in counting documentation")
    edit("Reformat with black")
    edit("Release 1.2.0")
    edit("Bump version to 1.3.0")
    edit('Revert "Count generators lazily always"')
    edit("wip counting generators lazily")
    edit("Update dependencies to their latest versions")
    repo.change("Lazy generators counted within tests", {"tests/test_core.py": "A = 1\n"})
    repo.change("Mention lazy generators counted", {"CHANGELOG.md": "# Changes\n- lazy\n"})
    many = {f"counter/part{i}.py": "A = 1\n" for i in range(11)}
    repo.change("Split lazy counting parts generously", many)
    repo.change("Grow lazy counting tremendously", {"counter/core.py": "\n".join(map(str, range(700)))})
    tasks, counts = run(repo, tmp_path)
    assert tasks == []
    expected = {
        "bot": 1, "few words": 1, "housekeeping": 1, "typo": 1, "formatting": 1, "release": 2, "revert": 1,
        "unfinished": 1, "dependency": 1, "no edited source": 2, "many files": 1, "many lines": 1, "root": 1,
    }  # fmt: skip
    assert {name: counts.get(name, 0) for name in expected} == expected
    assert sum(counts.values()) - counts["all changes"] == counts["all changes"]


def test_merges_renames_and_deletions(repo: Repo, tmp_path: Path) -> None:
    body = "".join(f"line_{i} = {i}\n" for i in range(40))
    repo.change("Counting for everybody interested", BASE | {"counter/old.py": body, "counter/gone.py": "A = 1\n"})
    repo.git("switch", "-q", "-c", "side")
    repo.change("Rename counter module, forget lazy constants", {
        "counter/old.py": None, "counter/new.py": body.replace("line_7 = 7\n", "line_7 = 8\n"), "counter/gone.py": None,
    })  # fmt: skip
    repo.git("switch", "-q", "main")
    repo.change("Print lazy totals elegantly", {"counter/cli.py": "print(1)\n"})
    repo.git("merge", "-q", "--no-ff", "-m", "Merge lazy counting branch", "side")
    tasks, counts = run(repo, tmp_path)
    assert counts["merge"] == 1
    by_task = {task.task: task for task in tasks}
    renamed = by_task["Rename counter module, forget lazy constants"]
    assert renamed.gold == ("counter/gone.py", "counter/old.py")
    assert renamed.lines["counter/old.py"] == ((8, 8),)
    assert by_task["Print lazy totals elegantly"].gold == ("counter/cli.py",)


def test_held_out_repositories_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    listed = tmp_path / "list.json"
    listed.write_text(json.dumps({"repositories": {"Django/Django": {"commit": "0"}}}))
    out = tmp_path / "tasks.jsonl"
    assert mine.main(["--repos", str(tmp_path), "--out", str(out), "--repositories", str(listed)]) == 2
    assert "Django/Django" in capsys.readouterr().err and not out.exists()
    for name in ("ziglang/zig", "reduxjs/redux", "haskell/aeson", "tokio-rs/axum", "fork/ripgrep"):
        with pytest.raises(HeldOutError):
            refuse([name])


def test_the_pinned_list_holds_no_held_out_repository() -> None:
    names = groups(mine.LISTED)
    refuse(names)
    assert len(names) >= 100
    assert names["Kludex/starlette"] == "encode/starlette"


@pytest.mark.parametrize(
    ("message", "task"),
    [
        ("GH-12: Parse headers lazily", "Parse headers lazily"),
        ("[CORE-77] Parse headers lazily (#12)", "Parse headers lazily"),
        (":bug: Parse headers (fixes #3, #4)", "Parse headers"),
        ("fix(core): parse headers", "fix(core): parse headers"),
        ("Parse headers\n\nSee https://example.org/a/b/pull/12\nReviewed-by: Bo <b@c.de>\nChange-Id: I1",
         "Parse headers"),
        ("Parse headers\n\n* Parse headers\n* fix lint\n* Merge branch 'main'\n* Keep order",
         "Parse headers\n\n* Keep order"),
        ("Parse headers\n\n<!-- template -->\n## Description\nThey may repeat.\n- [ ] tests",
         "Parse headers\n\nThey may repeat."),
        ("Parse headers\n\nUtf-8: as the standard says", "Parse headers\n\nUtf-8: as the standard says"),
    ],
)  # fmt: skip
def test_clean(message: str, task: str) -> None:
    assert clean(message) == task


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        ("Bump lodash from 4.1 to 4.2", "dependency"),
        ("chore(deps): update rust crate serde to v1", "dependency"),
        ("v1.2.3", "release"),
        ("Prepare for next development iteration", "release"),
        ("Release the connection when a body was read fully", ""),
        ("Apply review comments", "housekeeping"),
        ("Make clippy happy", "formatting"),
        ("Support version ranges of python interpreters", ""),
        ("Require a newer numpy: its arrays lost the scalar aliases", ""),
        ("Merge pull request #3 from a/b", "merge"),
    ],
)
def test_messages_that_are_no_tasks(message: str, reason: str) -> None:
    assert no_task(message) == reason
