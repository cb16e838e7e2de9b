"""Rust paths: crates of the workspace, `crate::`, `self::`, `super::`, `mod` declarations.

A path ends in an item; it is shortened until a module file matches. An inline `mod` around the import (its
definition's span) counts as one level of the module tree.
"""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from zeroin.imports.readconfig import read_toml, text
from zeroin.imports.tree import Found, Tree, ancestors, join
from zeroin.tree import Definition, Import

LANGUAGES = ("rust",)
_STANDARD = frozenset(("std", "core", "alloc", "proc_macro", "test"))
_ROOT_FILES = ("lib.rs", "main.rs")
_Modules = tuple[list[int], list[tuple[int, str, int]]]
_MAX_DEPTH = 50  # folders of a module's file below its root
_TARGETS = ("tests", "examples", "benches")  # every file directly there is a crate of its own


class _Crate(NamedTuple):
    """`source` is the folder of the root file."""

    folder: str
    source: str
    root: Found
    name: str


class _Place(NamedTuple):
    """Where a file is in a module tree: the tree's folder and root file, and the file's own module path."""

    source: str
    root: Found
    module: tuple[str, ...]


class RustResolver:
    """Finds module files along a path."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._crates: dict[str, _Crate] = {}  # folder → crate
        self._by_name: dict[str, _Crate] = {}  # the shallowest of a name: it is the published one
        for doc in tree.named("Cargo.toml"):
            crate = self._read(tree.folder[doc], read_toml(tree.config(tree.paths[doc])))
            if crate is not None:
                self._crates[crate.folder] = crate
                self._by_name.setdefault(crate.name, crate)
        self._places: dict[int, _Place] = {}
        self._modules: tuple[int, _Modules] = (-1, ([], []))

    def resolve(self, doc: int, imported: Import) -> Found:
        """Return the module files that hold what a `use` path or a `mod` names, one for each item."""
        module, names = imported.module.replace("r#", ""), imported.names
        if doc not in self._places:
            self._places[doc] = self._place(doc)
        place = self._places[doc]
        here = (*place.module, *self._inline(doc, imported.line))
        if "mod" in names:
            return self._declared(doc, place, (*here, module))
        if "path" in names and module.endswith(".rs"):
            return self._tree.at(join(self._tree.folder[doc], module))
        segments = [part for part in module.split("::") if part]
        if not segments or segments[0] in _STANDARD:
            return ()
        leaves = [name.removeprefix("r#") for name in names if name not in ("self", "*", "crate")]
        paths = [[*segments, leaf] for leaf in leaves] or [segments]
        return tuple({found: None for path in paths for found in self._used(place, here, path)})

    def offered(self) -> Iterable[str]:
        return self._by_name

    def wanted(self, doc: int, imported: Import) -> str:
        name = imported.module.replace("r#", "").partition("::")[0]
        return "" if name in _STANDARD or not {"mod", "path"}.isdisjoint(imported.names) else name

    def _used(self, place: _Place, here: Sequence[str], segments: list[str]) -> Found:
        """Return the file of one path of a `use` in the module `here`."""
        first = segments[0]
        if first == "crate":
            return self._walk(place.source, place.root, segments[1:])
        if first in ("self", "super"):
            module = list(here)
            while segments and segments[0] in ("self", "super"):
                if segments[0] == "super":
                    if not module:
                        return ()
                    module.pop()
                segments = segments[1:]
            return self._walk(place.source, place.root, [*module, *segments])
        crate = self._by_name.get(first)
        if crate is not None and crate.root:
            return self._walk(crate.source, crate.root, segments[1:])
        # A module declared in this file, or (edition 2015) at the root of the crate.
        for base in (here, place.module, ()):
            if self._module(place.source, (*base, first)):
                return self._walk(place.source, place.root, [*base, *segments])
        return ()

    def _walk(self, source: str, root: Found, segments: Sequence[str]) -> Found:
        """Return the file of the longest prefix; else the root file, which may re-export the item."""
        for size in range(min(len(segments), _MAX_DEPTH), 0, -1):
            found = self._module(source, segments[:size])
            if found:
                return found
        return root

    def _module(self, source: str, module: Sequence[str]) -> Found:
        stem = "/".join((source, *module) if source else module)
        return self._tree.at(f"{stem}.rs", f"{stem}/mod.rs")

    def _declared(self, doc: int, place: _Place, module: Sequence[str]) -> Found:
        """Return the file of `mod name;`: in its module tree, in the same folder, or (a `#[path]`) below it."""
        folder = self._tree.folder[doc]
        found = self._module(place.source, module) or self._module(folder, module[-1:])
        if not found:
            near = self._tree.by_suffix(doc, f"{module[-1]}.rs")
            found = [at for at in near if f"{self._tree.folder[at]}/".startswith(f"{folder}/".lstrip("/"))]
        return found

    def _inline(self, doc: int, line: int) -> list[str]:
        """Return names of the inline modules around a line, outermost first."""
        if self._modules[0] != doc:  # imports are resolved document by document: remembering one is enough
            self._modules = doc, _modules(self._tree.definitions(doc))
        starts, modules = self._modules[1]
        at, names = bisect_right(starts, line) - 1, list[str]()
        while at >= 0:
            end, name, around = modules[at]
            if line <= end:
                names.append(name)
            at = around
        return names[::-1]

    def _place(self, doc: int) -> _Place:
        """Return the module tree of a file: it starts at the nearest root file or target folder above it."""
        folder, name = self._tree.folder[doc], self._tree.name[doc]
        crate = next((self._crates[up] for up in ancestors(folder) if up in self._crates), None)
        if name in _ROOT_FILES or (crate is not None and doc in crate.root):
            return _Place(folder, (doc,), ())
        own = () if name == "mod.rs" else (name.removesuffix(".rs"),)
        parts: tuple[str, ...] = own
        for at in ancestors(folder):
            above, _, last = at.rpartition("/")
            if crate is not None and at == crate.source and crate.root:
                return _Place(at, crate.root, parts)
            if (last in _TARGETS and (crate is None or above == crate.folder)) or (
                last == "bin" and crate is not None and above == crate.source
            ):
                return _Place(at, (doc,), ()) if at == folder else _Place(at, (), parts)
            root = self._tree.at(*(f"{at}/{file}".lstrip("/") for file in _ROOT_FILES))
            if root:
                return _Place(at, root, parts)
            if crate is not None and at == crate.folder:
                break
            parts = (last, *parts)
        return _Place(folder, (), own)

    def _read(self, folder: str, manifest: dict[str, Any]) -> _Crate | None:
        name = text(manifest, "package", "name")
        if not name:
            return None
        library = text(manifest, "lib", "path")
        files = (library, "src/lib.rs", "src/main.rs", "lib.rs")
        root = self._tree.at(*(join(folder, file) for file in files if file))
        source = self._tree.folder[root[0]] if root else f"{folder}/src".lstrip("/")
        known = (text(manifest, "lib", "name") or name).replace("-", "_")
        return _Crate(folder, source, root, known)


def _modules(definitions: Iterable[Definition]) -> _Modules:
    """Return a file's inline modules in order: first lines, and (last line, name, index of the outer one or -1)."""
    found = sorted((d.start, -d.end, d.name) for d in definitions if d.kind == "module" and d.end > d.start)
    modules: list[tuple[int, str, int]] = []
    around = -1
    for start, end, name in found:
        while around >= 0 and modules[around][0] < start:
            around = modules[around][2]
        modules.append((-end, name, around))
        around = len(modules) - 1
    return [start for start, _, _ in found], modules
