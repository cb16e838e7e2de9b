"""Bare repositories on this machine: finding them, and reading a revision's files without running anything in them."""

import os
import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

MAX_BYTES = 1_000_000  # a larger file is data, not code: no candidate of any baseline
BINARY_HEAD = 8_000  # git's own rule: a NUL in the first bytes means binary
ABSENT = b"BAD"  # what ``ls-tree -l`` prints for a blob that the tree names but the copy lacks
REGULAR_MODES = (b"100644", b"100755")  # symlinks and submodules hold no text of their own


@dataclass(frozen=True, slots=True)
class Blob:
    """One regular file of a revision: path (POSIX, repository-relative), blob id, size in bytes."""

    path: str
    blob: str
    size: int


class RepositoryError(Exception):
    """Git could not answer about a repository."""


def _environment() -> dict[str, str]:
    """The process environment without anything that redirects git or lets it ask questions."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    return kept | {"GIT_CONFIG_NOSYSTEM": "1", "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}


def _command(git_dir: Path, *arguments: str) -> list[str]:
    safe = ["-c", "safe.directory=*", "-c", f"core.hooksPath={os.devnull}", "-c", "core.fsmonitor=false"]
    return ["git", *safe, "--git-dir", str(git_dir), *arguments]


def run_git(git_dir: Path, *arguments: str, data: bytes = b"") -> bytes:
    """Standard output of one git command that reads `data`; raises RepositoryError when it fails."""
    done = subprocess.run(
        _command(git_dir, *arguments), input=data, capture_output=True, env=_environment(), check=False
    )
    if done.returncode != 0:
        raise RepositoryError(done.stderr.decode(errors="replace").strip() or f"git failed: {arguments[0]}")
    return done.stdout


def find_repositories(folder: Path) -> dict[str, Path]:
    """Lower-cased ``owner/name`` → git directory, for a folder laid out as ``owner+name/…``."""
    found: dict[str, Path] = {}
    for entry in sorted(folder.iterdir()):
        if "+" not in entry.name or not entry.is_dir():
            continue
        git_dir = _git_dir_below(entry)
        if git_dir is not None:
            found[entry.name.replace("+", "/", 1).lower()] = git_dir
    return found


def _git_dir_below(folder: Path, depth: int = 3) -> Path | None:
    if (folder / "HEAD").is_file() and (folder / "objects").is_dir():
        return folder
    if depth == 0:
        return None
    for child in sorted(folder.iterdir()):
        if child.is_dir() and not child.is_symlink():
            found = _git_dir_below(child, depth - 1)
            if found is not None:
                return found
    return None


def locate(repo: str, found: Mapping[str, Path], forks: Mapping[str, Sequence[str]]) -> tuple[Path, ...]:
    """Git directories that may hold a repository's commits: its own first, then its forks, in the order given."""
    names = [repo, *forks.get(repo, ())]
    return tuple(dict.fromkeys(found[name.lower()] for name in names if name.lower() in found))


def has_commit(git_dir: Path, rev: str) -> bool:
    """Whether the repository holds this commit."""
    try:
        run_git(git_dir, "cat-file", "-e", f"{rev}^{{commit}}")
    except RepositoryError:
        return False
    return True


def list_blobs(git_dir: Path, rev: str) -> tuple[Blob, ...]:
    """Regular files at a revision, in path order.

    Names that are not UTF-8, and blobs that a partial copy lacks, are left out.
    """
    blobs = []
    for row in run_git(git_dir, "ls-tree", "-r", "-z", "-l", "--full-tree", rev).split(b"\0"):
        if not row:
            continue
        head, _, name = row.partition(b"\t")
        mode, _, blob, size = head.split()
        if mode not in REGULAR_MODES or size == ABSENT:
            continue
        try:
            blobs.append(Blob(name.decode(), blob.decode(), int(size)))
        except UnicodeDecodeError:
            continue
    return tuple(blobs)


def read_blobs(git_dir: Path, blobs: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    """(blob id, bytes) for each id, in the order given, through one ``git cat-file --batch``."""
    with subprocess.Popen(
        _command(git_dir, "cat-file", "--batch"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=_environment(),
    ) as process:
        if process.stdin is None or process.stdout is None:
            raise RepositoryError("git cat-file has no pipes")
        for blob in blobs:
            process.stdin.write(blob.encode() + b"\n")
            process.stdin.flush()
            header = process.stdout.readline().split()
            if len(header) != 3:
                raise RepositoryError(f"object {blob} is missing")
            data = process.stdout.read(int(header[2]))
            process.stdout.read(1)
            yield blob, data
        process.stdin.close()


def is_text(data: bytes) -> bool:
    """Whether git would call these bytes text (no NUL near the start)."""
    return b"\0" not in data[:BINARY_HEAD]
