"""A home folder of its own for every test, and the real process in it."""

import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.install.configurations import PROGRAMS
from tests.ready_process import ReadyProcess
from zeroin.install.hosts import Places

Run = Callable[..., "subprocess.CompletedProcess[str]"]
VARIABLES = (
    "XDG_CONFIG_HOME",
    "XDG_STATE_HOME",
    "CLAUDE_CONFIG_DIR",
    "CODEX_HOME",
    "COPILOT_HOME",
    "GEMINI_CLI_HOME",
    "VIRTUAL_ENV",
)
FOLDERS = (
    ".claude",
    ".codex",
    ".cursor",
    ".gemini",
    ".copilot",
    ".config/opencode",
    ".config/zed",
    f"{PROGRAMS}/Code/User",
)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The home folder of this test; nothing outside `tmp_path` is read or written."""
    folder = tmp_path / "home"
    folder.mkdir()
    for variable in VARIABLES:
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("USERPROFILE", str(folder))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.chdir(folder)
    yield folder


@pytest.fixture
def places(home: Path) -> Places:
    """The places of the test's user, whose programs find `zeroin` by its name."""
    return Places(home, dict(os.environ))


@pytest.fixture
def run(home: Path, ready: ReadyProcess) -> Run:
    """Runs `zeroin` with these arguments, nobody at the keyboard."""

    def run(*arguments: str, cwd: Path = home, **environment: str) -> subprocess.CompletedProcess[str]:
        done = ready.run(arguments, cwd=cwd, env={**os.environ, **environment})
        return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())

    return run


def everything(folder: Path) -> dict[str, bytes | str]:
    """All that is below `folder`: of files the bytes, of folders and links what they are."""
    found: dict[str, bytes | str] = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_symlink():
            found[name] = f"-> {path.readlink()}"
        else:
            found[name] = "folder" if path.is_dir() else path.read_bytes()
    return found
