"""A revision straight from git's objects: no checkout, bare repositories too."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from zeroin.config import MAX_FILE_BYTES
from zeroin.corpus.digest import tree_digest
from zeroin.corpus.git import Git, to_bytes, to_str
from zeroin.corpus.ignore import GIT_KINDS, Ignores, folders_above
from zeroin.errors import RepositoryError
from zeroin.tree import Entry, Skipped, TreeState


class Revision:
    """The tree of one commit, or of the folder `prefix` in it. `commit` is "" in a repository without a commit."""

    def __init__(self, git: Git, *, identity: str, root: Path, prefix: str, commit: str, rev: str) -> None:
        self._git = git
        self._identity = identity
        self._root = root
        self._prefix = prefix
        self._commit = commit
        self._rev = rev
        self._lock = threading.Lock()
        self._listed: tuple[tuple[Entry, ...], tuple[Skipped, ...]] | None = None
        if prefix and commit and self._git.type_of(to_bytes(f"{commit}:{prefix.rstrip('/')}")) != "tree":
            raise RepositoryError(f"there is no folder {prefix.rstrip('/')!r} in revision {rev}")

    @property
    def identity(self) -> str:
        return self._identity

    @property
    def root(self) -> Path:
        return self._root

    @property
    def git_dir(self) -> Path | None:
        return self._git.git_dir

    @property
    def prefix(self) -> str:
        return self._prefix

    @property
    def commit(self) -> str:
        return self._commit

    def list(self) -> tuple[tuple[Entry, ...], tuple[Skipped, ...]]:
        """All documents of the tree sorted by path, and what is left out. Raises `GitError`."""
        with self._lock:
            if self._listed is None:
                self._listed = self._list()
            return self._listed

    def _list(self) -> tuple[tuple[Entry, ...], tuple[Skipped, ...]]:
        if not self._commit:
            return (), ()
        tree = to_bytes(f"{self._commit}:{self._prefix.rstrip('/')}")
        entries: list[Entry] = []
        skipped: list[Skipped] = []
        ignore_files: list[Entry] = []
        for record in self._git.run("ls-tree", "-r", "-z", "--full-tree", tree).split(b"\0"):
            meta, tab, name = record.partition(b"\t")
            if not tab:
                continue
            path = to_str(name)
            if meta.startswith(b"100"):
                entry = Entry(path, meta[meta.rfind(b" ") + 1 :].decode("ascii"))
                entries.append(entry)
                if path.endswith(GIT_KINDS) and path[path.rfind("/") + 1 :] in GIT_KINDS:
                    ignore_files.append(entry)
            else:
                skipped.append(Skipped(path, "submodule" if meta.startswith(b"160") else "symlink"))
        ignores = self._ignores(ignore_files)
        if ignores:
            entries, left_out = apply(ignores, self._prefix, entries)
            skipped.extend(left_out)
        entries.sort(key=_by_path)
        skipped.sort(key=_by_path)
        return tuple(entries), tuple(skipped)

    def _ignores(self, found: Sequence[Entry]) -> Ignores:
        """The ignore files of the revision itself, with those of the folders above the prefix."""
        ignores = Ignores(GIT_KINDS)
        for entry, data in self.read(found):
            ignores.add(self._prefix + entry.path, data or b"")
        for folder in folders_above(self._prefix):
            for kind in GIT_KINDS:
                name = to_bytes(f"{self._commit}:{folder}{kind}")
                if self._git.type_of(name) == "blob":
                    ignores.add(folder + kind, self._git.run("cat-file", "blob", name))
        return ignores

    def read(self, entries: Iterable[Entry]) -> Iterator[tuple[Entry, bytes | None]]:
        """Contents in order, cut one byte after `MAX_FILE_BYTES`; None where git lacks the blob."""
        wanted = list(entries)
        # strict: `blobs` answers each id exactly once
        contents = self._git.blobs((entry.blob or "0" * 40 for entry in wanted), limit=MAX_FILE_BYTES + 1)
        yield from zip(wanted, contents, strict=True)

    def state(self, entries: Sequence[Entry]) -> TreeState:
        """The tree as digest of every path and blob; never dirty."""
        return TreeState(self._commit, tree_digest(entries), dirty=False, rev=self._rev)


def _by_path(item: Entry | Skipped) -> str:
    return item.path


def apply(ignores: Ignores, prefix: str, entries: Iterable[Entry]) -> tuple[list[Entry], list[Skipped]]:
    """Entries that the ignore files keep, and those that they leave out."""
    kept: list[Entry] = []
    left_out: list[Skipped] = []
    for entry in entries:
        verdict = ignores.decide(prefix + entry.path)
        if verdict is not None and verdict.ignored:
            left_out.append(Skipped(entry.path, f"ignored by {verdict.kind}"))
        else:
            kept.append(entry)
    return kept, left_out
