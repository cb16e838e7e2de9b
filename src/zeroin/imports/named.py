"""Languages that import modules by a full name which one file declares: Elixir, Erlang, Haskell."""

from __future__ import annotations

import re
from collections.abc import Sequence

from zeroin.imports.tree import MISSING, Found, Tree
from zeroin.tree import Import

LANGUAGES = ("elixir", "erlang", "haskell", "elm", "purescript")
_HASKELL = ("haskell", "elm", "purescript")
_MODULE_PATH = re.compile(r"(?:^|/)((?:[A-Z]\w*/)*[A-Z]\w*)\.(?:hs|lhs|hsc|hs-boot|elm|purs)$", re.ASCII)


class NamedModuleResolver:
    """Finds the file that declares a module."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._modules: dict[str, list[int]] = {}
        self._first: dict[int, str] = {}  # a file's own module, for __MODULE__
        for doc in tree.of(LANGUAGES):
            names = self._declared(doc)
            if names:
                self._first[doc] = names[0]
            for name in dict.fromkeys(names):
                self._modules.setdefault(name, []).append(doc)
        self._prefixes = {name.rpartition(".")[0] for name in self._modules if "." in name}

    def resolve(self, doc: int, imported: Import) -> Found:
        """The file that declares the module, nearest first where several do."""
        module = imported.module.removeprefix("Elixir.")
        if module.startswith("__MODULE__"):
            module = self._first.get(doc, "") + module.removeprefix("__MODULE__")
        found: Sequence[int] = self._modules.get(module, ())
        if found:
            return self._tree.nearest(doc, found)
        parent = module.rpartition(".")[0]
        if parent in self._prefixes or parent in self._modules:
            # Two segments or more of a declared name: `Data.Map` is not ours because we have `Data.Own`.
            return MISSING if "." in parent or parent in self._modules else None
        return None

    def _declared(self, doc: int) -> list[str]:
        tree = self._tree
        path = tree.paths[doc]
        if tree.languages[doc] in _HASKELL:
            matched = _MODULE_PATH.search(path)
            names = [matched[1].replace("/", ".")] if matched else []
            names += [d.name for d in tree.definitions[doc] if d.kind == "module" and d.name != "Main"]
            return names
        names = []
        for definition in tree.definitions[doc]:
            if definition.kind in ("module", "protocol", "interface", "namespace"):
                name = definition.name
                names.append(name)
                if definition.parent and not name.startswith(definition.parent + "."):
                    names.append(f"{definition.parent}.{name}")
        if not names and path.endswith(".erl"):
            names.append(tree.name[doc].removesuffix(".erl"))
        if not names and path.endswith(".ex") and "lib/" in path:
            # Not analysed (too large, a line too long): Mix's convention still names the module.
            below = path.removesuffix(".ex").rpartition("lib/")[2]
            names.append(
                ".".join(re.sub(r"(?:^|_)(\w)", lambda m: m[1].upper(), p) for p in below.split("/"))
            )
        return names
