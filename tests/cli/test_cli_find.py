"""The main command, as a process."""

import json
import os
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import jsonschema
import pytest

from tests.cli.conftest import Run, refused

TASK = "Fix the token expiry bug in validateToken"


def test_the_table_is_for_people_and_a_command_may_be_a_task(zeroin: Run, repo: Path) -> None:
    done = zeroin(TASK, repo, fresh=True)
    text = done.stdout.decode()
    assert (done.returncode, done.stderr) == (0, b"")
    assert "src/auth/token-service.ts" in text.splitlines()[0] and "stopped: " in text
    assert b"\x1b" not in done.stdout
    done = zeroin("find", "cache", repo)
    assert done.returncode in (0, 1) and b"removed" not in done.stdout


def test_json_follows_its_schema(zeroin: Run, repo: Path) -> None:
    schema = json.loads(zeroin("schema").stdout)
    value = json.loads(zeroin(TASK, repo, "--format", "json", "--top", "5", "--always-loop").stdout)
    jsonschema.Draft202012Validator(schema).validate(value)
    assert value["files"][0]["path"] == "src/auth/token-service.ts"
    assert len(value["ranking"]) >= 5
    assert value["files"][0]["spans"]


def test_other_formats(zeroin: Run, repo: Path) -> None:
    paths = zeroin(TASK, repo, "--format", "paths").stdout
    assert paths.split(b"\n")[0] == b"src/auth/token-service.ts"
    assert zeroin(TASK, repo, "-f", "paths", "--null").stdout == paths.replace(b"\n", b"\0")
    markdown = zeroin(TASK, repo, "-f", "markdown", "--budget", "600").stdout.decode()
    assert markdown.startswith("| File | Relevance | Reason |")
    assert ElementTree.fromstring(zeroin(TASK, repo, "-f", "xml").stdout).tag == "context"


def test_a_named_file_that_is_not_there_is_said(zeroin: Run, repo: Path) -> None:
    task = "src/auth/missing.ts and src/auth/token-service.ts forget settings/local.yaml; see old.go"
    warning = "src/auth/missing.ts, which the task names, is not among the files searched here"
    assert json.loads(zeroin(task, repo, "-f", "json").stdout)["warnings"] == [warning]
    said = [line for line in zeroin(task, repo).stdout.decode().splitlines() if line.startswith("Warning")]
    assert said == [f"Warning: {warning}"]
    for others, more in (
        ("auth/a.go", " (nor is auth/a.go)"),
        ("auth/a.go auth/b.go:3 auth/b.go", " (nor are 2 more)"),
    ):
        value = json.loads(zeroin(f"{task} {others}", repo, "-f", "json").stdout)
        assert value["warnings"] == [warning + more]
    elsewhere = f"{TASK}: `~/.local/share/pay/money.py` fails"  # a path of the machine
    assert json.loads(zeroin(elsewhere, repo, "-f", "json").stdout)["warnings"] == []
    trace = 'Traceback (most recent call last):\n  File "/usr/lib/pay/money.py", line 3, in pay\nValueError: no coin'
    assert json.loads(zeroin(f"{TASK}\n\n{trace}", repo, "-f", "json").stdout)["warnings"] == []


def test_a_repository_that_git_refuses_is_searched_with_a_warning(zeroin: Run, repo: Path) -> None:
    (repo / ".git/HEAD").write_text("garbage\n")
    value = json.loads(zeroin(TASK, repo, "-f", "json").stdout)
    assert value["files"][0]["path"] == "src/auth/token-service.ts"
    warning = f"git does not take {repo}/.git for a repository: searched without history"
    assert value["warnings"] == [warning]


def test_explain(zeroin: Run, repo: Path) -> None:
    table = zeroin(TASK, repo, "--explain").stdout.decode()
    assert "Cycle 1" in table and "words " in table
    done = zeroin(TASK, repo, "--explain", "--format", "json")
    assert b"Cycle 1" in done.stderr
    json.loads(done.stdout)


def test_options_reach_the_engine(zeroin: Run, repo: Path) -> None:
    args = ("-f", "json", TASK, repo, "--always-loop")
    given = "-k coupon -i src/** -x src/auth/** --focus billing --max-cycles 1 --purpose explore"
    value = json.loads(zeroin(*args, *given.split()).stdout)
    listed = [f["path"] for f in (*value["files"], *value["supporting"], *value["ranking"])]
    assert listed and all(p.startswith("src/") and not p.startswith("src/auth/") for p in listed)
    assert len(value["cycles"]) == 1 and value["task"]["purpose"] == "explore"
    assert "coupon" in [k["text"] for k in value["cycles"][0]["query"]["keywords"]]
    old = json.loads(zeroin(*args, "--without", "history,graph", "--rev", "HEAD~1").stdout)
    assert old["revision"]["rev"] == "HEAD~1"


