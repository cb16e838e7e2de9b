"""Real git repositories in temporary folders, with nothing of the machine's own configuration."""

import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

START = 1_700_000_000  # seconds since 1970: when commits are made, unless a test says otherwise
ENVIRONMENT = {
    **{k: v for k, v in os.environ.items() if not k.startswith("GIT_")},
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_COMMITTER_EMAIL": "a@example.org",
}


def write(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    """Write files below a folder; returns the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(text.encode() if isinstance(text, str) else text)
    return folder


def git(
    folder: Path, *args: str, data: str | bytes | None = None, seconds: int | None = None, author: str = "A"
) -> str:
    """What git prints; `seconds` dates what it commits."""
    env = {**ENVIRONMENT, "GIT_AUTHOR_NAME": author, "GIT_COMMITTER_NAME": author}
    if seconds is not None:
        env["GIT_AUTHOR_DATE"] = env["GIT_COMMITTER_DATE"] = f"@{seconds} +0000"
    given = data.encode() if isinstance(data, str) else data
    done = subprocess.run(["git", *args], cwd=folder, env=env, input=given, capture_output=True, check=True)
    return done.stdout.decode("utf-8", "surrogateescape").strip()


def repository(folder: Path, files: Mapping[str, str] | None = None, message: str = "first") -> Path:
    """A repository, with one commit if there are files."""
    folder.mkdir(parents=True, exist_ok=True)
    git(folder, "init", "-q", "-b", "main")
    if files:
        commit(folder, files, message)
    return folder


def commit(folder: Path, files: Mapping[str, str], message: str = "next", *, seconds: int = START) -> str:
    """A commit of changed files; returns its id."""
    write(folder, files)
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "--allow-empty", "-F", "-", data=message, seconds=seconds)
    return git(folder, "rev-parse", "HEAD")


def copy(folder: Path, place: Path) -> Path:
    """A copy of a repository, for a test that may change it; returns its place."""
    shutil.copytree(folder, place, symlinks=True)
    git(place, "update-index", "-q", "--refresh")  # which knows files by their inodes
    return place


def bare(folder: Path, place: Path) -> Path:
    """A bare copy of a repository at another place; returns that place."""
    place.parent.mkdir(parents=True, exist_ok=True)
    git(folder, "clone", "-q", "--bare", ".", str(place))
    return place
