"""The import graph of a repository: which file imports which."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from zeroin.imports import clike, csharp, ecmascript, go, jvm, named, pathlike, php, python, ruby, rust
from zeroin.imports.tree import Found, Read, Resolver, Tree
from zeroin.tree import Definition, Import

_FAMILIES: tuple[tuple[Sequence[str], Callable[[Tree], Resolver]], ...] = (
    (python.LANGUAGES, python.PythonResolver),
    (ecmascript.LANGUAGES, ecmascript.EcmaScriptResolver),
    (go.LANGUAGES, go.GoResolver),
    (rust.LANGUAGES, rust.RustResolver),
    (jvm.LANGUAGES, jvm.JvmResolver),
    (clike.LANGUAGES, clike.IncludeResolver),
    (ruby.LANGUAGES, ruby.RubyResolver),
    (php.LANGUAGES, php.PhpResolver),
    (csharp.LANGUAGES, csharp.CSharpResolver),
    (named.LANGUAGES, named.NamedModuleResolver),
    (pathlike.LANGUAGES, pathlike.PathResolver),
)
_FACTORIES: Mapping[str, Callable[[Tree], Resolver]] = {
    language: factory for languages, factory in _FAMILIES for language in languages
}
MAX_UNRESOLVED = 200  # of one document; more are left out
MAX_MODULE_CHARS = 500  # a longer one is no import; keeps pattern matching bounded


_CONFIGS = frozenset(("package.json", "go.mod", "Cargo.toml", "composer.json", "build.zig"))


def is_import_config(path: str) -> bool:
    """Whether resolving imports may read this file: callers can read all such files at once."""
    name = path.rpartition("/")[2]
    return name in _CONFIGS or (name.startswith(("tsconfig", "jsconfig")) and name.endswith(".json"))


def _no_edges() -> NDArray[np.int32]:
    return np.empty(0, np.int32)


@dataclass(frozen=True, slots=True, eq=False)
class ImportGraph:
    """Edges between documents, sorted by (source, target), each once, none from a document to itself.

    `sources`, `targets`, `lines` have shape (E,); a line is where the source first imports the target.
    `unresolved` are (document, module) that look internal and have no file.
    """

    sources: NDArray[np.int32] = field(default_factory=_no_edges)
    targets: NDArray[np.int32] = field(default_factory=_no_edges)
    lines: NDArray[np.int32] = field(default_factory=_no_edges)
    unresolved: tuple[tuple[int, str], ...] = ()


class ImportResolver:
    """Resolves single imports; builds a language family's tables when it first meets one of it."""

    def __init__(
        self,
        paths: Sequence[str],
        languages: Sequence[str],
        definitions: Sequence[Sequence[Definition]],
        read: Read,
        names: Sequence[NDArray[np.uint64]] | None = None,
    ) -> None:
        self._tree = Tree(paths, languages, definitions, read, names)
        self._resolvers: dict[Callable[[Tree], Resolver], Resolver] = {}

    def of(self, language: str) -> Resolver | None:
        """The resolver of a language; None where its imports name no files."""
        factory = _FACTORIES.get(language)
        if factory is None:
            return None
        if factory not in self._resolvers:
            self._resolvers[factory] = factory(self._tree)
        return self._resolvers[factory]

    def resolve(self, doc: int, imported: Import) -> Found:
        """Documents that one import means; none: it looks internal without a file; None: it is not ours."""
        resolver = self.of(self._tree.languages[doc])
        return resolver.resolve(doc, imported) if resolver else None


def resolve_imports(
    paths: Sequence[str],
    languages: Sequence[str],
    imports: Sequence[Sequence[Import]],
    definitions: Sequence[Sequence[Definition]],
    read: Read,
    names: Sequence[NDArray[np.uint64]] | None = None,
) -> ImportGraph:
    """The import graph of documents 0 … D-1, given as parallel sequences.

    `read` gives the bytes of configuration files by path. `names` are the ids of identifiers that each
    document uses (`Facts.names`): with them an import of a whole package means the files used of it only.
    """
    resolver = ImportResolver(paths, languages, definitions, read, names)
    sources: list[int] = []
    targets: list[int] = []
    lines: list[int] = []
    unresolved: list[tuple[int, str]] = []
    for doc, found_imports in enumerate(imports):
        family = resolver.of(languages[doc]) if found_imports else None
        if family is None:
            continue
        edges: dict[int, int] = {}
        missing: dict[str, None] = {}
        for imported in found_imports:
            if len(imported.module) > MAX_MODULE_CHARS:
                continue
            found = family.resolve(doc, imported)
            if found:
                for target in found:
                    if edges.get(target, imported.line) >= imported.line:
                        edges[target] = imported.line
            elif found is not None:
                missing[imported.module] = None
        edges.pop(doc, None)
        for target in sorted(edges):
            sources.append(doc)
            targets.append(target)
            lines.append(edges[target])
        unresolved.extend((doc, module) for module in list(missing)[:MAX_UNRESOLVED])
    return ImportGraph(
        sources=np.array(sources, np.int32),
        targets=np.array(targets, np.int32),
        lines=np.array(lines, np.int32),
        unresolved=tuple(unresolved),
    )
