"""Definitions by document and by name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from zeroin.index.arrays import StringTable
from zeroin.terms import term_id
from zeroin.tree import Definition


@dataclass(frozen=True, slots=True, eq=False)
class Symbols:
    """All definitions of a tree as rows, in document order.

    `pointers` (D + 1,) are row ranges by document. `keys` (K,) are sorted 64-bit ids of distinct names, with
    `names` parallel to them; `by_name` lists rows grouped by name, ranges in `name_pointers` (K + 1,).
    """

    pointers: NDArray[np.int64]
    docs: NDArray[np.int32]
    name: NDArray[np.int32]
    parent: NDArray[np.int32]  # -1: none
    kind: NDArray[np.uint8]
    start: NDArray[np.int32]
    end: NDArray[np.int32]
    names: StringTable
    keys: NDArray[np.uint64]
    name_pointers: NDArray[np.int64]
    by_name: NDArray[np.int32]
    kinds: tuple[str, ...]

    @classmethod
    def build(cls, definitions: Sequence[Sequence[Definition]]) -> Symbols:
        """Return symbols of documents 0 … D-1."""
        names = {d.name for ds in definitions for d in ds} | {
            d.parent for ds in definitions for d in ds if d.parent
        }
        keyed = sorted((term_id(name), name) for name in names)
        number = {name: i for i, (_, name) in enumerate(keyed)}
        kinds = tuple(sorted({d.kind for ds in definitions for d in ds}))[:256]
        kind_number = {kind: i for i, kind in enumerate(kinds)}
        rows = [(doc, d) for doc, ds in enumerate(definitions) for d in ds]
        name = np.array([number[d.name] for _, d in rows], np.int32)
        order = np.argsort(name, kind="stable").astype(np.int32)
        return cls(
            pointers=np.r_[0, np.cumsum([len(ds) for ds in definitions])].astype(np.int64),
            docs=np.array([doc for doc, _ in rows], np.int32),
            name=name,
            parent=np.array([number[d.parent] if d.parent else -1 for _, d in rows], np.int32),
            kind=np.array([kind_number.get(d.kind, 0) for _, d in rows], np.uint8),
            start=np.array([d.start for _, d in rows], np.int32),
            end=np.array([d.end for _, d in rows], np.int32),
            names=StringTable.pack([name for _, name in keyed]),
            keys=np.array([key for key, _ in keyed], np.uint64),
            name_pointers=np.searchsorted(name[order], np.arange(len(keyed) + 1)).astype(np.int64),
            by_name=order,
            kinds=kinds,
        )

    def rows_of(self, name: str) -> NDArray[np.int32]:
        """Return rows that define `name` exactly, in document order; empty if none does."""
        key = np.uint64(term_id(name))
        at = int(np.searchsorted(self.keys, key))
        if at == len(self.keys) or self.keys[at] != key:
            return np.empty(0, np.int32)
        return self.by_name[int(self.name_pointers[at]) : int(self.name_pointers[at + 1])]

    def row(self, row: int) -> Definition:
        """Return one row as a value."""
        parent = int(self.parent[row])
        return Definition(
            self.names[int(self.name[row])],
            self.kinds[int(self.kind[row])],
            int(self.start[row]),
            int(self.end[row]),
            self.names[parent] if parent >= 0 else "",
        )

    def of_document(self, doc: int) -> Iterator[Definition]:
        """Yield definitions of a document in the order of its lines."""
        rows = slice(int(self.pointers[doc]), int(self.pointers[doc + 1]))
        names = self.name[rows].tolist()
        parents = self.parent[rows].tolist()
        text = {number: self.names[number] for number in {*names, *parents} if number >= 0}
        text[-1] = ""
        kinds = [self.kinds[kind] for kind in self.kind[rows].tolist()]
        columns = zip(names, kinds, self.start[rows].tolist(), self.end[rows].tolist(), parents, strict=True)
        for name, kind, start, end, parent in columns:
            yield Definition(text[name], kind, start, end, text[parent])
