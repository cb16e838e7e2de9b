"""Commits that say nothing of any file, since they touched most of them: an import, a new licence, a formatter."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from zeroin.index.history import History

_FEW = 15  # files that a change may touch however small the tree is
_MOST = 0.5  # of the files that are there


def narrowed(history: History, docs: NDArray[np.int32], documents: int) -> History:
    """The history with no files in commits that touched more than half of the documents.

    `docs` is the document of each path of the history, -1 for what is gone; `documents` is how many there are.
    """
    ends = np.concatenate(([0], np.cumsum(docs[history.file_ids] >= 0)))
    touched = ends[history.file_ptr[1:]] - ends[history.file_ptr[:-1]]
    broad = touched > max(_FEW, _MOST * documents)
    if not broad.any():
        return history
    sizes = np.diff(history.file_ptr)
    kept = ~np.repeat(broad, sizes)
    pointers = np.concatenate(([0], np.cumsum(np.where(broad, 0, sizes)))).astype(history.file_ptr.dtype)
    return replace(history, file_ids=history.file_ids[kept], file_ptr=pointers)
