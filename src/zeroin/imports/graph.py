"""The import graph of a repository: which file imports which; and what it imports from other repositories."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from zeroin.imports import ecmascript, go, names, paths, python, rust
from zeroin.imports.tree import Found, Outward, Resolver, Tree
from zeroin.tree import Import

_RESOLVERS: Mapping[str, Callable[[Tree], Resolver]] = {
    **dict.fromkeys(python.LANGUAGES, python.PythonResolver),
    **dict.fromkeys(ecmascript.LANGUAGES, ecmascript.EcmaScriptResolver),
    **dict.fromkeys(go.LANGUAGES, go.GoResolver),
    **dict.fromkeys(rust.LANGUAGES, rust.RustResolver),
    **dict.fromkeys(paths.LANGUAGES, paths.PathResolver),
    **dict.fromkeys(names.LANGUAGES, names.NameResolver),
}
# These resolvers read the definitions of all documents of their languages, others at most the importing document's.
_BY_DEFINITIONS = (go.LANGUAGES, names.LANGUAGES)
MAX_MODULE_CHARS = 500  # a longer one is no import; keeps pattern matching bounded
_CONFIGS = frozenset(("package.json", "go.mod", "Cargo.toml"))


def is_import_config(path: str) -> bool:
    """Tell whether resolving imports may read this file, so that callers can read all of them at once."""
    name = path.rpartition("/")[2]
    return name in _CONFIGS or ecmascript.is_config(name)


def reading_definitions(language: str) -> tuple[str, ...]:
    """Return the languages whose imports may resolve differently once a document of `language` defines other names."""
    return next((languages for languages in _BY_DEFINITIONS if language in languages), ())


def reading_more(language: str) -> bool:
    """Tell whether the imports of a document resolve by definitions, too, not only by paths and import statements."""
    return language in rust.LANGUAGES or bool(reading_definitions(language))


class ImportResolver:
    """Resolves single imports of a tree; builds the tables of a resolver when a document first needs it."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._built: dict[Callable[[Tree], Resolver], Resolver] = {}

    def resolve(self, doc: int, imported: Import) -> Found:
        """Return the documents that an import resolves to, best first; none if it is not of this repository."""
        resolver = self._of(self._tree.languages[doc])
        if resolver is None or len(imported.module) > MAX_MODULE_CHARS:
            return ()
        return resolver.resolve(doc, imported)

    def wanted(self, doc: int, imported: Import) -> str:
        """Return the name that another tree must offer (`offered`) to resolve an import; "" if none can."""
        resolver = self._of(self._tree.languages[doc])
        name = "" if resolver is None else resolver.wanted(doc, imported)[:MAX_MODULE_CHARS]
        return name and f"{type(resolver).__name__} {name}"

    def offered(self) -> Iterator[str]:
        """Yield the coarse names by which other trees may import documents of this one, after the resolver's name."""
        for resolver in {self._of(language) for language in set(self._tree.languages)}:
            if resolver is not None:
                yield from (f"{type(resolver).__name__} {name}" for name in resolver.offered() if name)

    def _of(self, language: str) -> Resolver | None:
        factory = _RESOLVERS.get(language)
        if factory is not None and factory not in self._built:
            self._built[factory] = factory(self._tree)
        return None if factory is None else self._built[factory]


def outward_of(tree: Tree, imports: Callable[[int], Sequence[Import]], configs: Mapping[str, bytes | None]) -> Outward:
    """Return what a tree offers to and wants from others; `configs` collects the files that its resolvers read."""
    resolver = ImportResolver(tree)
    wants: dict[str, list[tuple[int, int]]] = {}
    for doc in range(len(tree.paths)):
        for at, imported in enumerate(imports(doc)):
            if not resolver.resolve(doc, imported) and (name := resolver.wanted(doc, imported)):
                wants.setdefault(name, []).append((doc, at))
    offers = frozenset(resolver.offered())
    return Outward(offers, {name: tuple(rows) for name, rows in wants.items()}, configs)


def resolve_imports(
    tree: Tree, imports: Callable[[int], Sequence[Import]], docs: Iterable[int] | None = None
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the import edges of a tree, or those from `docs` (ascending): sources and targets, int32 of shape (E,).

    Sorted by (source, target), without duplicates and loops.
    """
    resolver = ImportResolver(tree)
    edges: list[tuple[int, int]] = []
    for doc in range(len(tree.paths)) if docs is None else docs:
        targets = {target for imported in imports(doc) for target in resolver.resolve(doc, imported)}
        edges += [(doc, target) for target in sorted(targets) if target != doc]
    columns = np.array(edges, np.int32).reshape(-1, 2).T
    return np.ascontiguousarray(columns[0]), np.ascontiguousarray(columns[1])
