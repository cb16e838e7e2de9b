"""Which documents a query may return: the caller's includes but no excludes, and what the caller called relevant.

For a change without includes, lock files, generated files and changelogs are excluded: they go along with any change.
"""

import numpy as np

from zeroin.config import Options
from zeroin.index.postings import Array
from zeroin.index.view import View
from zeroin.types import Origin, Query


def in_scope(query: Query, view: View) -> Array:
    """Return 1 for documents that may be returned, else 0, shape (D,). Globs follow the rules of gitignore."""
    allowed = np.ones(len(view.snapshot), np.float32)
    if query.includes:
        allowed[:] = 0
        allowed[view.matching(query.includes)] = 1
    if query.excludes:
        allowed[view.matching(query.excludes)] = 0
    if not query.includes and any(mention.origin is Origin.DIFF for mention in query.paths):
        allowed[view.bookkeeping] = 0
    allowed[view.docs_of(query.relevant)] = 1
    return allowed


def unmatched(query: Query, options: Options, view: View) -> list[str]:
    """Return a warning for each glob of the caller that names no document, or that together they leave none.

    `query` has the globs in the view's form.
    """
    given = [("include", *pair) for pair in zip(options.includes, query.includes, strict=True)]
    given += [("exclude", *pair) for pair in zip(options.excludes, query.excludes, strict=True)]
    out = [f"{name} {said!r} matches no file here" for name, said, glob in given if not view.matches(glob)]
    if given and not out and not in_scope(query, view).any():
        out = ["includes and excludes together leave no file to search"]
    return out
