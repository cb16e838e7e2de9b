"""What surrounds a change: namesakes and neighbours of the changed files, and users of the changed symbols.

All of them are silent where the task is no diff, and never return the changed files themselves.
"""

from __future__ import annotations

import numpy as np

from zeroin.index.locate import changed_docs, main_changed_docs, stem_key
from zeroin.index.postings import Array
from zeroin.index.view import View
from zeroin.terms import term_id
from zeroin.types import Origin, Query

_MAX_NAMESAKES = 12  # files called `index` are not kin
_MAX_USERS_SHARE = 0.1  # of all files: a name used in more is everybody's
_MIN_USERS = 8
_MIN_NAME = 4


class Namesakes:
    """Files called like a changed file, test and implementation marks aside: `foo.py`, `test_foo.py`."""

    name = "namesake"

    def scores(self, query: Query, view: View) -> Array:
        scores = np.zeros(len(view.snapshot), np.float32)
        changed = changed_docs(query, view)
        if not changed:
            return scores
        by_core: dict[str, list[int]] = {}
        for doc, path in enumerate(view.paths):
            by_core.setdefault(stem_key(path), []).append(doc)
        for doc in main_changed_docs(query, view):
            kin = by_core[stem_key(view.paths[doc])]
            if 1 < len(kin) <= _MAX_NAMESAKES:
                scores[kin] += 1 / np.sqrt(len(kin) - 1)
        scores[changed] = 0
        return scores


class Neighbours:
    """Files in the folder of a changed file: the more of the change is there, and the fewer files, the better."""

    name = "folder"

    def scores(self, query: Query, view: View) -> Array:
        scores = np.zeros(len(view.snapshot), np.float32)
        changed = changed_docs(query, view)
        if not changed:
            return scores
        folders: dict[str, list[int]] = {}
        for doc, path in enumerate(view.paths):
            folders.setdefault(path.rpartition("/")[0], []).append(doc)
        for doc in main_changed_docs(query, view):
            beside = folders[view.paths[doc].rpartition("/")[0]]
            scores[beside] += 1 / np.sqrt(len(beside))
        scores[changed] = 0
        return scores


class Callers:
    """Files that use names which the change defines, moves or uses: Σ weight × idf over rare names."""

    name = "callers"

    def scores(self, query: Query, view: View) -> Array:
        scores = np.zeros(len(view.snapshot), np.float32)
        changed = changed_docs(query, view)
        if not changed:
            return scores
        names = view.snapshot.names
        most = max(_MIN_USERS, _MAX_USERS_SHARE * len(view.snapshot))
        for mention in query.symbols:
            if mention.origin is not Origin.DIFF or len(mention.name) < _MIN_NAME:
                continue
            identity = term_id(mention.name)
            rows = names.rows(identity)
            if 0 < rows.stop - rows.start <= most:
                scores[names.docs[rows]] += mention.weight * names.idf(identity)
        scores[changed] = 0
        return scores
