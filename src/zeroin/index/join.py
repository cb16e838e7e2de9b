"""Combine snapshots: several trees into one, or the snapshot before an edit with that of the added files.

Every array equals what assembling all files at once would give; tests compare them byte by byte.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zeroin.index.arrays import StringTable
from zeroin.index.history import History, history_of, picked
from zeroin.index.path_terms import path_postings, path_vectors
from zeroin.index.postings import Postings, among, distinct, merged
from zeroin.index.snapshot import Snapshot
from zeroin.index.symbols import MOST_KINDS, Symbols
from zeroin.index.vocabulary import Vocabulary
from zeroin.tree import Entry

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Edit:
    """How the documents of a tree differ from those of a snapshot, the base.

    `place` (B,) is the new number of each document of the base, -1 where it is gone: deleted or changed. `added` (A,)
    are the new numbers of the others, ascending.
    """

    place: NDArray[np.int32]
    added: NDArray[np.int32]

    @property
    def gone(self) -> Ints:
        """Documents of the base that are gone, ascending."""
        return np.flatnonzero(self.place < 0)

    def __len__(self) -> int:
        return len(self.gone) + len(self.added)


def edit_of(base: Snapshot, entries: Sequence[Entry]) -> Edit:
    """Return how entries sorted by path differ from the documents of `base`; those without facts count as gone."""
    known = {key: doc for doc, key in enumerate(zip(base.paths, base.blob_ids(), strict=True))}
    known = {key: doc for key, doc in known.items() if base.analysed[doc]} if not base.analysed.all() else known
    docs = np.array([known.get((entry.path, entry.blob or ""), -1) for entry in entries], np.int32)
    place = np.full(len(base), -1, np.int32)
    place[docs[docs >= 0]] = np.flatnonzero(docs >= 0)
    return Edit(place, np.flatnonzero(docs < 0).astype(np.int32))


def edited(edit: Edit, base: Snapshot, part: Snapshot, tree: str) -> Snapshot | None:
    """Return the snapshot after an edit, without import edges, from the base and a snapshot of what was added.

    None where there are too many kinds of definitions to number each: then only assembling all files is exact.
    """
    if max(len(base.symbols.kinds), len(part.symbols.kinds)) >= MOST_KINDS:
        return None
    snapshot = _put_together([base, part], [edit.place, edit.added], tree)
    return replace(snapshot, kept_vocabulary=_vocabulary(base, snapshot))


def _vocabulary(base: Snapshot, new: Snapshot) -> Vocabulary | None:
    """Return the words by which the new tree names things, from those of the base; None where the paths differ."""
    kept = base.kept_vocabulary
    if kept is None or base.paths.tolist() != new.paths.tolist():
        return None
    gone, added = (
        one.names.pick(np.flatnonzero(~among(one.keys, other.keys)).tolist())
        for one, other in pairwise((base.symbols, new.symbols, base.symbols))
    )
    return kept.after(gone, added, new.content, new.path_terms)


def joined_snapshot(parts: Sequence[tuple[str, Snapshot]], tree: str) -> Snapshot:
    """Return one snapshot of trees below prefixes ("" or ending in "/"), its documents in the order of whole paths.

    It has no import edges, as some lead from one tree to another.
    """
    # Where no prefix begins another, a tree's documents stay together; in this order no row needs to be sorted.
    parts = sorted(parts, key=lambda part: part[0])
    snapshots = [snapshot for _, snapshot in parts]
    paths = [prefix + path for prefix, snapshot in parts for path in snapshot.paths]
    order = sorted(range(len(paths)), key=paths.__getitem__)
    place = np.empty(len(order), np.int32)
    place[order] = np.arange(len(order), dtype=np.int32)
    places = np.split(place, np.cumsum([*map(len, snapshots)])[:-1])
    return _put_together(snapshots, places, tree, [paths[at] for at in order])


def joined_history(parts: Sequence[tuple[str, History]], most: int) -> History:
    """Return the `most` newest commits of trees below prefixes, newest first."""
    histories = [(prefix, history) for prefix, history in parts if len(history)]
    if not histories:
        return history_of([])
    times = np.concatenate([history.times for _, history in histories])
    newest = np.argsort(-times, kind="stable")[:most]
    return picked(histories, newest, complete=all(history.complete for _, history in histories))


class _Order:
    """The order of documents in a combined snapshot; its methods bring columns of the parts into that order.

    `places` are the new numbers of each part's documents, ascending; -1 for one that is left out.
    """

    def __init__(self, places: Sequence[NDArray[np.int32]]) -> None:
        # Numbers of documents over all parts, with a gap between two parts: neighbours are of the same part.
        starts = np.cumsum([0, *(len(place) + 1 for place in places)])
        place = np.concatenate([np.append(place, np.int32(-1)) for place in places])
        kept = np.flatnonzero(place >= 0)
        source = np.empty(len(kept), np.int64)
        source[place[kept]] = kept
        breaks = np.flatnonzero(np.diff(source) != 1) + 1
        firsts, lasts = source[np.r_[0, breaks][: len(source)]], source[np.r_[breaks, 0][: len(source)] - 1]
        part = np.searchsorted(starts, firsts, side="right") - 1
        runs = np.stack([part, firsts - starts[part], lasts + 1 - starts[part]], axis=1)
        self._runs: list[tuple[int, int, int]] = [*map(tuple, runs.tolist())]  # part, first, stop

    def documents(self, columns: Sequence[NDArray[Any]]) -> NDArray[Any]:
        """Return a column with an item for each document."""
        pieces = [columns[part][first:stop] for part, first, stop in self._runs]
        return np.concatenate([columns[0][:0], *pieces])

    def rows(self, pointers: Sequence[Ints], columns: Sequence[NDArray[Any]]) -> NDArray[Any]:
        """Return a column of which document d has the rows `pointers[d]:pointers[d + 1]`."""
        pieces = [columns[p][int(pointers[p][first]) : int(pointers[p][stop])] for p, first, stop in self._runs]
        return np.concatenate([columns[0][:0], *pieces])

    def pointers(self, pointers: Sequence[Ints]) -> Ints:
        """Return where the rows of each document begin, and the last ones end."""
        sizes = self.documents([np.diff(each) for each in pointers])
        return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)

    def strings(self, tables: Sequence[StringTable]) -> StringTable:
        offsets = [table.offsets for table in tables]
        return StringTable(self.pointers(offsets), self.rows(offsets, [table.data for table in tables]))


def _put_together(
    snapshots: Sequence[Snapshot], places: Sequence[NDArray[np.int32]], tree: str, paths: Sequence[str] | None = None
) -> Snapshot:
    """Return the combined snapshot without import edges; `places` as in `_Order`, `paths` if they are other ones."""
    order = _Order(places)
    if paths is None:
        table = order.strings([s.paths for s in snapshots])
        path_terms = _postings([s.path_terms for s in snapshots], places)
        vectors = order.documents([s.path_vectors for s in snapshots])
    else:
        table, path_terms = StringTable.pack(paths), path_postings(paths)
        vectors = path_vectors(path_terms)
    pointers = [s.passage_pointers for s in snapshots]
    numbers, language_names = _relabelled([(s.languages, s.language_names) for s in snapshots], order.documents)
    width = max(s.blobs.shape[1] for s in snapshots)
    return Snapshot(
        paths=table,
        blobs=order.documents([np.pad(s.blobs, ((0, 0), (0, width - s.blobs.shape[1]))) for s in snapshots]),
        language_names=language_names,
        languages=numbers.astype(np.uint16),
        roles=order.documents([s.roles for s in snapshots]),
        sizes=order.documents([s.sizes for s in snapshots]),
        lines=order.documents([s.lines for s in snapshots]),
        analysed=order.documents([s.analysed for s in snapshots]),
        content=_postings([s.content for s in snapshots], places),
        path_terms=path_terms,
        names=_postings([s.names for s in snapshots], places),
        symbols=_symbols([s.symbols for s in snapshots], order),
        written=order.strings([s.written for s in snapshots]),
        import_sources=np.empty(0, np.int32),
        import_targets=np.empty(0, np.int32),
        passage_pointers=order.pointers(pointers),
        passages=order.rows(pointers, [s.passages for s in snapshots]),
        vectors=order.rows(pointers, [s.vectors for s in snapshots]),
        path_vectors=vectors,
        tree=tree,
    )


def _postings(parts: Sequence[Postings], places: Sequence[NDArray[np.int32]]) -> Postings:
    size = sum(int(np.count_nonzero(place >= 0)) for place in places)
    return merged([*zip(places, parts, strict=True)], size, parts[0].counts.shape[1])


def _symbols(parts: Sequence[Symbols], order: _Order) -> Symbols:
    """Return the definitions of all parts, each name once."""
    keys = distinct(*(part.keys for part in parts))
    numbers = [np.searchsorted(keys, part.keys).astype(np.int32) for part in parts]
    pointers = [part.pointers for part in parts]
    named, parents = (
        order.rows(pointers, [np.append(new, np.int32(-1))[old] for new, old in zip(numbers, columns, strict=True)])
        for columns in ([part.name for part in parts], [part.parent for part in parts])
    )
    used = np.zeros(len(keys), np.bool_)
    used[named] = used[parents[parents >= 0]] = True
    number = np.append(np.cumsum(used) - 1, -1).astype(np.int32)
    row = np.empty(len(keys), np.int64)  # of each name among those of all parts
    row[np.concatenate(numbers)] = np.arange(sum(map(len, numbers)))
    kind, known = _relabelled([(part.kind, part.kinds) for part in parts], partial(order.rows, pointers))
    return Symbols.of_columns(
        order.pointers(pointers),
        (
            number[named],
            number[parents],
            np.where(kind < MOST_KINDS, kind, 0).astype(np.uint8),
            order.rows(pointers, [part.start for part in parts]),
            order.rows(pointers, [part.end for part in parts]),
        ),
        StringTable.concatenated([part.names for part in parts]).take(row[used]),
        keys[used],
        known[:MOST_KINDS],
    )


def _relabelled(
    parts: Sequence[tuple[NDArray[Any], tuple[str, ...]]], put_together: Callable[[Sequence[Ints]], NDArray[Any]]
) -> tuple[Ints, tuple[str, ...]]:
    """Number the labels of all parts anew, in their order; return the combined column and the labels that are used."""
    labels = sorted({label for _, names in parts for label in names})
    number = {label: at for at, label in enumerate(labels)}
    numbers = put_together([np.array([number[name] for name in names], np.int64)[old] for old, names in parts])
    used = np.flatnonzero(np.bincount(numbers, minlength=len(labels)))
    return np.searchsorted(used, numbers).astype(np.int64), tuple(labels[at] for at in used.tolist())
