"""A plain folder without git: every file below it that no ignore file leaves out."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, MutableSequence, Sequence
from pathlib import Path

from zeroin.config import MAX_FILE_BYTES
from zeroin.corpus.digest import tree_digest
from zeroin.corpus.files import Folder, key_of, unsearchable
from zeroin.corpus.ignore import FOLDER_KINDS, MAX_IGNORE_BYTES, Ignores
from zeroin.tree import Entry, Skipped, TreeState

# Never searched, whatever an ignore file says.
VERSION_CONTROL = frozenset(".git .hg .svn .bzr .jj CVS _darcs".split())
# Searched only where an ignore file says "!name/". Folders that are build output or installed code by their name.
DEFAULT_IGNORES = frozenset(
    "node_modules bower_components jspm_packages __pycache__ .venv venv .tox .nox .eggs .mypy_cache .pytest_cache "
    ".ruff_cache .hypothesis .ipynb_checkpoints .gradle .terraform .next .nuxt .svelte-kit .parcel-cache .turbo "
    ".yarn .pnpm-store .cache .dart_tool .stack-work .bundle .idea .vs".split()
)
# A file that marks its folder as one that can be made again (bford.info/cachedir; PEP 405).
_MARKS = frozenset(("CACHEDIR.TAG", "pyvenv.cfg"))


class PlainFolder:
    """A folder that no git repository knows. A git repository in it is searched like any folder, less its `.git`."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._files = Folder(root)
        self._lock = threading.Lock()
        self._listed: tuple[tuple[Entry, ...], tuple[Skipped, ...]] | None = None

    @property
    def identity(self) -> str:
        return f"folder:{self._root}"

    @property
    def root(self) -> Path:
        return self._root

    @property
    def git_dir(self) -> Path | None:
        return None

    @property
    def prefix(self) -> str:
        return ""

    @property
    def commit(self) -> str:
        return ""

    def list(self) -> tuple[tuple[Entry, ...], tuple[Skipped, ...]]:
        """All documents sorted by path, and files and whole folders that are left out. Listed once."""
        with self._lock:
            if self._listed is None:
                self._listed = self._list()
            return self._listed

    def _list(self) -> tuple[tuple[Entry, ...], tuple[Skipped, ...]]:
        entries: list[Entry] = []
        skipped: list[Skipped] = []
        ignores = Ignores(FOLDER_KINDS)
        folders = [""]
        while folders:
            self._scan(folders.pop(), ignores, folders, entries, skipped)
        entries.sort(key=lambda entry: entry.path)
        skipped.sort(key=lambda item: item.path)
        return tuple(entries), tuple(skipped)

    def _scan(
        self,
        folder: str,
        ignores: Ignores,
        folders: MutableSequence[str],
        entries: MutableSequence[Entry],
        skipped: MutableSequence[Skipped],
    ) -> None:
        try:
            names = self._files.scan(folder)
        except OSError:
            skipped.append(Skipped(folder.rstrip("/"), "unreadable folder"))
            return
        if folder and not _MARKS.isdisjoint(names):
            skipped.append(Skipped(folder.rstrip("/"), "cache folder"))
            return
        for kind in FOLDER_KINDS:
            if kind in names:
                ignores.add(folder + kind, self._files.read(folder + kind, MAX_IGNORE_BYTES) or b"")
        for name, item in names.items():
            path = folder + name
            try:
                if item.is_dir(follow_symlinks=False):
                    reason = _folder_left_out(name, f"{path}/", ignores)
                    if reason:
                        skipped.append(Skipped(path, reason))
                    else:
                        folders.append(f"{path}/")
                    continue
                stat = item.stat(follow_symlinks=False)
            except OSError:
                continue  # vanished since the folder was read
            verdict = ignores.decide(path)
            reason = (
                f"ignored by {verdict.kind}" if verdict and verdict.ignored else unsearchable(stat.st_mode)
            )
            if name == ".git" or reason:  # a file .git leads to the git directory of a worktree or submodule
                skipped.append(Skipped(path, reason or "version control"))
            else:
                entries.append(Entry(path, None, stat.st_size, key_of(stat)))

    def read(self, entries: Iterable[Entry]) -> Iterator[tuple[Entry, bytes | None]]:
        """Contents in order, cut one byte after `MAX_FILE_BYTES`; None where a file vanished or is forbidden."""
        for entry in entries:
            yield entry, self._files.read(entry.path, MAX_FILE_BYTES + 1)

    def state(self, entries: Sequence[Entry]) -> TreeState:
        """The digest of every path and blob; a folder without history is never dirty."""
        return TreeState("", tree_digest(entries), dirty=False)


def _folder_left_out(name: str, path: str, ignores: Ignores) -> str:
    if name in VERSION_CONTROL:
        return "version control"
    verdict = ignores.decide(path)
    if verdict is not None:
        return f"ignored by {verdict.kind}" if verdict.ignored else ""
    return "ignored by default" if name in DEFAULT_IGNORES else ""
