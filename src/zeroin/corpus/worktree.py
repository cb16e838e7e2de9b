"""The files of a git work tree as they are now: tracked ones, and untracked ones that git does not ignore."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, MutableSequence, Sequence
from itertools import islice
from pathlib import Path

from zeroin.config import MAX_FILE_BYTES
from zeroin.corpus.digest import tree_digest
from zeroin.corpus.files import Folder, key_of, unsearchable
from zeroin.corpus.git import DIFF_FLAGS, Git, same_blob, to_bytes, to_str
from zeroin.corpus.ignore import GIT_KINDS, MAX_IGNORE_BYTES, Ignores, folders_above
from zeroin.corpus.revision import apply
from zeroin.tree import Entry, Skipped, TreeState

_LIMIT = MAX_FILE_BYTES + 1
_READ_AHEAD = 64  # files that are held at once while those that differ from their blob are asked of git


class WorkTree:
    """A work tree, or the folder `prefix` of it.

    Entries that git knows to be unchanged carry their blob id; changed and untracked ones carry `stat` instead.
    """

    def __init__(self, git: Git, *, identity: str, root: Path, prefix: str, commit: str) -> None:
        self._git = git
        self._identity = identity
        self._root = root
        self._prefix = prefix
        self._commit = commit
        self._files = Folder(root)
        self._lock = threading.Lock()
        self._listed: tuple[tuple[Entry, ...], tuple[Skipped, ...]] | None = None
        self._committed: dict[
            str, str
        ] = {}  # blob in the index of each entry that carries no blob; "" if none
        self._deleted = False

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
        """All documents sorted by path, and what is left out. Raises `GitError`. Listed once."""
        with self._lock:
            if self._listed is None:
                self._listed = self._list()
            return self._listed

    def _list(self) -> tuple[tuple[Entry, ...], tuple[Skipped, ...]]:
        where: tuple[str | bytes, ...] = ("--", to_bytes(self._prefix)) if self._prefix else ()
        safe = self._git.without_filters()
        started = [
            safe.start("ls-files", "-s", "-z", *where),
            safe.start("diff-files", "-z", "--raw", *DIFF_FLAGS, *where),
            safe.start("ls-files", "-o", "-z", "--exclude-standard", *where),
        ]
        try:
            # Largest output last: the others fit a pipe or wait a moment, each in a process of its own.
            index, changed, untracked = (safe.finish(process) for process in started)
        finally:
            for process in started:
                if process.poll() is None:
                    process.kill()
                    process.wait()
        cut = len(to_bytes(self._prefix))
        entries: list[Entry] = []
        skipped: list[Skipped] = []
        touched = _changed_paths(changed)
        self._read_index(index, touched, cut, entries, skipped)
        for record in untracked.split(b"\0"):
            if record:
                self._add(to_str(record[cut:]), "", entries, skipped)
        ignores = self._ignores(entries)
        if ignores:
            entries, left_out = apply(ignores, self._prefix, entries)
            skipped.extend(left_out)
        entries.sort(key=lambda entry: entry.path)
        skipped.sort(key=lambda item: item.path)
        return tuple(entries), tuple(skipped)

    def _read_index(
        self,
        index: bytes,
        touched: frozenset[bytes],
        cut: int,
        entries: MutableSequence[Entry],
        skipped: MutableSequence[Skipped],
    ) -> None:
        seen_unmerged: set[bytes] = set()
        for record in index.split(b"\0"):  # "<mode> <blob> <stage>\t<path>"
            meta, tab, name = record.partition(b"\t")
            if not tab:
                continue
            mode, stage = meta[:3], meta[-1:]
            if mode == b"100" and stage == b"0" and name not in touched:
                entries.append(Entry(to_str(name[cut:]), meta[7:-2].decode("ascii")))
            elif mode == b"160":
                skipped.append(Skipped(to_str(name[cut:]), "submodule"))
            elif mode == b"120" and name not in touched:
                skipped.append(Skipped(to_str(name[cut:]), "symlink"))
            elif name not in seen_unmerged:
                seen_unmerged.add(name)  # a conflict has up to three stages and one file
                self._add(to_str(name[cut:]), meta[7:-2].decode("ascii"), entries, skipped)

    def _add(
        self,
        path: str,
        committed: str,
        entries: MutableSequence[Entry],
        skipped: MutableSequence[Skipped],
    ) -> None:
        """A file that must be looked at itself."""
        if path.endswith("/"):
            skipped.append(Skipped(path.rstrip("/"), "nested repository"))
            return
        stat = self._files.stat(path)
        if stat is None:
            self._deleted = True
            return
        reason = unsearchable(stat.st_mode)
        if reason:
            skipped.append(Skipped(path, reason))
            return
        self._committed[path] = committed
        entries.append(Entry(path, None, stat.st_size, key_of(stat)))

    def _ignores(self, entries: Iterable[Entry]) -> Ignores:
        """Ignore files, wherever they are listed and in the folders above; the asked folder's even if not listed."""
        found = [
            e.path for e in entries if e.path.endswith(GIT_KINDS) and e.path.rpartition("/")[2] in GIT_KINDS
        ]
        ignores = Ignores(GIT_KINDS)
        for path in dict.fromkeys((*GIT_KINDS, *found)):
            data = self._files.read(path, MAX_IGNORE_BYTES)
            if data:
                ignores.add(self._prefix + path, data)
        if self._prefix and self._git.work_tree is not None:
            top = Folder(self._git.work_tree)
            for folder in folders_above(self._prefix):
                for kind in GIT_KINDS:
                    ignores.add(folder + kind, top.read(folder + kind, MAX_IGNORE_BYTES) or b"")
        return ignores

    def read(self, entries: Iterable[Entry]) -> Iterator[tuple[Entry, bytes | None]]:
        """Contents in order, cut one byte after `MAX_FILE_BYTES`; None where a file vanished or is forbidden.

        Of an entry with a blob id, always that blob's bytes: the file is taken if it has them, else git is
        asked (another line ending, LFS, a file edited or removed meanwhile, a sparse checkout). So what is
        cached by blob can never be wrong.
        """
        todo = iter(entries)
        while chunk := list(islice(todo, _READ_AHEAD)):
            contents = [self._matching(entry) for entry in chunk]
            absent = [
                at
                for at, data in enumerate(contents)
                if data is None and chunk[at].blob and not chunk[at].stat
            ]
            if absent:
                blobs = self._git.blobs((chunk[at].blob or "" for at in absent), limit=_LIMIT)
                for at, data in zip(absent, blobs, strict=True):
                    contents[at] = data
            yield from zip(chunk, contents, strict=True)

    def _matching(self, entry: Entry) -> bytes | None:
        data = self._files.read(entry.path, _LIMIT)
        if data is None or entry.stat is not None or entry.blob is None:
            return data
        if len(data) == _LIMIT or same_blob(data, entry.blob):
            return data  # one too large is not analysed, so its bytes need not be checked
        if b"\r\n" in data:  # a checkout with core.autocrlf
            data = data.replace(b"\r\n", b"\n")
            if same_blob(data, entry.blob):
                return data
        return None

    def state(self, entries: Sequence[Entry]) -> TreeState:
        """Commit, digest of every path and blob, and whether the tree differs from the commit."""
        self.list()
        dirty = self._deleted or any(
            entry.stat is not None and entry.blob != self._committed.get(entry.path, entry.blob)
            for entry in entries
        )
        return TreeState(self._commit, tree_digest(entries), dirty or self._staged())

    def _staged(self) -> bool:
        """Whether the index differs from the commit."""
        where: tuple[str | bytes, ...] = ("--", to_bytes(self._prefix)) if self._prefix else ()
        if not self._commit:
            return bool(self._git.run("ls-files", "-s", "-z", *where))
        found = self._git.run("diff-index", "--cached", "--raw", "-z", *DIFF_FLAGS, self._commit, *where)
        return bool(found)


def _changed_paths(raw: bytes) -> frozenset[bytes]:
    """Paths of `diff-files --raw -z`: records of a description and a path."""
    return frozenset(raw.split(b"\0")[1::2])
