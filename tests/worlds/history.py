"""Real repositories with a made-up history: which commit touched which files, and what its message says."""

from __future__ import annotations

import os
import subprocess
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

_START = 1_700_000_000  # seconds since 1970 of the first commit
_STEP = 3_600
_PROJECT = Path(__file__).resolve().parents[2]


def commit_all(folder: Path, files: Mapping[str, str], history: Sequence[tuple[str, Sequence[str]]]) -> None:
    """Make `folder` a git repository whose work tree holds `files` after the commits (message, paths) of `history`.

    A commit that is not the last to touch a file leaves empty lines at its end, one for each that follows. Same
    input, same commit ids.
    """
    folder.mkdir(parents=True, exist_ok=True)
    left = Counter(path for _, paths in history for path in paths)
    stream: list[bytes] = []
    for number, (message, paths) in enumerate(history):
        who = f"dev <dev@example.org> {_START + _STEP * number} +0000"
        stream.append(f"commit refs/heads/main\nauthor {who}\ncommitter {who}\n".encode() + _data(message))
        for path in paths:
            left[path] -= 1
            stream.append(f"M 100644 inline {path}\n".encode() + _data(files[path] + "\n" * left[path]))
    _git(folder, b"", "init", "-q", "-b", "main", ".")
    _git(folder, b"\n".join(stream) + b"\n", "fast-import", "--quiet")
    _git(folder, b"", "reset", "-q", "--hard", "main")


def build_world(about: Mapping[str, Any], folder: Path) -> Path:
    """The repository of a world, as its JSON file describes it."""
    root = _PROJECT / about["root"]
    history = [(one["message"], one["files"]) for one in about["history"]]
    commit_all(folder, {path: (root / path).read_text("utf-8") for _, paths in history for path in paths}, history)
    return folder


def _data(text: str) -> bytes:
    raw = text.encode()
    return b"data %d\n%s" % (len(raw), raw)


def _git(folder: Path, given: bytes, *arguments: str) -> None:
    plain = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    subprocess.run(
        ["git", *arguments], cwd=folder, input=given, env={**os.environ, **plain}, check=True, capture_output=True
    )
