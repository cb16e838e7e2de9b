"""A change as text: what differs in the work tree, between two revisions, or in one commit."""

from pathlib import Path, PurePosixPath

from zeroin.corpus.files import leads_out
from zeroin.corpus.git import DIFF_FLAGS, Git, discover, to_str
from zeroin.errors import InputError, RepositoryError
from zeroin.patterns import lazy_pattern

MAX_CHANGE_BYTES = 20_000_000
_MAX_ADDED, _MAX_ADDED_BYTES = 100, 200_000  # untracked files that count as added, the first of them, and their size
_UNUSUAL = lazy_pattern(r'[\x00-\x1f\x7f"\\]')  # in a path: git would quote it
# Renames as `git show` tells them: else a change that only renames a file would use all that the file uses.
_FLAGS = ("--unified=3", "--no-color", "--src-prefix=a/", "--dst-prefix=b/", *DIFF_FLAGS, "--find-renames", "-l400")


def change_of(folder: Path, spec: str) -> str:
    """Return a unified diff. `spec` is "" (uncommitted changes), a range `A..B`, or a revision.

    A revision's change comes with its message. Raises `RepositoryError` where `folder` lies in no repository or `spec`
    names no revision, `InputError` where the index leads out of the tree, `GitError` when git fails.
    """
    place = discover(folder) if folder.is_dir() else None
    if place is None:
        raise RepositoryError(f"{folder} is no git repository, so it has no revisions: give the diff itself")
    top = folder.resolve()  # absolute: git runs in this folder, where a relative path would mean another
    for _ in PurePosixPath(place.prefix).parts:
        top = top.parent
    git = Git(place.git_dir, top if place.in_work_tree else None)
    flags = (*_FLAGS, f"--relative={place.prefix}") if place.prefix else _FLAGS
    if not spec:
        if not place.in_work_tree:
            raise RepositoryError("a bare repository has no uncommitted changes: name a revision or a range")
        _check_index(git)
        against = place.head or "--cached"
        return _text(git.without_filters().run("diff", *flags, against)) + _added(git, top, place.prefix)
    if ".." in spec:
        left, dots, right = spec.partition("...") if "..." in spec else spec.partition("..")
        ends = [git.commit_of(end) if end else place.head for end in (left, right)]
        if not all(ends):
            raise RepositoryError(f"{spec} names no range of revisions here")
        return _text(git.run("diff", *flags, dots.join(ends)))
    commit = git.commit_of(spec)
    if not commit:
        raise RepositoryError(f"{spec} names no revision here")
    message = git.run("log", "-1", "--no-show-signature", "--format=%B", commit)
    parents = git.run("rev-list", "--parents", "-n", "1", commit).split()
    if len(parents) > 1:
        change = git.run("diff", *flags, parents[1], commit)
    else:
        change = git.run("diff-tree", "-p", "--root", *flags, "--no-commit-id", commit)
    return _text(message) + "\n" + _text(change)


def _added(git: Git, top: Path, prefix: str) -> str:
    """Write the text files that git neither tracks nor ignores as added: a change under way holds new files."""
    listed = git.run("ls-files", "--others", "--exclude-standard", "-z", "--", prefix or ".").split(b"\0")[:-1]
    out = []
    for name in map(to_str, listed[:_MAX_ADDED]):
        path = top / name
        if _UNUSUAL.search(name) or path.is_symlink() or not path.is_file():
            continue
        try:
            data = path.read_bytes() if path.stat().st_size <= _MAX_ADDED_BYTES else b""
        except OSError:
            continue
        if data and b"\0" not in data:
            out.append(_as_added(name.removeprefix(prefix), data.decode("utf-8", "replace")))
    return "".join(out)


def _as_added(name: str, text: str) -> str:
    lines = text.removesuffix("\n").split("\n")
    head = f"diff --git a/{name} b/{name}\nnew file mode 100644\n--- /dev/null\n+++ b/{name}\n"
    return f"{head}@@ -0,0 +1,{len(lines)} @@\n" + "".join(f"+{line}\n" for line in lines)


def _check_index(git: Git) -> None:
    """Raise `InputError` where the index names a file outside of the tree, which `git diff` would read."""
    for name in git.run("ls-files", "-z").split(b"\0")[:-1]:
        if leads_out(to_str(name)):
            raise InputError(f"git's index names {to_str(name)!r}, which is not in the tree")


def _text(data: bytes) -> str:
    return data[:MAX_CHANGE_BYTES].decode("utf-8", "replace")
