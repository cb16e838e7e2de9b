"""What the README shows works as shown, and what SECURITY.md names exists."""

import contextlib
import importlib.util
import io
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.ready_process import ReadyProcess

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
SETUP = "python3 -m venv .venv && .venv/bin/pip install "
ASKS = '.venv/bin/zeroin "Fix the authentication token expiry bug" examples/token-expiry'


def _blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)


def _first_commands() -> list[str]:
    return _blocks("sh")[0].splitlines()


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZEROIN_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.chdir(ROOT)


def test_the_two_commands_come_first_and_need_only_pip() -> None:
    install, check = _first_commands()
    assert install == SETUP + ". && " + ASKS
    assert check == SETUP + "-e '.[dev]' && .venv/bin/pytest"
    assert README.index(install) < 1_500  # on the first screen


def test_the_first_command_answers() -> None:
    program, *arguments = shlex.split(_first_commands()[0].split(" && ")[-1])
    assert program == ".venv/bin/zeroin"
    done = subprocess.run([sys.executable, "-m", "zeroin", *arguments], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    assert b"src/auth/" in done.stdout.split(b"Supporting")[0]


def test_no_folder_of_the_tests_passes_for_a_library() -> None:
    """The second command installs no agent framework: their tests are skipped only if nothing else is found."""
    folders = {path for path in (ROOT / "tests").iterdir() if path.is_dir()}
    assert {"agents", "mcp"} <= {folder.name for folder in folders}
    for folder in folders:
        spec = importlib.util.find_spec(folder.name)
        found = [] if spec is None else [*(spec.submodule_search_locations or ())]
        assert folder not in map(Path, found)


def test_the_python_of_the_readme_runs() -> None:
    (code,) = _blocks("python")
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(code, "README.md", "exec"), {"__name__": "readme"})
    said = out.getvalue()
    assert "src/auth/tokens.ts" in said and "\n2 [" in said


def test_every_option_in_the_readme_exists(ready: ReadyProcess) -> None:
    commands = ("", "find", "refine", "batch", "learn", "install", "index", "cache")
    known = "".join(
        ready.run([*filter(None, [command]), "--help"], cwd=ROOT, env=os.environ).stdout.decode()
        for command in commands
    )
    lines = [line for block in _blocks("sh") + _blocks("console") for line in block.splitlines()]
    asked = " ".join(line.partition("#")[0] for line in lines if "zeroin " in line and "pip " not in line)
    asked += " " + " ".join(re.findall(r"\*\*`(--[a-z-]+)`\*\*", README))
    options = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", asked)) - {"--json"}  # of another program
    assert len(options) > 12
    assert {option for option in options if not re.search(rf"{option}(?![\w-])", known)} == set()


@pytest.mark.parametrize(("page", "least"), [("SECURITY", 30), ("RELIABILITY", 6)])
def test_tests_that_a_page_names_exist(page: str, least: int) -> None:
    text = (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")
    file, named = "", 0
    for given, test in re.findall(r"`(tests/[\w/]+\.py)?::(\w+)`", text):
        file = given or file
        assert f"def {test}(" in (ROOT / file).read_text(encoding="utf-8"), f"{file}::{test}"
        named += 1
    assert named > least
