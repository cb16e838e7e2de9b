"""Which folders a caller may ask about: the allowed roots, with every link on the way resolved."""

from __future__ import annotations

import os
import shlex
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path

from zeroin.context.clean import path_text
from zeroin.errors import RepositoryError
from zeroin.mcp import gitdirs

_NAMED = 20  # folders that an error lists
_MOST_ROOTS, _MOST_PATH = 4, 300  # roots, and characters of one, that advice spells out
_MOST_LINKS = 40  # on the way to a folder, as systems have it


def restart(allowed: Sequence[Path], folder: Path | None) -> str:
    """How to start the server so that `folder` may be read, too; None: any other one."""
    if folder is None or len(allowed) > _MOST_ROOTS:
        return "start the server with --root DIR to allow another folder"
    roots = " ".join(f"--root {shlex.quote(path_text(str(root)))}" for root in (*allowed, folder))
    return f"to allow it, start the server with {roots}"


class Roots:
    """Allowed folders, resolved; `here` is the working directory of the server.

    Without `given` it is the top of the repository that `here` lies in, else `here` itself, but never the home
    directory or what lies above it: hosts start servers there, and nobody meant all of it. `advice` ends the message
    about a folder outside, from the roots and that folder. Raises `RepositoryError` for a given root that is no folder.
    """

    def __init__(
        self,
        given: Sequence[str | Path],
        here: Path,
        advice: Callable[[Sequence[Path], Path | None], str] = restart,
    ) -> None:
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
        gitdirs.check(folder, self.allowed, self.named(), self._allowing)

    def _folder(self, path: str) -> Path:
        if not self.allowed:
            raise RepositoryError(
                f"this server was started in {path_text(str(self.here))}, which is no repository: "
                f"{self._allowing(None)}"
            )
        base = self._default()
        if not path.strip():
            return base if base is not None else self._which()
        asked = _expanded(path)
        tries = [root / asked for root in dict.fromkeys((base or self.allowed[0], *self.allowed))]
        found = [folder for folder in map(resolved, tries) if folder is not None and self.holds(folder)]
        if not found:
            raise RepositoryError(
                f"path {_shown(path)} is outside of what may be read: {self.named()}; "
                f"{self._allowing(self._leads_to(tries[0]))}"
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

    def _allowing(self, folder: Path | None) -> str:
        """What to do so that `folder` may be read; one that holds a root is not proposed, nor what is no path."""
        told = folder is not None and len(str(folder)) <= _MOST_PATH and "\0" not in str(folder)
        if folder is None or not told or any(root.is_relative_to(folder) for root in self.allowed):
            return self._advice(self.allowed, None)
        return self._advice(self.allowed, folder)

    def _leads_to(self, path: Path) -> Path | None:
        """The first place outside of the roots on the way to `path`, with what follows it as it is written.

        Links are followed inside the roots alone: of what lies outside nothing is looked at.
        """
        at, waiting = Path(path.anchor), deque(path.parts[1:])
        for _ in range(_MOST_LINKS):
            written = Path(os.path.normpath(at.joinpath(*waiting)))
            root = next((r for r in self.allowed if at.joinpath(*waiting).is_relative_to(r)), None)
            if root is None:
                return written
            at, waiting = root, deque(at.joinpath(*waiting).relative_to(root).parts)
            target = ""
            while waiting and self.holds(at) and not target:
                part = waiting.popleft()
                at = at.parent if part == ".." else at / part
                target = gitdirs.target_of(at) if self.holds(at) else ""
            if not target:
                return None if self.holds(at) else Path(os.path.normpath(at.joinpath(*waiting)))
            aim = at.parent / target
            at, waiting = Path(aim.anchor), deque((*aim.parts[1:], *waiting))
        return None

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
