"""A plain folder without git: every file below it that no ignore file leaves out."""

import os
import stat as modes
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from zeroin.config import MAX_FILE_BYTES
from zeroin.corpus.files import Folder, item_of
from zeroin.corpus.ignore import FOLDER_KINDS, MAX_IGNORE_BYTES, Ignores
from zeroin.corpus.listed import Listed, tree_digest
from zeroin.tree import Entry, Skipped, TreeState

# Never searched, whatever an ignore file says.
VERSION_CONTROL = frozenset(".git .hg .svn .bzr .jj CVS _darcs".split())
# Build output, caches and installed code by the folder's name: searched only where an ignore file says "!name/".
DEFAULT_IGNORES = frozenset(
    "node_modules bower_components jspm_packages __pycache__ .venv venv .tox .nox .eggs .mypy_cache .pytest_cache "
    ".ruff_cache .hypothesis .ipynb_checkpoints .gradle .terraform .next .nuxt .svelte-kit .parcel-cache .turbo "
    ".yarn .pnpm-store .cache .dart_tool .stack-work .bundle .idea .vs".split()
)
# Files that mark their folder as a cache or a virtual environment (bford.info/cachedir; PEP 405).
_MARKS = frozenset(("CACHEDIR.TAG", "pyvenv.cfg"))
_BARE = frozenset(("HEAD", "objects", "refs"))  # what a bare git repository has


class PlainFolder(Listed):
    """A folder that no git repository knows. A git repository in it is searched like any folder, except its `.git`."""

    def __init__(self, root: Path) -> None:
        super().__init__(root, identity=f"folder:{root}")
        self._files = Folder(root)

    @property
    def has_refused_git(self) -> bool:
        """Whether a `.git` lies in it that git does not take for a repository, so that its history is not known."""
        return (self.root / ".git").exists()

    def _find(self) -> Iterable[Entry | Skipped]:
        ignores = Ignores(FOLDER_KINDS)
        folders = [""]
        while folders:
            folder = folders.pop()
            try:
                names = self._files.scan(folder.rstrip("/"))
            except OSError:
                yield Skipped(folder.rstrip("/"), "unreadable folder")
                continue
            if folder and not _MARKS.isdisjoint(names):
                yield Skipped(folder.rstrip("/"), "cache folder")
                continue
            if folder and names.keys() >= _BARE:
                yield Skipped(folder.rstrip("/"), "version control")
                continue
            for kind in FOLDER_KINDS:
                if kind in names:
                    ignores.add(folder + kind, self._files.read(folder + kind, MAX_IGNORE_BYTES) or b"")
            for name, stat in names.items():
                found = _found(folder + name, name, stat, ignores)
                if isinstance(found, str):
                    folders.append(found)
                elif found is not None:
                    yield found

    def read(self, entries: Iterable[Entry]) -> Iterator[tuple[Entry, bytes | None]]:
        """Contents in order, cut one byte after `MAX_FILE_BYTES`; None where a file vanished or is forbidden."""
        for entry in entries:
            yield entry, self._files.read(entry.path, MAX_FILE_BYTES + 1)

    def state(self, entries: Sequence[Entry]) -> TreeState:
        """Return the digest of every path and blob; a folder without history is never dirty."""
        return TreeState("", tree_digest(entries), dirty=False)


def _found(path: str, name: str, stat: os.stat_result, ignores: Ignores) -> Entry | Skipped | str:
    """Classify an item: a file, a skipped file, or a folder to search ("path/")."""
    is_folder = modes.S_ISDIR(stat.st_mode)
    if name == ".git" or (is_folder and name in VERSION_CONTROL):
        # In a worktree or a submodule `.git` is a file that points to the git directory.
        return Skipped(path, "version control")
    reason = ignores.decide(f"{path}/" if is_folder else path)
    if reason:
        return Skipped(path, reason)
    if is_folder:
        by_default = reason is None and name in DEFAULT_IGNORES
        return Skipped(path, "ignored by default") if by_default else f"{path}/"
    return item_of(path, stat)
