"""One shard: some repositories of a workspace, opened and kept open. A Ray actor holds it; this module imports no Ray.

Its methods are the steps of `workspace.opening` for its own repositories; summed over all shards, the statistics are
those of one machine.
"""

from __future__ import annotations

import gc
import os
import platform
import sys
import time
from collections import deque
from collections.abc import Collection, Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass, fields
from threading import Event, Lock, RLock, Thread
from typing import Any

from zeroin import __version__
from zeroin.answer import MemberState
from zeroin.corpus.revision import Revision
from zeroin.corpus.source import open_source
from zeroin.corpus.stamp import Stamp, stamp_of
from zeroin.errors import FleetError, GitError, RepositoryError, ZeroinError
from zeroin.fleet.reading import Reader
from zeroin.imports.tree import Outward
from zeroin.index.gather import Effort
from zeroin.index.history import History
from zeroin.index.opening import Opened
from zeroin.index.snapshot import Snapshot
from zeroin.index.view import View
from zeroin.protocols import Contents
from zeroin.tree import Entry, TreeState
from zeroin.types import Query
from zeroin.workspace.copies import sketch_of
from zeroin.workspace.members import Member
from zeroin.workspace.opening import Outcome, open_members, state_of
from zeroin.workspace.selection import Rows, WordCounts, evidence_of, word_counts_of
from zeroin.workspace.tree import Below, outward_of

_WATCH_S = 2.0  # between two looks for changes with git
_TAKEN_OVER = ("ZEROIN_CACHE_DIR", "ZEROIN_FACTS")
_JOBS = 2  # not 1: a file that crashes its parser then ends a worker process, not the shard
REOPEN_WAIT_S = 4.0  # after a ref has moved: until then a question waits for the repository to be reopened
_OPENING = 2  # repositories that are opened anew at the same time
_COMPARE_S = 0.25  # between two comparisons of stamps (`corpus.stamp`)
_COMPARE_SHARE = 0.1  # of a shard's time, for these comparisons
# New containers before Python collects garbage: with its default of 700 that takes a sixth of a question's time.
_COLLECT_AFTER = 100_000
_WATCH_SHARE = 0.2  # of a shard's time, for looking for changes with git


@dataclass(frozen=True, slots=True)
class Setting:
    """Settings that an actor takes over from its caller: the version both must have, and where cache and facts are."""

    version: str
    environment: Mapping[str, str]

    @classmethod
    def here(cls) -> Setting:
        return cls(__version__, {name: os.environ[name] for name in _TAKEN_OVER if name in os.environ})

    def apply(self) -> None:
        """Apply it to this process, and collect garbage less often. Raises `FleetError` for another version."""
        if self.version != __version__:
            raise FleetError(f"this node has zeroin {__version__}, and the caller {self.version}")
        os.environ.update(self.environment)
        gc.set_threshold(_COLLECT_AFTER)


@dataclass(frozen=True, slots=True)
class ShardStatistics:
    """The first answer of a shard to a question: states of its repositories, statistics, warnings and errors."""

    members: tuple[MemberState, ...]
    counts: WordCounts
    warnings: tuple[tuple[str, str], ...]  # name of the member, and a sentence
    errors: tuple[tuple[str, str], ...]  # name of a member, and why it could not be opened


@dataclass(frozen=True, slots=True)
class Load:
    """What a shard holds, and the time and memory that it took."""

    host: str
    members: int
    files: int
    analysed: int
    seconds: float  # that opening took
    memory: int  # bytes, the peak of the process


@dataclass(frozen=True, slots=True)
class Parcel:
    """An opened repository without the contents of its files, to be sent to the caller."""

    snapshot: Snapshot
    history: History
    entries: tuple[Entry, ...]
    outward: Outward
    others: dict[str, Any]  # fields of `Opened`

    @classmethod
    def of(cls, tree: Below) -> Parcel:
        opened, view = tree.opened, tree.opened.view
        others = {field.name: getattr(opened, field.name) for field in fields(opened) if field.name != "view"}
        return cls(view.snapshot, view.all_commits, tuple(view.entries), outward_of(tree), others)

    def opened(self, contents: Contents) -> Opened:
        view = View(self.snapshot, self.history, contents, self.entries)
        view.outward = self.outward
        return Opened(view=view, **self.others)


