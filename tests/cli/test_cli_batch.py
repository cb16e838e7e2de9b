"""`zeroin batch`: bad rows, resuming, workers that die, Ctrl-C."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run, refused
from zeroin.cli.batch_rows import Results


def write(path: Path, rows: list[Any]) -> Path:
    path.write_text("".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows))
    return path


def results(path: Path) -> dict[str, Any]:
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    assert len({row["id"] for row in rows}) == len(rows)
    return {row["id"]: row for row in rows}


def test_good_and_bad_rows(zeroin: Run, repo: Path, tmp_path: Path) -> None:
    here = str(repo)
    tasks = write(
        tmp_path / "tasks.jsonl",
        [
            {"id": "good", "repo": here, "task": "Fix the token expiry bug in validateToken", "note": "is ignored"},
            {
                "id": "old",
                "repo": here,
                "rev": "HEAD~1",
                "task": "apply a coupon",
                "top": 2,
                "include": ["src/**"],
                "exclude": ["src/auth/**"],
            },
            {"id": 7, "repo": here, "task": "", "diff": "HEAD"},
            {"id": "half", "repo": here, "task": "token \ud800 expiry"},
            "{not json",
            "[1]",
            "",
            {"repo": here, "task": "no id"},
            {"id": "good", "repo": here, "task": "again"},
            {"id": "no-task", "repo": here},
            {"id": "no-repo", "task": "x"},
            {"id": "bad-repo", "repo": str(tmp_path / "nowhere"), "task": "token"},
            {"id": "bad-rev", "repo": here, "rev": "nope", "task": "token"},
            {"id": "bad-top", "repo": here, "task": "token", "top": "many"},
            {"id": "far-top", "repo": here, "task": "token", "top": -4},
            {"id": "bad-include", "repo": here, "task": "token", "include": "src"},
            {"id": "bad-purpose", "repo": here, "task": "token", "purpose": "fun"},
        ],
    )
    out = tmp_path / "run.jsonl"
    options = "--jobs 2 --always-loop --without history --max-cycles 2".split()
    done = zeroin("batch", tasks, "--out", out, *options)
    assert done.returncode == 0, done.stderr
    assert b"id 'good' was there before" in done.stderr
    rows = results(out)
    good = rows["good"]
    assert good["ranking"][0]["path"] == "src/auth/token-service.ts"
    assert len(good["rankings_by_cycle"]) == good["cycles"] == len(good["seconds_by_cycle"]) <= 2
    assert {f["role"] for f in good["ranking"]} >= {"implementation"}
    assert set(good) >= {"files", "supporting", "tests", "documents"}
    assert set(good) >= {"gaps", "terminology", "stop_reason", "advice", "seconds"}
    assert len(rows["old"]["ranking"]) <= 2
    assert all(not f["path"].startswith("src/auth/") for f in rows["old"]["ranking"])
    assert rows["7"]["ranking"] and rows["half"]["ranking"]
    bad = {identity for identity, row in rows.items() if "error" in row}
    assert bad == set(
        "line-5 line-6 line-8 no-task no-repo bad-repo bad-rev bad-top far-top bad-include bad-purpose".split()
    )
    assert rows["line-5"]["error"] == "line 5 is no JSON object, or an empty one"


def test_resuming(zeroin: Run, repo: Path, tmp_path: Path) -> None:
    tasks = write(
        tmp_path / "tasks.jsonl", [{"id": f"t{n}", "repo": str(repo), "task": "token expiry"} for n in range(3)]
    )
    out = tmp_path / "run.jsonl"
    first, broken = {"id": "t0", "ranking": []}, {"id": "t1", "error": "the worker ended"}
    out.write_text(json.dumps(first) + "\nrubbish\n" + json.dumps(broken) + '\n{"id": "t2", "rank')
    done = zeroin("batch", tasks, "--out", out)
    assert b"half-written last line was removed" in done.stderr and b"line 2 is no result row" in done.stderr
    lines = out.read_text().splitlines()
    assert lines[0] == "rubbish"  # what is not ours stays, in front
    assert [json.loads(line)["id"] for line in lines[1:]] == ["t0", "t1", "t2"]
    assert json.loads(lines[1]) == first
    assert b"0 rows done, 3 done before, 1 with an error" in zeroin("batch", tasks, "--out", out).stderr
    out.write_text('{"id": ["none"]}\n' + out.read_text())
    assert zeroin("batch", tasks, "--out", out).returncode == 0
    out.write_text(json.dumps(first))  # whole, but without its line end
    zeroin("batch", tasks, "--out", out)
    assert set(results(out)) == {"t0", "t1", "t2"} and json.loads(out.read_text().splitlines()[0]) == first
    write(out, [first, broken])
    zeroin("batch", tasks, "--out", out, "--retry-errors")
    assert "error" not in results(out)["t1"] and list(results(out)) == ["t0", "t1", "t2"]
    assert results(out)["t0"] == first


def test_a_list_of_one_repository_is_that_one(zeroin: Run, repo: Path, tmp_path: Path) -> None:
    row = {"id": "a", "repo": [str(repo)], "rev": "HEAD", "task": "token"}
    tasks, out = write(tmp_path / "tasks.jsonl", [row]), tmp_path / "run.jsonl"
    zeroin("batch", tasks, "--out", out)
    assert results(out)["a"]["ranking"]


def test_unusable_files_and_options(zeroin: Run, repo: Path, tmp_path: Path) -> None:
    tasks = write(tmp_path / "tasks.jsonl", [{"id": "a", "repo": str(repo), "task": "token"}])
    for args in (
        ("batch", tmp_path / "none.jsonl", "--out", tmp_path / "run.jsonl"),
        ("batch", tasks, "--out", tmp_path / "no" / "run.jsonl"),
        ("batch", tasks),
        ("batch", tasks, "--out", tmp_path / "run.jsonl", "--max-cycles", "0"),
        ("batch", tasks, "--out", tmp_path / "run.jsonl", "--without", "telepathy"),
    ):
        assert refused(zeroin(*args))
    assert not (tmp_path / "run.jsonl").exists() or (tmp_path / "run.jsonl").read_bytes() == b""


def test_results_are_added_to_nothing_but_results(zeroin: Run, repo: Path, tmp_path: Path) -> None:
    tasks = write(tmp_path / "tasks.jsonl", [{"id": "a", "repo": str(repo), "task": "token"}])
    os.link(tasks, tmp_path / "link.jsonl")
    copy = write(tmp_path / "copy.jsonl", [tasks.read_text().strip()])
    notes = write(tmp_path / "notes.txt", ["my notes"])
    for out in (tasks, tmp_path / "link.jsonl", copy, notes):
        before = out.read_bytes()
        what = "no result row" if out in (copy, notes) else "holds the tasks"
        assert what in refused(zeroin("batch", tasks, "--out", out))
        assert out.read_bytes() == before
    half = tmp_path / "half.jsonl"
    half.write_text('{"id": "a", "rank')
    assert zeroin("batch", tasks, "--out", half).returncode == 0 and list(results(half)) == ["a"]


@pytest.mark.skipif(os.name == "nt", reason="pipes and devices of POSIX")
def test_results_go_to_a_regular_file(zeroin: Run, repo: Path, tmp_path: Path, environment: dict[str, str]) -> None:
    tasks = write(tmp_path / "tasks.jsonl", [{"id": "a", "repo": str(repo), "task": "token"}])
    os.mkfifo(tmp_path / "pipe")
    for out in (tmp_path / "pipe", Path("/dev/stdout"), Path("-")):
        command = [sys.executable, "-m", "zeroin", "batch", str(tasks), "--out", str(out)]
        done = subprocess.run(command, env=environment, capture_output=True, timeout=60, check=False)
        assert "must be a regular file" in refused(done)
    assert zeroin("batch", tasks, "--out", os.devnull).returncode == 0


@pytest.mark.skipif(os.name == "nt", reason="locks of POSIX")
@pytest.mark.parametrize("found", ["", '{"id": "t0", "error": "the worker ended"}\n{"id": "t1", "rank'])
def test_results_are_written_by_one_batch_at_a_time(zeroin: Run, repo: Path, tmp_path: Path, found: str) -> None:
    row = {"id": "a", "repo": str(repo), "task": "token"}
    tasks, out = write(tmp_path / "tasks.jsonl", [row]), tmp_path / "run.jsonl"
    out.write_text(found)
    with Results(out, retry_errors=True) as first:
        assert out.read_bytes() == b""
        assert "another batch writes" in refused(zeroin("batch", tasks, "--out", out))
        first.add("b", b'{"id":"b","ranking":[]}')
        first.sort(["b"])
    assert zeroin("batch", tasks, "--out", out).returncode == 0
    assert set(results(out)) == {"a", "b"}


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_interrupted_batches_go_on(zeroin: Run, repo: Path, tmp_path: Path, environment: dict[str, str]) -> None:
    tasks = write(
        tmp_path / "tasks.jsonl", [{"id": f"t{n}", "repo": str(repo), "task": f"token expiry {n}"} for n in range(200)]
    )
    out = tmp_path / "run.jsonl"
    command = [sys.executable, "-m", "zeroin", "batch", str(tasks), "--out", str(out), "--jobs", "2"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, env=environment)
    until = time.monotonic() + 60
    while not (out.exists() and out.read_bytes().count(b"\n") > 1) and time.monotonic() < until:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=60)
    assert process.returncode == 3
    assert b"interrupted" in stderr and len(stderr.splitlines()) == 1
    done = results(out)
    assert 1 < len(done) < 200 and not any("error" in row for row in done.values())


def test_a_worker_that_dies_costs_one_row(zeroin: Run, repo: Path, tmp_path: Path, environment: dict[str, str]) -> None:
    # A repository on which the worker dies: its site hook ends the process when it sees the fatal name.
    hook = tmp_path / "hook"
    hook.mkdir()
    (hook / "sitecustomize.py").write_text(
        "import sys, os\n"
        "def audit(event, args):\n"
        "    if event in ('os.listdir', 'os.scandir', 'open', 'subprocess.Popen') and 'fatal-repo' in repr(args):\n"
        "        if 'zeroin.cli.batch_worker' in ' '.join(sys.orig_argv):\n"
        "            os._exit(9)\n"
        "sys.addaudithook(audit)\n"
    )
    fatal = tmp_path / "fatal-repo"
    fatal.mkdir()
    (fatal / "a.py").write_text("token = 1\n")
    tasks = write(
        tmp_path / "tasks.jsonl",
        [{"id": "x", "repo": str(fatal), "task": "token"}, {"id": "y", "repo": str(repo), "task": "token"}],
    )
    out = tmp_path / "run.jsonl"
    places = os.pathsep.join([str(hook), environment.get("PYTHONPATH", "")])
    done = zeroin("batch", tasks, "--out", out, PYTHONPATH=places)
    assert done.returncode == 0
    assert "ended with code 9" in results(out)["x"]["error"]
    assert results(out)["y"]["ranking"]


def test_nothing_of_the_current_folder_is_imported(repo: Path, tmp_path: Path, environment: dict[str, str]) -> None:
    (tmp_path / "zeroin").mkdir()
    for name in ("zeroin/__init__", "json", "numpy", "msgspec", "struct", "tree_sitter", "sitecustomize"):
        (tmp_path / f"{name}.py").write_text(f"open({str(tmp_path / 'was-run')!r}, 'w').close()\n")
    tasks = write(tmp_path / "tasks.jsonl", [{"id": "1", "repo": str(repo), "task": "token expiry"}])
    out = tmp_path / "run.jsonl"
    # -P: as the installed command, which does not look there for itself either.
    command = [sys.executable, "-P", "-m", "zeroin", "batch", str(tasks), "--out", str(out)]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert results(out)["1"]["files"]
    assert not (tmp_path / "was-run").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="there is no limit of this kind")
def test_a_row_that_is_written_in_part_is_an_error(tmp_path: Path) -> None:
    script = (
        "import resource, sys; from pathlib import Path; from zeroin.cli.batch_rows import Results\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))\n"
        "with Results(Path(sys.argv[1])) as results: results.add('a', b'x' * 200)\n"
    )
    command = [sys.executable, "-c", script, str(tmp_path / "out.jsonl")]
    done = subprocess.run(command, capture_output=True, check=False)
    assert b"InputError: cannot write" in done.stderr, done.stderr
