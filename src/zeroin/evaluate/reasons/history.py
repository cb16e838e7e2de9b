"""Reasons from what was changed: commits that resemble the task, a file's own, and those it shares with the best."""

from __future__ import annotations

from collections.abc import Sequence

from zeroin.evaluate.reasons.wording import commits, shortened
from zeroin.index.history import bm25_commits
from zeroin.index.view import View
from zeroin.terms import term_id, weighted_terms
from zeroin.types import Candidate, Evidence, Query, Reason

_COMMITS = 150  # as many as the retriever looks at


def resembling(query: Query, view: View) -> tuple[int, ...]:
    """Commits (rows of the history) whose message resembles the task, best first."""
    if view.history is None:
        return ()
    terms = {term_id(t): w for t, w in weighted_terms(query.own).items()}
    return tuple(bm25_commits(view.history, terms, _COMMITS)[0].tolist())


def resembling_reason(candidate: Candidate, alike: Sequence[int], view: View) -> Reason | None:
    """The commit that resembles the task most (`alike`, best first) and changed the file."""
    history = view.history
    if history is None:
        return None
    mine = view.commits_of(candidate.doc)
    commit = next((c for c in alike if c in mine), None)
    if commit is None:
        return None
    identity, subject = history.commits[commit], history.subjects[commit]
    text = f"commit {identity[:10]} “{shortened(subject)}” resembles the task and changed it"
    return Reason("history", text, (Evidence(candidate.path, commit=identity, text=subject),))


def changes_reason(candidate: Candidate, view: View) -> Reason | None:
    """How often the file was changed, and when last."""
    history = view.history
    mine = sorted(view.commits_of(candidate.doc))
    if history is None or not mine:
        return None
    identity, subject = history.commits[mine[0]], history.subjects[mine[0]]
    text = f"changed in {commits(len(mine))}, last in {identity[:10]} “{shortened(subject)}”"
    return Reason("changes", text, (Evidence(candidate.path, commit=identity, text=subject),))


def together_reason(candidate: Candidate, best: Sequence[int], view: View) -> Reason | None:
    """The document among the `best` that most commits changed together with the file."""
    history = view.history
    mine = view.commits_of(candidate.doc)
    together = {doc: view.commits_of(doc) & mine for doc in best if doc != candidate.doc}
    most = max(together, key=lambda doc: (len(together[doc]), -best.index(doc)), default=None)
    if history is None or most is None or not together[most]:
        return None
    commit = history.commits[min(together[most])]
    text = f"changed together with {view.paths[most]} in {commits(len(together[most]))}"
    return Reason("cochange", text, (Evidence(view.paths[most], commit=commit),))
