"""One repository with the submodules that are checked out in it."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from zeroin.corpus.listed import SUBMODULE
from zeroin.corpus.source import open_source
from zeroin.corpus.worktree import WorkTree
from zeroin.errors import GitError, RepositoryError
from zeroin.index.gather import Effort
from zeroin.index.opening import Opened, open_index
from zeroin.protocols import Source
from zeroin.tree import Skipped

_MAX_DEPTH = 4  # submodules of submodules
_MOST = 200  # of one repository
_MOST_FOLDERS = 20_000  # of a submodule's git directory that are checked
_UNREAD = frozenset({"hooks", "logs", "lfs", "modules"})  # folders of a git directory that are not checked


def open_tree(source: Source, effort: Effort, depth: int = 0) -> Opened:
    """Open a repository with the submodules that are checked out in it, and with theirs."""
    opened = open_index(source, effort)
    if not effort.submodules or depth >= _MAX_DEPTH:
        return opened
    found = list(submodules_of(source, opened.skipped))
    if not found:
        return opened
    from zeroin.workspace.tree import Below, joined  # few repositories have submodules

    below = [Below(prefix, open_tree(inside, effort, depth + 1)) for prefix, inside in found]
    prefixes = {tree.prefix.rstrip("/") for tree in below}
    rest = tuple(item for item in opened.skipped if item.path not in prefixes)
    whole = joined([Below("", replace(opened, skipped=rest)), *below])
    tree = replace(whole.tree, commit=opened.tree.commit, rev=opened.tree.rev)
    return replace(whole, root=opened.root, tree=tree, identity=opened.identity, prefix=opened.prefix)


def paths_of(source: Source, depth: int = 0) -> Iterator[str]:
    """Yield the paths of all files that `open_tree` opens, submodules included."""
    entries, skipped = source.list()
    yield from (entry.path for entry in entries)
    if depth < _MAX_DEPTH:
        for prefix, inside in submodules_of(source, skipped):
            yield from (prefix + path for path in paths_of(inside, depth + 1))


def submodules_of(source: Source, skipped: Sequence[Skipped]) -> Iterator[tuple[str, Source]]:
    """Yield the prefix and source of every submodule in `skipped` that is checked out in the work tree.

    Its git directory must lie in the repository's, where git puts it, and refer to no other: others are not read.
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
            continue  # it stays skipped
        if found.git_dir is None or found.prefix or found.root != folder:
            continue
        inside = found.git_dir.resolve().is_relative_to(source.git_dir.resolve() / "modules")
        if inside and _keeps_to_itself(found.git_dir.resolve()):
            yield f"{item.path}/", found


def _keeps_to_itself(git_dir: Path) -> bool:
    """Tell whether git reads nothing outside of a git directory: no link, no shared directory, no borrowed objects."""
    borrowed = ("commondir", "objects/info/alternates", "objects/info/http-alternates")
    if any(os.path.lexists(git_dir / name) for name in borrowed):
        return False
    waiting = [str(git_dir)]
    for _ in range(_MOST_FOLDERS):
        if not waiting:
            return True
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    if entry.is_symlink():
                        return False
                    if entry.is_dir(follow_symlinks=False) and entry.name not in _UNREAD:
                        waiting.append(entry.path)
        except OSError:
            return False
    return False
