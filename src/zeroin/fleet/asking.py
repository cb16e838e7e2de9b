"""A question to a fleet: the same steps as on one machine (`workspace.opening`), each over all shards.

The shards' statistics of the task's words are summed; with the sums each shard computes the evidence for its
repositories. The likeliest repositories are joined here and searched as one tree; contents are read from their shards.
"""

import time
from collections import OrderedDict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from zeroin.answer import MemberState
from zeroin.config import Options
from zeroin.engine import Repository
from zeroin.errors import FleetError, RepositoryError
from zeroin.fleet.cluster import LIMIT_S, Shards, ShardsLostError
from zeroin.fleet.shard import REOPEN_WAIT_S, Parcel, ShardStatistics
from zeroin.query.task import formulate, naming_query
from zeroin.session import Session
from zeroin.tree import Entry, TreeState
from zeroin.types import Query
from zeroin.wording import counted
from zeroin.workspace.members import Member, options_of
from zeroin.workspace.opening import Workspace, searched_as_one, with_shares
from zeroin.workspace.selection import total
from zeroin.workspace.tree import Below, ContentsBelow

# Of the repositories that were used last: their snapshots are kept for the next question.
_KEPT_FILES = 50_000
_STEP_SHARE = 0.3  # of the question's time limit: what one step over all shards may take
_TRIES = 3  # where repositories change meanwhile; the last one accepts the change


class _Changed(Exception):
    """A repository has changed between two steps of a question, or cannot be opened any more."""


class SpreadContents:
    """Contents of files, by paths `NAME/path`, read from the shards that hold them (`protocols.Contents`)."""

    def __init__(self, shards: Shards, place: Mapping[str, int], limit_s: float) -> None:
        self._shards, self._place, self._limit_s = shards, place, limit_s

    def read(self, entries: Iterable[Entry]) -> Iterator[tuple[Entry, bytes | None]]:
        """Yield contents in order, with one call for each shard. Raises `ShardsLostError`."""
        whole = list(entries)
        wanted: dict[int, list[tuple[str, Entry]]] = {}
        held_by = []
        for entry in whole:
            name, _, path = entry.path.partition("/")
            held_by.append(self._place[name])
            wanted.setdefault(held_by[-1], []).append((name, entry._replace(path=path)))
        found = self._shards.ask("read", {at: (own,) for at, own in wanted.items()}, self._limit_s)
        data = {at: iter(read) for at, read in found.items()}
        yield from ((entry, next(data[at])) for entry, at in zip(whole, held_by, strict=True))


class Fleet:
    """The shards of a workspace, ready for questions, one at a time."""

    def __init__(self, members: Sequence[Member], shards: Shards) -> None:
        self._members = tuple(members)
        self.shards = shards
        self.place = {name: at for at, names in enumerate(shards.layout.names) for name in names}
        self._parcels: OrderedDict[tuple[str, TreeState], Parcel] = OrderedDict()

    def ask(self, task: str, options: Options, *, allowed: Collection[str] | None = None) -> Session:
        """Return the finished session of a question to the repositories with `allowed` names, None for all.

        If a shard does not answer, the question is asked anew without it, with a warning. Raises `FleetError` where no
        shard answers, and the errors of `Repository.ask`.
        """
        began = time.monotonic()
        members = [member for member in self._members if allowed is None or member.name in allowed]
        options = options_of(members, options)
        said, query = naming_query(*formulate(task, options), options)
        lost: dict[int, str] = {}
        tries = _TRIES
        while True:
            tries -= 1
            try:
                question = _Question(self, [m.name for m in members], said, query, lost, strict=tries > 0)
                if options.timeout_s is not None:
                    question.limit_s = min(LIMIT_S, _STEP_SHARE * options.timeout_s)
                workspace = replace(question.workspace(), asked=tuple(members))
                deadline = None if options.timeout_s is None else began + options.timeout_s
                session = Repository(workspace.opened, workspace=workspace).ask(
                    task, options, deadline=deadline, began=began
                )
                # Runs are resumed from folders of this machine, so a fleet's session is not kept.
                session.record = None
                session.run()
                return session
            except ShardsLostError as error:
                lost |= error.why
            except _Changed:
                continue

    def parcels(self, states: Sequence[MemberState], limit_s: float) -> list[Parcel]:
        """Return the parcels of repositories, from the shards or as kept. Raises `ShardsLostError`, `_Changed`."""
        wanted: dict[int, list[str]] = {}
        for state in states:
            if (state.name, state.revision) not in self._parcels:
                wanted.setdefault(self.place[state.name], []).append(state.name)
        found = self.shards.ask("parcels", {at: (names,) for at, names in wanted.items()}, limit_s)
        new = {name: one for at, names in wanted.items() for name, one in zip(names, found[at], strict=True)}
        if None in new.values():  # gone since the last step: the next try leaves it out, with a warning
            raise _Changed
        out = []
        for state in states:
            parcel = new.get(state.name) or self._parcels[state.name, state.revision]
            key = state.name, parcel.others["tree"]  # a commit may leave the tree as it was
            self._parcels[key] = parcel
            self._parcels.move_to_end(key)
            out.append(parcel)
        files = sum(len(p.snapshot) for p in self._parcels.values())
        while len(self._parcels) > len(states) and files > _KEPT_FILES:
            files -= len(self._parcels.popitem(last=False)[1].snapshot)
        return out


