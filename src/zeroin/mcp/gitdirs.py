"""Whether the git directory behind a folder may be read: a `.git` file or a link can name any repository around.

A git directory is read where it lies in an allowed folder, with everything that it is made of, or where it belongs to
the folder by its own word: that of a linked worktree names the folder's `.git`, that of a submodule names the folder as
its work tree. Nobody who can only write below a root can make one outside say so.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from zeroin.context.clean import path_text
from zeroin.corpus.git import Git, discover
from zeroin.errors import GitError, RepositoryError

Advice = Callable[[Path | None], str]  # what to do so that a folder may be read; None: nobody knows which

_MOST_BYTES = 1 << 16  # of a file that names a path
_POINTER = "gitdir: "
# Of a git directory, what is never read for an answer; people link these to places of their own.
_UNREAD = frozenset({"annex", "branches", "hooks", "info", "lfs", "logs", "modules", "rr-cache", "svn"})
_MOST_STORES = 8  # object directories that borrow from one another; git itself follows five


@dataclass(frozen=True, slots=True)
class _Allowed:
    folders: Sequence[Path]
    named: str
    advice: Advice

    def holds(self, path: Path) -> bool:
        return any(path.is_relative_to(folder) for folder in self.folders)

    def need(self, path: Path, what: Path, said: str = "") -> None:
        """Raises `RepositoryError` for a resolved path outside, to which `what` leads by what it `said`."""
        if not self.holds(path):
            raise self.refusal(what, said)

    def refusal(self, what: Path, said: str, why: str = "") -> RepositoryError:
        named = _said(what, said or target_of(what))
        return RepositoryError(
            f"{path_text(str(what))} leads to a git repository outside of what may be read: {self.named}{why}; "
            f"{self.advice(named)}"
        )


def check(folder: Path, roots: Sequence[Path], named: str, advice: Advice) -> None:
    """Raises `RepositoryError` where git would read outside of `roots` for a resolved `folder` in one of them.

    `named` and `advice` end the message. It names what a file or link inside says, and is the same whatever lies
    there. A repository around a root is the root's own, as long as its git directory lies in it.
    """
    judged: set[Path] = set()
    for above in (folder, *folder.parents):
        inside = any(above.is_relative_to(root) for root in roots)
        allowed = _Allowed(roots if inside else (*roots, above), named, advice)
        found = _judged(above, allowed)
        if found is not None:
            judged.add(found)
            if os.path.lexists(found / "HEAD"):
                break
    place = None
    with suppress(GitError):  # who opens the folder says what is wrong with it
        place = discover(folder)
    if place is not None and (there := _real(place.git_dir)) not in judged:
        _check_contents(there, _Allowed(roots, named, advice), there)


def identity_of(folder: Path) -> tuple[Path, bool]:
    """The git directory that all folders of one repository share, True; the folder itself, False, without git."""
    for above in (folder, *folder.parents):
        gate = above / ".git"
        if os.path.lexists(gate):
            return _common(_behind(gate) or gate), True
    return folder, False


def _judged(above: Path, allowed: _Allowed) -> Path | None:
    """The git directory that `above` has, or is; None where there is none. Raises `RepositoryError`."""
    gate = above / ".git"
    if not os.path.lexists(gate):
        if all(os.path.lexists(above / name) for name in ("HEAD", "objects", "refs")):  # a bare repository
            _check_contents(above, allowed, above)
            return above
        return None
    allowed.need(_real(gate), gate)
    git_dir = _behind(gate)
    if git_dir is None:
        return None
    if allowed.holds(git_dir):
        _check_contents(git_dir, allowed, gate)
    elif not _belongs(git_dir, above):
        said = _line(gate)[len(_POINTER) :]
        raise allowed.refusal(gate, said, ", and that does not name this folder as its own")
    return git_dir


def _behind(gate: Path) -> Path | None:
    """The git directory that a `.git` stands for, resolved; None for a file that names none."""
    if os.path.isdir(gate):  # noqa: PTH112 (says False where it may not look)
        return _real(gate)
    said = _line(gate)
    return _real(gate.parent / said[len(_POINTER) :]) if said.startswith(_POINTER) else None


def _belongs(git_dir: Path, folder: Path) -> bool:
    """Whether a git directory names `folder` as its work tree: as a linked worktree, or as a submodule."""
    named = _line(git_dir / "gitdir")
    if named:
        gate = git_dir / named
        return gate.name == ".git" and _real(gate.parent) == folder
    for name in ("config", "config.worktree"):
        try:
            said = Git(git_dir).run(
                *("config", "--no-includes", "--file", str(git_dir / name), "--get", "core.worktree"),
                accept=range(256),
            )
        except GitError:
            continue
        worktree = os.fsdecode(said.rstrip(b"\n"))
        if worktree and _real(git_dir / worktree) == folder:
            return True
    return False


def _check_contents(git_dir: Path, allowed: _Allowed, gate: Path) -> None:
    """A git directory that may lie where it does can still be made of links, or borrow objects."""
    allowed.need(git_dir, gate)
    common = _common(git_dir)
    allowed.need(common, git_dir / "commondir", _line(git_dir / "commondir"))
    for place in dict.fromkeys((git_dir, common)):
        for link in _links(place, deep=False):
            if link.name not in _UNREAD:
                allowed.need(_real(link), link)
        for name in ("refs", "reftable"):
            for link in _links(place / name):
                allowed.need(_real(link), link)
    stores = [_real(common / "objects")]
    for store in stores:
        for link in _links(store):
            allowed.need(_real(link), link)
        alternates = store / "info" / "alternates"
        for named in _text(alternates).splitlines():
            if not named.strip() or named.startswith("#"):
                continue
            other = _real(store / named)
            if named.startswith('"') or not allowed.holds(other) or len(stores) >= _MOST_STORES:
                raise allowed.refusal(alternates, str(store / named))
            if other not in stores:
                stores.append(other)


def _common(git_dir: Path) -> Path:
    """The directory that the worktrees of a repository share."""
    named = _line(git_dir / "commondir")
    return _real(git_dir / named) if named else git_dir


def target_of(link: Path) -> str:
    """What a symbolic link says, "" for anything else."""
    try:
        return os.readlink(link)  # noqa: PTH115 (as it is written)
    except (OSError, ValueError):
        return ""


def _said(what: Path, said: str) -> Path | None:
    """The folder to allow for a path that something inside names: by its words alone, nothing outside is looked at.

    Of a repository that borrows objects or has worktrees, the git directory that holds what is needed.
    """
    if not said.strip() or "\0" in said:
        return None
    path = Path(os.path.normpath(what.parent / said.rstrip("\r\n")))
    parts = path.parts
    if ".git" in parts and {"objects", "refs", "worktrees"} & set(parts[parts.index(".git") :]):
        return Path(*parts[: parts.index(".git") + 1])
    return path.parent if path.name == "objects" else path


def _links(folder: Path, deep: bool = True) -> Iterator[Path]:
    """Symbolic links in a folder, and in those below it."""
    waiting = [str(folder)]
    while waiting:
        try:
            entries = list(os.scandir(waiting.pop()))
        except OSError:
            continue
        for entry in entries:
            if entry.is_symlink():
                yield Path(entry.path)
            elif deep and entry.is_dir(follow_symlinks=False):
                waiting.append(entry.path)


def _line(file: Path) -> str:
    """What a file that holds one path says, "" where there is none."""
    return _text(file).strip("\r\n")


def _text(file: Path) -> str:
    try:
        if not file.is_file():  # a pipe would be waited for
            return ""
        with file.open("rb") as opened:
            return os.fsdecode(opened.read(_MOST_BYTES))
    except (OSError, ValueError):
        return ""


def _real(path: Path) -> Path:
    try:
        return path.resolve()
    except (OSError, RuntimeError, ValueError) as error:  # a loop of links, a NUL
        raise RepositoryError(f"{path_text(str(path)[:200])} cannot be followed") from error
