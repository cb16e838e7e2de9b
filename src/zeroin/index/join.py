"""Several trees as one: each a part below a prefix, with the numbers of documents, names and commits made common.

A part is a repository of a workspace, or a submodule in the tree that it belongs to. Every array is what assembling all
files at once would give: tests compare them byte by byte.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zeroin.index.arrays import StringTable
from zeroin.index.history import History
from zeroin.index.path_terms import path_postings, path_vectors
from zeroin.index.postings import merged
from zeroin.index.snapshot import Snapshot
from zeroin.index.symbols import Symbols

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """One tree and the prefix of its paths in the whole: "" or ending in "/"."""

    prefix: str
    snapshot: Snapshot
    history: History | None


def tree_of(parts: Sequence[Part]) -> str:
    """Return what names the whole: a digest of the prefixes and trees of its parts."""
    named = "\0".join(f"{part.prefix}\0{part.snapshot.tree}" for part in parts)
    return sha256(named.encode("utf-8", "surrogatepass")).hexdigest()


def joined_snapshot(parts: Sequence[Part]) -> Snapshot:
    """Return one snapshot of all parts without import edges, its documents in the order of their whole paths."""
    tree = tree_of(parts)
    parts = [part for part in parts if len(part.snapshot)] or parts[:1]
    snapshots = [part.snapshot for part in parts]
    paths = [part.prefix + path for part in parts for path in part.snapshot.paths]
    order = np.array(sorted(range(len(paths)), key=paths.__getitem__), np.int64)
    place = np.empty(len(order), np.int32)
    place[order] = np.arange(len(order), dtype=np.int32)
    starts = np.cumsum([0, *map(len, snapshots)])
    places = [place[low:high] for low, high in pairwise(starts.tolist())]
    languages, language_names = _labels([(s.languages, s.language_names) for s in snapshots])
    path_terms = path_postings([paths[at] for at in order.tolist()])
    passage_pointers, passage_rows = _ranges([s.passage_pointers for s in snapshots], order)
    width = max(s.blobs.shape[1] for s in snapshots)
    return Snapshot(
        paths=StringTable.pack([paths[at] for at in order.tolist()]),
        blobs=np.concatenate([np.pad(s.blobs, ((0, 0), (0, width - s.blobs.shape[1]))) for s in snapshots])[
            order
        ],
        language_names=language_names,
        languages=languages[order].astype(np.uint16),
        roles=np.concatenate([s.roles for s in snapshots])[order],
        sizes=np.concatenate([s.sizes for s in snapshots])[order],
        lines=np.concatenate([s.lines for s in snapshots])[order],
        analysed=np.concatenate([s.analysed for s in snapshots])[order],
        content=merged(
            [*zip(places, (s.content for s in snapshots), strict=True)],
            len(order),
            _width(snapshots[0].content),
        ),
        path_terms=path_terms,
        names=merged(
            [*zip(places, (s.names for s in snapshots), strict=True)], len(order), _width(snapshots[0].names)
        ),
        symbols=_symbols([s.symbols for s in snapshots], order),
        written=_strings([s.written for s in snapshots]).take(order),
        import_sources=np.empty(0, np.int32),
        import_targets=np.empty(0, np.int32),
        passage_pointers=passage_pointers,
        passages=np.concatenate([s.passages for s in snapshots])[passage_rows],
        vectors=np.concatenate([s.vectors for s in snapshots])[passage_rows],
        path_vectors=path_vectors(path_terms),
        tree=tree,
    )


def _width(postings: Any) -> int:
    return int(postings.counts.shape[1])


def _labels(parts: Sequence[tuple[NDArray[Any], tuple[str, ...]]]) -> tuple[Ints, tuple[str, ...]]:
    """Return the numbers of labels over the sorted labels of all parts, one part after another."""
    labels = sorted({label for _, names in parts for label in names})
    number = {label: at for at, label in enumerate(labels)}
    columns = [np.array([number[name] for name in names], np.int64)[numbers] for numbers, names in parts]
    return np.concatenate(columns), tuple(labels)


def _ranges(pointers: Sequence[Ints], order: Ints) -> tuple[Ints, Ints]:
    """Return the pointers of items in a new order, and the rows (of all parts in a row) that they then range over."""
    sizes = np.concatenate([np.diff(p) for p in pointers])
    begins = np.concatenate([[0], np.cumsum(sizes)])[:-1]
    new = np.concatenate([[0], np.cumsum(sizes[order])]).astype(np.int64)
    rows = np.repeat(begins[order] - new[:-1], sizes[order]) + np.arange(int(new[-1]))
    return new, rows


def _strings(tables: Sequence[StringTable]) -> StringTable:
    sizes = np.concatenate([np.diff(table.offsets) for table in tables])
    return StringTable(
        np.concatenate([[0], np.cumsum(sizes)]),
        np.concatenate([table.data[int(table.offsets[0]) : int(table.offsets[-1])] for table in tables]),
    )


def _symbols(parts: Sequence[Symbols], order: Ints) -> Symbols:
    """Return the definitions of all parts, each name once."""
    keys = np.concatenate([part.keys for part in parts])
    union, first, number = np.unique(keys, return_index=True, return_inverse=True)
    starts = np.cumsum([0, *(len(part.keys) for part in parts)])
    renumbered = [np.append(number[low:high], -1).astype(np.int32) for low, high in pairwise(starts.tolist())]
    pointers, rows = _ranges([part.pointers for part in parts], order)
    kind, kinds = _labels([(part.kind, part.kinds) for part in parts])
    columns = (
        np.concatenate([new[part.name] for new, part in zip(renumbered, parts, strict=True)]),
        np.concatenate([new[part.parent] for new, part in zip(renumbered, parts, strict=True)]),
        kind.astype(np.uint8),
        np.concatenate([part.start for part in parts]),
        np.concatenate([part.end for part in parts]),
    )
    names = _strings([part.names for part in parts]).take(first)
    return Symbols.of_columns(pointers, tuple(column[rows] for column in columns), names, union, kinds)


def joined_history(parts: Sequence[Part], most: int) -> History | None:
    """Return the `most` newest commits of all parts, newest first; None where no part has a history."""
    known = [(part.prefix, part.history) for part in parts if part.history is not None and len(part.history)]
    if not known:
        return None
    histories = [history for _, history in known]
    times = np.concatenate([history.times for history in histories])
    order = np.argsort(-times, kind="stable")[:most]
    row = np.full(len(times), -1, np.int32)
    row[order] = np.arange(len(order), dtype=np.int32)
    starts = np.cumsum([0, *map(len, histories)])
    rows = [row[low:high] for low, high in pairwise(starts.tolist())]
    path_starts = np.cumsum([0, *(len(history.paths) for history in histories)])
    file_ptr, file_rows = _ranges([history.file_ptr for history in histories], order)
    files = np.concatenate([h.file_ids + start for h, start in zip(histories, path_starts[:-1], strict=True)])
    commits = np.concatenate([new[h.term_commits] for new, h in zip(rows, histories, strict=True)])
    terms = np.concatenate([np.repeat(h.term_ids, np.diff(h.term_ptr)) for h in histories])
    counts = np.concatenate([h.term_counts for h in histories])
    kept = commits >= 0
    commits, terms, counts = commits[kept], terms[kept], counts[kept]
    by_term = np.lexsort((commits, terms))
    term_ids, begins = np.unique(terms[by_term], return_index=True)
    return History(
        commits=_strings([h.commits for h in histories]).take(order),
        times=times[order],
        subjects=_strings([h.subjects for h in histories]).take(order),
        paths=StringTable.pack([prefix + path for prefix, h in known for path in h.paths]),
        file_ptr=file_ptr,
        file_ids=files[file_rows].astype(np.int32),
        term_ids=term_ids,
        term_ptr=np.append(begins, len(terms)).astype(np.int64),
        term_commits=commits[by_term],
        term_counts=counts[by_term],
        lengths=np.concatenate([h.lengths for h in histories])[order],
        complete=all(h.complete for h in histories),
    )
