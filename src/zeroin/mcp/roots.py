"""Which folders a caller may ask about: the allowed roots, with every link on the way resolved."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

from zeroin.context.clean import path_text
from zeroin.errors import RepositoryError
from zeroin.mcp import gitdirs

_NAMED = 20  # folders that an error lists
_RESTART = "start the server with --root DIR to allow another folder"


class Roots:
    """Allowed folders, resolved; `here` is the working directory of the server.

    Without `given` it is the top of the repository that `here` lies in, else `here` itself, but never the home
    directory or what lies above it: hosts start servers there, and nobody meant all of it.
    `advice` ends the message about a folder outside. Raises `RepositoryError` for a given root that is no folder.
    """

    def __init__(self, given: Sequence[str | Path], here: Path, advice: str = _RESTART) -> None:
        self.here = here.resolve()
        self._advice = advice
        self.allowed: tuple[Path, ...] = tuple(dict.fromkeys(_folder(root) for root in given))
        if not given:
            found = _top(self.here)
            self.allowed = () if found is None else (found,)

    def resolve(self, path: str) -> Path:
        """The folder that a caller's `path` names; "" is the default repository. Raises `RepositoryError`.

        The error of a path outside is the same whether it exists or not, and a folder whose repository lies outside
        is refused.
        """
        folder = self._folder(path)
        self.check(folder)
        return folder

    def check(self, folder: Path) -> None:
        """Raises `RepositoryError` where the git repository of a resolved folder in a root lies outside."""
        gitdirs.check(folder, self.allowed, self.named(), self._advice)

    def _folder(self, path: str) -> Path:
        if not self.allowed:
            raise RepositoryError(
                f"this server was started in {path_text(str(self.here))}, which is no repository: {self._advice}"
            )
        base = self._default()
        if not path.strip():
            return base if base is not None else self._which()
        asked = _expanded(path)
        tries = [root / asked for root in dict.fromkeys((base or self.allowed[0], *self.allowed))]
        found = [folder for folder in map(resolved, tries) if folder is not None and self.holds(folder)]
        if not found:
            raise RepositoryError(
                f"path {_shown(path)} is outside of what may be read: {self.named()}; {self._advice}"
            )
        for folder in found:
            if _is_folder(folder):
                return folder
        raise RepositoryError(_unknown(path, found[0], self.holds))

    def holds(self, folder: Path) -> bool:
        """Whether a resolved path lies in a root."""
        return any(folder.is_relative_to(root) for root in self.allowed)

    def named(self) -> str:
        """The roots for a message."""
        return ", ".join(path_text(str(root)) for root in self.allowed)

    def _default(self) -> Path | None:
        if self.holds(self.here):
            return self.here
        return self.allowed[0] if len(self.allowed) == 1 else None

    def _which(self) -> Path:
        raise RepositoryError(f"give path: several folders may be asked about: {self.named()}")


def repository_of(folder: Path) -> Path:
    """The top of the work tree around `folder`, `folder` itself where there is none."""
    return next((above for above in (folder, *folder.parents) if (above / ".git").exists()), folder)


def _folder(root: str | Path) -> Path:
    folder = resolved(Path(root).expanduser())
    if folder is None or not _is_folder(folder):
        raise RepositoryError(f"--root {path_text(str(root))} is no folder")
    return folder


def _top(here: Path) -> Path | None:
    """The work tree around `here`, else `here`; None where that is the home directory or lies above it."""
    home = resolved(Path.home())
    for folder in (repository_of(here), here):
        if folder != Path(folder.anchor) and (home is None or not home.is_relative_to(folder)):
            return folder
    return None


def resolved(path: Path) -> Path | None:
    """The path with every link followed; None where that cannot be."""
    try:
        return path.resolve()
    except (OSError, RuntimeError, ValueError):  # a loop of links, a NUL
        return None


def _expanded(path: str) -> Path:
    try:
        return Path(path).expanduser()
    except RuntimeError:  # the home of a user that does not exist
        return Path(path)


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def _shown(path: str) -> str:
    return repr(path_text(path[:200]))


def _unknown(path: str, folder: Path, holds: Callable[[Path], bool]) -> str:
    """What exists instead of a path inside the roots; above them nothing is looked at."""
    if os.path.isfile(folder):  # noqa: PTH113 (says False to a name that is too long)
        return (
            f"path {_shown(path)} is a file; give its folder, or leave path out and name the file in the task"
        )
    near = folder
    while not _is_folder(near):
        if not holds(near.parent):
            return f"path {_shown(path)} does not exist; {path_text(str(near))}, which may be read, is gone"
        near = near.parent
    try:
        inside = sorted(p.name for p in near.iterdir() if not p.name.startswith(".") and _is_folder(p))
    except OSError:
        inside = []
    shown = ", ".join(path_text(name) for name in inside[:_NAMED]) + (", …" if len(inside) > _NAMED else "")
    there = (
        f"{path_text(str(near))} has the folders {shown}"
        if shown
        else f"{path_text(str(near))} has no folders"
    )
    return f"path {_shown(path)} does not exist; {there}"
