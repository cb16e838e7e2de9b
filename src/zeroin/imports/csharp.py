"""C#: `using` of namespaces and types by what files declare."""

from __future__ import annotations

from zeroin.imports.group import Group
from zeroin.imports.tree import MISSING, Found, Tree
from zeroin.tree import Import

LANGUAGES = ("csharp",)
_SAME_TYPE = 3  # files of one partial type that are all meant


class CSharpResolver:
    """Finds the files that declare a namespace or a type."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        spaces: dict[str, list[int]] = {}
        self._types: dict[str, list[int]] = {}
        for doc in tree.of(LANGUAGES):
            full: dict[str, str] = {}
            for definition in tree.definitions[doc]:
                if definition.kind in ("namespace", "package"):
                    outer = full.get(definition.parent, "")
                    name = definition.name
                    if outer and not name.startswith(outer + "."):
                        name = f"{outer}.{name}"
                    full[definition.name] = name
                    spaces.setdefault(name, []).append(doc)
            first = next(iter(full.values()), "")
            for definition in tree.definitions[doc]:
                if definition.kind not in ("namespace", "package", "method", "property", "field"):
                    space = full.get(definition.parent, first if not definition.parent else None)
                    if space is not None:
                        found = self._types.setdefault(f"{space}.{definition.name}".lstrip("."), [])
                        if not found or found[-1] != doc:
                            found.append(doc)
        self._groups = {name: Group(list(dict.fromkeys(docs))) for name, docs in spaces.items()}
        self._outer = {name.rpartition(".")[0] for name in spaces} - {""}

    def resolve(self, doc: int, imported: Import) -> Found:
        """Files of the namespace that `doc` needs, or those of the type."""
        module = imported.module.rpartition("=")[2].strip().removeprefix("global::").partition("<")[0]
        group = self._groups.get(module)
        if group is not None:
            return group.choose(self._tree, doc)
        found = self._types.get(module) or self._types.get(module.rpartition(".")[0])
        if found:
            return self._tree.nearest(doc, found, _SAME_TYPE)
        return MISSING if module.rpartition(".")[0] in self._groups else None
