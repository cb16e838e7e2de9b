"""Definitions by document and by name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zeroin.index.arrays import StringTable
from zeroin.terms import term_id
from zeroin.tree import Definition

MOST_KINDS = 256  # kinds that a byte can number; any beyond count as the first


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
    def build(
        cls, pointers: NDArray[np.int64], rows: NDArray[np.int32], names: Iterable[str], kinds: Sequence[str]
    ) -> Symbols:
        """Return symbols of rows (N, 5) in document order: name, parent (-1: none), kind, start and end.

        The first three are places in `names` and `kinds`, which may be in any order.
        """
        listed = list(names)
        keys = np.fromiter(map(term_id, listed), np.uint64, len(listed))
        by_name = np.array(sorted(range(len(listed)), key=listed.__getitem__), np.int64)
        order = by_name[np.argsort(keys[by_name], kind="stable")]
        number = np.full(len(listed) + 1, -1, np.int32)  # the last one is that of no parent
        number[order] = np.arange(len(listed), dtype=np.int32)
        known = tuple(sorted(kinds)[:MOST_KINDS])
        kind = np.array([known.index(k) if k in known else 0 for k in kinds], np.uint8)
        start, end = (np.ascontiguousarray(rows[:, at]) for at in (3, 4))
        return cls.of_columns(
            pointers,
            (number[rows[:, 0]], number[rows[:, 1]], kind[rows[:, 2]], start, end),
            StringTable.pack([listed[local] for local in order.tolist()]),
            keys[order],
            known,
        )

    @classmethod
    def of_columns(
        cls,
        pointers: NDArray[np.int64],
        columns: tuple[NDArray[Any], ...],
        names: StringTable,
        keys: NDArray[np.uint64],
        kinds: tuple[str, ...],
    ) -> Symbols:
        """Return symbols from the columns name, parent, kind, start and end; the other arrays are derived."""
        name, parent, kind, start, end = columns
        by_name = np.argsort(name, kind="stable").astype(np.int32)
        return cls(
            pointers=pointers,
            docs=np.repeat(np.arange(len(pointers) - 1, dtype=np.int32), np.diff(pointers)),
            name=name,
            parent=parent,
            kind=kind,
            start=start,
            end=end,
            names=names,
            keys=keys,
            name_pointers=np.searchsorted(name[by_name], np.arange(len(keys) + 1)).astype(np.int64),
            by_name=by_name,
            kinds=kinds,
        )

    def without_names(self, names: Iterable[str]) -> Symbols:
        """Return the same definitions with some names blank."""
        blank = {number for name in names for number in self.name[self.rows_of(name)].tolist()}
        said = ["" if number in blank else name for number, name in enumerate(self.names)]
        return replace(self, names=StringTable.pack(said))

    def rows_of(self, name: str) -> NDArray[np.int32]:
        """Return rows that define `name` exactly, in document order; empty if none does."""
        key = np.uint64(term_id(name))
        at = int(self.keys.searchsorted(key))
        if at == len(self.keys) or self.keys[at] != key:
            return np.empty(0, np.int32)
        return self.by_name[int(self.name_pointers[at]) : int(self.name_pointers[at + 1])]

    def homes_of(self, name: str) -> set[int]:
        """Return the documents that define `name` exactly."""
        return set(self.docs[self.rows_of(name)].tolist())

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
        numbers = [number for number in {*names, *parents} if number >= 0]
        text = dict(zip(numbers, self.names.pick(numbers), strict=True))
        text[-1] = ""
        kinds = [self.kinds[kind] for kind in self.kind[rows].tolist()]
        columns = zip(names, kinds, self.start[rows].tolist(), self.end[rows].tolist(), parents, strict=True)
        for name, kind, start, end, parent in columns:
            yield Definition(text[name], kind, start, end, text[parent])
