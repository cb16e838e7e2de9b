"""What a repository really holds, read from git itself and not from the index that is under test."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from benchmarks.repositories import RepositoryError, run_git
from zeroin.corpus.decode import decode
from zeroin.index.view import View
from zeroin.terms import WORD
from zeroin.tree import TreeState

SWEEP = 100  # a commit that touches more files says nothing of any of them, and zeroin does not count it
KNOWN_COMMITS = 20_000  # of the history, newest first


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit as git tells it: first line of its message, and the paths that it touched."""

    id: str
    subject: str
    files: frozenset[str]


class Facts:
    """One tree: texts by path, commits by id. A tree with uncommitted changes is read through the view."""

    def __init__(self, view: View, git_dir: Path, tree: TreeState) -> None:
        self._view = view
        self._git_dir = git_dir
        self._rev = "" if tree.dirty else tree.commit
        self.commit = tree.commit
        self._lines: dict[str, list[str]] = {}
        self._commits: dict[str, Commit | None] = {}

    def exists(self, path: str) -> bool:
        """Whether the tree holds a file at `path`."""
        return path in self._view.numbers

    def lines(self, path: str) -> list[str]:
        """The lines of a file; none where there is no such file."""
        if path not in self._lines:
            self._lines[path] = self._read(path)
        return self._lines[path]

    def _read(self, path: str) -> list[str]:
        if not self.exists(path):
            return []
        if not self._rev:
            return self._view.text(self._view.numbers[path]).split("\n")
        try:
            return decode(run_git(self._git_dir, "cat-file", "blob", f"{self._rev}:{path}")).text.split("\n")
        except RepositoryError:
            return []

    def says(self, path: str, line: int | None, word: str) -> bool:
        """Whether a line of a file holds `word`."""
        return line is not None and 1 <= line <= len(self.lines(path)) and word in self.lines(path)[line - 1]

    def words(self, path: str, first: int = 1, last: int | None = None) -> set[str]:
        """The words of some lines."""
        return {word for line in self.lines(path)[first - 1 : last] for word in WORD.findall(line)}

    def commits(self, ids: Iterable[str]) -> dict[str, Commit]:
        """Commits by id; what is no commit is left out."""
        wanted = list(dict.fromkeys(ids))
        missing = [i for i in wanted if i not in self._commits]
        if missing:
            known = self._log(missing)
            self._commits.update({i: known.get(i) for i in missing})
        return {i: found for i in wanted if (found := self._commits[i]) is not None}

    def _log(self, ids: list[str]) -> dict[str, Commit]:
        flags = ("--no-walk=unsorted", "--no-renames", "--name-only", "-z", "--encoding=UTF-8", "--root")
        form = "--format=%x01%H%x00%B%x00"
        try:
            data = run_git(self._git_dir, "log", *flags, form, *ids)
        except RepositoryError:
            if len(ids) == 1:
                return {}
            return {i: c for one in ids for i, c in self._log([one]).items()}
        out = {}
        for record in data.split(b"\x01")[1:]:
            identity, message, *files = record.split(b"\0")
            subject = next((row for row in message.decode("utf-8", "replace").splitlines() if row.strip()), "")
            paths = (name.lstrip(b"\n").decode("utf-8", "surrogateescape") for name in files)
            out[identity.decode()] = Commit(identity.decode(), subject.strip(), frozenset(filter(None, paths)))
        return out

    @cached_property
    def ancestors(self) -> frozenset[str]:
        """Every commit that is reachable from the searched one, itself included."""
        return frozenset(run_git(self._git_dir, "rev-list", self.commit).decode().split())

    def commits_that_touched(self, path: str) -> frozenset[str]:
        """Commits that touched a path, merges left out, by git's own listing."""
        return _touching(self._git_dir, self.commit, path)

    def files_that_say(self, word: str) -> set[str]:
        """Files of the tree that hold a word, in any case, binary ones left out."""
        arguments = ("grep", "-I", "-l", "-z", "-w", "-i", "-F", "-e", word, self._rev or self.commit, "--")
        try:
            rows = run_git(self._git_dir, *arguments).split(b"\0")
        except RepositoryError:  # git grep exits with 1 where it finds nothing
            return set()
        found = {row.partition(b":")[2].decode("utf-8", "surrogateescape") for row in rows if row}
        return found & set(self._view.paths)


@cache
def _touching(git_dir: Path, rev: str, path: str) -> frozenset[str]:
    flags = ("--no-merges", "--full-history", "--no-renames", "--format=%H")
    return frozenset(run_git(git_dir, "log", *flags, rev, "--", f":(literal){path}").decode().split())


def glob_matches(glob: str, path: str) -> bool:
    """Whether a glob names a path: `**/` any folders, `*` within a name, a leading `/` the top."""
    return _expression(glob).fullmatch(path) is not None


@cache
def _expression(glob: str) -> re.Pattern[str]:
    parts = re.split(r"(\*\*/|\*)", glob.lstrip("/"))
    spelled = {"**/": r"(?:.*/)?", "*": r"[^/]*"}
    return re.compile("".join(spelled.get(part, re.escape(part)) for part in parts))


__all__ = ["Commit", "Facts", "KNOWN_COMMITS", "SWEEP", "glob_matches"]
