"""Commits as arrays: messages analysed once a distinct word, blocks of commits put together in a given order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zeroin.terms import MAX_WORD_CHARS, WORD, analyse_word, term_id

_MAX_COUNT = 65_535


@dataclass(frozen=True, slots=True)
class Raw:
    """A commit as git tells it; `message` without trailers, `files` relative to the prefix."""

    id: str
    time: int
    message: str
    files: list[str]


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """Commits and what is known of them: `rows` commit id → row; (`file_rows`, `file_ids`) and
    (`term_rows`, `terms`, `counts`) are parallel; `file_ids` index `paths`."""

    rows: dict[str, int]
    times: NDArray[np.int64]
    subjects: list[str]
    paths: list[str]
    file_rows: NDArray[np.int32]
    file_ids: NDArray[np.int32]
    term_rows: NDArray[np.int32]
    terms: NDArray[np.uint64]
    counts: NDArray[np.uint16]
    lengths: NDArray[np.int32]


def read_block(commits: Sequence[Raw]) -> Block:
    """A block from commits as read, their messages analysed."""
    number: dict[str, int] = {}
    file_ids = [number.setdefault(path, len(number)) for raw in commits for path in raw.files]
    rows = np.arange(len(commits), dtype=np.int32)
    term_rows, terms, counts, lengths = _analysed([raw.message for raw in commits])
    return Block(
        rows={raw.id: row for row, raw in enumerate(commits)},
        times=np.array([raw.time for raw in commits], np.int64),
        subjects=[next(iter(raw.message.splitlines()), "").strip() for raw in commits],
        paths=list(number),
        file_rows=np.repeat(rows, [len(raw.files) for raw in commits]),
        file_ids=np.array(file_ids, np.int32),
        term_rows=term_rows,
        terms=terms,
        counts=counts,
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


def assemble(order: Sequence[tuple[int, str]], blocks: Sequence[Block]) -> Block:
    """One block of the commits in `order` (time, id) that any of `blocks` holds: newest first by (time, id),
    paths sorted, files by (row, path), terms by (term, row)."""
    place = {identity: (b, row) for b, block in enumerate(blocks) for identity, row in block.rows.items()}
    held = sorted((item for item in set(order) if item[1] in place), key=lambda item: (-item[0], item[1]))
    new_rows = [np.full(len(block.times), -1, np.int32) for block in blocks]
    subjects: list[str] = []
    lengths = np.empty(len(held), np.int32)
    for row, (_, identity) in enumerate(held):
        b, old = place[identity]
        new_rows[b][old] = row
        subjects.append(blocks[b].subjects[old])
        lengths[row] = blocks[b].lengths[old]
    paths, file_rows, file_ids = _files(blocks, new_rows)
    term_rows = _joined(
        [rows[block.term_rows] for block, rows in zip(blocks, new_rows, strict=True)], np.int32
    )
    keep = term_rows >= 0
    terms = _joined([block.terms for block in blocks], np.uint64)[keep]
    counts = _joined([block.counts for block in blocks], np.uint16)[keep]
    term_rows = term_rows[keep]
    by_term = np.lexsort((term_rows, terms))
    return Block(
        rows={identity: row for row, (_, identity) in enumerate(held)},
        times=np.array([seconds for seconds, _ in held], np.int64),
        subjects=subjects,
        paths=paths,
        file_rows=file_rows,
        file_ids=file_ids,
        term_rows=term_rows[by_term],
        terms=terms[by_term],
        counts=counts[by_term],
        lengths=lengths,
    )


def _files(
    blocks: Sequence[Block], new_rows: Sequence[NDArray[np.int32]]
) -> tuple[list[str], NDArray[np.int32], NDArray[np.int32]]:
    """Paths in use, sorted, and the (row, path) pairs over them."""
    pairs = [(rows[block.file_rows], block.file_ids) for block, rows in zip(blocks, new_rows, strict=True)]
    used = [np.unique(ids[rows >= 0]) for rows, ids in pairs]
    paths = sorted({block.paths[i] for block, ids in zip(blocks, used, strict=True) for i in ids.tolist()})
    number = {path: i for i, path in enumerate(paths)}
    renumbered = []
    for block, ids, (_, old) in zip(blocks, used, pairs, strict=True):
        table = np.full(len(block.paths), -1, np.int32)
        table[ids] = [number[block.paths[i]] for i in ids.tolist()]
        renumbered.append(table[old])
    rows = _joined([rows for rows, _ in pairs], np.int32)
    ids = _joined(renumbered, np.int32)
    keep = rows >= 0
    rows, ids = rows[keep], ids[keep]
    order = np.lexsort((ids, rows))
    return paths, rows[order], ids[order]


def _joined(parts: Sequence[NDArray[Any]], kind: type[np.generic]) -> NDArray[Any]:
    return np.concatenate(parts) if parts else np.empty(0, kind)
