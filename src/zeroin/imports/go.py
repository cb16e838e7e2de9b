"""Go imports: a package is a folder of files; module paths come from all go.mod files of the tree."""

import re
from collections.abc import Iterable

from zeroin.imports.group import Group
from zeroin.imports.tree import Found, Tree, join
from zeroin.patterns import lazy_pattern
from zeroin.tree import Import

LANGUAGES = ("go",)
_MODULE = lazy_pattern(r'^[ \t]*module[ \t]+"?([^\s"]+)', re.MULTILINE)

_REPLACED = lazy_pattern(
    r"^[ \t]*(?:replace[ \t]+)?([^\s()=]+)[ \t]+(?:v\S+[ \t]+)?=>[ \t]+(\.{1,2}/\S*)", re.MULTILINE
)


def _owner(path: str) -> str:
    """Return the start of a module path that its packages share: host and owner, or the first part without a host."""
    parts = path.split("/")
    return "/".join(parts[: 2 if "." in parts[0] else 1])


class GoResolver:
    """Finds packages by the longest module path that the import starts with."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        files: dict[str, list[int]] = {}
        for doc in tree.of(LANGUAGES):
            if not tree.name[doc].endswith("_test.go"):
                files.setdefault(tree.folder[doc], []).append(doc)
        self._groups = {folder: Group(tree, docs, lambda name: name[:1].isupper()) for folder, docs in files.items()}
        self._modules: dict[str, str] = {}  # module path → folder
        replaced: dict[str, str | None] = {}  # module path → folder of the local module that replaces it
        for doc in tree.named("go.mod"):
            folder, text = tree.folder[doc], (tree.config(tree.paths[doc]) or b"").decode("utf-8", "replace")
            replaced.update((found[1], join(folder, found[2])) for found in _REPLACED.finditer(text))
            declared = _MODULE.search(text)
            if declared:
                self._modules.setdefault(declared[1], folder)
        for module, place in replaced.items():
            if place is not None:
                self._modules.setdefault(module, place)

    def resolve(self, doc: int, imported: Import) -> Found:
        """Return the files of the package that `doc` needs."""
        path = imported.module
        folder = join(self._tree.folder[doc], path) if path.startswith(".") else self._folder(path)
        group = self._groups.get(folder) if folder is not None else None
        return group.choose(doc) if group else ()

    def offered(self) -> Iterable[str]:
        return map(_owner, self._modules)

    def wanted(self, doc: int, imported: Import) -> str:
        return "" if imported.module.startswith(".") else _owner(imported.module)

    def _folder(self, path: str) -> str | None:
        prefix = path
        while prefix:
            if prefix in self._modules:
                return f"{self._modules[prefix]}/{path[len(prefix) + 1 :]}".strip("/")
            prefix = prefix.rpartition("/")[0]
        if "vendor/" + path in self._groups:
            return "vendor/" + path
        # No go.mod: github.com/owner/name/package lies in package, as under GOPATH.
        hosted = not self._modules and "." in path.partition("/")[0]
        return "/".join(path.split("/")[3:]) if hosted else None
