"""A snapshot after an edit: the one before it with a few documents taken out and a few put in.

Every array is what it would be if the snapshot had been assembled from facts: tests compare them byte by byte.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zeroin.index.arrays import StringTable
from zeroin.index.postings import Postings, distinct
from zeroin.index.snapshot import Snapshot
from zeroin.index.symbols import MOST_KINDS, Symbols
from zeroin.tree import Entry

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Weave:
    """How the documents of a snapshot follow from another one, the base.

    `place` (B,) is the new number of each document of the base, -1 where it is gone: deleted or changed. `gone` are
    those, ascending. `added` (A,) are the new numbers of added documents, ascending; `at` (A,) how many documents of
    the base come before each.
    """

    place: NDArray[np.int32]
    gone: Ints
    added: NDArray[np.int32]
    at: Ints


def weave_of(base: Snapshot, entries: Sequence[Entry]) -> Weave | None:
    """How entries sorted by path follow from the documents of `base`; None where their order differs."""
    paths = base.paths.tolist()
    known = {path: (doc, blob) for doc, (path, blob) in enumerate(zip(paths, base.blob_ids(), strict=True))}
    place = np.full(len(paths), -1, np.int32)
    added = []
    for new, entry in enumerate(entries):
        doc, blob = known.get(entry.path, (-1, ""))
        if doc >= 0 and blob == entry.blob:
            place[doc] = new
        else:
            added.append(new)
    kept = np.flatnonzero(place >= 0)
    if (np.diff(place[kept]) < 0).any():
        return None
    at = np.array([bisect_left(paths, entries[new].path) for new in added], np.int64)
    return Weave(place, np.flatnonzero(place < 0), np.array(added, np.int32), at)


def spliced(
    column: NDArray[Any],
    rows: NDArray[Any],
    gone: Ints,
    at: Ints,
    pointers: tuple[Ints, Ints] | None = None,
) -> NDArray[Any]:
    """Return a column without its items `gone` (ascending), each of `rows` put before the item `at` (ascending).

    With `pointers`, of the column and of `rows`, an item is a range of rows.
    """
    stops = distinct(at, gone)
    first, last = np.searchsorted(at, stops), np.searchsorted(at, stops, side="right")
    resume = stops.copy()
    resume[np.searchsorted(stops, gone)] += 1
    begin = np.r_[0, resume]
    end = np.r_[stops, len(column) if pointers is None else len(pointers[0]) - 1]
    if pointers is not None:
        begin, end = pointers[0][begin], pointers[0][end]
        first, last = pointers[1][first], pointers[1][last]
    pieces = [column[begin[0] : end[0]]]
    for low, high, start, stop in zip(
        first.tolist(), last.tolist(), begin[1:].tolist(), end[1:].tolist(), strict=True
    ):
        if low < high:
            pieces.append(rows[low:high])
        if start < stop:
            pieces.append(column[start:stop])
    return np.concatenate(pieces)


def woven(weave: Weave, base: Snapshot, part: Snapshot, tree: str) -> Snapshot | None:
    """Return the snapshot of the base's documents that stay and those of `part`, without import edges.

    None where names or kinds of definitions cannot be told apart by number, so that only assembling all anew is exact.
    """
    symbols = _symbols(weave, base.symbols, part.symbols)
    if symbols is None or base.blobs.shape[1] != part.blobs.shape[1]:
        return None

    def of_docs(old: NDArray[Any], new: NDArray[Any]) -> NDArray[Any]:
        return spliced(old, new, weave.gone, weave.at)

    def of_rows(old: NDArray[Any], new: NDArray[Any]) -> NDArray[Any]:
        pointers = base.passage_pointers, part.passage_pointers
        return spliced(old, new, weave.gone, weave.at, pointers)

    numbers, names = _labels(
        of_docs, (base.languages, base.language_names), (part.languages, part.language_names)
    )
    return Snapshot(
        paths=_strings(weave.gone, weave.at, base.paths, part.paths),
        blobs=of_docs(base.blobs, part.blobs),
        language_names=names,
        languages=numbers.astype(np.uint16),
        roles=of_docs(base.roles, part.roles),
        sizes=of_docs(base.sizes, part.sizes),
        lines=of_docs(base.lines, part.lines),
        analysed=of_docs(base.analysed, part.analysed),
        content=_postings(weave, base.content, part.content),
        path_terms=_postings(weave, base.path_terms, part.path_terms),
        names=_postings(weave, base.names, part.names),
        symbols=symbols,
        written=_strings(weave.gone, weave.at, base.written, part.written),
        import_sources=part.import_sources,
        import_targets=part.import_targets,
        passage_pointers=_pointers(weave.gone, weave.at, base.passage_pointers, part.passage_pointers),
        passages=of_rows(base.passages, part.passages),
        vectors=of_rows(base.vectors, part.vectors),
        path_vectors=of_docs(base.path_vectors, part.path_vectors),
        tree=tree,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Union:
    """Sorted ids of a base and of what is put in: `old` and `new` are the numbers of either in `ids`.

    `at` is where each id put in belongs in the base, which holds it already where it is `known`.
    """

    ids: NDArray[np.uint64]
    old: Ints
    new: Ints
    at: Ints
    known: NDArray[np.bool_]

    @classmethod
    def of(cls, base: NDArray[np.uint64], part: NDArray[np.uint64]) -> _Union:
        at = np.searchsorted(base, part)
        known = np.zeros(len(part), np.bool_)
        inside = at < len(base)
        known[inside] = base[at[inside]] == part[inside]
        here = np.arange(len(base))
        return cls(
            ids=np.insert(base, at[~known], part[~known]),
            old=here + np.searchsorted(at[~known], here, side="right"),
            new=at + np.cumsum(~known) - ~known,
            at=at,
            known=known,
        )


def _postings(weave: Weave, base: Postings, part: Postings) -> Postings:
    union = _Union.of(base.term_ids, part.term_ids)
    term = np.repeat(np.arange(len(part.term_ids)), np.diff(part.pointers))
    low = base.pointers[union.at]
    high = np.where(union.known, base.pointers[np.minimum(union.at + 1, len(base.term_ids))], low)
    at = _first_from(base.docs, low[term], high[term], weave.at[part.docs])
    gone = np.flatnonzero((weave.place < 0)[base.docs])
    lost = np.searchsorted(base.pointers, gone, side="right") - 1
    sizes = np.zeros(len(union.ids), np.int64)
    sizes[union.old] = np.diff(base.pointers) - np.bincount(lost, minlength=len(base.term_ids))
    sizes[union.new] += np.diff(part.pointers)
    used = sizes > 0
    return Postings(
        term_ids=union.ids[used],
        pointers=np.r_[0, np.cumsum(sizes[used])],
        docs=spliced(weave.place[base.docs], weave.added[part.docs], gone, at),
        counts=spliced(base.counts, part.counts, gone, at),
        lengths=spliced(base.lengths, part.lengths, weave.gone, weave.at),
    )


def _first_from(docs: NDArray[np.int32], low: Ints, high: Ints, wanted: Ints) -> Ints:
    """The first row of each range from `low` to `high` whose document is not before the wanted one, by bisection."""
    while (unsure := low < high).any():
        middle = (low + high) // 2
        before = unsure & (docs[np.where(unsure, middle, 0)] < wanted)
        low = np.where(before, middle + 1, low)
        high = np.where(unsure & ~before, middle, high)
    return low


def _symbols(weave: Weave, base: Symbols, part: Symbols) -> Symbols | None:
    union = _Union.of(base.keys, part.keys)
    shared = zip(union.at[union.known].tolist(), np.flatnonzero(union.known).tolist(), strict=True)
    if (
        max(len(base.kinds), len(part.kinds)) >= MOST_KINDS  # some may have been left out
        or any((table.keys[1:] == table.keys[:-1]).any() for table in (base, part))  # two names, one id
        or any(base.names[old] != part.names[new] for old, new in shared)
    ):
        return None

    def of_rows(old: NDArray[Any], new: NDArray[Any]) -> NDArray[Any]:
        return spliced(old, new, weave.gone, weave.at, (base.pointers, part.pointers))

    of_old, of_new = (np.r_[numbers, -1].astype(np.int32) for numbers in (union.old, union.new))
    name = of_rows(of_old[base.name], of_new[part.name])
    parent = of_rows(of_old[base.parent], of_new[part.parent])
    used = np.zeros(len(union.ids), np.bool_)
    used[name] = used[parent[parent >= 0]] = True
    number = np.r_[np.cumsum(used) - 1, -1].astype(np.int32)
    kind, kinds = _labels(of_rows, (base.kind, base.kinds), (part.kind, part.kinds))
    new_names = StringTable.pack([part.names[new] for new in np.flatnonzero(~union.known).tolist()])
    return Symbols.of_columns(
        _pointers(weave.gone, weave.at, base.pointers, part.pointers),
        (
            number[name],
            number[parent],
            kind.astype(np.uint8),
            of_rows(base.start, part.start),
            of_rows(base.end, part.end),
        ),
        _strings(np.flatnonzero(~used[union.old]), union.at[~union.known], base.names, new_names),
        union.ids[used],
        kinds,
    )


def _labels(
    splice: Callable[[NDArray[Any], NDArray[Any]], NDArray[Any]],
    base: tuple[NDArray[Any], tuple[str, ...]],
    part: tuple[NDArray[Any], tuple[str, ...]],
) -> tuple[Ints, tuple[str, ...]]:
    """Numbers of labels and the labels that are used, sorted, from those of a base and of what is put in."""
    labels = sorted({*base[1], *part[1]})
    old, new = (
        np.array([labels.index(label) for label in names], np.int64)[numbers]
        for numbers, names in (base, part)
    )
    numbers = splice(old, new)
    used = np.flatnonzero(np.bincount(numbers))
    compact: Ints = np.searchsorted(used, numbers).astype(np.int64)
    return compact, tuple(labels[number] for number in used.tolist())


def _pointers(gone: Ints, at: Ints, old: Ints, new: Ints) -> Ints:
    pointers: Ints = np.r_[0, np.cumsum(spliced(np.diff(old), np.diff(new), gone, at))].astype(np.int64)
    return pointers


def _strings(gone: Ints, at: Ints, old: StringTable, new: StringTable) -> StringTable:
    data = spliced(old.data, new.data, gone, at, (old.offsets, new.offsets))
    return StringTable(_pointers(gone, at, old.offsets, new.offsets), data)
