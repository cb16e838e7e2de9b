"""The history of a repository: which files changed together, and the terms of commit messages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zeroin.errors import CacheError
from zeroin.index import arrays
from zeroin.index.arrays import StringTable
from zeroin.index.postings import FieldWeights, Postings, bm25f

HISTORY_VERSION = 3
_MESSAGES = FieldWeights((1.0,), b=(0.6,), k1=1.0)  # short texts, so lengths count little
# A commit that touched more files than this, and a larger share of all files, is evidence for none.
_BROAD_FILES, _BROAD_SHARE = 15, 0.5


@dataclass(frozen=True, slots=True, eq=False)
class History:
    """C commits, newest first by (time, id).

    `times` (C,) int64, seconds since 1970. Files of commit c: `file_ids[file_ptr[c]:file_ptr[c + 1]]`, int32 into
    `paths` (relative to the source's prefix). `messages` are postings of which the commits are the documents, with one
    field. `complete` is False when the deadline came first; then the newest commits are there.
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
    """Return the history without the files of commits that touched most documents: an import, a formatter.

    `docs` is the document of each path of the history, -1 for a deleted one; `documents` is their number.
    """
    ends = np.concatenate(([0], np.cumsum(docs[history.file_ids] >= 0)))
    touched = ends[history.file_ptr[1:]] - ends[history.file_ptr[:-1]]
    broad = touched > max(_BROAD_FILES, _BROAD_SHARE * documents)
    if not broad.any():
        return history
    sizes = np.diff(history.file_ptr)
    kept = ~np.repeat(broad, sizes)
    pointers = np.concatenate(([0], np.cumsum(np.where(broad, 0, sizes)))).astype(history.file_ptr.dtype)
    return replace(history, file_ids=history.file_ids[kept], file_ptr=pointers)
