"""Files around a change: called like the changed ones, beside them, or using the changed symbols.

All lists are empty where the task is no diff, and never hold the changed files themselves.
"""

import posixpath
from collections.abc import Callable, Sequence

import numpy as np

from zeroin.index.locate import changed_docs, main_changed_docs, stem_key
from zeroin.index.postings import Array
from zeroin.index.view import View
from zeroin.terms import term_id
from zeroin.types import Origin, Query

_MAX_SAME_STEM = 12  # more files of one stem (`index`) are not related
_MAX_USERS_SHARE, _MIN_USERS = 0.1, 8  # of all files: a name used in more files is too common to relate them
_MIN_NAME = 4


def same_stem(query: Query, view: View) -> Array:
    """Score files named like a changed file, test markers aside: 1 / √(other files of that name)."""
    return _near_changed(query, view, stem_key, lambda n: 1 / np.sqrt(n - 1) if 1 < n <= _MAX_SAME_STEM else 0.0)


def same_folder(query: Query, view: View) -> Array:
    """Score files in the folder of a changed file: 1 / √(files of the folder) for each changed file."""
    return _near_changed(query, view, posixpath.dirname, lambda n: 1 / np.sqrt(n))


def _near_changed(query: Query, view: View, key: Callable[[str], str], weight: Callable[[int], float]) -> Array:
    """Group files by `key` and score each by Σ weight(size of its group) over the group's changed files."""
    scores = np.zeros(len(view.snapshot), np.float32)
    changed = changed_docs(query, view)
    groups: dict[str, list[int]] = {}
    for doc, path in enumerate(view.paths if changed else ()):
        groups.setdefault(key(path), []).append(doc)
    for doc in main_changed_docs(query, view) if changed else ():
        group: Sequence[int] = groups[key(view.paths[doc])]
        scores[group] += weight(len(group))
    scores[changed] = 0
    return scores


def callers(query: Query, view: View) -> Array:
    """Score files by the rare names of the change that they use: Σ weight × idf."""
    scores = np.zeros(len(view.snapshot), np.float32)
    changed, names = changed_docs(query, view), view.snapshot.names
    most = max(_MIN_USERS, _MAX_USERS_SHARE * len(view.snapshot))
    for mention in query.symbols if changed else ():
        rows = names.rows(term_id(mention.name))
        rare = len(mention.name) >= _MIN_NAME and 0 < rows.stop - rows.start <= most
        if mention.origin is Origin.DIFF and rare:
            scores[names.docs[rows]] += mention.weight * names.idf(term_id(mention.name))
    scores[changed] = 0
    return scores
