"""Open a path as a source: a work tree, a plain folder, or a revision (of a bare repository, too)."""

import os
from pathlib import Path

from zeroin.corpus.folder import PlainFolder
from zeroin.corpus.git import Git, Place, discover, to_bytes
from zeroin.corpus.revision import Revision
from zeroin.corpus.worktree import WorkTree
from zeroin.errors import GitError, RepositoryError
from zeroin.protocols import Source


def open_source(path: str | Path, rev: str | None = None) -> Source:
    """Return the source at `path`; with `rev`, that revision's tree from git's objects.

    A path below the top of a work tree limits it to that folder. A bare repository without `rev` means HEAD. A
    folder that git ignores is a plain folder. Raises `RepositoryError` for a path that is no folder or a
    revision that is unknown, `GitError` when git is missing or fails.
    """
    folder = _resolved(path)
    place = _place(folder, rev)
    if place is None:
        if rev is not None:
            raise RepositoryError(f"{path} is no git repository, so it has no revision {rev!r}")
        return PlainFolder(folder)
    identity = f"git:{place.common_dir}"
    if place.in_work_tree:
        top = _top(folder, place)
        git = Git(place.git_dir, top)
        if rev is None:
            if place.prefix and _ignored(git, place.prefix):
                return PlainFolder(folder)
            return WorkTree(git, folder, identity=identity, prefix=place.prefix, commit=place.head)
    elif not place.in_git_dir:
        raise RepositoryError(f"{path} does not lie in the work tree that its git configuration names")
    elif folder != place.git_dir.resolve():
        raise RepositoryError(f"{path} lies inside the git directory {place.git_dir}")
    bare = Git(place.git_dir)
    commit = place.head if rev is None else bare.commit_of(rev)
    if not commit and rev is not None:
        raise RepositoryError(f"unknown revision {rev!r} in {path}")
    return Revision(bare, folder, identity=identity, prefix=place.prefix, commit=commit, rev=rev or "HEAD")


def _resolved(path: str | Path) -> Path:
    try:
        folder = Path(path).expanduser().resolve()
        if folder.is_dir():
            os.scandir(folder).close()  # a folder that may not be listed is not an empty one
            return folder
        exists = folder.exists()
    except (OSError, RuntimeError, ValueError, TypeError) as error:
        raise RepositoryError(f"{str(path)!r} cannot be opened: {error}") from error
    if exists:
        raise RepositoryError(f"{path} is a file; give the folder or repository that it belongs to")
    raise RepositoryError(f"{path} does not exist")


def _place(folder: Path, rev: str | None) -> Place | None:
    try:
        return discover(folder)
    except GitError:
        if rev is None and not any(os.path.lexists(above / ".git") for above in (folder, *folder.parents)):
            return None  # git is missing or too old, but nothing here needs it
        raise


def _top(folder: Path, place: Place) -> Path:
    """Return the top of the work tree.

    Raises `RepositoryError` where configuration puts it elsewhere (core.worktree).
    """
    top = folder
    for _ in range(place.prefix.count("/")):
        top = top.parent
    if to_bytes(place.prefix.rstrip("/")) != b"/".join(to_bytes(p) for p in folder.relative_to(top).parts):
        raise RepositoryError(f"{folder} does not lie in the work tree that its git configuration names")
    return top


def _ignored(git: Git, prefix: str) -> bool:
    """Tell whether git leaves out the whole folder: it is ignored, and nothing in it is tracked."""
    if git.run("check-ignore", "--", b"./" + to_bytes(prefix), accept=(0, 1)) == b"":
        return False
    return git.run("ls-files", "-z", "--", to_bytes(prefix)) == b""
