"""The submodules of a work tree, as trees of their own below their folders."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from zeroin.corpus.listed import SUBMODULE
from zeroin.corpus.source import open_source
from zeroin.corpus.worktree import WorkTree
from zeroin.errors import GitError, RepositoryError
from zeroin.protocols import Source
from zeroin.tree import Skipped

MAX_DEPTH = 4  # submodules of submodules
_MOST = 200  # of one repository


def submodules_of(source: Source, skipped: Sequence[Skipped]) -> Iterator[tuple[str, Source]]:
    """Yield the prefix and source of every submodule among what a work tree leaves out that is checked out in it.

    Its git directory must lie in that of the repository, where git puts it: no other repository is read.
    """
    if source.git_dir is None or not isinstance(source, WorkTree):
        return
    for item in [item for item in skipped if item.reason == SUBMODULE][:_MOST]:
        folder = source.root / item.path
        try:
            if folder.resolve() != folder or not (folder / ".git").exists():
                continue
            found = open_source(folder)
        except (GitError, RepositoryError, OSError):
            continue  # it stays among the files that are left out
        if found.git_dir is None or found.prefix or found.root != folder:
            continue
        if found.git_dir.resolve().is_relative_to(source.git_dir.resolve() / "modules"):
            yield f"{item.path}/", found