def test_the_task_from_stdin_or_a_file(zeroin: Run, repo: Path, tmp_path: Path) -> None:
    (tmp_path / "task.txt").write_text(TASK)
    for done in (zeroin("-", repo, "-f", "paths", stdin=TASK.encode()), zeroin("@task.txt", repo, "-f", "paths")):
        assert done.stdout.startswith(b"src/auth/token-service.ts\n")
    assert "cannot read nothing.txt" in refused(zeroin("@nothing.txt", repo))


def test_a_task_of_two_megabytes(zeroin: Run, repo: Path) -> None:
    text = (TASK + "\n" + "the session of a coupon\n" * 90_000).encode()
    assert len(text) > 2_000_000
    done = zeroin("-", repo, "-f", "json", stdin=text)
    assert done.returncode in (0, 1)
    value = json.loads(done.stdout)
    assert any("task" in warning for warning in value["warnings"])


def test_a_warning_is_printed_once(zeroin: Run, repo: Path) -> None:
    german, said = "Wo wird geprüft, ob eine Sitzung abgelaufen ist?", b"the task is in German"
    shown = zeroin(german, repo)
    assert (shown.stdout.count(said), shown.stderr.count(said)) == (1, 0)
    piped = zeroin(german, repo, "-f", "paths")
    assert (piped.stdout.count(said), piped.stderr.count(said)) == (0, 1)


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("",), "empty"),
        (("-",), "empty"),
        ((TASK, "{repo}", "--rev", "no-such-rev"), "no-such-rev"),
        ((TASK, "{repo}", "--budget", "3"), "budget 3 is outside"),
        ((TASK, "{repo}", "--max-cycles", "0"), "max cycles 0 is outside"),
        ((TASK, "{repo}", "--timeout-s", "-1"), "timeout must be above 0"),
        ((TASK, "{repo}", "--without", "telepathy"), "unknown part telepathy"),
        ((TASK, "{repo}", "--diff=no-such-rev"), "no-such-rev"),
        (("{repo}", "--diff"), "nothing is changed"),
        (("a long task " * 400, "--diff=no-such-rev"), "is no git repository"),
        (("-", "{repo}", "--diff", "-"), "standard input"),
        ((TASK, "{repo}", "--output", "no/such/folder/out.json"), "cannot write"),
        ((TASK, "{repo}", "--null"), "add --format paths"),
    ],
)
def test_bad_input_is_one_line_and_exit_2(zeroin: Run, repo: Path, args: tuple[str, ...], words: str) -> None:
    assert words in refused(zeroin(*(a.format(repo=repo) for a in args)))


@pytest.mark.parametrize(
    ("task", "more", "code", "reason"),
    [("zzqx wvutk jjqq", (), 1, "nothing"), (TASK, ("--timeout-s", "0.001"), 3, "deadline")],
)
def test_an_answer_that_is_not_sure_has_its_own_exit_code(
    zeroin: Run, repo: Path, task: str, more: tuple[str, ...], code: int, reason: str
) -> None:
    done = zeroin(task, repo, *more, "--always-loop", "-f", "json")
    assert done.returncode == code and json.loads(done.stdout)["stop_reason"]["code"] == reason


def test_output_replaces_the_file_in_one_step(zeroin: Run, repo: Path, tmp_path: Path) -> None:
    out = tmp_path / "answer.json"
    out.write_text("old")
    out.chmod(0o640)
    done = zeroin(TASK, repo, "-f", "json", "--output", out)
    assert done.returncode == 0 and done.stdout == b""
    assert json.loads(out.read_text())["schema"] == "zeroin.context/1"
    assert out.stat().st_mode & 0o777 == 0o640
    assert [p.name for p in tmp_path.iterdir() if p.name.startswith(".answer")] == []


@pytest.mark.skipif(os.name == "nt", reason="signals and terminals of POSIX")
def test_ctrl_c_prints_one_line(repo: Path, environment: dict[str, str]) -> None:
    command = [sys.executable, "-m", "zeroin", "-", str(repo)]
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
    )
    time.sleep(1.5)  # it waits for the task on stdin
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=30)
    assert (process.returncode, stdout) == (3, b"")
    assert stderr.strip() == b"zeroin: interrupted"  # click moves past a "^C" with an empty line


@pytest.mark.skipif(os.name == "nt", reason="signals and terminals of POSIX")
def test_ctrl_c_while_python_ends_is_too_late(repo: Path, environment: dict[str, str]) -> None:
    program = (
        "import atexit, os, signal\natexit.register(os.kill, os.getpid(), signal.SIGINT)\n"
        "from zeroin.__main__ import run\nrun()"
    )
    command = [sys.executable, "-c", program, TASK, str(repo), "-f", "paths"]
    done = subprocess.run(command, capture_output=True, env=environment, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, b"") and done.stdout


@pytest.mark.skipif(os.name == "nt", reason="signals and terminals of POSIX")
def test_a_reader_that_goes_away_is_no_error(repo: Path, environment: dict[str, str]) -> None:
    command = [sys.executable, "-m", "zeroin", TASK, str(repo), "-f", "json"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment)
    assert process.stdout is not None and process.stderr is not None
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait(timeout=60) == 0
