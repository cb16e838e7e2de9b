"""Postings in compressed sparse rows, and BM25F over them.

BM25F: Robertson, Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009), section 3.6:
per term, field frequencies are length-normalised, weighted and summed before one saturation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from zeroin.models.products import along
from zeroin.parsing.term_counts import firsts

Array = NDArray[np.float32]
Int = TypeVar("Int", np.int32, np.int64, np.uint64)
MAX_COUNT = 255  # a byte
_AT_ONCE = 1 << 20  # rows that are sorted at once
_FEW_ROWS = 20_000  # those of a second part that are put between the rows of the first one by one


@dataclass(frozen=True, slots=True, eq=False)
class Postings:
    """Which documents hold a term, how often in each field.

    `term_ids` (T,) uint64 sorted; `pointers` (T + 1,) int64; `docs` (N,) int32, ascending within a term;
    `counts` (N, F) uint8, 255 for more as well; `lengths` (D, F) float32, terms a field.
    """

    term_ids: NDArray[np.uint64]
    pointers: NDArray[np.int64]
    docs: NDArray[np.int32]
    counts: NDArray[np.uint8]
    lengths: Array

    @property
    def documents(self) -> int:
        return int(self.lengths.shape[0])

    def rows(self, term: int) -> slice:
        """Return the rows of `docs` and `counts` that belong to a term id; an empty slice if it is unknown."""
        at = int(self.term_ids.searchsorted(np.uint64(term)))
        if at == len(self.term_ids) or int(self.term_ids[at]) != term:
            return slice(0, 0)
        return slice(int(self.pointers[at]), int(self.pointers[at + 1]))

    def holding(self, term: int, *fields: int) -> NDArray[np.int32]:
        """Return the documents that hold a term in one of some fields, in any if none are given; ascending."""
        rows = self.rows(term)
        return self.docs[rows][self.counts[rows][:, fields].any(axis=1)] if fields else self.docs[rows]

    def where(self, kept: NDArray[np.bool_]) -> Postings:
        """Return the postings of some rows, shape (N,); a term may be left without any."""
        before = np.r_[0, np.cumsum(kept)]
        return replace(self, pointers=before[self.pointers], docs=self.docs[kept], counts=self.counts[kept])

    def document_frequency(self, term: int) -> int:
        """Return the number of documents that hold the term in any field."""
        return len(self.holding(term))

    def document_frequencies(self, terms: Sequence[int] | NDArray[np.uint64]) -> NDArray[np.int64]:
        """`document_frequency` of many terms; shape (n,)."""
        asked = np.array(terms, np.uint64)
        if not len(self.term_ids):
            return np.zeros(len(asked), np.int64)
        at = np.minimum(np.searchsorted(self.term_ids, asked), len(self.term_ids) - 1)
        return np.where(self.term_ids[at] == asked, self.pointers[at + 1] - self.pointers[at], 0)

    def idf(self, term: int) -> float:
        """Robertson–Spärck Jones weight, never negative; 0 for a term that does not occur."""
        return rarity(self.document_frequency(term), self.documents)


def rarity(holding: int, documents: int) -> float:
    """Robertson–Spärck Jones weight of a term that `holding` of so many documents hold, never negative."""
    return float(np.log1p((documents - holding + 0.5) / (holding + 0.5))) if holding else 0.0


def distinct(*numbers: NDArray[Int]) -> NDArray[Int]:
    """Return the numbers of all arrays, each once, ascending; `np.unique` loads masked arrays for a few integers."""
    out = np.sort(np.concatenate(numbers))
    return out[firsts(out)]


def among(numbers: NDArray[Any], wanted: Sequence[int] | NDArray[Any]) -> NDArray[np.bool_]:
    """Tell which numbers are among the wanted ones; `np.isin` loads masked arrays, too."""
    known = np.sort(wanted)
    if not len(known):
        return np.zeros(len(numbers), np.bool_)
    at = np.minimum(known.searchsorted(numbers), len(known) - 1)
    return np.asarray(known[at] == numbers)


def build(parts: Sequence[tuple[NDArray[np.uint64], NDArray[np.uint16]]], width: int) -> Postings:
    """Postings of documents 0 … D-1; each part holds a document's sorted unique term ids (n,) and counts (n, F)."""
    sizes = np.fromiter((len(ids) for ids, _ in parts), np.int64, len(parts))
    ids = np.concatenate([ids for ids, _ in parts]) if parts else np.empty(0, np.uint64)
    counts = np.concatenate([c for _, c in parts]) if parts else np.empty((0, width), np.uint16)
    return build_rows(sizes, ids, counts)


