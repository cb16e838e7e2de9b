"""Real git repositories in temporary folders, untouched by the configuration of whoever runs the tests."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests import repositories

Git = Callable[..., bytes]


@pytest.fixture(autouse=True)
def own_configuration(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith("GIT_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    for role in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{role}_NAME", "A")
        monkeypatch.setenv(f"GIT_{role}_EMAIL", "a@example.com")


@pytest.fixture
def git() -> Git:
    def run(folder: Path, *args: str | bytes, stdin: bytes = b"") -> bytes:
        done = subprocess.run(["git", *args], cwd=folder, input=stdin, capture_output=True, check=False)
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout

    return run


@pytest.fixture
def write() -> Callable[..., Path]:
    return repositories.write


@pytest.fixture
def repo(tmp_path: Path, git: Git, write: Callable[..., Path]) -> Callable[..., Path]:
    """Makes a repository whose files are committed."""

    def make(files: dict[str, bytes | str], name: str = "repo") -> Path:
        root = tmp_path / name
        root.mkdir()
        git(root, "init", "-q", "-b", "main")
        write(root, files)
        git(root, "add", "-A", "-f")
        git(root, "commit", "-q", "-m", "first")
        return root

    return make
