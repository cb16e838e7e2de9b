"""One shard: some repositories of a workspace, opened and kept open. An actor of Ray holds it; nothing here knows that.

Its answers are the steps of `workspace.opening`, for its own repositories: numbers that add up to those of one machine.
"""

from __future__ import annotations

import os
import platform
import sys
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass, fields
from threading import Lock
from typing import Any

from zeroin import __version__
from zeroin.answer import MemberState
from zeroin.errors import FleetError
from zeroin.index.history import History
from zeroin.index.opening import Opened
from zeroin.index.snapshot import Snapshot
from zeroin.index.view import View
from zeroin.protocols import Contents
from zeroin.tree import Entry
from zeroin.types import Query
from zeroin.workspace.members import Member
from zeroin.workspace.opening import Outcome, open_members, state_of
from zeroin.workspace.repository import Effort
from zeroin.workspace.selection import Rows, Tally, evidence_of, tally_of
from zeroin.workspace.tree import Below

_JOBS = 2  # not 1: a file may cost itself, and not the shard


@dataclass(frozen=True, slots=True)
class Setting:
    """What a shard takes over from who starts it: the version that both must have, and the folder of the cache."""

    version: str
    cache: str | None


@dataclass(frozen=True, slots=True)
class Found:
    """What a shard knows of its repositories for a question: their states, the statistics, what is wrong with them."""

    members: tuple[MemberState, ...]
    tally: Tally
    warnings: tuple[tuple[str, str], ...]  # name of the member, and a sentence
    errors: tuple[tuple[str, str], ...]  # why one could not be opened


@dataclass(frozen=True, slots=True)
class Load:
    """What a shard holds and takes."""

    host: str
    members: int
    files: int
    analysed: int
    seconds: float  # that opening took
    memory: int  # bytes at most


@dataclass(frozen=True, slots=True)
class Parcel:
    """A repository that was opened, without the contents of its files."""

    snapshot: Snapshot
    history: History | None
    entries: tuple[Entry, ...]
    others: dict[str, Any]  # fields of `Opened`

    @classmethod
    def of(cls, opened: Opened) -> Parcel:
        view = opened.view
        others = {field.name: getattr(opened, field.name) for field in fields(opened) if field.name != "view"}
        return cls(view.snapshot, view.all_commits, tuple(view.entries), others)

    def opened(self, contents: Contents) -> Opened:
        """Return the repository with its contents read from elsewhere."""
        return Opened(view=View(self.snapshot, self.history, contents, self.entries), **self.others)


class Shard:
    """Some repositories of a workspace. Safe to ask from several threads."""

    def __init__(self, members: Sequence[Member], setting: Setting) -> None:
        if setting.version != __version__:
            raise FleetError(f"this node has zeroin {__version__}, and the caller {setting.version}")
        if setting.cache is not None:
            os.environ["ZEROIN_CACHE_DIR"] = setting.cache
        self._members = tuple(members)
        self._outcomes: dict[str, Outcome] | None = None
        self._lock = Lock()
        self._seconds = 0.0
        self._analysed = 0

    def refresh(self) -> Load:
        """Open every repository as it is now; questions are answered from what was open until it is done."""
        self._open()
        return self.load()

    def load(self) -> Load:
        """Return what the shard holds."""
        trees = self._trees(None)
        files = sum(len(tree.opened.view.snapshot) for tree in trees)
        return Load(platform.node(), len(trees), files, self._analysed, self._seconds, _peak())

    def found(self, query: Query, names: Collection[str] | None) -> Found:
        """Return states and statistics of the repositories with these names, None for all."""
        trees = self._trees(names)
        outcomes = [o for name, o in self._opened().items() if names is None or name in names]
        return Found(
            tuple(map(state_of, trees)),
            tally_of(query, [tree.opened.view for tree in trees]),
            tuple((outcome.name, warning) for outcome in outcomes for warning in outcome.warnings),
            tuple((outcome.name, str(outcome.error)) for outcome in outcomes if outcome.error is not None),
        )

    def evidence(
        self, query: Query, names: Collection[str] | None, tally: Tally
    ) -> tuple[tuple[MemberState, ...], Rows]:
        """Return the states of the repositories and the evidence for each, with the statistics of all shards."""
        trees = self._trees(names)
        states = tuple(map(state_of, trees))
        rows = evidence_of(
            query, [state.name for state in states], [tree.opened.view for tree in trees], tally
        )
        return states, rows

    def parcel(self, name: str) -> Parcel:
        """Return one repository without its contents."""
        return Parcel.of(self._tree(name).opened)

    def read(self, name: str, entries: Sequence[Entry]) -> list[bytes | None]:
        """Return the contents of some files, None for one that cannot be read."""
        return [data for _, data in self._tree(name).opened.view.contents.read(entries)]

    def _tree(self, name: str) -> Below:
        (tree,) = self._trees((name,))
        return tree

    def _trees(self, names: Collection[str] | None) -> list[Below]:
        outcomes = self._opened()
        chosen = outcomes if names is None else [name for name in outcomes if name in names]
        return [tree for name in chosen if (tree := outcomes[name].tree) is not None]

    def _opened(self) -> dict[str, Outcome]:
        return self._outcomes if self._outcomes is not None else self._open()

    def _open(self) -> dict[str, Outcome]:
        before = self._outcomes
        with self._lock:
            if self._outcomes is not None and self._outcomes is not before:
                return self._outcomes  # another thread has just opened them
            began = time.monotonic()
            outcomes = {o.name: o for o in open_members(self._members, Effort(jobs=_JOBS))}
            self._seconds = time.monotonic() - began
            self._analysed = sum(o.tree.opened.analysed for o in outcomes.values() if o.tree is not None)
            self._outcomes = outcomes
            return outcomes


def _peak() -> int:
    """Return the memory that this process took at most, in bytes; 0 where the system does not say."""
    if sys.platform == "win32":
        return 0
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
