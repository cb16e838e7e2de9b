"""Several repositories as one tree: each is opened, and those that the task is likely to be about are joined."""

from __future__ import annotations

import time
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from zeroin.answer import MemberState
from zeroin.corpus.source import open_source
from zeroin.errors import GitError, RepositoryError, ZeroinError
from zeroin.index.opening import Opened
from zeroin.protocols import Source
from zeroin.types import Query
from zeroin.workspace.members import Member
from zeroin.workspace.names import Names
from zeroin.workspace.repository import Effort, open_tree
from zeroin.workspace.selection import FLOOR, selected, shares_of, signals_of
from zeroin.workspace.tree import Below, joined

_LISTING = 8  # repositories that git lists at once


@dataclass(frozen=True, slots=True)
class Workspace:
    """Several repositories opened as one tree, of which the likeliest are searched."""

    opened: Opened
    names: Names
    members: tuple[MemberState, ...]
    shares: Mapping[str, float]  # of the searched ones: the probability that the task is about it, by name

    @property
    def kept(self) -> tuple[tuple[str, str, str | None], ...]:
        """Name, path and revision of every member, by which it is opened again."""
        return tuple((m.name, m.path, m.revision.rev or None) for m in self.members)

    def prior(self, paths: Sequence[str]) -> NDArray[np.float64]:
        """Log odds that a file loses where the task is less likely to be about its repository."""
        best = max(self.shares.values())
        lost = {name: np.log(max(share / best, FLOOR)) for name, share in self.shares.items()}
        return np.array([lost[path.partition("/")[0]] for path in paths], np.float64)


def open_workspace(members: Sequence[Member], query: Query, effort: Effort) -> Workspace:
    """Open the members that the query is likely to be about.

    One that cannot be opened is a warning. Raises what the first one raises where none can.
    """
    trees, warnings = open_members(members, effort)
    return workspace_of(trees, query, warnings)


def workspace_of(trees: Sequence[Below], query: Query, warnings: Sequence[str] = ()) -> Workspace:
    """Return opened members as one tree of those that the query is likely to be about."""
    names = [tree.prefix[:-1] for tree in trees]
    views = [tree.opened.view for tree in trees]
    shares = shares_of(signals_of(query, names, views))
    chosen = selected(shares, [len(view.snapshot) for view in views])
    whole: list[Opened] = []
    translated = Names(names, lambda path: bool(whole) and _knows(whole[0], path))
    # Which ones are searched differs from question to question, unless all are.
    every = len(chosen) == len(trees)
    opened = joined([trees[at] for at in chosen], names=translated, keep=every)
    whole.append(replace(opened, warnings=(*warnings, *opened.warnings)))
    states = [
        MemberState(
            name,
            str(tree.opened.root),
            tree.opened.tree,
            len(tree.opened.view.snapshot),
            float(shares[at]),
            at in chosen,
        )
        for at, (name, tree) in enumerate(zip(names, trees, strict=True))
    ]
    return Workspace(whole[0], translated, tuple(states), {names[at]: float(shares[at]) for at in chosen})


def open_members(members: Sequence[Member], effort: Effort) -> tuple[list[Below], list[str]]:
    """Return the members that can be opened, and what is wrong with them and the others."""
    trees: list[Below] = []
    warnings: list[str] = []
    failed: list[ZeroinError] = []
    with ThreadPoolExecutor(min(_LISTING, len(members))) as pool:
        for at, (member, source) in enumerate(zip(members, pool.map(_listed, members), strict=True)):
            if isinstance(source, ZeroinError):
                failed.append(source)
                warnings.append(f"{member.name} was not searched: {source}")
                continue
            opened = open_tree(source, _share_of(effort, member.name, len(members) - at))
            warnings += [f"{member.name}: {warning}" for warning in opened.warnings]
            trees.append(Below(f"{member.name}/", replace(opened, warnings=())))
    if not trees:
        raise failed[0]
    return trees, warnings


def _listed(member: Member) -> Source | ZeroinError:
    """Return the source of a member, its files listed: mostly waiting for git, so several at once."""
    try:
        source = open_source(member.path, member.rev)
        source.list()
    except (GitError, RepositoryError) as error:
        return error
    return source


def _share_of(effort: Effort, name: str, left: int) -> Effort:
    """Return the effort for one of the members that are left: an equal part of the time."""

    def progress(what: str, done: int, total: int) -> None:
        effort.progress(f"{name}: {what}", done, total)

    if effort.deadline is None:
        return replace(effort, progress=progress)
    now = time.monotonic()
    return replace(effort, progress=progress, deadline=now + max(0.0, effort.deadline - now) / left)


def _knows(opened: Opened, path: str) -> bool:
    """Whether a file, a folder of one, or a file that is left out has the path."""
    if path in opened.view.numbers:
        return True
    paths = opened.view.paths
    at = bisect_left(paths, f"{path}/")
    return (at < len(paths) and paths[at].startswith(f"{path}/")) or any(
        s.path == path for s in opened.skipped
    )
