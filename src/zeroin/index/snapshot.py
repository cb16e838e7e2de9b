"""A snapshot: everything known of one tree, assembled from facts, as flat arrays that can be memory-mapped.

Documents are numbered by path order. A snapshot never changes and holds no file contents.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from zeroin.corpus.roles import role_of
from zeroin.errors import CacheError
from zeroin.index import arrays
from zeroin.index.arrays import StringTable
from zeroin.index.path_terms import path_postings, path_vectors
from zeroin.index.postings import Postings, build
from zeroin.index.symbols import Symbols
from zeroin.models.encoder import encoder
from zeroin.parsing.facts import CONTENT_FIELDS, Facts
from zeroin.tree import Entry
from zeroin.types import Role

if TYPE_CHECKING:
    from zeroin.imports.graph import ImportGraph

SNAPSHOT_VERSION = 3
ROLES = tuple(Role)


@dataclass(frozen=True, slots=True, eq=False)
class Snapshot:
    """One tree, D documents.

    `content` are postings over `facts.CONTENT_FIELDS`, `path_terms` over `path_terms.PATH_FIELDS`, `names` over whole
    identifiers (one column). `roles` index `ROLES`; `languages` index `language_names`. Import edges run from
    `import_sources` to `import_targets`, sorted by both. `analysed` is False for files without facts. The passages of
    document d are the rows `passage_pointers[d]:passage_pointers[d + 1]` of `passages` (N, 2), their first and last
    lines, and of `vectors` (N, dimensions), as the encoder packs them; `path_vectors` (D, dimensions) are those of the
    paths.
    """

    paths: StringTable
    language_names: tuple[str, ...]
    languages: NDArray[np.uint16]
    roles: NDArray[np.uint8]
    sizes: NDArray[np.int64]
    lines: NDArray[np.int32]
    analysed: NDArray[np.bool_]
    content: Postings
    path_terms: Postings
    names: Postings
    symbols: Symbols
    import_sources: NDArray[np.int32]
    import_targets: NDArray[np.int32]
    passage_pointers: NDArray[np.int64]
    passages: NDArray[np.uint32]
    vectors: NDArray[np.int8]
    path_vectors: NDArray[np.int8]
    tree: str

    def __len__(self) -> int:
        return len(self.paths)

    def role(self, doc: int) -> Role:
        return ROLES[int(self.roles[doc])]

    def language(self, doc: int) -> str:
        return self.language_names[int(self.languages[doc])]

    def imports_of(self, doc: int) -> NDArray[np.int32]:
        """Return documents that `doc` imports."""
        lo, hi = np.searchsorted(self.import_sources, [doc, doc + 1])
        return self.import_targets[lo:hi]

    def importers_of(self, doc: int) -> NDArray[np.int32]:
        """Return documents that import `doc`."""
        return np.asarray(self.import_sources[self.import_targets == doc], np.int32)

    def save(self, path: Path) -> None:
        """Write the snapshot as an array file. Raises `CacheError`."""
        meta = {"kind": "snapshot", "version": SNAPSHOT_VERSION, "tree": self.tree}
        names = {"languages": self.language_names, "kinds": self.symbols.kinds}
        arrays.save(path, arrays.to_columns(self), {**meta, **names})

    @classmethod
    def load(cls, path: Path) -> Snapshot:
        """Return a snapshot from the file that `save` wrote, mapped into memory. Raises `CacheError`."""
        columns, meta = arrays.load(path)
        if meta.get("kind") != "snapshot" or meta.get("version") != SNAPSHOT_VERSION:
            raise CacheError(f"{path.name} is no snapshot of this version")
        symbols = arrays.from_columns(Symbols, columns, "symbols.", kinds=tuple(meta["kinds"]))
        languages = tuple(meta["languages"])
        return arrays.from_columns(cls, columns, symbols=symbols, language_names=languages, tree=meta["tree"])


ResolveImports = Callable[[Sequence[str], Sequence[str], Sequence[Facts]], "ImportGraph"]


def assemble(
    entries: Sequence[Entry],
    languages: Sequence[str],
    facts: Sequence[Facts | None],
    resolve: ResolveImports,
    tree: str,
    path_terms: Postings | None = None,
) -> Snapshot:
    """A snapshot from parallel sequences sorted by path; a file without facts is known by its path alone.

    `path_terms` are given where they are known already.
    """
    paths = [entry.path for entry in entries]
    language_names = tuple(sorted(set(languages)))
    unknown = {name: Facts(name, 0, 0, "none") for name in language_names}
    known = [f if f is not None else unknown[lang] for f, lang in zip(facts, languages, strict=True)]
    number = {name: i for i, name in enumerate(language_names)}
    graph = resolve(paths, languages, known)
    path_terms = path_terms if path_terms is not None else path_postings(paths)
    return Snapshot(
        paths=StringTable.pack(paths),
        language_names=language_names,
        languages=np.array([number[name] for name in languages], np.uint16),
        roles=np.array(
            [ROLES.index(role_of(p, generated=f.generated)) for p, f in zip(paths, known, strict=True)],
            np.uint8,
        ),
        sizes=np.array([f.size or (e.size or 0) for f, e in zip(known, entries, strict=True)], np.int64),
        lines=np.array([f.lines for f in known], np.int32),
        analysed=np.array([given is not None for given in facts], np.bool_),
        content=build([(f.term_ids, f.counts) for f in known], len(CONTENT_FIELDS)),
        path_terms=path_terms,
        names=build([(f.names, np.ones((len(f.names), 1), np.uint16)) for f in known], 1),
        symbols=Symbols.build([f.definitions for f in known]),
        import_sources=graph.sources,
        import_targets=graph.targets,
        passage_pointers=np.r_[0, np.cumsum([len(f.passages) for f in known], dtype=np.int64)],
        passages=np.concatenate([np.empty((0, 2), np.uint32), *(f.passages for f in known)]),
        vectors=_stacked([f.vectors for f in known if len(f.vectors)]),
        path_vectors=path_vectors(path_terms),
        tree=tree,
    )


def _stacked(parts: Sequence[NDArray[np.int8]]) -> NDArray[np.int8]:
    return np.concatenate(parts) if parts else np.empty((0, encoder().dimensions), np.int8)
