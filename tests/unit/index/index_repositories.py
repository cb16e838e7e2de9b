"""Real git repositories for the tests of the index, with nothing of the machine's own configuration."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from zeroin.protocols import Source
from zeroin.tree import Entry, Skipped, TreeState

ENVIRONMENT = {
    **{k: v for k, v in os.environ.items() if not k.startswith("GIT_")},
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "A",
    "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_COMMITTER_NAME": "A",
    "GIT_COMMITTER_EMAIL": "a@example.org",
}


def git(where: Path, *args: str, data: str | bytes | None = None, seconds: int | None = None) -> str:
    """What git prints; `seconds` dates what it commits."""
    env = dict(ENVIRONMENT)
    if seconds is not None:
        env["GIT_AUTHOR_DATE"] = env["GIT_COMMITTER_DATE"] = f"@{seconds} +0000"
    given = data.encode() if isinstance(data, str) else data
    done = subprocess.run(["git", *args], cwd=where, env=env, input=given, capture_output=True, check=True)
    return done.stdout.decode("utf-8", "surrogateescape").strip()


def repository(where: Path, files: dict[str, str] | None = None) -> Path:
    """A repository, with one commit if there are files."""
    where.mkdir(parents=True, exist_ok=True)
    git(where, "init", "-q", "-b", "main")
    if files:
        commit(where, files, "first")
    return where


def commit(where: Path, files: dict[str, str], message: str, *, seconds: int = 1_700_000_000) -> str:
    """A commit of changed files; returns its id."""
    for path, text in files.items():
        (where / path).parent.mkdir(parents=True, exist_ok=True)
        (where / path).write_text(text)
    git(where, "add", "-A")
    git(where, "commit", "-q", "--allow-empty", "-F", "-", data=message, seconds=seconds)
    return git(where, "rev-parse", "HEAD")


class Counting:
    """A source that counts what is read of it."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self.reads: list[str] = []

    def __getattr__(self, name: str) -> object:
        return getattr(self._source, name)

    def list(self) -> tuple[tuple[Entry, ...], tuple[Skipped, ...]]:
        return self._source.list()

    def read(self, entries: Iterable[Entry]) -> Iterator[tuple[Entry, bytes | None]]:
        for entry, data in self._source.read(entries):
            self.reads.append(entry.path)
            yield entry, data

    def state(self, entries: Sequence[Entry]) -> TreeState:
        return self._source.state(entries)
