"""Go imports: a package is the folder of its files; modules by go.mod, also several and replaced ones."""

from __future__ import annotations

import re

from zeroin.imports.group import Group
from zeroin.imports.tree import MISSING, Found, Tree, join
from zeroin.tree import Import

LANGUAGES = ("go",)
_MODULE = re.compile(r'^[ \t]*module[ \t]+"?([^\s"]+)', re.MULTILINE)
_REPLACE = re.compile(r"^[ \t]*(?:replace[ \t]+)?([^\s(]+)(?:[ \t]+v\S+)?[ \t]+=>[ \t]+(\.\S*)", re.MULTILINE)


def _exported(name: str) -> bool:
    return name[:1].isupper()


class GoResolver:
    """Finds packages by the longest module path that the import starts with."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        files: dict[str, list[int]] = {}
        for doc in tree.of(LANGUAGES):
            if not tree.name[doc].endswith("_test.go"):
                files.setdefault(tree.folder[doc], []).append(doc)
        self._groups = {folder: Group(docs, _exported) for folder, docs in files.items()}
        self._modules: dict[str, str] = {}  # module path → folder
        replaced: dict[str, str] = {}
        for doc in tree.named("go.mod"):
            folder = tree.folder[doc]
            data = tree.config(tree.paths[doc])
            if data is None:
                continue
            source = data.decode("utf-8", "replace")
            declared = _MODULE.search(source)
            if declared:
                self._modules.setdefault(declared[1], folder)
            for name, target in _REPLACE.findall(source):
                place = join(folder, target)
                if place is not None:
                    replaced.setdefault(name, place)
        for name, place in replaced.items():
            self._modules.setdefault(name, place)
        self._seen: dict[str, Group | bool | None] = {}

    def resolve(self, doc: int, imported: Import) -> Found:
        """The files of the package that `doc` needs; an unknown package of a known module is missing."""
        path = imported.module
        if path not in self._seen:
            self._seen[path] = self._group(path)
        group = self._seen[path]
        if isinstance(group, Group):
            return group.choose(self._tree, doc)
        if path.startswith("."):
            place = join(self._tree.folder[doc], path)
            found = self._groups.get(place) if place is not None else None
            return found.choose(self._tree, doc) if found else MISSING
        return MISSING if group else None

    def _group(self, path: str) -> Group | bool | None:
        """The package; True where its module is known but the package is not."""
        prefix = path
        while prefix:
            if prefix in self._modules:
                rest = path[len(prefix) + 1 :]
                folder = "/".join(part for part in (self._modules[prefix], rest) if part)
                return self._groups.get(folder, True)
            prefix = prefix.rpartition("/")[0]
        vendored = self._groups.get("vendor/" + path)
        if vendored is not None:
            return vendored
        if not self._modules and "." in path.partition("/")[0]:
            # No go.mod: github.com/owner/name/package lies in package, as under GOPATH.
            return self._groups.get("/".join(path.split("/")[3:]))
        return None
