"""Retrieval by commits: files whose commit messages match the task, and files changed together with the best files.

Measured on issues, the ranking by commit messages alone puts a wanted file into the top five more often than the words
of the files do.
"""

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
_MAX_COCHANGED = 30  # a commit with more files is left out of co-change


def history(query: Query, view: View) -> Array:
    """Score files by commit messages, shape (D,).

    Σ over matching commits of (BM25 / best BM25)² / √(files of the commit).
    """
    scores = np.zeros(len(view.snapshot), np.float32)
    if not len(view.history):
        return scores
    commits, values = bm25_commits(view.history, weighted_ids(query.own), _COMMITS)
    for commit, value in zip(commits, values / values[:1], strict=True):
        files = view.history.files_of(int(commit))
        if 0 < len(files) <= _MAX_FILES:
            docs = view.history_docs[files]
            np.add.at(scores, docs[docs >= 0], value**_SHARPNESS / np.sqrt(len(files)))
    return scores


def cochange(view: View, seeds: Array) -> Array:
    """Score files by co-change, shape (D,).

    Σ over the commits of a seed of (score of the seed) / (commits of the seed × √(files of the commit)).
    """
    scores = np.zeros(len(view.snapshot), np.float32)
    if not len(view.history):
        return scores
    for doc in (int(d) for d in np.argsort(-seeds, kind="stable")[:_SEEDS] if seeds[d] > 0):
        commits = np.array(sorted(view.commits_of(doc))[:_SEED_COMMITS], np.int64)
        starts = view.history.file_ptr[commits]
        sizes = view.history.file_ptr[commits + 1] - starts
        few = sizes <= _MAX_COCHANGED
        starts, sizes = starts[few], sizes[few]
        # The rows of all files of these commits, one commit after the other.
        rows = np.repeat(starts - np.cumsum(sizes) + sizes, sizes) + np.arange(sizes.sum())
        docs = view.history_docs[view.history.file_ids[rows]]
        shares = np.repeat(seeds[doc] / max(1, len(commits)) / np.sqrt(sizes), sizes)
        other = (docs >= 0) & (docs != doc)
        np.add.at(scores, docs[other], shares[other])
    return scores
