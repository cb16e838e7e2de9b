"""The history of a repository: which files changed together, and the terms of commit messages.

It is built from commits, or merged from other histories.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from zeroin.config import MAX_COMMITS
from zeroin.errors import CacheError
from zeroin.index import arrays
from zeroin.index.arrays import StringTable
from zeroin.index.postings import FieldWeights, Postings, bm25f, build_rows, distinct, merged
from zeroin.parsing.term_counts import count_texts
from zeroin.terms import count_words

HISTORY_VERSION = 3
_MESSAGES = FieldWeights((1.0,), b=(0.6,), k1=1.0)  # short texts, so lengths count little
# A commit that touched more files than this, and more than this share of all files, is evidence for none of them.
_BROAD_FILES, _BROAD_SHARE = 15, 0.5


@dataclass(frozen=True, slots=True, eq=False)
class History:
    """C commits, newest first by (time, id).

    `times` (C,) int64, seconds since 1970. Files of commit c: `file_ids[file_ptr[c]:file_ptr[c + 1]]`, int32 into
    `paths` (relative to the source's prefix). `messages` are postings whose documents are the commits, with one field.
    `complete` is False if the deadline ended reading; then the newest commits are there.
    """

    commits: StringTable
    times: NDArray[np.int64]
    subjects: StringTable
    paths: StringTable
    file_ptr: NDArray[np.int64]
    file_ids: NDArray[np.int32]
    messages: Postings
    complete: bool = True

    def __len__(self) -> int:
        return len(self.times)

    @property
    def partial(self) -> bool:
        """Whether the files of some commits may not be known: very many files, or commits older than the last read.

        A commit without files counts too, since those of very many files are kept without.
        """
        return not self.complete or len(self) >= MAX_COMMITS or not np.diff(self.file_ptr).all()

    def files_of(self, commit: int) -> NDArray[np.int32]:
        """Return the numbers (into `paths`) of the files that a commit touched."""
        return self.file_ids[int(self.file_ptr[commit]) : int(self.file_ptr[commit + 1])]

    def save(self, path: Path, meta: Mapping[str, Any]) -> None:
        """Write the history as an array file with `meta`. Raises `CacheError`."""
        own = {"kind": "history", "version": HISTORY_VERSION, "complete": self.complete}
        arrays.save(path, arrays.to_columns(self), {**own, **meta})

    @classmethod
    def load(cls, path: Path) -> tuple[History, dict[str, Any]]:
        """Return a history and its meta from the file that `save` wrote. Raises `CacheError`."""
        columns, meta = arrays.load(path)
        if meta.get("kind") != "history" or meta.get("version") != HISTORY_VERSION:
            raise CacheError(f"{path.name} is no history of this version")
        return arrays.from_columns(cls, columns, complete=bool(meta.get("complete"))), meta


def bm25_commits(
    history: History, terms: Mapping[int, float], limit: int
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Return the `limit` commits whose messages score best for weighted term ids, with their BM25 scores.

    Best first, newer first among equals. Scores are comparable within one call only.
    """
    scores = bm25f(history.messages, terms, _MESSAGES)
    found = np.flatnonzero(scores > 0)
    order = found[np.lexsort((found, -scores[found]))][:limit]
    return order, scores[order]


def without_broad_commits(history: History, docs: NDArray[np.int32], documents: int) -> History:
    """Drop the files of commits that touched most documents, such as an import or a formatter's run.

    `docs` is the document of each path of the history, -1 for a deleted one; `documents` is their number.
    """
    ends = np.concatenate(([0], np.cumsum(docs[history.file_ids] >= 0)))
    broad = np.diff(ends[history.file_ptr]) > max(_BROAD_FILES, _BROAD_SHARE * documents)
    if not broad.any():
        return history
    sizes = np.diff(history.file_ptr)
    kept = ~np.repeat(broad, sizes)
    pointers = np.concatenate(([0], np.cumsum(np.where(broad, 0, sizes)))).astype(history.file_ptr.dtype)
    return replace(history, file_ids=history.file_ids[kept], file_ptr=pointers)


class Commit(NamedTuple):
    """A commit as git shows it; `message` without trailers, `files` relative to the prefix."""

    id: str
    time: int
    message: str
    files: list[str]


def history_of(commits: Sequence[Commit]) -> History:
    """Return the history of commits, newest first by (time, id), with their messages analysed."""
    commits = sorted(commits, key=lambda commit: (-commit.time, commit.id))
    number: dict[str, int] = {}
    file_ids = [number.setdefault(path, len(number)) for commit in commits for path in commit.files]
    return History(
        commits=StringTable.pack([commit.id for commit in commits]),
        times=np.array([commit.time for commit in commits], np.int64),
        subjects=StringTable.pack([next(iter(c.message.splitlines()), "").strip() for c in commits]),
        paths=StringTable.pack(list(number)),
        file_ptr=np.r_[0, np.cumsum([len(commit.files) for commit in commits], dtype=np.int64)],
        file_ids=np.array(file_ids, np.int32),
        messages=build_rows(*count_texts([count_words(commit.message) for commit in commits])),
    )


def merged_history(order: Sequence[tuple[int, str]], parts: Sequence[History], *, complete: bool = True) -> History:
    """Return the history of the commits in `order` (time, id) that any part holds, newest first by (time, id)."""
    if not parts:
        return replace(history_of([]), complete=complete)
    place = {identity: row for row, identity in enumerate(chain.from_iterable(part.commits for part in parts))}
    chosen = sorted((item for item in set(order) if item[1] in place), key=lambda item: (-item[0], item[1]))
    rows = np.array([place[identity] for _, identity in chosen], np.int64)
    return picked([("", part) for part in parts], rows, complete=complete)


def picked(parts: Sequence[tuple[str, History]], rows: NDArray[np.int64], *, complete: bool) -> History:
    """Return the history of the commits `rows`, numbered through all parts, in that order.

    Within a part `rows` must ascend. Paths get their part's prefix and are sorted; files are sorted by (commit, path).
    """
    histories = [part for _, part in parts]
    new_rows = np.full(sum(map(len, histories)), -1, np.int32)  # -1: not chosen
    new_rows[rows] = np.arange(len(rows), dtype=np.int32)
    new = np.split(new_rows, np.cumsum([len(part) for part in histories])[:-1])
    paths, file_rows, file_ids = _files(parts, new)
    messages = [(own, part.messages) for own, part in zip(new, histories, strict=True)]
    return History(
        commits=StringTable.concatenated([part.commits for part in histories]).take(rows),
        times=np.concatenate([part.times for part in histories])[rows],
        subjects=StringTable.concatenated([part.subjects for part in histories]).take(rows),
        paths=StringTable.pack(paths),
        file_ptr=np.searchsorted(file_rows, np.arange(len(rows) + 1)).astype(np.int64),
        file_ids=file_ids,
        messages=merged(messages, len(rows), 1),
        complete=complete,
    )


def _files(
    parts: Sequence[tuple[str, History]], new_rows: Sequence[NDArray[np.int32]]
) -> tuple[list[str], NDArray[np.int32], NDArray[np.int32]]:
    """Return the sorted paths that chosen commits touch, and sorted pairs of commit and path as two arrays."""
    rows = [np.repeat(new, np.diff(part.file_ptr)) for (_, part), new in zip(parts, new_rows, strict=True)]
    used = [distinct(part.file_ids[row >= 0]) for (_, part), row in zip(parts, rows, strict=True)]
    named = [
        [prefix + path for path in part.paths.pick(ids.tolist())]
        for (prefix, part), ids in zip(parts, used, strict=True)
    ]
    paths = sorted({path for own in named for path in own})
    number = {path: i for i, path in enumerate(paths)}
    renumbered = []
    for (_, part), own, ids in zip(parts, named, used, strict=True):
        table = np.full(len(part.paths), -1, np.int32)
        table[ids] = [number[path] for path in own]
        renumbered.append(table[part.file_ids])
    all_rows, all_ids = np.concatenate(rows), np.concatenate(renumbered)
    keep = all_rows >= 0
    all_rows, all_ids = all_rows[keep], all_ids[keep]
    order = np.lexsort((all_ids, all_rows))
    return paths, all_rows[order], all_ids[order]
