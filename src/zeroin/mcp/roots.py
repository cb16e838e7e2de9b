"""Check which folders a caller may ask about: those in the allowed roots, once all links are resolved."""

import os
from collections.abc import Sequence
from pathlib import Path

from zeroin.context.clean import path_text
from zeroin.errors import RepositoryError
from zeroin.mcp import gitdirs

_LONGEST = 4_096  # characters of a path: more than systems take
_NAMED = 20  # folders that an error lists
_SHOWN = 200  # characters of a path in a message
_is_folder = os.path.isdir  # False where access is denied


class Roots:
    """Allowed folders, resolved; `here` is the working directory of the server.

    Without `given`, the top of the repository that `here` lies in is allowed, else `here` itself; but never the home
    directory or a folder above it, in which hosts start servers without meaning all of it. Raises `RepositoryError` for
    a given root that is no folder.
    """

    def __init__(self, given: Sequence[str | Path], here: Path) -> None:
        self.here = here.resolve()
        self.allowed: tuple[Path, ...] = tuple(dict.fromkeys(map(_folder, given)))
        if not given and (found := _default_root(self.here)) is not None:
            self.allowed = (found,)

    def resolve(self, path: str) -> Path:
        """Return the folder that a caller's `path` names; "" is the default repository. Raises `RepositoryError`.

        The error of a path outside is the same whether it exists or not, and a folder whose repository lies outside
        is refused.
        """
        folder = self._resolved(path)
        self.check(folder)
        return folder

    def check(self, folder: Path) -> None:
        """Raise `RepositoryError` if a resolved folder lies in a root, but its git repository does not."""
        gitdirs.check(folder, self.allowed)

    def holds(self, folder: Path) -> bool:
        return any(folder.is_relative_to(root) for root in self.allowed)

    def _resolved(self, path: str) -> Path:
        if not self.allowed:
            where = path_text(str(self.here))
            raise RepositoryError(f"this server was started in {where}, which is no repository: {gitdirs.ADVICE}")
        base = self.here if self.holds(self.here) else self.allowed[0]
        if not path.strip():
            if len(self.allowed) > 1 and base != self.here:
                raise RepositoryError(f"give path: several folders may be asked about: {gitdirs.named(self.allowed)}")
            return base
        if len(path) > _LONGEST:  # finding the nearest existing folder takes quadratic time
            raise RepositoryError(f"path has {len(path):,} characters; at most {_LONGEST:,} are taken")
        try:
            asked = Path(path).expanduser()
        except RuntimeError:  # the home of a user that does not exist
            asked = Path(path)
        tries = [resolved(root / asked) for root in dict.fromkeys((self.here, *self.allowed))]
        found = [folder for folder in tries if folder is not None and self.holds(folder)]
        if not found:
            raise RepositoryError(
                f"path {_shown(path)} is outside of what may be read: {gitdirs.named(self.allowed)}; {gitdirs.ADVICE}"
            )
        return next(filter(_is_folder, found), None) or self._missing(path, found[0])

    def _missing(self, path: str, folder: Path) -> Path:
        """Raise `RepositoryError` with the folders that exist instead, without looking above the roots."""
        if os.path.isfile(folder):  # noqa: PTH113 - False for a name that is too long
            advice = "give its folder, or leave path out and name the file in the task"
            raise RepositoryError(f"path {_shown(path)} is a file; {advice}")
        near = folder
        while not _is_folder(near) and self.holds(near.parent):
            near = near.parent
        try:
            inside = sorted(p.name for p in near.iterdir() if not p.name.startswith(".") and _is_folder(p))
        except OSError:
            inside = []
        names = ", ".join(map(path_text, inside[:_NAMED])) + (", …" if len(inside) > _NAMED else "")
        where = path_text(str(near))
        raise RepositoryError(
            f"path {_shown(path)} does not exist; {where} has {f'the folders {names}' if names else 'no folders'}"
        )


def resolved(path: Path) -> Path | None:
    """Return the path with "~" and every link followed; None where that fails."""
    try:
        return path.expanduser().resolve()
    except (OSError, RuntimeError, ValueError):  # a loop of links, a NUL, a user without a home
        return None


def _folder(root: str | Path) -> Path:
    folder = resolved(Path(root))
    if folder is None or not _is_folder(folder):
        raise RepositoryError(f"--root {path_text(str(root))} is no folder")
    return folder


def _default_root(here: Path) -> Path | None:
    """Return the work tree around `here`, else `here`, but no home directory or folder above it; else None."""
    home = resolved(Path("~"))
    top = next((above for above in (here, *here.parents) if os.path.lexists(above / ".git")), here)
    for folder in (top, here):
        if folder != Path(folder.anchor) and (home is None or not home.is_relative_to(folder)):
            return folder
    return None


def _shown(path: str) -> str:
    return repr(path_text(path[:_SHOWN]))
