"""Python imports: packages, src layouts, relative dots, namespace packages, several roots."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from zeroin.imports.tree import MISSING, Found, Tree, ancestors
from zeroin.tree import Import

LANGUAGES = ("python", "cython")
_SUFFIXES = (".py", ".pyi", ".pyx", ".pxd")
_MANIFESTS = ("pyproject.toml", "setup.py", "setup.cfg")
_SOURCE_FOLDERS = ("src", "lib", "python", "Lib")
_STANDARD = sys.stdlib_module_names
# Packages below these folders are fixtures and copies: only their neighbours mean them.
_ASIDE = frozenset(
    "test tests testing testdata fixtures fixture examples example samples docs doc vendor vendored _vendor "
    "third_party typeshed stubs typings benchmarks templates".split()
)


class PythonResolver:
    """Finds modules below the folders that can be on the module search path."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._packages: dict[str, int] = {}  # folder → its __init__
        self._modules: dict[str, int] = {}  # path without suffix → file
        self._folders: set[str] = set()  # folders with modules somewhere below
        for suffix in reversed(_SUFFIXES):  # the preferred suffix is written last
            for doc, name in enumerate(tree.name):
                if name.endswith(suffix):
                    stem = tree.paths[doc][: -len(suffix)]
                    self._modules[stem] = doc
                    if name == "__init__" + suffix:
                        self._packages[tree.folder[doc]] = doc
        for stem in self._modules:
            for folder in ancestors(stem.rpartition("/")[0]):
                if folder in self._folders:
                    break
                self._folders.add(folder)
        self._declared = self._declared_roots()
        self._tops = self._top_names()
        self._roots_seen: dict[tuple[str, str], list[str]] = {}
        self._seen: dict[tuple[str, str, tuple[str, ...]], Found] = {}

    def resolve(self, doc: int, imported: Import) -> Found:
        """Documents that the import in `doc` means: the submodules that are named, else the module itself."""
        folder = self._tree.folder[doc]
        key = (folder, imported.module, imported.names)
        if key not in self._seen:
            self._seen[key] = self._find(folder, imported.module, imported.names)
        return self._seen[key]

    def _declared_roots(self) -> set[str]:
        """Folders that packaging puts on the path: the top, each project's own folder and its src."""
        roots = {""}
        for manifest in _MANIFESTS:
            roots.update(self._tree.folder[doc] for doc in self._tree.by_name.get(manifest, ()))
        for root in tuple(roots):
            for name in _SOURCE_FOLDERS:
                below = f"{root}/{name}" if root else name
                if below in self._folders and below not in self._packages:
                    roots.add(below)
        return roots

    def _top_names(self) -> dict[str, list[str]]:
        """Top-level name → the roots that hold it, declared ones first."""
        roots = set(self._declared)
        for folder in {stem.rpartition("/")[0] for stem in self._modules}:
            at = folder
            while at in self._packages and at:
                at = at.rpartition("/")[0]
            roots.add(at)
        names: dict[str, set[str]] = {}
        for path in (*self._modules, *self._folders):
            root, _, name = path.rpartition("/")
            if root in roots and name and name != "__init__":
                names.setdefault(name, set()).add(root)
        return {
            name: sorted(found, key=lambda root: (root not in self._declared, root.count("/"), root))
            for name, found in names.items()
        }

    def _roots(self, folder: str, name: str) -> list[str]:
        """The roots where `name` may be meant by a file in `folder`, most likely first."""
        key = (folder, name)
        known = self._roots_seen.get(key)
        if known is not None:
            return known
        above = set(ancestors(folder))
        candidates = self._tops.get(name, [])
        found = []
        for root in candidates:
            if root in above:
                found.append(root)
            elif name in _STANDARD:
                continue
            elif root in self._declared or (
                f"{root}/{name}" in self._packages and not self._is_aside(root, folder)
            ):
                found.append(root)
        # The file's own folder is searched first by Python only for scripts; a package is meant more often.
        here = {root: rank for rank, root in enumerate(ancestors(folder))}
        found.sort(key=lambda root: (here.get(root, len(here)), root not in self._declared))
        self._roots_seen[key] = found
        return found

    def _is_aside(self, root: str, folder: str) -> bool:
        parts = root.split("/")
        for depth, part in enumerate(parts):
            if part in _ASIDE:
                below = "/".join(parts[: depth + 1])
                return not (folder == below or folder.startswith(below + "/"))
        return False

    def _find(self, folder: str, module: str, names: Sequence[str]) -> Found:
        dots = len(module) - len(module.lstrip("."))
        if dots:
            parts = folder.split("/") if folder else []
            if dots - 1 > len(parts):
                return MISSING
            base = "/".join(parts[: len(parts) - dots + 1])
            rest = [part for part in module[dots:].split(".") if part]
            return self._at("/".join(([base] if base else []) + rest), names) or MISSING
        segments = module.split(".")
        if not segments[0]:
            return None
        roots = self._roots(folder, segments[0])
        if not roots:
            return None
        tail = "/".join(segments)
        for root in roots:
            found = self._at(f"{root}/{tail}" if root else tail, names)
            if found:
                return found
        packaged = any((f"{root}/{segments[0]}" if root else segments[0]) in self._folders for root in roots)
        # A name that only a script or a folder without an __init__ bears is more likely somebody else's.
        own = any((f"{root}/{segments[0]}" if root else segments[0]) in self._packages for root in roots)
        return MISSING if packaged and own and segments[0] not in _STANDARD else None

    def _at(self, path: str, names: Sequence[str]) -> Sequence[int]:
        """The documents of the module at `path`, or of its submodules `names`."""
        itself = self._modules.get(path)
        package = self._packages.get(path)
        if itself is None and package is None and path not in self._folders:
            parent, _, _ = path.rpartition("/")
            if not names and parent in self._modules:
                return (self._modules[parent],)  # `a.b.C` written for `from a.b import C`
            return ()
        found: list[int] = []
        rest = not names
        for name in names:
            below = f"{path}/{name}" if path else name
            inner = self._packages.get(below, self._modules.get(below))
            if inner is None:
                rest = True
            else:
                found.append(inner)
        if rest:
            own = package if package is not None else itself
            if own is not None:
                found.append(own)
        return found
