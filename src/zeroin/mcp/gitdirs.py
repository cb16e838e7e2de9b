"""Check that the git directory of a folder may be read: a `.git` file or a link can point to any repository.

A git directory may be read if it lies in an allowed folder with all its parts, or if it names the folder: that of a
linked worktree names the folder's `.git`, that of a submodule names the folder as its work tree. Somebody who can write
only below a root cannot make a git directory outside name a folder.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from zeroin.context.clean import path_text
from zeroin.corpus.git import Git, discover
from zeroin.errors import GitError, RepositoryError

_MOST_BYTES = 1 << 16  # of a file that names a path
_POINTER = "gitdir: "
# Parts of a git directory that no answer needs; they may be links to anywhere.
_UNREAD = frozenset({"annex", "branches", "hooks", "info", "lfs", "logs", "modules", "rr-cache", "svn"})
_MOST_STORES = 8  # object directories that borrow from one another; git itself follows five
_SHOWN = 200  # characters of a path in a message
ADVICE = "start the server with --root DIR (repeatable) to allow another folder"


@dataclass(frozen=True, slots=True)
class _Allowed:
    """The folders that may be read, all of them resolved."""

    folders: Sequence[Path]

    def holds(self, path: Path) -> bool:
        return any(path.is_relative_to(folder) for folder in self.folders)

    def need(self, path: Path, what: Path, target: str = "") -> None:
        """Raise `RepositoryError` if a resolved path, to which `what` leads by its `target`, is outside."""
        if not self.holds(path):
            raise self.refusal(what, target)

    def refusal(self, what: Path, target: str = "", why: str = "") -> RepositoryError:
        """Return an error that names only what the file or link inside says: it is the same whatever lies outside."""
        with suppress(OSError, ValueError):
            target = target or os.readlink(what)  # noqa: PTH115 - as it is written
        by = f" by {path_text(target)[:_SHOWN]!r}" if target else ""
        return RepositoryError(
            f"{path_text(str(what))} leads{by} to a git repository outside of what may be read: "
            f"{named(self.folders)}{why}; {ADVICE}"
        )


def named(roots: Sequence[Path]) -> str:
    return ", ".join(path_text(str(root)) for root in roots)


def check(folder: Path, roots: Sequence[Path]) -> None:
    """Raise `RepositoryError` if git, asked about a resolved `folder` in one of `roots`, would read outside of them.

    A repository that encloses a root may be read, as long as its git directory lies in it.
    """
    checked: set[Path] = set()
    for above in (folder, *folder.parents):
        inside = any(above.is_relative_to(root) for root in roots)
        git_dir = _git_dir_of(above, _Allowed(roots if inside else (*roots, above)))
        if git_dir is not None:
            checked.add(git_dir)
            if os.path.lexists(git_dir / "HEAD"):
                break
    place = None
    with suppress(GitError):  # opening the folder reports what is wrong with it
        place = discover(folder)
    if place is not None and (there := _real(place.git_dir)) not in checked:
        _check_contents(there, _Allowed(roots), there)


def identity_of(folder: Path) -> Path:
    """Return the git directory that all folders of one repository share; the folder itself without git."""
    for above in (folder, *folder.parents):
        gate = above / ".git"
        if os.path.lexists(gate):
            return _common(_target_of(gate) or gate)
    return folder


def _git_dir_of(above: Path, allowed: _Allowed) -> Path | None:
    """Return the git directory that `above` has, or is, checked; None without one. Raises `RepositoryError`."""
    gate = above / ".git"
    if not os.path.lexists(gate):
        if all(os.path.lexists(above / name) for name in ("HEAD", "objects", "refs")):  # a bare repository
            _check_contents(above, allowed, above)
            return above
        return None
    allowed.need(_real(gate), gate)
    git_dir = _target_of(gate)
    if git_dir is None:
        return None
    if allowed.holds(git_dir):
        _check_contents(git_dir, allowed, gate)
    elif not _belongs(git_dir, above):
        target = _line(gate)[len(_POINTER) :]
        raise allowed.refusal(gate, target, ", and that does not name this folder as its own")
    return git_dir


def _target_of(gate: Path) -> Path | None:
    """Return the git directory that a `.git` is or names, resolved; None for a file that names none."""
    if os.path.isdir(gate):  # noqa: PTH112 - False where access is denied
        return _real(gate)
    text = _line(gate)
    return _real(gate.parent / text[len(_POINTER) :]) if text.startswith(_POINTER) else None


def _belongs(git_dir: Path, folder: Path) -> bool:
    """Tell whether a git directory names `folder` as its work tree: as a linked worktree, or as a submodule."""
    pointer = _line(git_dir / "gitdir")
    if pointer:
        gate = git_dir / pointer
        return gate.name == ".git" and _real(gate.parent) == folder
    for name in ("config", "config.worktree"):
        with suppress(GitError):
            file = ("--file", str(git_dir / name))
            value = Git(git_dir).run("config", "--no-includes", *file, "--get", "core.worktree", accept=range(256))
            worktree = os.fsdecode(value.rstrip(b"\n"))
            if worktree and _real(git_dir / worktree) == folder:
                return True
    return False


def _check_contents(git_dir: Path, allowed: _Allowed, gate: Path) -> None:
    """Raise `RepositoryError` if a git directory links to, or borrows objects from, a place that is not allowed."""
    allowed.need(git_dir, gate)
    common = _common(git_dir)
    allowed.need(common, git_dir / "commondir", _line(git_dir / "commondir"))
    for place in dict.fromkeys((git_dir, common)):
        links = [link for link in _links(place, deep=False) if link.name not in _UNREAD]
        for link in (*links, *_links(place / "refs"), *_links(place / "reftable")):
            allowed.need(_real(link), link)
    stores = [_real(common / "objects")]
    for store in stores:
        for link in _links(store):
            allowed.need(_real(link), link)
        alternates = store / "info" / "alternates"
        for text in _text(alternates).splitlines():
            if not text.strip() or text.startswith("#"):
                continue
            other = _real(store / text)
            if text.startswith('"') or not allowed.holds(other) or len(stores) >= _MOST_STORES:
                raise allowed.refusal(alternates, text)
            if other not in stores:
                stores.append(other)


def _common(git_dir: Path) -> Path:
    text = _line(git_dir / "commondir")
    return _real(git_dir / text) if text else git_dir


def _links(folder: Path, deep: bool = True) -> Iterator[Path]:
    """Yield the symbolic links in a folder and, if `deep`, in those below it."""
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
    """Return the path that a file holds; "" where there is no file."""
    return _text(file).strip("\r\n")


def _text(file: Path) -> str:
    try:
        if not file.is_file():  # reading a pipe would block
            return ""
        with file.open("rb") as opened:
            return os.fsdecode(opened.read(_MOST_BYTES))
    except (OSError, ValueError):
        return ""


def _real(path: Path) -> Path:
    try:
        return path.resolve()
    except (OSError, RuntimeError, ValueError) as error:  # a loop of links, a NUL
        raise RepositoryError(f"{path_text(str(path)[:_SHOWN])} cannot be followed") from error
