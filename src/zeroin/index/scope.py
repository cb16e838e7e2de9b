"""Which documents a query may return: the caller's includes, and everything that is excluded."""

from __future__ import annotations

import numpy as np

from zeroin.index.postings import Array
from zeroin.index.view import View
from zeroin.types import Query


def in_scope(query: Query, view: View) -> Array:
    """1 for documents that may be returned, else 0, shape (D,). Globs follow the rules of gitignore."""
    allowed = np.ones(len(view.snapshot), np.float32)
    if query.includes:
        allowed[:] = 0
        allowed[view.matching(query.includes)] = 1
    if query.excludes:
        allowed[view.matching(query.excludes)] = 0
    return allowed
