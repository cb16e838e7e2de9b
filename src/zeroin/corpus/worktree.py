"""The files of a git work tree as they are now: tracked ones, and untracked ones that git does not ignore."""

import stat as modes
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from zeroin.config import MAX_FILE_BYTES
from zeroin.corpus.files import NESTED, Folder, item_of
from zeroin.corpus.git import DIFF_FLAGS, Git, same_blob, to_bytes, to_str
from zeroin.corpus.ignore import GIT_KINDS, MAX_IGNORE_BYTES, Ignores, folders_above
from zeroin.corpus.listed import SUBMODULE, Listed, tree_digest, without_ignored
from zeroin.tree import Entry, Skipped, TreeState

_LIMIT = MAX_FILE_BYTES + 1
# In memory at once, while git gives the blobs of files that differ: so many files, or until they have so many bytes.
_READ_AHEAD, _READ_BYTES = 64, 2_000_000


class _Change(NamedTuple):
    """A file that differs from the commit, or from the index before the first commit."""

    committed: str  # "<mode> <blob>"
    touched: bool  # the work tree may differ from the index


class WorkTree(Listed):
    """A work tree, or the folder `prefix` of it.

    Entries that git knows to be unchanged carry their blob id; changed and untracked ones carry `stat` instead.
    """

    def __init__(self, git: Git, root: Path, *, identity: str, prefix: str, commit: str) -> None:
        super().__init__(root, identity=identity, git_dir=git.git_dir, prefix=prefix, commit=commit)
        self._git = git
        self._files = Folder(root)
        self._where: tuple[str | bytes, ...] = ("--", to_bytes(prefix)) if prefix else ()
        self._indexed: dict[str, str] = {}  # blob in the index of each entry without one; "" if untracked
        self._deleted = False
        self._staged = False  # the index differs from the commit

    def _find(self) -> Iterable[Entry | Skipped]:
        found, uncertain = self._sorted_out(*self._ask_git())
        for path, indexed in uncertain.items():
            item = self._looked_at(path, indexed)
            if isinstance(item, Entry):
                self._indexed[path] = indexed
            elif item is None or indexed:  # a file that became a link or a pipe counts as deleted
                self._deleted = True
            if item is not None:
                found.append(item)
        return without_ignored(found, self._ignores(found), self.prefix)

    def _sorted_out(self, listed: str, changes: dict[str, _Change]) -> tuple[list[Entry | Skipped], dict[str, str]]:
        """Return the items that git is sure of, and the other paths with their blob in the index ("" if untracked)."""
        cut = len(self.prefix)
        found: list[Entry | Skipped] = []
        uncertain: dict[str, str] = {}
        for record in listed.split("\0"):  # "<tag> <mode> <blob> <stage>\t<path>", or "? <path>"
            if record.startswith("?"):
                uncertain[record[2 + cut :]] = ""
                continue
            meta, tab, name = record.partition("\t")
            change = changes.pop(name, None)
            if tab and (not self.commit or (change is not None and change.committed != meta[2:-2])):
                self._staged = True
            mode, path = meta[2:5], name[cut:]
            clean = change is None or not change.touched
            if mode == "100" and meta[-1:] == "0" and clean:
                found.append(Entry(path, meta[9:-2]))
            elif mode == "160":
                found.append(Skipped(path, SUBMODULE))
            elif mode == "120" and clean:
                found.append(Skipped(path, "symlink"))
            elif tab:  # a conflict has up to three stages and one file
                uncertain.setdefault(path, meta[9:-2] if mode == "100" else "")
        self._staged = self._staged or bool(changes)  # the changes left are of files removed from the index
        return found, uncertain

    def _ask_git(self) -> tuple[str, dict[str, _Change]]:
        """Return the index with untracked files, and the changes since the commit by path; both run at once."""
        safe = self._git.without_filters()
        commit = (self.commit,) if self.commit else ()  # before the first commit, all of the index is staged
        started = [
            safe.start("ls-files", "-t", "-s", "-o", "-z", "--exclude-standard", *self._where),
            safe.start("diff-index" if commit else "diff-files", "--raw", "-z", *DIFF_FLAGS, *commit, *self._where),
        ]
        try:
            listed, differing = (to_str(safe.finish(process)) for process in started)
        finally:
            for process in started:
                process.end()
        return listed, dict(_changes(differing.split("\0")))

    def _looked_at(self, path: str, indexed: str) -> Entry | Skipped | None:
        """Return a file by its state on disk; None if it is not there."""
        if path.endswith("/"):
            return Skipped(path.rstrip("/"), NESTED)
        stat = self._files.stat(path)
        if stat is None:
            return None
        if indexed and modes.S_ISDIR(stat.st_mode):
            return None  # its files are listed themselves
        return item_of(path, stat)

    def _ignores(self, found: Iterable[Entry | Skipped]) -> Ignores:
        """Read the ignore files: all listed ones, those of the folders above, and the root's even if not listed."""
        ignores = Ignores(GIT_KINDS)
        for path in {*GIT_KINDS, *(item.path for item in found if item.path.endswith(GIT_KINDS))}:
            ignores.add(self.prefix + path, self._files.read(path, MAX_IGNORE_BYTES) or b"")
        if self._git.work_tree is not None:
            top = Folder(self._git.work_tree)
            for folder in folders_above(self.prefix):
                for kind in GIT_KINDS:
                    ignores.add(folder + kind, top.read(folder + kind, MAX_IGNORE_BYTES) or b"")
        return ignores

    def read(self, entries: Iterable[Entry]) -> Iterator[tuple[Entry, bytes | None]]:
        """Yield contents in order, cut one byte after `MAX_FILE_BYTES`; None where a file vanished or is forbidden.

        An entry with a blob id gets that blob's bytes, since results are cached by blob: from the file if it has
        them, else from git (another line ending, LFS, a file edited or removed meanwhile, a sparse checkout).
        """
        chunk: list[tuple[Entry, bytes | None]] = []
        size = 0
        for entry in entries:
            data = self._matching(entry)
            chunk.append((entry, data))
            size += len(data or b"")
            if len(chunk) == _READ_AHEAD or size >= _READ_BYTES:
                yield from self._completed(chunk)
                chunk, size = [], 0
        yield from self._completed(chunk)

    def _completed(self, chunk: Iterable[tuple[Entry, bytes | None]]) -> Iterator[tuple[Entry, bytes | None]]:
        """Yield entries with contents; blobs that the folder does not have are read from git, all at once."""
        absent = [entry.blob for entry, data in chunk if data is None and entry.blob and not entry.stat]
        blobs = dict(zip(absent, self._git.blobs(absent, limit=_LIMIT), strict=True)) if absent else {}
        for entry, data in chunk:
            yield entry, blobs.get(entry.blob or "") if data is None and not entry.stat else data

    def _matching(self, entry: Entry) -> bytes | None:
        data = self._files.read(entry.path, _LIMIT)
        if data is None or entry.stat is not None or entry.blob is None:
            return data
        if len(data) == _LIMIT or same_blob(data, entry.blob):
            return data  # a file that is too large is not analysed, so its bytes need no check
        if b"\r\n" in data:  # a checkout with core.autocrlf
            data = data.replace(b"\r\n", b"\n")
            if same_blob(data, entry.blob):
                return data
        return None

    def state(self, entries: Sequence[Entry]) -> TreeState:
        """Return the commit, the digest of every path and blob, and whether the tree differs from the commit."""
        self.list()
        looked_at = (entry for entry in entries if entry.stat is not None)
        edited = any(entry.blob != self._indexed.get(entry.path, entry.blob) for entry in looked_at)
        return TreeState(self.commit, tree_digest(entries), self._deleted or self._staged or edited)


def _changes(records: Sequence[str]) -> Iterator[tuple[str, _Change]]:
    """Parse `--raw -z`: ":<mode> <mode> <blob> <blob> <status>", a path, …; a blob not known is all zeros."""
    for description, path in zip(records[::2], records[1::2], strict=False):
        before, _, old, new, _ = description[1:].split(" ")
        yield path, _Change(f"{before} {old}", not new.strip("0"))
