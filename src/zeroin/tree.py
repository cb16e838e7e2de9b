"""Values of a tree of files: what is listed and skipped, what a file defines and imports, and what a change touches.

Paths are repository-relative, POSIX, `str`. Lines are 1-based and inclusive.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple


class Entry(NamedTuple):
    """One file of a source: `blob` is the git blob id (hex) or None where it must still be hashed."""

    path: str
    blob: str | None
    size: int | None = None
    stat: tuple[int, int, int] | None = None  # `files.key_of`: only for files outside git's index


class Skipped(NamedTuple):
    """A file that is not searched, and the stated reason."""

    path: str
    reason: str


class Definition(NamedTuple):
    """A named thing that a file defines, with the span of its whole body."""

    name: str
    kind: str  # function, method, class, interface, type, enum, struct, trait, module, package …
    start: int
    end: int
    parent: str = ""  # name of the enclosing definition, if any


class Import(NamedTuple):
    """An import as written: `module` is the raw specifier, `names` what is taken from it."""

    module: str
    names: tuple[str, ...]
    line: int


def runs_of(lines: Iterable[int]) -> list[tuple[int, int]]:
    """Return the first and last of each run of lines that follow one another."""
    out: list[tuple[int, int]] = []
    for line in sorted(lines):
        if out and line == out[-1][1] + 1:
            out[-1] = (out[-1][0], line)
        else:
            out.append((line, line))
    return out


@dataclass(frozen=True, slots=True)
class DiffFile:
    """One file of a change: new-side line spans that it touches, and the words on its lines.

    `numbers` are the new-side lines of the rows of `added`, 0 for the header of a hunk.
    """

    path: str
    old_path: str | None
    spans: tuple[tuple[int, int], ...]
    added: str
    removed: str
    numbers: tuple[int, ...] = ()
    deleted: bool = False  # the change removes it


@dataclass(frozen=True, slots=True)
class Diff:
    """A change as the task: `message` is its commit message where there is one."""

    files: tuple[DiffFile, ...]
    message: str = ""


@dataclass(frozen=True, slots=True)
class TreeState:
    """Which tree an answer is about: `commit` where there is one, `tree` a digest of every (path, blob)."""

    commit: str
    tree: str
    dirty: bool
    rev: str = ""
