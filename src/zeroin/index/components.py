"""The components of a repository, by the folders of its implementation."""

from collections import Counter
from collections.abc import Sequence

from zeroin.types import Role

_MOST = 0.8  # a folder with this share of the implementation holds components and is none
_CONTAINERS = frozenset({"packages", "crates", "apps", "modules", "libs", "plugins", "services", "projects"})
NO_PROGRAM = frozenset("css scss sass less html xml json yaml toml text markdown rst".split())  # languages
_LAYOUT = frozenset({"src", "main", "java", "kotlin", "scala", "lib", "python"})  # never components


def components_of(paths: Sequence[str], roles: Sequence[Role], languages: Sequence[str]) -> dict[str, str]:
    """Return the component of each path: the first folder below the one that the code shares; "" for other files.

    Below a folder of packages (`crates/`, `packages/`) each package is one. Files directly in the shared folder
    are components of their own: where all code is there, its modules are the parts.
    """
    written = zip(paths, roles, languages, strict=True)
    code = {path: language for path, role, language in written if role is Role.IMPLEMENTATION}
    root = _root([path for path, language in code.items() if language not in NO_PROGRAM] or list(code))
    out = dict.fromkeys(paths, "")
    for path in code:
        if not path.startswith(root):
            out[path] = _beside(root, path)
            continue
        folders = path[len(root) :].split("/")
        depth = 2 if folders[0] in _CONTAINERS and len(folders) > 2 else 1
        out[path] = root + "/".join(folders[:depth]) + ("/" if len(folders) > depth else "")
    return out


def _beside(root: str, path: str) -> str:
    """Return the first folder of a path that does not contain `root`, with a trailing slash; "" if there is none."""
    end = path.find("/") + 1
    while end and root.startswith(path[:end]):
        end = path.find("/", end) + 1
    return path[:end]


def _root(code: Sequence[str]) -> str:
    """Return the deepest folder, with a trailing slash or "", that holds nearly all of the implementation."""
    root = ""
    while True:
        inside = [path for path in code if path.startswith(root)]
        folders = Counter(path[len(root) :].partition("/")[0] for path in inside if "/" in path[len(root) :])
        if not folders:
            return root
        name, count = max(folders.items(), key=lambda item: (item[1], item[0]))
        needed = 0.5 if name in _LAYOUT else _MOST
        if count < needed * len(code):
            return root
        root = f"{root}{name}/"
