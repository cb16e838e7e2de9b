"""`zeroin learn`, and what it does to answers, by the real process."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run, answered, refused, untimed
from tests.repositories import git

TASK = "Customers are logged out too soon"
NEAR = "Customers complain: logged out too soon after lunch"
FILE = "src/billing/coupon.ts"  # nothing in it says anything of the task


def asked(run: Run, repo: Path, *args: str, task: str = TASK, **env: Any) -> dict[str, Any]:
    done = run(task, repo, "-f", "json", "-q", "--top", "7", *args, **env)
    assert done.stderr == b""
    return answered(done)


def place(answer: dict[str, Any], path: str = FILE) -> int:
    return [row["path"] for row in answer["ranking"]].index(path)


def unnamed(answer: dict[str, Any]) -> dict[str, Any]:
    """An answer without what differs from run to run, or only by what was asked (its name)."""
    return {**untimed(answer), "run": ""}


def ok(done: subprocess.CompletedProcess[bytes]) -> str:
    assert done.returncode == 0, done.stderr
    return done.stdout.decode()


def test_what_was_relevant_comes_first_for_the_task_and_higher_for_one_like_it(zeroin: Run, repo: Path) -> None:
    before, near = asked(zeroin, repo), asked(zeroin, repo, task=NEAR)
    assert before["learned"] is None
    told = ok(zeroin("learn", TASK, repo, "--relevant", FILE, "--irrelevant", "src/billing/invoice.ts"))
    assert TASK in told and "1 relevant, 1 not" in told
    after = asked(zeroin, repo)
    first = after["files"][0]
    assert first["path"] == FILE and first["relevance"] >= 0.7
    assert first["reasons"][0]["kind"] == "learned" and "this very task" in first["reasons"][0]["text"]
    assert after["learned"]["tasks"] == 1 and len(after["learned"]["digest"]) == 16
    like = asked(zeroin, repo, task=NEAR)
    assert place(like) < place(near) if FILE in [r["path"] for r in near["ranking"]] else place(like) < 7
    assert 0.1 < like["learned"]["used"][0]["resemblance"] < 1
    assert like["learned"]["used"][0]["title"] == TASK
    other = asked(zeroin, repo, task="decodeJwt fails on padding")
    assert other["learned"] == {**after["learned"], "used": []}


def test_the_same_state_gives_the_same_answer_and_no_learned_that_of_before(zeroin: Run, repo: Path) -> None:
    before = asked(zeroin, repo)
    ok(zeroin("learn", TASK, repo, "-r", FILE))
    first, second = asked(zeroin, repo), asked(zeroin, repo, fresh=True)
    assert unnamed(first) == unnamed(second) and first["learned"]["digest"]
    assert unnamed(asked(zeroin, repo, "--no-learned")) == unnamed(before)
    assert unnamed(asked(zeroin, repo, ZEROIN_NO_LEARNED="1")) == unnamed(before)
    ok(zeroin("learn", "--forget", "all", repo))
    assert unnamed(asked(zeroin, repo)) == unnamed(before)


def test_a_batch_row_names_the_state(zeroin: Run, repo: Path, tmp_path: Path) -> None:
    ok(zeroin("learn", TASK, repo, "-r", FILE))
    digest = asked(zeroin, repo)["learned"]["digest"]
    rows = tmp_path / "rows.jsonl"
    rows.write_text(json.dumps({"id": "a", "repo": str(repo), "task": TASK}))
    found = []
    for name, extra in (("with", []), ("without", ["--no-learned"])):
        ok(zeroin("batch", rows, "--out", f"{name}.jsonl", "-q", *extra))
        found.append(json.loads((tmp_path / f"{name}.jsonl").read_text()))
    assert [row["learned"] for row in found] == [digest, None]
    first = [row["ranking"][0]["path"] for row in found]
    assert first[0] == FILE != first[1]


@pytest.mark.skipif(sys.platform == "win32", reason="links")
def test_a_file_and_stdin_name_the_task(zeroin: Run, repo: Path, tmp_path: Path) -> None:
    (tmp_path / "task.txt").write_text(TASK + "\n")
    link = tmp_path / "link"
    link.symlink_to(repo, target_is_directory=True)
    ids = {
        ok(zeroin("learn", "@task.txt", repo, "-r", FILE)).split()[0],
        ok(zeroin("learn", "-", repo, "-r", FILE, stdin=TASK.encode())).split()[0],
        ok(zeroin("learn", TASK, repo, "-r", str(repo / FILE))).split()[0],
        ok(zeroin("learn", TASK, repo, "-r", str(link / FILE))).split()[0],
    }
    assert len(ids) == 1


def test_of_a_task_with_a_secret_all_but_the_secret_is_learned(zeroin: Run, repo: Path, tmp_path: Path) -> None:
    token = "ghp_" + "Ab1Cd2Ef3Gh4Ij5Kl6Mn7Op8Qr9St0Uv1Wx2"
    task = f"Customers are logged out too soon with {token}\n\npassword = 'hunter2Xy93kq'"
    told = ok(zeroin("learn", task, repo, "-r", FILE))
    shown = ok(zeroin("learn", "--show", "-f", "json", repo))
    (file,) = (tmp_path / "data").rglob("*.learned")
    for said in (told, shown, file.read_bytes().decode("latin-1")):
        assert "Customers are logged out too soon with" in said
        assert "ghp_" not in said and "Ab1Cd2" not in said and "hunter2" not in said
    used = asked(zeroin, repo, task=NEAR)["learned"]["used"]
    assert [row["title"] for row in used] == ["Customers are logged out too soon with"]
    assert asked(zeroin, repo, task=task)["files"][0]["path"] == FILE  # it is still this very task


def test_no_file_is_dropped_without_a_word(zeroin: Run, repo: Path) -> None:
    names = [f"many/n{number}.py" for number in range(51)]
    (repo / "many").mkdir()
    for name in names:
        (repo / name).write_text("x = 1\n")

    def told(given: list[str]) -> subprocess.CompletedProcess[bytes]:
        return zeroin("learn", TASK, repo, *(word for name in given for word in ("-r", name)))

    assert "51 files are named at once" in refused(told(names))
    assert "nothing is learned" in ok(zeroin("learn", "--show", repo))
    assert told(names[:50]).stderr == b""
    assert b"1 file named earlier dropped" in told(names[50:]).stderr
    assert "+ many/n50.py" in ok(zeroin("learn", "--show", repo))


def test_show_and_forget(zeroin: Run, repo: Path) -> None:
    assert "nothing is learned" in ok(zeroin("learn", "--show", repo))
    one = ok(zeroin("learn", TASK, repo, "-r", FILE, "-n", "README.md")).split()[0]
    ok(zeroin("learn", "Sign in fails", repo, "-r", "src/crypto/jwt.ts"))
    shown = ok(zeroin("learn", "--show", repo))
    assert f"+ {FILE}" in shown and "- README.md" in shown and "2 tasks" in shown
    state = json.loads(ok(zeroin("learn", "--show", "-f", "json", repo)))
    assert state["schema"] == "zeroin.learned/2" and [x["title"] for x in state["lessons"]] == ["Sign in fails", TASK]
    assert state["digest"] == asked(zeroin, repo)["learned"]["digest"]
    assert ok(zeroin("learn", "--forget", one, repo)) == "forgot 1 task\n"
    assert TASK not in ok(zeroin("learn", "--show", repo))
    assert refused(zeroin("learn", "--forget", one, repo))
    assert json.loads(ok(zeroin("learn", "--forget", "all", repo, "-f", "json")))["forgotten"] == 1


def test_asking_leaves_nothing_behind(zeroin: Run, repo: Path, tmp_path: Path) -> None:
    asked(zeroin, repo)
    assert not (tmp_path / "data").exists()


def test_a_folder_of_the_repository_sees_its_files(zeroin: Run, repo: Path) -> None:
    ok(zeroin("learn", TASK, repo / "src", "-r", "billing/coupon.ts"))
    assert f"+ {FILE}" in ok(zeroin("learn", "--show", repo))
    assert asked(zeroin, repo)["files"][0]["path"] == FILE
    assert asked(zeroin, repo / "src")["files"][0]["path"] == "billing/coupon.ts"
    assert asked(zeroin, repo / "tests")["learned"]["used"] == []


@pytest.mark.parametrize(
    "args",
    [
        ("learn",),
        ("learn", "task"),
        ("learn", "task", "repo"),
        ("learn", "", "repo", "-r", FILE),
        ("learn", "!!!", "repo", "-r", FILE),
        ("learn", "task", "repo", "-r", "no/such.ts"),
        ("learn", "task", "repo", "-r", "../outside"),
        ("learn", "task", "repo", "-r", FILE, "-n", FILE),
        ("learn", "task", "nowhere", "-r", FILE),
        ("learn", "--show", "--forget", "all", "repo"),
        ("learn", "--show", "task", "repo"),
        ("learn", "--show", "repo", "-r", FILE),
        ("learn", "--run", "answer.json", "repo", "-r", FILE),
    ],
)
def test_what_cannot_be_used_is_refused(zeroin: Run, repo: Path, tmp_path: Path, args: tuple[str, ...]) -> None:
    assert refused(zeroin(*args))
    assert not (tmp_path / "data").exists()


def test_what_a_run_was_told_is_learned(zeroin: Run, repo: Path) -> None:
    first = asked(zeroin, repo)["run"]
    told = json.loads(zeroin("refine", first, "--relevant", FILE, "-f", "json", "-q").stdout)["run"]
    # It knows of which repository
    assert "1 relevant, 0 not" in ok(zeroin("learn", "--run", told))
    assert place(asked(zeroin, repo)) == 0
    assert "name what turned out relevant" in refused(zeroin("learn", "--run", first))


def told(zeroin: Run, run: str, *verdicts: str) -> str:
    """The name of a run after it was told of files."""
    name: str = json.loads(zeroin("refine", run, *verdicts, "-f", "json", "-q").stdout)["run"]
    return name


def test_the_last_word_on_a_file_is_learned(zeroin: Run, repo: Path) -> None:
    good, bad = "src/crypto/jwt.ts", "src/billing/invoice.ts"
    run = told(zeroin, asked(zeroin, repo)["run"], "-r", f"./{FILE}", "-r", good, "-n", bad)
    run = told(zeroin, run, "-n", FILE)
    assert "1 relevant, 2 not" in ok(zeroin("learn", "--run", run))
    # What is named beside the run counts more than what it was told, and takes nothing else away.
    assert "2 relevant, 1 not" in ok(zeroin("learn", "--run", run, "-r", f"./{FILE}"))


def test_a_file_that_is_gone_costs_itself_alone(zeroin: Run, repo: Path) -> None:
    gone = "src/billing/invoice.ts"
    first = asked(zeroin, repo)["run"]
    run, only = told(zeroin, first, "-r", FILE, "-n", gone), told(zeroin, first, "-n", gone)
    (repo / gone).unlink()
    done = zeroin("learn", "--run", run)
    assert done.returncode == 0 and b"1 relevant, 0 not" in done.stdout
    assert done.stderr.decode() == f"warning: {gone} was judged in the run and is gone: it is not learned\n"
    assert f"{gone} is gone" in refused(zeroin("learn", "--run", only))


def test_a_run_about_a_revision_is_learned_with_its_files(zeroin: Run, repo: Path) -> None:
    git(repo, "branch", "before")
    git(repo, "mv", FILE, "src/billing/voucher.ts")
    git(repo, "commit", "-qm", "Rename")
    run = told(zeroin, asked(zeroin, repo, "--rev", "before")["run"], "-r", FILE)
    assert "1 relevant, 0 not" in ok(zeroin("learn", "--run", run))
    git(repo, "branch", "-D", "before")
    done = zeroin("learn", "--run", run)
    assert f"{FILE} is gone" in refused(done)
