"""Ruby: require from load paths, require_relative, load, autoload."""

from __future__ import annotations

from zeroin.imports.tree import MISSING, Found, Tree, join
from zeroin.tree import Import

LANGUAGES = ("ruby",)
_LOAD_FOLDERS = frozenset(("lib", "spec", "test", "tests", "app", "ext", "features"))
_RELATIVE = frozenset(("relative", "require_relative"))
_AUTOLOADED = frozenset(("models", "controllers", "helpers", "services", "jobs", "mailers", "concerns"))


class RubyResolver:
    """Finds files by their path below a load folder."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._features: dict[str, list[int]] = {}  # what `require` is given → files
        self._libraries: set[str] = set()  # the first two segments below a lib folder
        for doc in tree.of(LANGUAGES):
            parts = tree.paths[doc].removesuffix(".rb").split("/")
            starts = {0}
            for at, part in enumerate(parts[:-1]):
                if part in _LOAD_FOLDERS or (part in _AUTOLOADED and "app" in parts[:at]):
                    starts.add(at + 1)
                if part == "lib":
                    self._libraries.add("/".join(parts[at + 1 : at + 3]))
            for start in starts:
                self._features.setdefault("/".join(parts[start:]), []).append(doc)

    def resolve(self, doc: int, imported: Import) -> Found:
        """The file that is loaded, at most one."""
        module = imported.module.strip("'\"")
        feature = module.removesuffix(".rb")
        if not _RELATIVE.isdisjoint(imported.names) or module.startswith("."):
            folder = self._tree.folder[doc]
            for base in dict.fromkeys((folder, "")):
                path = join(base, feature)
                found = self._at(path) if path else None
                if found is not None:
                    return (found,)
            return MISSING
        near = self._tree.nearest(doc, self._features.get(feature, ()))
        if near:
            return near
        found = self._at(feature)
        if found is not None:
            return (found,)
        parts = feature.split("/")
        known = len(parts) > 1 and (parts[0] in self._libraries or "/".join(parts[:2]) in self._libraries)
        return MISSING if known else None

    def _at(self, path: str) -> int | None:
        found = self._tree.docs.get(path + ".rb")
        return found if found is not None else self._tree.docs.get(path)
