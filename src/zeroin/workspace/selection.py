"""Which repositories a task is about: resource selection before retrieval.

The term is Callan's ("Distributed Information Retrieval", 2000). A repository is scored by its best documents, with
statistics of words over all repositories, by the symbols and paths in it that the task names, and by its own name.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from zeroin.config import MAX_TASK_CHARS
from zeroin.dispatch.lexical import CONTENT, PATH, PATH_SHARE, own
from zeroin.dispatch.mentions import paths, symbols
from zeroin.index.postings import Statistics, bm25f
from zeroin.index.view import View
from zeroin.terms import analyse, weighted_ids
from zeroin.types import Query
from zeroin.workspace.copies import Copies

MOST_FILES = 10_000  # of all searched repositories together: the size of one large repository
LEAST_MEMBERS = 3  # searched whatever their size; where one is sure, only if an import leads from or to it
# The right one of a hundred is among the first five in 97.8 % (benchmarks/NOTES.md, 2026-11-28).
MOST_MEMBERS = 50
SURE = 0.99  # no more are searched once the task is about one of them with this probability
_TOP = 3  # documents by which a repository is scored
Rows = NDArray[np.float64]
# Log odds of the signals of `signals_of`, chosen on tuning issues hidden among 105 other repositories; a fit on other
# repositories is no better (benchmarks/NOTES.md, 2026-11-22 and 2026-11-28).
_WEIGHTS = (6.0, 3.0, 2.0, 5.0)
FLOOR = 0.01  # least share relative to the best one in `Workspace.prior`, since selection errs


WordCounts = tuple[Statistics, Statistics]  # of the words of files, and of those of their paths


def word_counts_of(query: Query, views: Sequence[View]) -> WordCounts:
    """Return the statistics of the task's words over some repositories; `total` sums those of several parts."""
    terms = list(weighted_ids(own(query)))
    return (
        Statistics.of([view.snapshot.content for view in views], terms),
        Statistics.of([view.snapshot.path_terms for view in views], terms),
    )


def total(parts: Sequence[WordCounts]) -> WordCounts:
    return Statistics.total([content for content, _ in parts]), Statistics.total([paths for _, paths in parts])


def evidence_of(task: str, query: Query, names: Sequence[str], views: Sequence[View], counts: WordCounts) -> Rows:
    """Return the evidence for some repositories, shape (repositories, 4); `counts` are statistics of all repositories.

    The columns: summed scores of the best documents by words, by symbols and by paths of the task, and the share of the
    terms of the repository's name that the task has.
    """
    keywords = own(query)
    # A report names its program where no keyword comes from: in a command line, an address, a list of versions.
    said = {*analyse(task[:MAX_TASK_CHARS]), *(term for keyword in keywords for term in analyse(keyword.text))}
    weighted = weighted_ids(keywords)
    content, folders = counts
    rows = np.zeros((len(views), len(_WEIGHTS)))
    for row, (name, view) in enumerate(zip(names, views, strict=True)):
        scores = bm25f(view.snapshot.content, weighted, CONTENT, content)
        scores += PATH_SHARE * bm25f(view.snapshot.path_terms, weighted, PATH, folders)
        called = set(analyse(name))
        rows[row] = (
            *(np.sort(found)[-_TOP:].sum() for found in (scores, symbols(query, view), paths(query, view))),
            len(called & said) / max(1, len(called)),
        )
    return rows


def signals_of(evidence: Rows) -> Rows:
    """Return the evidence for all repositories, each column but the last scaled to a maximum of 1."""
    best = evidence.max(axis=0, initial=0.0)
    best[-1] = 1.0
    return evidence / np.where(best > 0, best, 1.0)


def shares_of(signals: Rows) -> NDArray[np.float64]:
    """Return the probability of every repository that the task is about it, shape (repositories,); they sum to 1."""
    score = signals @ np.array(_WEIGHTS)
    weight = np.exp(score - score.max())
    return np.asarray(weight / weight.sum(), np.float64)


class Selected(NamedTuple):
    """Numbers of repositories: `searched` are ascending, `copies` maps one left out to that which it nearly equals.

    `companions` are among the searched, though likelier ones have `SURE` together: to be searched only if an import
    leads from or to one of those.
    """

    searched: list[int]
    companions: frozenset[int] = frozenset()
    copies: Mapping[int, int] = {}


def selected(
    shares: NDArray[np.float64], files: Sequence[int], always: Collection[int] = (), sketches: Sequence[bytes] = ()
) -> Selected:
    """Return the repositories to search: the likeliest, until they have `SURE` or `MOST_FILES` together.

    At most `MOST_MEMBERS`, but `always` those that the caller named. Where not all fit, near copies of a searched one
    (`workspace.copies`) are left out; their probability counts as searched.
    """
    order = sorted(range(len(files)), key=lambda at: (at not in always, -shares[at], at))
    all_fit = sum(files) <= MOST_FILES and len(files) <= MOST_MEMBERS
    known = Copies(sketches) if sketches and not all_fit else None
    chosen: list[int] = []
    companions: set[int] = set()
    copies: dict[int, int] = {}
    total, sum_of_shares = 0, 0.0
    for at in order:
        if at not in always:
            if len(chosen) >= LEAST_MEMBERS and sum_of_shares >= SURE:
                break
            if known is not None and (original := known.original_of(at)) is not None:
                copies[at] = original
                sum_of_shares += float(shares[at])
                continue
            fits = total + files[at] <= MOST_FILES and len(chosen) < MOST_MEMBERS
            if len(chosen) >= LEAST_MEMBERS and not fits:
                break
            if sum_of_shares >= SURE and len(files) > LEAST_MEMBERS:
                companions.add(at)
        chosen.append(at)
        if known is not None:
            known.add(at)
        total += files[at]
        sum_of_shares += float(shares[at])
    return Selected(sorted(chosen), frozenset(companions), copies)
