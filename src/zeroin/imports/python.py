"""Python imports: packages, src layouts, relative dots, namespace packages, several roots."""

import sys
from collections.abc import Iterable, Sequence

from zeroin.imports.tree import Found, Tree, ancestors
from zeroin.tree import Import

LANGUAGES = ("python",)
_SUFFIXES = (".py", ".pyi", ".pyx", ".pxd")
_MANIFESTS = ("pyproject.toml", "setup.py", "setup.cfg")
_SOURCE_FOLDERS = ("src", "lib", "python", "Lib")
_STANDARD = sys.stdlib_module_names
# Packages below these folders are fixtures and copies: only files beside them import them.
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
        self._elsewhere: dict[str, list[tuple[str | None, str]]] = {}
        # Cached, since both the roots and the importing folders can be thousands.
        self._first: dict[tuple[str, tuple[str, ...]], dict[str | None, tuple[int, Found]]] = {}
        self._seen: dict[tuple[str, str, tuple[str, ...]], Found] = {}

    def resolve(self, doc: int, imported: Import) -> Found:
        """Return the submodules that an import in `doc` names, and the module itself for any other name or none."""
        folder = self._tree.folder[doc]
        key = (folder, imported.module, imported.names)
        if key not in self._seen:
            self._seen[key] = self._find(folder, imported.module, imported.names)
        return self._seen[key]

    def offered(self) -> Iterable[str]:
        return self._tops

    def wanted(self, doc: int, imported: Import) -> str:
        name = imported.module.partition(".")[0]
        return "" if name in _STANDARD else name

    def _declared_roots(self) -> set[str]:
        """Return folders that packaging puts on the path: the top, each project's own folder and its src."""
        roots = {""}
        for manifest in _MANIFESTS:
            roots.update(self._tree.folder[doc] for doc in self._tree.by_name.get(manifest, ()))
        for root in tuple(roots):
            for name in _SOURCE_FOLDERS:
                below = f"{root}/{name}" if root else name
                if below in self._folders and below not in self._packages:
                    roots.add(below)
        return roots

    def _top_names(self) -> dict[str, dict[str, None]]:
        """Top-level name → the folders outside of packages that hold it, in order, declared roots first."""
        names: dict[str, list[str]] = {}
        for path in self._modules.keys() | self._folders:
            root, _, name = path.rpartition("/")
            if name and name != "__init__" and (root not in self._packages or root in self._declared):
                names.setdefault(name, []).append(root)
        for roots in names.values():
            roots.sort(key=lambda root: (root not in self._declared, root.count("/"), root))
        return {name: dict.fromkeys(roots) for name, roots in names.items()}

    def _others(self, name: str) -> list[tuple[str | None, str]]:
        """Return the roots where other folders may find `name`, each with the folder that the importer must be below.

        That folder is None (any importer) unless `name` is a package in an `_ASIDE` folder, of fixtures or copies.
        """
        if name not in self._elsewhere:
            others = self._elsewhere[name] = list[tuple[str | None, str]]()
            for root in self._tops.get(name, ()):
                path = f"{root}/{name}"
                if root in self._declared:
                    others.append((None, root))
                elif path in self._packages:
                    aside = (up for up in ancestors(path) if up.rpartition("/")[2] in _ASIDE)
                    others.append((next(aside, None), root))
        return self._elsewhere[name]

    def _first_of_others(self, module: str, names: tuple[str, ...]) -> dict[str | None, tuple[int, Found]]:
        """Return the first match in `_others` with its rank, by the folder that the importer must be below."""
        key = (module, names)
        if key not in self._first:
            self._first[key] = first = dict[str | None, tuple[int, Found]]()
            for rank, (aside, root) in enumerate(self._others(module.partition(".")[0])):
                if aside not in first and (found := self._below(root, module, names)):
                    first[aside] = rank, found
                    if aside is None:
                        break
        return self._first[key]

    def _find(self, folder: str, module: str, names: tuple[str, ...]) -> Found:
        dots = len(module) - len(module.lstrip("."))
        if dots:
            parts = folder.split("/") if folder else []
            if dots - 1 > len(parts):
                return ()
            rest = [part for part in module[dots:].split(".") if part]
            return self._at("/".join([*parts[: len(parts) - dots + 1], *rest]), names)
        # The nearest root above the file wins. Unless declared, a package's folder is none: only scripts import so.
        name = module.partition(".")[0]
        roots, above = self._tops.get(name, {}), list(ancestors(folder))
        for root in above:
            if root in roots and (found := self._below(root, module, names)):
                return found
        if name in _STANDARD or not roots:
            return ()
        first = self._first_of_others(module, names)
        ranked = [first[place] for place in (None, *above) if place in first]
        return min(ranked, key=lambda item: item[0])[1] if ranked else ()

    def _below(self, root: str, module: str, names: Sequence[str]) -> Found:
        path = module.replace(".", "/")
        return self._at(f"{root}/{path}" if root else path, names)

    def _at(self, path: str, names: Sequence[str]) -> Sequence[int]:
        """Return the submodules `names` of the module at `path`, and the module itself for any other name or none."""
        found: list[int] = []
        own = not names
        for name in names:
            below = f"{path}/{name}" if path else name
            inner = self._packages.get(below, self._modules.get(below))
            if inner is None:
                own = True
            else:
                found.append(inner)
        itself = self._packages.get(path, self._modules.get(path))
        if itself is None and not names and path not in self._folders:
            itself = self._modules.get(path.rpartition("/")[0])  # `a.b.C` written for `from a.b import C`
        if own and itself is not None:
            found.append(itself)
        return found
