"""PHP: `use` by declared namespaces and by PSR-4 (https://www.php-fig.org/psr/psr-4/); require."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from zeroin.imports.group import Group
from zeroin.imports.readconfig import read_json, table
from zeroin.imports.tree import MISSING, Found, Tree, join
from zeroin.tree import Import

LANGUAGES = ("php",)
_REQUIRES = frozenset(("require", "include", "require_once", "include_once"))


class PhpResolver:
    """Finds the file of a class, function or namespace."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._prefixes: dict[str, list[str]] = {}  # "A\B" → folders
        for doc in tree.named("composer.json"):
            composer = read_json(tree.config(tree.paths[doc]))
            for section in ("autoload", "autoload-dev"):
                for standard in ("psr-4", "psr-0"):
                    for prefix, folders in table(composer, section, standard).items():
                        self._add(tree.folder[doc], prefix.strip("\\"), folders, standard)
        self._declared: dict[str, list[int]] = {}  # lower-case full name → files
        self._namespaces: dict[str, list[int]] = {}
        for doc in tree.of(LANGUAGES):
            self._declare(doc)
        self._groups: dict[str, Group] = {}
        self._tops = {
            name.partition("\\")[0] for name in (*self._namespaces, *map(str.lower, self._prefixes))
        }

    def resolve(self, doc: int, imported: Import) -> Found:
        """The files that declare what is used, or that are required."""
        module = imported.module
        if _REQUIRES.intersection(imported.names) or module.endswith((".php", ".inc", ".phtml")):
            return self._required(doc, module)
        name = module.partition(" as ")[0].strip().strip("\\")
        lower = name.lower()  # names of classes, functions and namespaces ignore case
        found: Sequence[int] = self._declared.get(lower, ())
        if found:
            return self._tree.nearest(doc, found, 2)
        for path in self._candidates(name):
            at = self._tree.docs.get(path)
            if at is not None:
                return (at,)
        if lower in self._namespaces:
            if lower not in self._groups:
                self._groups[lower] = Group(self._namespaces[lower])
            return self._groups[lower].choose(self._tree, doc)
        holder = lower.rpartition("\\")[0]  # `use const A\B\C`, `use function A\B\f` in a file of A\B
        if holder in self._namespaces:
            return MISSING
        top, separator, _ = lower.partition("\\")
        if not separator or top not in self._tops:
            return None
        own = any(lower.startswith(prefix.lower() + "\\") for prefix in self._prefixes if prefix)
        return MISSING if own else None

    def _candidates(self, name: str) -> list[str]:
        paths: list[str] = []
        prefix = name
        while True:
            for folder in self._prefixes.get(prefix, ()):
                rest = name[len(prefix) :].strip("\\").replace("\\", "/")
                paths.append("/".join(part for part in (folder, rest) if part) + ".php")
            if not prefix:
                return paths
            prefix = prefix.rpartition("\\")[0]

    def _required(self, doc: int, module: str) -> Found:
        path = module.strip("'\"").lstrip("/")
        for base in dict.fromkeys((self._tree.folder[doc], "")):
            joined = join(base, path)
            found = self._tree.docs.get(joined) if joined else None
            if found is not None:
                return (found,)
        while path.startswith(("../", "./")):
            path = path.partition("/")[2]
        near = self._tree.by_suffix(doc, path) if path else None
        if near is not None:
            return (near,)
        return None if "vendor/" in path else MISSING

    def _add(self, folder: str, prefix: str, folders: Any, standard: str) -> None:
        for place in folders if isinstance(folders, list) else [folders]:
            if isinstance(place, str):
                base = join(folder, place)
                if base is not None:
                    # PSR-0 repeats the prefix below the folder.
                    below = prefix.replace("\\", "/") if standard == "psr-0" else ""
                    joined = "/".join(part for part in (base, below) if part)
                    self._prefixes.setdefault(prefix, []).append(joined)

    def _declare(self, doc: int) -> None:
        namespaces = [
            (d.start, d.name.strip("\\").lower())
            for d in self._tree.definitions[doc]
            if d.kind in ("namespace", "package")
        ]
        for _, namespace in namespaces:
            self._namespaces.setdefault(namespace, []).append(doc)
        known = {namespace for _, namespace in namespaces}
        for definition in self._tree.definitions[doc]:
            if definition.kind in ("namespace", "package", "method", "property"):
                continue
            if definition.parent and definition.parent.strip("\\").lower() not in known:
                continue
            space = next((name for start, name in reversed(namespaces) if start <= definition.start), "")
            full = f"{space}\\{definition.name}" if space else definition.name
            self._declared.setdefault(full.lower(), []).append(doc)
