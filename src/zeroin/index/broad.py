"""Commits that say nothing of any file, since they touched most of them: an import, a new licence, a formatter."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from zeroin.index.history import History

_FEW = 15  # files that a change may touch however small the tree is
_MOST = 0.5  # of the files that are there


def narrowed(history: History, numbers: Mapping[str, int]) -> History:
    """The history with no files in commits that touched more than half of the documents of `numbers` (by path)."""
    there = np.array([path in numbers for path in history.paths], bool)
    ends = np.concatenate(([0], np.cumsum(there[history.file_ids]))) if len(there) else np.zeros(1, np.int64)
    touched = ends[history.file_ptr[1:]] - ends[history.file_ptr[:-1]]
    broad = touched > max(_FEW, _MOST * len(numbers))
    if not broad.any():
        return history
    sizes = np.diff(history.file_ptr)
    kept = ~np.repeat(broad, sizes)
    pointers = np.concatenate(([0], np.cumsum(np.where(broad, 0, sizes)))).astype(history.file_ptr.dtype)
    return replace(history, file_ids=history.file_ids[kept], file_ptr=pointers)
