"""A snapshot: everything known of one tree, assembled from facts, as flat arrays that can be memory-mapped.

Documents are numbered by path order. A snapshot never changes and holds no file contents.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from zeroin.corpus.languages import language_of
from zeroin.corpus.roles import role_of
from zeroin.errors import CacheError
from zeroin.index import arrays
from zeroin.index.arrays import StringTable
from zeroin.index.intake import Basics, Intake
from zeroin.index.path_terms import path_postings, path_vectors
from zeroin.index.postings import Postings
from zeroin.index.symbols import Symbols
from zeroin.models.encoder import encoder
from zeroin.tree import Entry, Import
from zeroin.types import Role

SNAPSHOT_VERSION = 4
KEPT = "snapshot-"  # what the names of kept ones begin with
ROLES = tuple(Role)


@dataclass(frozen=True, slots=True, eq=False)
class Snapshot:
    """One tree, D documents.

    `blobs` (D, 20 or 32) are the ids of the files' contents, all zero where unknown. `content` are postings over
    `facts.CONTENT_FIELDS`, `path_terms` over `path_terms.PATH_FIELDS`, `names` over whole identifiers (one column).
    `roles` index `ROLES`; `languages` index `language_names`. `written` are the imports of every document as JSON
    (`intake.Basics.imports`); their edges run from `import_sources` to `import_targets`, sorted by both. `analysed` is
    False for files without facts. The passages of document d are the rows
    `passage_pointers[d]:passage_pointers[d + 1]` of `passages` (N, 2), their first and last lines, and of `vectors`
    (N, dimensions), as the encoder packs them; `path_vectors` (D, dimensions) are those of the paths.
    """

    paths: StringTable
    blobs: NDArray[np.uint8]
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
    written: StringTable
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

    def blob_ids(self) -> list[str]:
        """Return the blob id of every document, in hex."""
        digits = 2 * self.blobs.shape[1]
        text = self.blobs.tobytes().hex()
        return [text[at : at + digits] for at in range(0, len(text), digits)]

    def imports_of(self, doc: int) -> NDArray[np.int32]:
        """Return documents that `doc` imports."""
        lo, hi = np.searchsorted(self.import_sources, [doc, doc + 1])
        return self.import_targets[lo:hi]

    def importers_of(self, doc: int) -> NDArray[np.int32]:
        """Return documents that import `doc`."""
        return np.asarray(self.import_sources[self.import_targets == doc], np.int32)

    def imports_as_written(self, doc: int) -> tuple[Import, ...]:
        """Return the imports that stand in a document."""
        text = self.written[doc]
        return tuple(Import(module, tuple(names), line) for module, names, line in json.loads(text or "[]"))

    def save(self, path: Path) -> None:
        """Write the snapshot as an array file. Raises `CacheError`."""
        meta = {"kind": "snapshot", "version": SNAPSHOT_VERSION, "tree": self.tree}
        names = {"languages": self.language_names, "kinds": self.symbols.kinds}
        arrays.save(path, arrays.to_columns(self), {**meta, **names})

    @classmethod
    def load(cls, path: Path, *, verify: bool = True) -> Snapshot:
        """Return a snapshot from the file that `save` wrote, mapped into memory. Raises `CacheError`.

        `verify` as in `arrays.load`.
        """
        columns, meta = arrays.load(path, verify=verify)
        if meta.get("kind") != "snapshot" or meta.get("version") != SNAPSHOT_VERSION:
            raise CacheError(f"{path.name} is no snapshot of this version")
        symbols = arrays.from_columns(Symbols, columns, "symbols.", kinds=tuple(meta["kinds"]))
        languages = tuple(meta["languages"])
        return arrays.from_columns(cls, columns, symbols=symbols, language_names=languages, tree=meta["tree"])


def file_name(tree: str) -> str:
    """Return the name of the file that the snapshot of a tree is kept in."""
    return f"{KEPT}{SNAPSHOT_VERSION}-{tree[:24]}.bin"


def assemble(
    entries: Sequence[Entry], intake: Intake, tree: str, path_terms: Postings | None = None
) -> Snapshot:
    """A snapshot without import edges from entries sorted by path and what was taken in of them.

    A file without facts is known by its path alone. `path_terms` are given where they are known already.
    """
    paths = [entry.path for entry in entries]
    known = [
        basics if basics is not None else Basics(language_of(path), 0, 0, False, "")
        for basics, path in zip(intake.basics, paths, strict=True)
    ]
    language_names = tuple(sorted({basics.language for basics in known}))
    number = {name: i for i, name in enumerate(language_names)}
    path_terms = path_terms if path_terms is not None else path_postings(paths)
    passage_pointers, passages, vectors = intake.passages(encoder().dimensions)
    return Snapshot(
        paths=StringTable.pack(paths),
        blobs=_blobs(entries),
        language_names=language_names,
        languages=np.array([number[basics.language] for basics in known], np.uint16),
        roles=np.array(
            [ROLES.index(role_of(p, generated=b.generated)) for p, b in zip(paths, known, strict=True)],
            np.uint8,
        ),
        sizes=np.array([b.size or (e.size or 0) for b, e in zip(known, entries, strict=True)], np.int64),
        lines=np.array([basics.lines for basics in known], np.int32),
        analysed=np.array([basics is not None for basics in intake.basics], np.bool_),
        content=intake.content(),
        path_terms=path_terms,
        names=intake.names(),
        symbols=intake.symbols(),
        written=StringTable.pack([basics.imports for basics in known]),
        import_sources=np.empty(0, np.int32),
        import_targets=np.empty(0, np.int32),
        passage_pointers=passage_pointers,
        passages=passages,
        vectors=vectors,
        path_vectors=path_vectors(path_terms),
        tree=tree,
    )


def _blobs(entries: Sequence[Entry]) -> NDArray[np.uint8]:
    ids = [entry.blob or "" for entry in entries]
    digits = max(map(len, ids), default=0) or 40
    raw = bytes.fromhex("".join(blob.ljust(digits, "0") for blob in ids))
    return np.frombuffer(raw, np.uint8).reshape(-1, digits // 2)
