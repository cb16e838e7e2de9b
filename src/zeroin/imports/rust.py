"""Rust paths: crates of the workspace, `crate::`, `self::`, `super::`, `mod` declarations.

A path ends in an item; it is shortened until a module file matches. An inline `mod` around the import (its
definition's span) counts as one level of the module tree.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from zeroin.imports.readconfig import read_toml, table, text
from zeroin.imports.tree import MISSING, Found, Tree, ancestors, join
from zeroin.tree import Import

LANGUAGES = ("rust",)
_STANDARD = frozenset(("std", "core", "alloc", "proc_macro", "test"))
_ROOT_FILES = ("lib.rs", "main.rs")
_TARGETS = ("tests", "examples", "benches")  # every file directly there is a crate of its own


@dataclass(frozen=True, slots=True)
class _Crate:
    """`source` is the folder of the root file; `renames` maps a dependency's local name to its crate name."""

    folder: str
    source: str
    root: int | None
    name: str
    renames: dict[str, str]


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a file is in a module tree: the tree's folder and root file, and the file's own module path."""

    source: str
    root: int | None
    module: tuple[str, ...]
    crate: _Crate | None


class RustResolver:
    """Finds module files along a path."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._docs = tree.docs
        self._crates: dict[str, _Crate] = {}  # folder → crate
        self._by_name: dict[str, _Crate] = {}  # the shallowest of a name: it is the published one
        for doc in tree.named("Cargo.toml"):
            crate = self._read(tree.folder[doc], read_toml(tree.config(tree.paths[doc])))
            if crate is not None:
                self._crates[crate.folder] = crate
                self._by_name.setdefault(crate.name, crate)
        self._places: dict[int, _Place] = {}
        self._seen: dict[tuple[str, tuple[str, ...], tuple[str, ...], str, tuple[str, ...]], Found] = {}
        self._mods: dict[int, list[tuple[int, int, str]]] = {}

    def resolve(self, doc: int, imported: Import) -> Found:
        """The module files, one an item, that hold what a `use` path or a `mod` names."""
        module, names = imported.module, imported.names
        declaration = "mod" in names or module.startswith("mod ")
        first = module.partition("::")[0]
        if first in _STANDARD and not declaration:
            return None
        place = self._places.get(doc)
        if place is None:
            place = self._places[doc] = self._place(doc)
        inner = self._inline(doc, imported.line)
        if declaration:
            return self._declared(doc, place, inner, module.removeprefix("mod ").strip().removeprefix("r#"))
        if "path" in names and module.endswith(".rs"):
            beside = join(self._tree.folder[doc], module)
            written = self._docs.get(beside) if beside else None
            return MISSING if written is None else (written,)
        relative = first != "crate"
        key = (place.source, place.module if relative else (), inner if relative else (), module, names)
        if key not in self._seen:
            self._seen[key] = self._used(place, inner, module, names)
        return self._seen[key]

    def _used(self, place: _Place, inner: tuple[str, ...], module: str, names: Sequence[str]) -> Found:
        path = module.replace("r#", "")
        if " " in path:
            path = "".join(path.partition(" as ")[0].removeprefix("pub ").split())
        absolute = path.startswith("::")
        segments = [part for part in path.split("::") if part and part != "*"]
        if len(segments) > 1 and segments[-1] == "self":
            segments.pop()
        if not segments or segments[0] in _STANDARD:
            return None
        leaves = [name for name in names if name not in ("self", "*", "crate")]
        if not leaves:
            return self._path(place, inner, segments, absolute)
        found: dict[int, None] = {}
        ours = False
        for leaf in leaves:
            hit = self._path(place, inner, [*segments, leaf.removeprefix("r#")], absolute)
            ours = ours or hit is not None
            found.update(dict.fromkeys(hit or ()))
        return tuple(found) if ours else None

    def _path(self, place: _Place, inner: tuple[str, ...], segments: list[str], absolute: bool) -> Found:
        first = segments[0]
        if first in ("crate", "$crate"):
            return self._walk(place.source, place.root, (), segments[1:])
        if first in ("self", "super"):
            module = [*place.module, *inner]
            while segments and segments[0] in ("self", "super"):
                if segments.pop(0) == "super":
                    if not module:
                        return MISSING
                    module.pop()
            return self._walk(place.source, place.root, tuple(module), segments)
        crate = self._crate(place, first)
        if crate is not None and crate.root is not None:
            return self._walk(crate.source, crate.root, (), segments[1:])
        if absolute:
            return None
        # A module declared in this file, or (edition 2015) at the root of the crate.
        for base in ((*place.module, *inner), place.module, ()):
            if self._module(place.source, (*base, first)) is not None:
                return self._walk(place.source, place.root, base, segments)
        return None

    def _crate(self, place: _Place, name: str) -> _Crate | None:
        if place.crate is not None:
            name = place.crate.renames.get(name, name)
        return self._by_name.get(name)

    def _walk(self, source: str, root: int | None, base: tuple[str, ...], segments: Sequence[str]) -> Found:
        """The file of the longest prefix of base + segments; else the root file, which may re-export it."""
        whole = (*base, *segments)
        for size in range(len(whole), 0, -1):
            found = self._module(source, whole[:size])
            if found is not None:
                return (found,)
        return MISSING if root is None else (root,)

    def _module(self, source: str, module: tuple[str, ...]) -> int | None:
        if not module:
            return None
        stem = "/".join((source, *module)) if source else "/".join(module)
        found = self._docs.get(stem + ".rs")
        return found if found is not None else self._docs.get(stem + "/mod.rs")

    def _declared(self, doc: int, place: _Place, inner: tuple[str, ...], name: str) -> Found:
        """The file of `mod name;`: beside a root or mod.rs, else in the folder named like this file."""
        found = self._module(place.source, (*place.module, *inner, name))
        if found is None:
            folder = self._tree.folder[doc]
            stem = f"{folder}/{name}".lstrip("/")
            beside = self._docs.get(stem + ".rs")
            found = beside if beside is not None else self._docs.get(stem + "/mod.rs")
            if found is None:  # `#[path = "…"]`: the attribute is not part of the declaration
                near = self._tree.by_suffix(doc, name + ".rs")
                if near is not None and f"{self._tree.folder[near]}/".startswith(f"{folder}/".lstrip("/")):
                    found = near
        return MISSING if found is None else (found,)

    def _inline(self, doc: int, line: int) -> tuple[str, ...]:
        """Names of the inline modules around a line, outermost first."""
        mods = self._mods.get(doc)
        if mods is None:
            mods = self._mods[doc] = sorted(
                (d.start, d.end, d.name)
                for d in self._tree.definitions[doc]
                if d.kind in ("mod", "module") and d.end > d.start
            )
        return tuple(name for start, end, name in mods if start <= line <= end) if mods else ()

    def _place(self, doc: int) -> _Place:
        """The module tree of a file: it starts at the nearest root file or target folder above it."""
        folder, name = self._tree.folder[doc], self._tree.name[doc]
        crate = next((self._crates[up] for up in ancestors(folder) if up in self._crates), None)
        if name in _ROOT_FILES or (crate is not None and crate.root == doc):
            return _Place(folder, doc, (), crate)
        parts: tuple[str, ...] = () if name == "mod.rs" else (name.removesuffix(".rs"),)
        for at in ancestors(folder):
            above, _, last = at.rpartition("/")
            if crate is not None and at == crate.source and crate.root is not None:
                return _Place(at, crate.root, parts, crate)
            if (last in _TARGETS and (crate is None or above == crate.folder)) or (
                last == "bin" and crate is not None and above == crate.source
            ):
                return _Place(at, doc, (), crate) if at == folder else _Place(at, None, parts, crate)
            for candidate in _ROOT_FILES:
                root = self._docs.get(f"{at}/{candidate}" if at else candidate)
                if root is not None:
                    return _Place(at, root, parts, crate)
            if crate is not None and at == crate.folder:
                break
            parts = (last, *parts)
        return _Place(folder, None, () if name == "mod.rs" else (name.removesuffix(".rs"),), crate)

    def _read(self, folder: str, manifest: dict[str, Any]) -> _Crate | None:
        name = text(manifest, "package", "name")
        if not name:
            return None
        library = text(manifest, "lib", "path")
        root: int | None = None
        source = f"{folder}/src".lstrip("/")
        for candidate in (library, "src/lib.rs", "src/main.rs", "lib.rs"):
            path = join(folder, candidate) if candidate else None
            if path is not None and path in self._docs:
                root, source = self._docs[path], path.rpartition("/")[0]
                break
        renames: dict[str, str] = {}
        for section in ("dependencies", "dev-dependencies", "build-dependencies"):
            for local, wanted in table(manifest, section).items():
                renamed = text(wanted, "package")
                if renamed:
                    renames[local.replace("-", "_")] = renamed.replace("-", "_")
        known = (text(manifest, "lib", "name") or name).replace("-", "_")
        return _Crate(folder, source, root, known, renames)
