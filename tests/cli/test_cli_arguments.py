"""What is a task and what an option, and the right call for whoever calls wrongly: every case by the real process."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run, answered, refused
from tests.repositories import git

SERVICE = "src/auth/token-service.ts"


def asked(zeroin: Run, *args: str | Path) -> dict[str, Any]:
    done = zeroin(*args, "-f", "json")
    assert done.stderr == b""
    return answered(done)


@pytest.mark.parametrize(
    "task",
    [
        "-x: the exit code is 0",
        "--no-color is ignored",
        "-n does nothing",
        "-v is ignored",
        "-f, the format, is ignored",
        "-k, --keyword: the token is not validated",
        "-q fails\nwhen the token has expired",
        "- validateToken accepts an expired token\n- the session goes on",
        "--color=always is ignored",
        "--no-color=yes is accepted",
        "--help does not name validateToken",
        "--version prints the token",
        "---\ntitle: the token expires\n---",
        "-fPIC is not passed",
        "-kernel tokens expire",
        "-Wno-error is ignored",
    ],
)
def test_a_task_may_begin_with_a_dash(zeroin: Run, repo: Path, task: str) -> None:
    value = asked(zeroin, task, repo)
    assert value["task"]["text"] == task
    assert value["repository"] == str(repo.resolve())


@pytest.mark.parametrize("before", [("find",), ("-f", "json"), ("--",)])
def test_a_task_that_begins_with_a_dash_may_stand_anywhere(zeroin: Run, repo: Path, before: tuple[str, ...]) -> None:
    for task in ("--no-color is ignored", "-x: the exit code is 0", "---\ntitle: the token expires\n---"):
        done = zeroin(*before, task, repo)
        assert done.returncode in (0, 1), done.stderr
        if "json" in before:
            assert json.loads(done.stdout)["task"]["text"] == task


def test_options_stay_options(zeroin: Run, repo: Path) -> None:
    def words(*args: str | Path) -> list[str]:
        return [k["text"] for k in asked(zeroin, *args, "--always-loop")["cycles"][0]["query"]["keywords"]]

    task = "Sign-in ends too early"
    for glued in (("-krate limit",), ("--keyword=rate limit",), ("-k", "rate limit"), ("-qkrate limit",)):
        assert "rate limit" in words(task, repo, *glued)
        assert "rate limit" in words(*glued, task, repo)
    assert "-x is ignored" in words(task, repo, "-k", "-x is ignored")
    value = asked(zeroin, task, repo, "-isrc/auth/**", "--exclude=src/auth/[s ]ession*", "--top", "9")
    assert value["task"]["text"] == task
    assert all(row["path"].startswith("src/auth/") for row in value["ranking"])
    out = repo.parent / "an answer.json"
    assert zeroin(task, repo, "-fjson", f"-o{out}").returncode == 0
    assert json.loads(out.read_text())["task"]["text"] == task


@pytest.mark.parametrize(
    ("args", "says"),
    [
        ((), 'a task is needed, as in: zeroin "Fix the token expiry bug" path/to/repo'),
        (("-fjson",), 'a task is needed, as in: zeroin "Fix the token expiry bug" path/to/repo'),
        (("repo",), ' zeroin "Fix the token expiry bug" repo; about the word itself: zeroin repo .'),
        (("repo", "-f", "json"), 'a task is needed, as in: zeroin "Fix the token expiry bug" repo;'),
        (("repo/src",), 'a task is needed, as in: zeroin "Fix the token expiry bug" repo/src'),
        ((".",), 'a task is needed, as in: zeroin "Fix the token expiry bug" .'),
        (("repo", "the token expires"), 'the task comes first: zeroin "the token expires" repo'),
        (("repo", "-x: it fails"), 'the task comes first: zeroin "-x: it fails" repo'),
        (("fix", "the", "login", "bug"), 'put the task in quotes: zeroin "fix the login bug"'),
        (("fix", "login"), 'login does not exist; put a task of several words in quotes: zeroin "fix login"'),
        (("fix", "the", "login", "repo"), 'put the task in quotes: zeroin "fix the login" repo'),
        (("repo", "fix", "the", "login"), 'put the task in quotes: zeroin "fix the login" repo'),
        (("fix", "the", "repo", "login"), 'put the task in quotes: zeroin "fix the repo login"'),
        (("costs", "$5", "not", "$6"), "put the task in quotes: zeroin 'costs $5 not $6'"),
        (("fix it", "repo", "--focus", "rate", "limit"), "limit does not exist; name a folder, as in: zeroin"),
        (("fix it", "repos"), 'repos does not exist; did you mean: zeroin "fix it" repo'),
        (("fix it", "repo/scr"), 'repo/scr does not exist; did you mean: zeroin "fix it" repo/src'),
        (("fix it", "repos", "where"), 'repos does not exist; did you mean: zeroin "fix it" repo'),
        (("fix", "the", "login", "./repos"), 'put the task in quotes: zeroin "fix the login" ./repos'),
        (("fix it", "no/where"), 'no/where does not exist; name a folder, as in: zeroin "fix it" path/to/repo'),
        (("fix it", "/no/where"), "/no/where does not exist; name a folder, as in: zeroin"),
        (("./nowhere",), "./nowhere does not exist; name a folder, as in: zeroin"),
        (("fix it", "repo/README.md"), 'is a file; name it in the task and give a folder: zeroin "fix it" repo'),
        (("fix it", "https://example.org/a.git"), '"https://example.org/a.git" is no folder here; clone it first'),
        (("fix it", "repo", "--fromat", "json"), "No such option '--fromat'. (Did you mean one of: '--format'"),
        (("--fromat", "json", "fix it", "repo"), "No such option '--fromat'. (Did you mean one of: '--format'"),
        (("fix it", "repo", "--json"), "--json is --format json here"),
        (("terms", "rate limit", "--json"), "--json is --format json here"),
        (("fix it", "--verbose"), "--verbose is --explain here"),
        (("terms", "rate limit", "--verbose"), "No such option '--verbose'"),
        (("-v",), "No such option '-v'"),
        (("fix it", "repo", "-f", "jsno"), "'jsno' is not one of 'table', 'json'"),
        (("--diff", "repo"), "repo is a folder, which comes before --diff: zeroin repo --diff"),
        (("--diff",), ". is no git repository, so it has no revisions: give the diff itself (--diff takes"),
        (("repo", "--diff", "nowhere"), "nowhere names no revision here (--diff takes a revision, A..B, a file, or -"),
        (("repo", "it", "fails", "--diff"), 'put the task in quotes: zeroin "it fails" repo'),
        (("terms", "repo"), 'a text is needed, as in: zeroin terms "rate limit" repo;'),
        (("terms",), 'a text is needed, as in: zeroin terms "rate limit" path/to/repo'),
        (("terms", "repo", "rate limit"), 'the text comes first: zeroin terms "rate limit" repo'),
        (("terms", "rate", "limit", "repo"), 'put the text in quotes: zeroin terms "rate limit" repo'),
        (("terms", "rate limit", "nowhere"), "nowhere does not exist; name a folder, as in: zeroin terms"),
        (("terms", "rate limit", "repo", "repo/src"), 'one folder at a time: zeroin terms "rate limit" repo'),
        (("terms", "rate limit", "repo", "--rve", "HEAD"), "No such option '--rve'"),
        (("learn", "it", "fails", "-r", "a.py"), 'put a task of several words in quotes: zeroin learn "it fails"'),
        (("learn", "repo", "it fails", "-r", "a.py"), 'the task comes first: zeroin learn "it fails" repo'),
        (("refine", "the token expires"), 'so ask first: zeroin "the token expires"'),
        (("refine", "the token expires", "--note", "x"), 'so ask first: zeroin "the token expires"'),
        (("more", "-x: it fails"), "No such option '-x'"),
        (("refine", "r-0123456789"), "as in: zeroin refine r-0123456789 --relevant src/limit.py"),
        (("refine", "r-0123456789", "--note", "it", "fails"), "several words go in quotes to be one value"),
        (("batch", "fix the bug", "repo"), "Missing option '--out'"),
        (("batch", "nothing.jsonl", "--out", "out.jsonl"), "cannot read nothing.jsonl"),
    ],
)  # fmt: skip
def test_a_wrong_call_is_one_line_with_the_right_one(zeroin: Run, repo: Path, args: tuple[str, ...], says: str) -> None:
    assert says in refused(zeroin(*args))


def test_a_word_that_is_also_a_folder_is_asked_beside_a_folder(zeroin: Run, repo: Path) -> None:
    (repo.parent / "token").mkdir()
    assert asked(zeroin, "token", repo)["task"]["text"] == "token"
    assert "about the word itself: zeroin token ." in refused(zeroin("token"))


def test_terms_learn_and_refine_take_texts_that_begin_with_a_dash(zeroin: Run, repo: Path) -> None:
    done = zeroin("terms", "-x: the token expires", repo, "-f", "json")
    assert json.loads(done.stdout)["text"] == "-x: the token expires", done.stderr
    done = zeroin("learn", "-x: the token expires", repo, "--relevant", SERVICE)
    assert done.returncode == 0 and b"1 relevant" in done.stdout, done.stderr
    run = asked(zeroin, "-x: the token expires", repo)["run"]
    told = ("--note", "--no-color is ignored", "--focus", "-x option", "-f", "json")
    assert zeroin("refine", run, *told).returncode in (0, 1)


def test_a_row_of_a_batch_may_begin_with_a_dash_or_be_a_change_alone(zeroin: Run, repo: Path, tmp_path: Path) -> None:
    (repo / "src/crypto/jwt.ts").write_text("export const decodeJwt = 1;\n")
    rows = [
        {"id": "dash", "repo": str(repo), "task": "--no-color is ignored by validateToken"},
        {"id": "change", "repo": str(repo), "diff": ""},
    ]
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert zeroin("batch", "rows.jsonl", "--out", "out.jsonl", "-q").returncode == 0
    results = {row["id"]: row for row in map(json.loads, (tmp_path / "out.jsonl").read_text().splitlines())}
    assert results["dash"]["ranking"][0]["path"] == SERVICE
    assert "error" not in results["change"]


def test_a_change_with_a_text_that_begins_with_a_dash(zeroin: Run, repo: Path) -> None:
    value = asked(zeroin, "--no-color: who calls this?", repo, "--diff=HEAD")
    assert value["task"]["text"] == "--no-color: who calls this?" and value["task"]["diff"] == [SERVICE]
    git(repo, "branch", "src")  # a revision named like a folder is the revision
    assert asked(zeroin, repo, "--diff", "src")["task"]["diff"] == [SERVICE]