@dataclass(frozen=True, slots=True)
class _Watched:
    """The last stamp of a repository, and the reopening that began when it changed."""

    stamp: Stamp
    at: float = 0.0  # when the reopening began (monotonic)
    reopening: Future[None] | None = None


class Shard:
    """Some repositories of a workspace. Safe to ask from several threads."""

    def __init__(self, members: Sequence[Member], setting: Setting) -> None:
        setting.apply()
        self._members = {member.name: member for member in members}
        self._outcomes: dict[str, Outcome] | None = None
        self._lock = RLock()  # guards `_outcomes` and `_analysed`
        self._turns = {name: Lock() for name in self._members}  # held while a repository is reopened
        self._watched: dict[str, _Watched] = {}
        self._comparing = Lock()
        self._closed = Event()
        self._openers = ThreadPoolExecutor(_OPENING)
        self._reader = Reader()
        self._seconds = 0.0
        self._analysed = 0
        Thread(target=self._watch, daemon=True).start()

    def close(self) -> None:
        self._closed.set()

    def refresh(self, names: Collection[str] | None = None) -> Load:
        """Reopen the repositories that changed, None for all; until then questions are answered from the old state."""
        self._opened()
        for name in self._of(names):
            self._reopen_if_changed(self._members[name])
        return self.load()

    def load(self) -> Load:
        trees = self._trees(None)
        files = sum(len(tree.opened.view.snapshot) for tree in trees)
        return Load(platform.node(), len(trees), files, self._analysed, self._seconds, _peak())

    def found(self, query: Query, names: Collection[str] | None, reopen_wait_s: float) -> ShardStatistics:
        """Return states and statistics of the repositories with these names, None for all."""
        self._opened()
        self._compare_stamps(self._of(names))
        self._wait_for_reopening(names, reopen_wait_s)
        chosen = self._of(names)
        outcomes = [outcome for name, outcome in self._opened().items() if name in chosen]
        trees = [outcome.tree for outcome in outcomes if outcome.tree is not None]
        return ShardStatistics(
            tuple(map(state_of, trees)),
            word_counts_of(query, [tree.opened.view for tree in trees]),
            tuple((outcome.name, warning) for outcome in outcomes for warning in outcome.warnings),
            tuple((outcome.name, str(outcome.error)) for outcome in outcomes if outcome.error is not None),
        )

    def evidence(
        self, task: str, query: Query, names: Collection[str] | None, counts: WordCounts, reopen_wait_s: float
    ) -> tuple[tuple[MemberState, ...], Rows, list[bytes]]:
        """Return states, evidence and sketches of the repositories; `counts` are the statistics of all shards."""
        self._opened()
        self._wait_for_reopening(names, reopen_wait_s)  # another replica may have answered the first step
        trees = self._trees(names)
        states = tuple(map(state_of, trees))
        views = [tree.opened.view for tree in trees]
        evidence = evidence_of(task, query, [state.name for state in states], views, counts)
        return states, evidence, [sketch_of(view.snapshot) for view in views]

    def parcels(self, names: Sequence[str]) -> list[Parcel | None]:
        """Return the parcels of the repositories with these names, in that order; None for one that is not open."""
        trees = {tree.prefix[:-1]: tree for tree in self._trees(names)}
        return [Parcel.of(trees[name]) if name in trees else None for name in names]

    def read(self, wanted: Sequence[tuple[str, Entry]]) -> list[bytes | None]:
        """Return the contents of files, each given by its repository's name and entry; None for an unreadable one."""
        trees = {tree.prefix[:-1]: tree for tree in self._trees({name for name, _ in wanted})}
        there = [(trees[name].opened.view.contents, entry) for name, entry in wanted if name in trees]
        found = iter(self._reader.read(there))
        return [next(found) if name in trees else None for name, _ in wanted]

    def _trees(self, names: Collection[str] | None) -> list[Below]:
        outcomes, chosen = self._opened(), self._of(names)
        return [o.tree for name, o in outcomes.items() if name in chosen and o.tree is not None]

    def _opened(self) -> dict[str, Outcome]:
        with self._lock:
            if self._outcomes is None:
                began = time.monotonic()
                # Before opening: a push meanwhile changes the stamp, and the repository is reopened.
                self._watched = {n: _Watched(stamp_of(m.path, m.rev)) for n, m in self._members.items()}
                members = [*self._members.values()]
                self._outcomes = {o.name: o for o in open_members(members, Effort(jobs=_JOBS))}
                self._seconds = time.monotonic() - began
                self._analysed = sum(map(_analysed, self._outcomes.values()))
            return self._outcomes

    def _watch(self) -> None:
        """Look for changes until closed: compare all stamps, and look with git at one repository after another.

        Each repository has its turn every `_WATCH_S`, or later where that would exceed `_WATCH_SHARE`.
        """
        turns = deque(self._members.values())
        due, pause = 0.0, 0.0
        while not self._closed.wait(pause):
            pause = _COMPARE_S
            if self._outcomes is not None:
                began = time.monotonic()
                self._compare_stamps(self._members)
                pause = max(pause, (time.monotonic() - began) / _COMPARE_SHARE)
                end = time.monotonic() + pause
                while due <= (began := time.monotonic()) < end:
                    self._reopen_quietly(turns[0])
                    turns.rotate(-1)
                    took = time.monotonic() - began
                    due = max(due, began - pause) + max(_WATCH_S / len(turns), took / _WATCH_SHARE)

    def _compare_stamps(self, names: Iterable[str]) -> None:
        """Begin to reopen repositories whose stamp has changed."""
        for name in names:
            member = self._members[name]
            with self._comparing:
                stamp = stamp_of(member.path, member.rev)
                if stamp != self._watched[name].stamp:
                    reopening = self._openers.submit(self._reopen_quietly, member)
                    self._watched[name] = _Watched(stamp, time.monotonic(), reopening)

    def _wait_for_reopening(self, names: Collection[str] | None, seconds: float) -> None:
        """Wait for repositories (None: all) that are being reopened, until `seconds` after their stamps changed.

        So a question that begins after a small push finds it. Changes that a stamp does not show are not waited for.
        """
        seen = [self._watched[name] for name in self._of(names) if name in self._watched]
        under_way = [(one.at, one.reopening) for one in seen if one.reopening is not None and not one.reopening.done()]
        if under_way:
            left_s = max(at for at, _ in under_way) + seconds - time.monotonic()
            wait([reopening for _, reopening in under_way], max(0.0, left_s))

    def _of(self, names: Collection[str] | None) -> Collection[str]:
        return self._members.keys() if names is None else self._members.keys() & set(names)

    def _reopen_quietly(self, member: Member) -> None:
        with suppress(OSError, ZeroinError):  # the next look tries again
            self._reopen_if_changed(member)

    def _reopen_if_changed(self, member: Member) -> None:
        self._opened()
        with self._turns[member.name]:
            before = self._opened()[member.name]
            if before.tree is not None and _is_at(member, before.tree.opened.tree):
                return
            (after,) = open_members([member], Effort(jobs=_JOBS))
            if not _same(before, after):
                with self._lock:
                    self._analysed += _analysed(after)
                    self._outcomes = {**self._opened(), member.name: after}


def _is_at(member: Member, state: TreeState) -> bool:
    """Whether a revision still leads to this commit; False for a work tree, which only listing its files can tell."""
    if member.rev is not None and member.rev == state.commit:
        return True
    try:
        source = open_source(member.path, member.rev)
    except (GitError, RepositoryError):
        return False
    return isinstance(source, Revision) and source.commit == state.commit


def _same(before: Outcome, after: Outcome) -> bool:
    """Whether two outcomes are of the same state; the first is kept then, with all that it has cached."""
    old, new = (outcome.tree.opened.tree if outcome.tree is not None else None for outcome in (before, after))
    return old == new and before.warnings == after.warnings


def _analysed(outcome: Outcome) -> int:
    return outcome.tree.opened.analysed if outcome.tree is not None else 0


def _peak() -> int:
    """Return the peak memory of this process in bytes; 0 where the system does not report it."""
    if sys.platform == "win32":
        return 0
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
