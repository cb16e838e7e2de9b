"""Help, version, schema, completion: quick, and without the heavy parts."""

import os
import subprocess
import sys

import pytest

import zeroin as package
from tests.cli.conftest import Run


def test_help_shows_options_commands_and_exit_codes(zeroin: Run) -> None:
    done = zeroin("--help")
    text = done.stdout.decode()
    assert done.returncode == 0
    assert text.startswith("Usage: zeroin TASK [PATH]... [OPTIONS]\n       zeroin COMMAND [ARGS]\n")
    head, _, rest = text.partition("Options:")
    assert len(head.splitlines()) <= 24  # one screen holds it
    for part in ("TASK  ", "PATH  ", 'zeroin "-x: the exit code is 0"', "zeroin --diff=main...HEAD"):
        assert part in head
    for part in ("-h, --help", "--budget", "--diff", "batch", "completion", "Exit codes", "out of time"):
        assert part in rest
    assert zeroin("-h").stdout == done.stdout
    for command in ("find", "batch", "index", "cache", "schema", "completion"):
        assert zeroin(command, "--help").returncode == 0
    listed = zeroin("fleet", "--help").stdout.decode().partition("Commands:")[2]
    assert "serve" in listed and "..." not in listed  # no sentence is cut off


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_help_and_version_load_little(option: str) -> None:
    code = (
        "import sys\nfrom zeroin.cli.main import main\n"
        f"try:\n    main(['{option}'])\nexcept SystemExit:\n    pass\n"
        "print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    loaded = done.stderr.decode().split()
    assert sum(name.split(".")[0] == "zeroin" for name in loaded) <= 25
    assert not {"numpy", "rich", "jinja2", "tree_sitter", "msgspec", "zeroin.engine"} & set(loaded)


def test_version(zeroin: Run) -> None:
    assert zeroin("--version").stdout.decode() == f"zeroin {package.__version__}\n"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion(zeroin: Run, shell: str) -> None:
    done = zeroin("completion", shell)
    assert done.returncode == 0
    assert b"_ZEROIN_COMPLETE" in done.stdout
    assert zeroin("completion", "tcsh").returncode == 2


def test_completion_knows_the_default_command() -> None:
    def complete(words: str, at: int) -> str:
        program = [sys.executable, "-c", "from zeroin.cli.main import main; main()"]
        asked = {"_ZEROIN_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": str(at)}
        return subprocess.run(program, capture_output=True, env={**os.environ, **asked}, check=False).stdout.decode()

    assert "--budget" in complete("zeroin --bu", 1)
    assert "batch" in complete("zeroin ba", 1)
    assert "markdown" in complete("zeroin task --format m", 3)
