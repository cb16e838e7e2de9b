"""Retrieval by commits: files changed by commits whose message matches the task; files changed along with the best.

Measured on issues, the ranking by commit messages alone puts a wanted file into the top five more often than the words
of the files do.
"""

from __future__ import annotations

import numpy as np

from zeroin.index.history import bm25_commits
from zeroin.index.postings import Array
from zeroin.index.view import View
from zeroin.terms import weighted_ids
from zeroin.types import Query

_COMMITS = 150  # best matches
_MAX_FILES = 40  # a commit that touches more says little of each
_SHARPNESS = 2.0  # power of the score: many faint matches do not outweigh one good one
_SEEDS = 10  # best files
_SEED_COMMITS = 200  # newest commits of each
_MAX_COCHANGED = 30  # files of a commit that counts


def history(query: Query, view: View) -> Array:
    """Score files by commit messages, shape (D,).

    Σ over matching commits of (BM25 / best BM25)² / √(files of the commit).
    """
    scores = np.zeros(len(view.snapshot), np.float32)
    if view.history is None or not len(view.history.times):
        return scores
    commits, values = bm25_commits(view.history, weighted_ids(query.own), _COMMITS)
    for commit, value in zip(commits, values / values[:1], strict=True):
        files = view.history.files_of(int(commit))
        if 0 < len(files) <= _MAX_FILES:
            docs = view.history_docs[files]
            np.add.at(scores, docs[docs >= 0], value**_SHARPNESS / np.sqrt(len(files)))
    return scores


def cochange(query: Query, view: View, seeds: Array) -> Array:
    """Score files by co-change, shape (D,).

    Σ over the commits of a seed of (score of the seed) / (commits of the seed × √(files of the commit)).
    """
    scores = np.zeros(len(view.snapshot), np.float32)
    if view.history is None or not len(view.history.times):
        return scores
    for doc in (int(d) for d in np.argsort(-seeds, kind="stable")[:_SEEDS] if seeds[d] > 0):
        commits = sorted(view.commits_of(doc))[:_SEED_COMMITS]
        for commit in commits:
            files = view.history.files_of(int(commit))
            if len(files) <= _MAX_COCHANGED:
                docs = view.history_docs[files]
                docs = docs[(docs >= 0) & (docs != doc)]
                np.add.at(scores, docs, seeds[doc] / len(commits) / np.sqrt(len(files)))
    return scores
