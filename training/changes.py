"""The changes of a repository, read from git alone: what each says, which files it touches, which lines it replaces.

Two passes. The first lists every change with its message and entries, without reading a file (renames only where
the contents are equal). The second reads the patches of the few that were chosen.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.repositories import REGULAR_MODES, run_git

_MARK = "\x01\x02\x01"
_FORMAT = f"--format={_MARK}%H%x00%P%x00%an <%ae>%x00%cn <%ce>%x00%B%x00"
_PLAIN = ("--no-ext-diff", "--no-textconv", "--no-color", "--no-abbrev", "--no-notes", "--encoding=UTF-8")
_SHOW = ("-c", "core.quotePath=false", "-c", "diff.renameLimit=200", "log", "--no-walk=unsorted", "--stdin", *_PLAIN)
_HUNK = re.compile(rb"^@@ -(\d+)(?:,(\d+))? \+\d+(?:,(\d+))? @@", re.MULTILINE)
_REGULAR = frozenset(mode.decode() for mode in REGULAR_MODES)
NO_BLOB = "0" * 40


@dataclass(frozen=True, slots=True)
class Touched:
    """One file of a change: `status` is git's letter; `path` is the parent's, `new` the change's ("" for none)."""

    status: str
    path: str
    new: str
    old_blob: str
    new_blob: str
    regular: bool


@dataclass(frozen=True, slots=True)
class Change:
    """A change that is no merge; `position` counts from the newest, 0-based."""

    sha: str
    parent: str
    position: int
    author: str
    committer: str
    message: str
    touched: tuple[Touched, ...]


@dataclass(frozen=True, slots=True)
class FilePatch:
    """One file of a patch: ranges of the parent's lines, how many lines go and come, the hunks' text.

    `ranges` are 1-based and inclusive; an insertion is the line that it follows, at least 1.
    """

    file: Touched
    ranges: tuple[tuple[int, int], ...]
    changed: int
    binary: bool
    text: bytes


def list_changes(git_dir: Path, rev: str) -> tuple[str, ...]:
    """Ids of all changes reachable from `rev` that are no merges, newest first."""
    return tuple(run_git(git_dir, "rev-list", "--no-merges", rev, "--").decode().split())


def count_merges(git_dir: Path, rev: str) -> int:
    """How many merges are reachable from `rev`."""
    return int(run_git(git_dir, "rev-list", "--merges", "--count", rev, "--"))


def read_changes(git_dir: Path, ids: Sequence[str], first: int = 0) -> Iterator[Change]:
    """The changes of these ids, in their order; the first one has the position `first`."""
    if not ids:  # git would take the newest change
        return
    raw = run_git(git_dir, *_SHOW, "-z", "--raw", "-M100%", _FORMAT, data="\n".join(ids).encode())
    for number, record in enumerate(raw.decode("utf-8", "replace").split(_MARK)[1:]):
        sha, parents, author, committer, message, *rest = record.split("\0")
        yield Change(
            sha=sha,
            parent=parents.split(" ")[0],
            position=first + number,
            author=author,
            committer=committer,
            message=message,
            touched=tuple(_touched(rest)),
        )


def _touched(fields: Sequence[str]) -> Iterator[Touched]:
    at = 0
    while at < len(fields):
        head = fields[at].lstrip("\n")
        at += 1
        if not head.startswith(":"):
            continue
        names = 2 if head.rpartition(" ")[2][:1] in "RC" else 1
        yield _entry(head, fields[at : at + names])
        at += names


def _entry(head: str, names: Sequence[str]) -> Touched:
    old_mode, new_mode, old, new, status = head[1:].split(" ")
    letter = status[:1]
    return Touched(
        status=letter,
        path="" if letter == "A" else names[0],
        new="" if letter == "D" else names[-1],
        old_blob=old,
        new_blob=new,
        regular=all(mode in _REGULAR for mode in (old_mode, new_mode) if mode != "000000")
        and "\ufffd" not in "".join(names),
    )


def sizes(git_dir: Path, blobs: Iterable[str]) -> dict[str, int]:
    """Sizes in bytes of the blobs that are here; a partial copy lacks some."""
    wanted = sorted(set(blobs) - {NO_BLOB})
    found = run_git(git_dir, "cat-file", "--batch-check", data="\n".join(wanted).encode())
    rows = (line.split() for line in found.decode().splitlines())
    return {row[0]: int(row[2]) for row in rows if len(row) == 3 and row[1] == "blob"}


def read_patches(git_dir: Path, ids: Sequence[str]) -> dict[str, tuple[FilePatch, ...]]:
    """The patches of changes, by id, renames followed; all of their blobs must be here."""
    if not ids:
        return {}
    raw = run_git(git_dir, *_SHOW, "--raw", "-p", "-U0", "-M", f"--format={_MARK}%H", data="\n".join(ids).encode())
    out = {}
    for record in raw.split(b"\n" + _MARK.encode()) if raw else ():
        head, *sections = record.removeprefix(_MARK.encode()).split(b"\ndiff --git ")
        sha, *entries = head.decode("utf-8", "replace").split("\n")
        files = [_from_line(line) for line in entries if line.startswith(":")]
        if len(files) == len(sections):
            out[sha] = tuple(_file_patch(f, s) for f, s in zip(files, sections, strict=True))
    return out


def _from_line(line: str) -> Touched:
    head, *names = line.split("\t")
    entry = _entry(head, names)
    quoted = any(name.startswith('"') for name in names)  # a name that git must quote is left out
    return Touched(entry.status, entry.path, entry.new, entry.old_blob, entry.new_blob, entry.regular and not quoted)


def _file_patch(file: Touched, section: bytes) -> FilePatch:
    start = section.find(b"\n@@ ")
    text = section[start + 1 :] if start >= 0 else b""
    ranges, changed = [], 0
    for hunk in _HUNK.finditer(text):
        first, size = int(hunk[1]), int(hunk[2] or 1)
        ranges.append((max(first, 1), max(first + size - 1, 1)) if size else (max(first, 1), max(first, 1)))
        changed += size + int(hunk[3] or 1)
    binary = start < 0 and b"\nBinary files " in section
    return FilePatch(file, tuple(ranges), changed, binary, text)