def merged(parts: list[tuple[NDArray[np.int32], Postings]], documents: int, width: int) -> Postings:
    """Return postings of documents 0 … D-1 from parts: numbers of documents, ascending, and postings of these.

    A document of number -1 is left out. Rows are copied, not sorted at once, which takes five times their memory.
    `parts` is emptied, so that each part is freed once copied.
    """
    if len(parts) == 2 and len(parts[1][1].docs) <= _FEW_ROWS:
        base, few = parts
        parts.clear()
        return _spliced(base, few, documents)
    parts[:] = [(place[place >= 0], _without(part, place >= 0)) for place, part in parts if (place >= 0).any()]
    in_order = all(before[-1] < after[0] for (before, _), (after, _) in pairwise(parts))
    term_ids = distinct(np.empty(0, np.uint64), *(part.term_ids for _, part in parts))
    numbers = [np.searchsorted(term_ids, part.term_ids).astype(np.int32) for _, part in parts]
    sizes = np.zeros(len(term_ids), np.int64)
    for number, (_, part) in zip(numbers, parts, strict=True):
        sizes[number] += np.diff(part.pointers)
    pointers = np.r_[0, np.cumsum(sizes)]
    docs = np.empty(int(pointers[-1]), np.int32)
    counts = np.empty((len(docs), width), np.uint8)
    lengths = np.zeros((documents, width), np.float32)
    next_row = pointers[:-1].copy()
    for number in numbers:
        place, part = parts.pop(0)
        size = np.diff(part.pointers)
        rows = np.repeat(next_row[number] - part.pointers[:-1], size) + np.arange(len(part.docs))
        docs[rows] = place[part.docs]
        counts[rows] = part.counts
        next_row[number] += size
        lengths[place] = part.lengths
    if not in_order:
        _sort_within_terms(pointers, docs, counts, np.bincount(np.concatenate(numbers)) > 1)
    return Postings(term_ids, pointers, docs, counts, lengths)


def _spliced(
    base: tuple[NDArray[np.int32], Postings], few: tuple[NDArray[np.int32], Postings], documents: int
) -> Postings:
    """`merged` of two parts of which the second has few rows: those of the first are copied in runs."""
    (place, old), (numbers, new) = base, few
    old, new = (replace(part, pointers=part.pointers.astype(np.int64, copy=False)) for part in (old, new))
    new, numbers = _without(new, numbers >= 0), numbers[numbers >= 0]
    kept = np.flatnonzero(place >= 0)
    docs = place[old.docs]
    gone = np.flatnonzero(docs < 0)
    # The first row of the old ones of each new row's term that is of a later document, or where they end.
    later = np.append(kept, len(place))[np.searchsorted(place[kept], numbers)]
    terms = np.searchsorted(old.term_ids, new.term_ids)
    known = terms < len(old.term_ids)
    known[known] = old.term_ids[terms[known]] == new.term_ids[known]
    ends = old.pointers[np.minimum(terms + known, len(old.term_ids))]
    at = np.empty(len(new.docs), np.int64)
    for term, (first, stop) in enumerate(zip(old.pointers[terms].tolist(), ends.tolist(), strict=True)):
        rows = slice(int(new.pointers[term]), int(new.pointers[term + 1]))
        at[rows] = first + np.searchsorted(old.docs[first:stop], later[new.docs[rows]])
    order = np.argsort(np.concatenate([at, gone]), kind="stable").tolist()  # what is new before the row that is gone

    def column(before: NDArray[Any], added: NDArray[Any]) -> NDArray[Any]:
        pieces, row = [], 0
        for edit in order:
            if edit < len(at):
                pieces += [before[row : at[edit]], added[edit : edit + 1]]
                row = at[edit]
            else:
                pieces.append(before[row : gone[edit - len(at)]])
                row = gone[edit - len(at)] + 1
        return np.concatenate([*pieces, before[row:]])

    sizes = np.diff(old.pointers)
    sizes -= np.bincount(np.searchsorted(old.pointers, gone, side="right") - 1, minlength=len(sizes))
    added = np.diff(new.pointers)
    sizes[terms[known]] += added[known]
    sizes = np.insert(sizes, terms[~known], added[~known])
    used = sizes > 0
    lengths = np.zeros((documents, old.lengths.shape[1]), np.float32)
    lengths[place[kept]], lengths[numbers] = old.lengths[kept], new.lengths
    return Postings(
        term_ids=np.insert(old.term_ids, terms[~known], new.term_ids[~known])[used],
        pointers=np.r_[0, np.cumsum(sizes[used])],
        docs=column(docs, numbers[new.docs]),
        counts=column(old.counts, new.counts),
        lengths=lengths,
    )


def _without(postings: Postings, kept: NDArray[np.bool_]) -> Postings:
    """Return the postings of the documents that are kept, numbered anew."""
    if kept.all():
        return postings
    rows = kept[postings.docs]
    pointers = np.r_[0, np.cumsum(rows)][postings.pointers]
    used = np.diff(pointers) > 0
    number = (np.cumsum(kept) - 1).astype(np.int32)
    return Postings(
        term_ids=postings.term_ids[used],
        pointers=np.append(pointers[:-1][used], pointers[-1]),
        docs=number[postings.docs[rows]],
        counts=postings.counts[rows],
        lengths=postings.lengths[kept],
    )


