"""A snapshot: everything known of one tree, assembled from facts, as flat arrays that can be memory-mapped.

Documents are numbered by path order. A snapshot never changes and holds no file contents.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from zeroin.errors import CacheError
from zeroin.index import arrays
from zeroin.index.arrays import StringTable
from zeroin.index.postings import Postings
from zeroin.index.symbols import Symbols
from zeroin.index.vocabulary import Vocabulary
from zeroin.tree import Import
from zeroin.types import UNREAD_ROLES, Role

SNAPSHOT_VERSION = 15
KEPT = "snapshot-"  # prefix of the file names of kept snapshots
ROLES = tuple(Role)
_UNREAD = tuple(map(ROLES.index, UNREAD_ROLES))


@dataclass(frozen=True, slots=True, eq=False)
class Snapshot:
    """One tree, D documents.

    `blobs` (D, 20 or 32) are the ids of the files' contents, all zero where unknown. `content` are postings over
    `facts.CONTENT_FIELDS`, `path_terms` over names and folders, `names` over whole identifiers (one column).
    `roles` index `ROLES`; `languages` index `language_names`. `written` are the imports of every document as JSON
    (`Intake.imports`); their edges run from `import_sources` to `import_targets`, sorted by both. `analysed` is
    False for files without facts. The passages of document d are the rows
    `passage_pointers[d]:passage_pointers[d + 1]` of `passages` (N, 2), their first and last lines, and of `vectors`
    (N, dimensions), as the encoder packs them; `path_vectors` (D, dimensions) are those of the paths.
    `kept_vocabulary` may be None unless the snapshot was loaded; `vocabulary` computes it where it is None.
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
    kept_vocabulary: Vocabulary | None = None

    def __len__(self) -> int:
        return len(self.paths)

    def vocabulary(self) -> Vocabulary:
        """Return the words by which the tree names things: the kept ones, else made anew at each call."""
        if self.kept_vocabulary is not None:
            return self.kept_vocabulary
        return Vocabulary.of(self.paths, self.symbols.names, self.content, self.path_terms)

    def role(self, doc: int) -> Role:
        return ROLES[int(self.roles[doc])]

    def is_read(self) -> NDArray[np.bool_]:
        """Tell of every document whether people read it: it is no generated, vendored or data file."""
        return ~np.isin(self.roles, _UNREAD)

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
        """Return the imports of a document as its source writes them."""
        text = self.written[doc]
        return tuple(Import(module, tuple(names), line) for module, names, line in json.loads(text or "[]"))

    def save(self, path: Path) -> None:
        """Write the snapshot and its vocabulary as an array file. Raises `CacheError`."""
        meta = {"kind": "snapshot", "version": SNAPSHOT_VERSION, "tree": self.tree}
        names = {"languages": self.language_names, "kinds": self.symbols.kinds}
        whole = replace(self, kept_vocabulary=self.vocabulary())
        arrays.save(path, arrays.to_columns(whole), {**meta, **names})

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
        vocabulary = arrays.from_columns(Vocabulary, columns, "kept_vocabulary.")
        return arrays.from_columns(
            cls, columns, symbols=symbols, kept_vocabulary=vocabulary, language_names=languages, tree=meta["tree"]
        )


def file_name(tree: str) -> str:
    """Return the name of the file that the snapshot of a tree is kept in."""
    return f"{KEPT}{SNAPSHOT_VERSION}-{tree[:24]}.bin"
