"""Where nothing can be written or read: one line and an exit code, whatever the command; and what Markdown shows."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from tests.cli.conftest import Run
from tests.repositories import git

COMMANDS = (
    "{task} {repo}",
    "{task} {repo} -f jsonl",
    "terms token {repo}",
    "doctor {repo}",
    "index {repo}",
    "cache",
    "mcp",
)
posix = pytest.mark.skipif(os.name == "nt", reason="of POSIX")


def shell(line: str, cwd: Path, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Runs a line in which `zeroin` is the command."""
    return subprocess.run(
        ["/bin/sh", "-c", re.sub(r"(?<![\w/.-])zeroin(?= )", f"'{sys.executable}' -m zeroin", line)],
        cwd=cwd,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@posix
@pytest.mark.parametrize("command", [*COMMANDS[:-1], "schema", "--help", "--version", "cache --prune"])
def test_a_full_standard_output_is_one_line(repo: Path, environment: dict[str, str], command: str) -> None:
    if not os.path.exists("/dev/full"):  # noqa: PTH110
        pytest.skip("there is no such device")
    line = command.format(task="'token expiry'", repo=repo)
    done = shell(f"zeroin {line} > /dev/full", repo, environment)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
    assert done.stderr.startswith("zeroin: ") and "No space left on device" in done.stderr


@posix
@pytest.mark.parametrize("name", ["-", "/dev/stdout", "/dev/stderr", "/dev/fd/1", "/dev/fd/7"])
def test_what_a_file_held_stays_where_an_own_stream_is_named(
    repo: Path, environment: dict[str, str], name: str
) -> None:
    number = {"-": "1", "/dev/stdout": "1", "/dev/stderr": "2"}.get(name) or name.rpartition("/")[2]
    asked = f"zeroin 'token expiry' {repo} -f paths -q --output {name}"
    done = shell(f"echo before > log; {{ {asked}; echo after >&{number}; }} {number}>> log", repo, environment)
    assert done.returncode == 0, done.stderr
    first, *paths, last = (repo / "log").read_text().splitlines()
    assert (first, last) == ("before", "after") and "src/auth/token-service.ts" in paths


@posix
def test_a_change_may_come_through_a_pipe(repo: Path, environment: dict[str, str]) -> None:
    """As a shell hands over `--diff=<(git diff)`."""
    pipe = repo / "pipe"
    os.mkfifo(pipe)
    done = shell(f"git show > {pipe} & zeroin {repo} -f json --diff={pipe}", repo, environment)
    assert done.returncode in (0, 1), done.stderr
    assert json.loads(done.stdout)["task"]["diff"] == ["src/auth/token-service.ts"]


@posix
@pytest.mark.parametrize("command", COMMANDS)
def test_a_closed_standard_output_is_one_line(repo: Path, environment: dict[str, str], command: str) -> None:
    line = command.format(task="'token expiry'", repo=repo)
    done = shell(f"zeroin {line} >&-", repo, environment)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
    assert done.stderr.startswith("zeroin: ") and "closed" in done.stderr


@posix
@pytest.mark.parametrize(
    "command", ["{task}", "doctor", "mcp", "index", "install --print", "terms token", "learn --show"]
)
def test_a_deleted_folder_is_one_line(tmp_path: Path, environment: dict[str, str], command: str) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    line = command.format(task="'token expiry'")
    done = shell(f"rmdir '{gone}'; zeroin {line}", gone, environment)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
    assert "does not exist any more" in done.stderr or "No such file or directory" in done.stderr


@posix
@pytest.mark.parametrize("place", ["cache", "cache/index", "cache/index/{name}.sqlite3", "cache/index/{name}.arrays"])
def test_links_in_a_circle_in_the_cache_cost_the_cache_alone(
    zeroin: Run, repo: Path, tmp_path: Path, environment: dict[str, str], place: str
) -> None:
    first = zeroin("token expiry", repo, "-f", "paths")
    (store,) = (tmp_path / "cache" / "index").glob("*.sqlite3")
    link = tmp_path / place.format(name=store.stem)
    link.rename(tmp_path / "aside")
    link.symlink_to(link.name)
    for arguments in (("token expiry", repo, "-f", "paths"), ("index", repo), ("cache",), ("doctor", repo)):
        done = zeroin(*arguments)
        assert b"Traceback" not in done.stderr and done.stderr.count(b"\n") <= 2, done.stderr
        if arguments[0] == "token expiry":
            assert done.stdout == first.stdout


def test_no_link_and_no_image_of_a_repository_is_one_in_markdown(zeroin: Run, repo: Path) -> None:
    image, label = ("![token expiry](http:/evil.example/x.png).py", "[token]: http:/evil.example/token_expiry.py")
    for path in (image, label):
        (repo / path).parent.mkdir(parents=True)
        (repo / path).write_text(
            "# Token expiry ![seen](https://evil.example/p.png) [here](https://evil.example) [token][token]\n"
            "def token_expiry():\n    raise ValueError('token expiry ![seen](https://evil.example/q.png)')\n"
        )
    git(repo, "add", "-A")
    git(
        repo,
        "commit",
        "-q",
        "-m",
        "Token expiry ![seen](https://evil.example/m.png), [token] [here](https://evil.example)",
    )
    for command in (("token expiry ![a](https://evil.example/t.png)", repo), ("terms", "token expiry", repo)):
        shown = zeroin(*command, "-f", "markdown").stdout.decode()
        found = MarkdownIt("commonmark").enable("table").parse(shown)
        inside = [token.type for block in found for token in block.children or ()]
        assert "text" in inside
        assert not {"image", "link_open"} & set(inside), shown
    assert image.replace("](", "]\\(") in zeroin("token expiry", repo, "-f", "markdown").stdout.decode()
