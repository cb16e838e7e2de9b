"""Real source trees in a temporary folder: revisions of bare repositories, written out and, if asked, committed."""

import os
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

_REGULAR = ("100644", "100755")
_AUTHOR = {
    f"GIT_{who}_{what}": value
    for who in ("AUTHOR", "COMMITTER")
    for what, value in (("NAME", "speed"), ("EMAIL", "speed@example.org"), ("DATE", "2024-01-01T00:00:00Z"))
}


def export(bare: Path, revision: str, folder: Path, most: int | None = None) -> int:
    """Write the regular files of a revision below `folder`, at most `most`, absent blobs left out; returns how many."""
    listed = git(bare, "ls-tree", "-r", "-z", revision).split(b"\0")
    blobs: list[tuple[bytes, bytes]] = []
    for record in filter(None, listed):
        about, _, path = record.partition(b"\t")
        mode, _, blob = about.split()
        if mode.decode() in _REGULAR:
            blobs.append((blob, path))
    count = 0
    for path, data in _contents(bare, blobs[:most]):
        target = folder / os.fsdecode(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
        count += 1
    return count


def _contents(bare: Path, blobs: Sequence[tuple[bytes, bytes]]) -> Iterator[tuple[bytes, bytes]]:
    asked = b"".join(blob + b"\n" for blob, _ in blobs)
    command = ["git", "-C", str(bare), "cat-file", "--batch", "--buffer"]
    answer = subprocess.run(command, input=asked, stdout=subprocess.PIPE, check=True).stdout
    at = 0
    for _, path in blobs:
        end = answer.index(b"\n", at)
        header = answer[at:end].split()
        at = end + 1
        if header[-1] == b"missing":
            continue
        size = int(header[2])
        yield path, answer[at : at + size]
        at += size + 1


def commit(folder: Path, message: str = "All files") -> None:
    """Make a repository of a folder, everything in one commit."""
    git(folder, "init", "-q", "-b", "main", ".")
    git(folder, "config", "gc.auto", "0")
    git(folder, "config", "core.safecrlf", "false")
    git(folder, "add", "-A", "-f", ".")
    git(folder, "commit", "-q", "-m", message)


def git(folder: Path, *arguments: str) -> bytes:
    """Output of git in `folder`; raises `CalledProcessError`."""
    return subprocess.run(
        ["git", "-C", str(folder), *arguments], stdout=subprocess.PIPE, check=True, env=os.environ | _AUTHOR
    ).stdout
