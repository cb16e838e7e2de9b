"""Commits → arrays: messages analysed once a distinct word, and histories merged in a given order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zeroin.index.arrays import StringTable
from zeroin.index.history import History
from zeroin.terms import MAX_WORD_CHARS, WORD, analyse_word, term_id

_MAX_COUNT = 65_535


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit as git shows it; `message` without trailers, `files` relative to the prefix."""

    id: str
    time: int
    message: str
    files: list[str]


def history_of(commits: Sequence[Commit]) -> History:
    """Return the history of commits as read, in their order, with their messages analysed."""
    number: dict[str, int] = {}
    file_ids = [number.setdefault(path, len(number)) for commit in commits for path in commit.files]
    rows, terms, counts, lengths = _analysed([commit.message for commit in commits])
    by_term = np.lexsort((rows, terms))
    term_ids, pointers = _grouped(terms[by_term])
    return History(
        commits=StringTable.pack([commit.id for commit in commits]),
        times=np.array([commit.time for commit in commits], np.int64),
        subjects=StringTable.pack([next(iter(c.message.splitlines()), "").strip() for c in commits]),
        paths=StringTable.pack(list(number)),
        file_ptr=np.r_[0, np.cumsum([len(commit.files) for commit in commits], dtype=np.int64)],
        file_ids=np.array(file_ids, np.int32),
        term_ids=term_ids,
        term_ptr=pointers,
        term_commits=rows[by_term],
        term_counts=counts[by_term],
        lengths=lengths,
    )


def _analysed(
    messages: Sequence[str],
) -> tuple[NDArray[np.int32], NDArray[np.uint64], NDArray[np.uint16], NDArray[np.int32]]:
    """(row, term, count) of every term of every message, and terms a message."""
    number: dict[str, int] = {}
    flat: list[int] = []
    sizes: list[int] = []
    for message in messages:
        found = WORD.findall(message)
        flat += [number.setdefault(word, len(number)) for word in found]
        sizes.append(len(found))
    known: dict[str, int] = {}
    of_word: list[int] = []
    widths: list[int] = []
    for word in number:
        terms = analyse_word(word) if len(word) <= MAX_WORD_CHARS else ()
        of_word += [known.setdefault(term, len(known)) for term in terms]
        widths.append(len(terms))
    words = np.array(flat, np.int64)
    width = np.array(widths, np.int64)
    starts = np.r_[0, np.cumsum(width)]
    repeats = width[words]
    rows = np.repeat(np.repeat(np.arange(len(messages)), sizes), repeats)
    within = np.arange(len(rows)) - np.repeat(np.cumsum(repeats) - repeats, repeats)
    locals_ = np.array(of_word, np.int64)[np.repeat(starts[words], repeats) + within]
    size = max(len(known), 1)
    keys, counts = np.unique(rows * size + locals_, return_counts=True)
    ids = np.array([term_id(term) for term in known], np.uint64)
    return (
        (keys // size).astype(np.int32),
        ids[keys % size],
        np.minimum(counts, _MAX_COUNT).astype(np.uint16),
        np.bincount(rows, minlength=len(messages)).astype(np.int32),
    )


def merged(order: Sequence[tuple[int, str]], parts: Sequence[History], *, complete: bool = True) -> History:
    """Return the history of the commits in `order` (time, id) that any part holds, newest first by (time, id)."""
    place = {identity: (p, row) for p, part in enumerate(parts) for row, identity in enumerate(part.commits)}
    chosen = sorted((item for item in set(order) if item[1] in place), key=lambda item: (-item[0], item[1]))
    return picked(parts, [place[identity] for _, identity in chosen], complete=complete)


def picked(parts: Sequence[History], sources: Sequence[tuple[int, int]], *, complete: bool) -> History:
    """Return the history of some commits, each given by its part and its number there, in their order.

    Paths are sorted, files by (commit, path), terms by (term, commit).
    """
    new_rows = [np.full(len(part), -1, np.int32) for part in parts]  # -1: not chosen
    for row, (p, old) in enumerate(sources):
        new_rows[p][old] = row
    commits = [part.commits.tolist() for part in parts]
    subjects = [part.subjects.tolist() for part in parts]
    paths, file_rows, file_ids = _files(parts, new_rows)
    rows = _joined([new[part.term_commits] for part, new in zip(parts, new_rows, strict=True)], np.int32)
    keep = rows >= 0
    terms = _joined([np.repeat(part.term_ids, np.diff(part.term_ptr)) for part in parts], np.uint64)[keep]
    counts = _joined([part.term_counts for part in parts], np.uint16)[keep]
    rows = rows[keep]
    by_term = np.lexsort((rows, terms))
    term_ids, pointers = _grouped(terms[by_term])
    return History(
        commits=StringTable.pack([commits[p][old] for p, old in sources]),
        times=np.array([parts[p].times[old] for p, old in sources], np.int64),
        subjects=StringTable.pack([subjects[p][old] for p, old in sources]),
        paths=StringTable.pack(paths),
        file_ptr=np.searchsorted(file_rows, np.arange(len(sources) + 1)).astype(np.int64),
        file_ids=file_ids,
        term_ids=term_ids,
        term_ptr=pointers,
        term_commits=rows[by_term],
        term_counts=counts[by_term],
        lengths=np.array([parts[p].lengths[old] for p, old in sources], np.int32),
        complete=complete,
    )


def _grouped(terms: NDArray[np.uint64]) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """The distinct values of a sorted array, and where the rows of each begin and end, shape (T + 1,)."""
    starts = np.flatnonzero(np.r_[True, terms[1:] != terms[:-1]][: len(terms)])
    return terms[starts], np.r_[starts, len(terms)].astype(np.int64)


def _files(
    parts: Sequence[History], new_rows: Sequence[NDArray[np.int32]]
) -> tuple[list[str], NDArray[np.int32], NDArray[np.int32]]:
    """Return paths in use, sorted, and the (commit, path) pairs over them, sorted."""
    rows = [np.repeat(new, np.diff(part.file_ptr)) for part, new in zip(parts, new_rows, strict=True)]
    names = [part.paths.tolist() for part in parts]
    used = [np.unique(part.file_ids[row >= 0]) for part, row in zip(parts, rows, strict=True)]
    paths = sorted({known[i] for known, ids in zip(names, used, strict=True) for i in ids.tolist()})
    number = {path: i for i, path in enumerate(paths)}
    renumbered = []
    for part, known, ids in zip(parts, names, used, strict=True):
        table = np.full(len(known), -1, np.int32)
        table[ids] = [number[known[i]] for i in ids.tolist()]
        renumbered.append(table[part.file_ids])
    all_rows, all_ids = _joined(rows, np.int32), _joined(renumbered, np.int32)
    keep = all_rows >= 0
    all_rows, all_ids = all_rows[keep], all_ids[keep]
    order = np.lexsort((all_ids, all_rows))
    return paths, all_rows[order], all_ids[order]


def _joined(parts: Sequence[NDArray[Any]], kind: type[np.generic]) -> NDArray[Any]:
    return np.concatenate(parts) if parts else np.empty(0, kind)