def _sort_within_terms(
    pointers: NDArray[np.int64], docs: NDArray[np.int32], counts: NDArray[np.uint8], mixed: NDArray[np.bool_]
) -> None:
    """Sort the rows of each `mixed` term by document, in place, some terms at a time to bound memory."""
    terms = np.searchsorted(pointers, np.arange(0, len(docs) + _AT_ONCE, _AT_ONCE))
    for first, last in pairwise(np.minimum(terms, len(mixed)).tolist()):
        term = np.repeat(np.arange(first, last, dtype=np.int32), np.diff(pointers[first : last + 1]))
        unsorted = np.flatnonzero(mixed[term])
        rows = unsorted + int(pointers[first])
        rows_sorted = rows[np.lexsort((docs[rows], term[unsorted]))]
        docs[rows] = docs[rows_sorted]
        counts[rows] = counts[rows_sorted]


def build_rows(sizes: NDArray[np.int64], ids: NDArray[np.uint64], counts: NDArray[np.uint16]) -> Postings:
    """Return postings from the rows of all documents one after another: `sizes` (D,), `ids` (N,), `counts` (N, F)."""
    docs = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
    order = np.argsort(ids, kind="stable")  # stable: documents stay ascending within a term
    sorted_ids = ids[order]
    starts = np.flatnonzero(firsts(sorted_ids))
    ends = np.cumsum(sizes)
    totals = np.concatenate([np.zeros((1, counts.shape[1])), np.cumsum(counts, axis=0, dtype=np.float64)])
    return Postings(
        term_ids=sorted_ids[starts],
        pointers=np.r_[starts, len(ids)].astype(np.int64),
        docs=docs[order],
        # Larger counts hardly matter: BM25F is close to its saturation there.
        counts=np.minimum(counts, MAX_COUNT).astype(np.uint8)[order],
        lengths=(totals[ends] - totals[ends - sizes]).astype(np.float32),
    )


class FieldWeights(NamedTuple):
    """BM25F parameters: a weight and a length normalisation b for each field, and one saturation k1."""

    weights: tuple[float, ...]
    b: tuple[float, ...]
    k1: float = 1.2


@dataclass(frozen=True, slots=True, eq=False)
class Statistics:
    """What BM25F needs of all documents of several postings: sums of integers, so their order does not matter."""

    documents: int
    lengths: NDArray[np.float64]  # terms a field
    frequency: Mapping[int, int]  # documents a term

    @classmethod
    def of(cls, parts: Sequence[Postings], terms: Sequence[int]) -> Statistics:
        """Return the statistics of the documents of all parts together."""
        lengths = sum((part.lengths.sum(axis=0, dtype=np.float64) for part in parts), np.zeros(1))
        counts = sum((part.document_frequencies(terms) for part in parts), np.zeros(len(terms), np.int64))
        frequency = dict(zip(terms, counts.tolist(), strict=True))
        return cls(sum(part.documents for part in parts), lengths, frequency)

    @classmethod
    def total(cls, parts: Sequence[Statistics]) -> Statistics:
        """Return the statistics of several parts, taken with the same terms, as one."""
        return cls(
            sum(part.documents for part in parts),
            sum((part.lengths for part in parts), np.zeros(1)),
            {term: sum(part.frequency[term] for part in parts) for term in parts[0].frequency},
        )

    @property
    def average(self) -> Array:
        """The mean length of a field."""
        return np.maximum(self.lengths / max(self.documents, 1), 1e-6).astype(np.float32)


def bm25f(
    postings: Postings, terms: Mapping[int, float], fields: FieldWeights, statistics: Statistics | None = None
) -> Array:
    """Return scores of all documents, shape (D,), for weighted term ids; summed in the order of `terms`.

    `statistics` are those of the postings unless they are a part of a larger collection.
    """
    scores = np.zeros(postings.documents, np.float32)
    if not postings.documents:
        return scores
    weights = np.asarray(fields.weights, np.float32)
    b = np.asarray(fields.b, np.float32)
    average = statistics.average if statistics else np.maximum(postings.lengths.mean(axis=0), 1e-6)
    for term, weight in terms.items():
        rows = postings.rows(term)
        if rows.start == rows.stop or weight <= 0:
            continue
        docs = postings.docs[rows]
        norm = 1 - b + b * postings.lengths[docs] / average
        tf = along(postings.counts[rows] / norm, weights)
        held, documents = len(docs), postings.documents
        if statistics:
            held, documents = statistics.frequency[term], statistics.documents
        idf = rarity(held, documents)
        scores[docs] += (weight * idf * (fields.k1 + 1)) * (tf / (fields.k1 + tf))
    return scores
