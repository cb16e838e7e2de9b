"""Java, Kotlin, Scala and Groovy imports: declared packages and the names defined in them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from zeroin.imports.group import Group
from zeroin.imports.tree import MISSING, Found, Tree
from zeroin.tree import Import

LANGUAGES = ("java", "kotlin", "scala", "groovy")
_SOURCE_ROOT = re.compile(
    r"(?:^|/)(?:java|kotlin|scala(?:-[\w.+-]+)?|groovy|src|[a-z]+(?:Main|Test)/kotlin)/"
)
_NOT_NAMES = frozenset(("static", "*", "_", "given", "type"))
_WILDCARDS = (".*", "._", ".given")
_SAME_NAME = 3  # files that define the same imported name (overloads, platforms) and are all meant


class JvmResolver:
    """Finds the file that defines a name in a package."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._packages: dict[str, dict[str, list[int]]] = {}  # package → name → files
        self._members: dict[str, list[int]] = {}
        self._package_of: dict[int, str] = {}
        for doc in tree.of(LANGUAGES):
            package, names = self._declares(doc)
            self._package_of[doc] = package
            known = self._packages.setdefault(package, {})
            for name in names:
                known.setdefault(name, []).append(doc)
            self._members.setdefault(package, []).append(doc)
        self._groups: dict[str, Group] = {}
        self._seen: dict[tuple[str, str], tuple[str | None, Found]] = {}

    def resolve(self, doc: int, imported: Import) -> Found:
        """Files that define what is imported, those nearest to `doc` first."""
        module = imported.module
        scope = self._package_of.get(doc, "")
        if not imported.names and not module.endswith(_WILDCARDS):
            return self._lookup(doc, scope, module)
        names = [name for name in imported.names if name not in _NOT_NAMES]
        wildcard = module.endswith(_WILDCARDS) or any(n in ("*", "_") for n in imported.names)
        if wildcard:
            for end in _WILDCARDS:
                module = module.removesuffix(end)
        if names:
            found: list[int] = []
            for name in names:
                found += self._lookup(doc, scope, f"{module}.{name}") or ()
            if found:
                return list(dict.fromkeys(found))
        return self._lookup(doc, scope, module, wildcard=wildcard)

    def _lookup(self, doc: int, scope: str, module: str, *, wildcard: bool = False) -> Found:
        key = (scope, module)
        hit = self._seen.get(key)
        if hit is None:
            hit = self._seen[key] = self._find(scope, module) or self._absent(module)
        package, docs = hit
        if docs is None or package is None:
            return docs
        if docs:
            return docs if len(docs) == 1 else self._tree.nearest(doc, docs, _SAME_NAME)
        if not wildcard and self._tree.languages[doc] == "java":
            return MISSING  # Java cannot import a package without a wildcard
        if package not in self._groups:
            self._groups[package] = Group(self._members[package])
        return self._groups[package].choose(self._tree, doc)

    def _absent(self, module: str) -> tuple[None, Found]:
        parts = module.split(".")
        known = any(".".join(parts[:size]) in self._packages for size in range(len(parts), 1, -1))
        return None, MISSING if known else None

    def _find(self, scope: str, module: str) -> tuple[str, Sequence[int]] | None:
        """(package, files that define the name in it; none: the package itself is meant)."""
        parts = module.split(".")
        if module in self._packages:
            return module, ()
        for size in range(len(parts) - 1, 0, -1):
            names = self._packages.get(".".join(parts[:size]))
            if names is not None:
                for part in parts[size : size + 2]:  # a package object or a nested type stands between
                    docs = names.get(part.strip("`"))
                    if docs:
                        return ".".join(parts[:size]), docs
        # Scala: relative to the package of the file and to those around it.
        while scope:
            relative = f"{scope}.{module}"
            if relative in self._packages:
                return relative, ()
            for size in range(len(parts) - 1, -1, -1):
                names = self._packages.get(".".join([scope, *parts[:size]]))
                docs = names.get(parts[size]) if names else None
                if docs:
                    return scope, docs
            scope = scope.rpartition(".")[0]
        return None

    def _declares(self, doc: int) -> tuple[str, set[str]]:
        tree = self._tree
        declared: list[str] = []
        names = set()
        stem = tree.name[doc].partition(".")[0]
        if stem not in ("package-info", "module-info"):
            names.add(stem)
        for definition in tree.definitions[doc]:
            if definition.kind in ("package", "namespace"):
                declared.append(definition.name.strip(";").replace(" ", ""))
            elif not definition.parent or definition.parent in declared:
                names.add(definition.name)
        if declared:
            package = declared[0]
            for more in declared[1:]:  # Scala: `package a.b` then `package c`
                if not more.startswith(package + ".") and tree.languages[doc] == "scala":
                    package = f"{package}.{more}"
            return package, names
        folder = tree.folder[doc] + "/"
        roots = list(_SOURCE_ROOT.finditer(folder))
        return (folder[roots[-1].end() :] if roots else folder).strip("/").replace("/", "."), names