class _Question:
    """One try of a question: the shards that it is asked of, and those that are lost."""

    def __init__(
        self, fleet: Fleet, names: Sequence[str], task: str, query: Query, lost: Mapping[int, str], *, strict: bool
    ) -> None:
        self._fleet, self._names, self._lost, self._strict = fleet, names, lost, strict
        self._task, self._query = task, query
        self._all: dict[int, list[str]] = {}
        for name in names:
            self._all.setdefault(fleet.place[name], []).append(name)
        self.limit_s = LIMIT_S
        self._asked = {at: frozenset(own) for at, own in self._all.items() if at not in lost}

    @property
    def _contents(self) -> SpreadContents:
        return SpreadContents(self._fleet.shards, self._fleet.place, self.limit_s)

    def workspace(self) -> Workspace:
        """Return the likeliest repositories as one tree. Raises `FleetError`, `ShardsLostError`, `_Changed`."""
        if not self._asked:
            why = next(iter(self._lost.values()), "no repository is asked")
            raise FleetError(f"no shard answered: {why}")
        reopen_wait_s = min(REOPEN_WAIT_S, _STEP_SHARE * self.limit_s)
        found: dict[int, ShardStatistics] = self._ask(
            "found", {at: (self._query, own, reopen_wait_s) for at, own in self._asked.items()}
        )
        counts = total([one.counts for one in found.values()])
        held = {at: own for at, own in self._asked.items() if found[at].members}
        calls = {at: (self._task, self._query, own, counts, reopen_wait_s) for at, own in held.items()}
        evidence = self._ask("evidence", calls)
        if not evidence:
            raise RepositoryError(self._by_member([e for f in found.values() for e in f.errors])[0])
        rows: dict[str, tuple[MemberState, Any, bytes]] = {}
        for at, (states, matrix, sketches) in evidence.items():
            if self._strict and states != found[at].members:
                raise _Changed
            rows |= {row[0].name: row for row in zip(states, matrix, sketches, strict=True)}
        states, matrix, sketches = zip(*(rows[name] for name in self._names if name in rows), strict=True)
        members, companions = with_shares(states, np.array(matrix), sketches, self._query.includes)
        searched = [member for member in members if member.searched]
        warnings = self._by_member([warning for one in found.values() for warning in one.warnings])
        said = [*self._missing(), *warnings]
        workspace = searched_as_one(members, companions, self._trees(searched), said, self._contents)
        return replace(workspace, partial=bool(self._lost))

    def _trees(self, searched: Sequence[MemberState]) -> list[Below]:
        trees = []
        for state, parcel in zip(searched, self._fleet.parcels(searched, self.limit_s), strict=True):
            prefix = f"{state.name}/"
            opened = parcel.opened(ContentsBelow(self._contents, prefix))
            if self._strict and opened.tree != state.revision:
                raise _Changed
            trees.append(Below(prefix, replace(opened, warnings=())))
        return trees

    def _ask(self, method: str, calls: Mapping[int, tuple[Any, ...]]) -> dict[int, Any]:
        return self._fleet.shards.ask(method, calls, self.limit_s)

    def _by_member(self, said: Sequence[tuple[str, str]]) -> list[str]:
        order = {name: at for at, name in enumerate(self._names)}
        return [text for _, text in sorted(said, key=lambda item: order[item[0]])]

    def _missing(self) -> list[str]:
        """Say which shards did not answer; they are numbered among those that hold an allowed repository."""
        order = sorted(self._all)
        return [
            f"shard {order.index(at) + 1} of {len(order)} did not answer ({self._lost[at]}): "
            f"{counted(len(self._all[at]), 'repository')} {'was' if len(self._all[at]) == 1 else 'were'} not searched"
            for at in order
            if at in self._lost
        ]
