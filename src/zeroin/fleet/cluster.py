"""Shards as actors of Ray: started, found again by their names, asked with others in the place of those that fail.

This module and `service` alone import Ray, and they are imported when a fleet is asked.
"""

from __future__ import annotations

import contextlib
import os
import socket
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

# Ray reports its use to its makers unless told before it is loaded; zeroin reports nothing to anyone.
os.environ["RAY_USAGE_STATS_ENABLED"] = "0"

import ray
from ray.exceptions import RayActorError, RayError, RayTaskError
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from zeroin.errors import FleetError
from zeroin.fleet.shard import Setting, Shard
from zeroin.workspace.members import Member

LIMIT_S = 30.0  # that all replicas of a shard have for one step of a question
_HEDGE_S = 2.0  # without an answer, after which another replica is asked, too
_REST_S = 20.0  # that one that was slow or has failed is asked last
_AGAIN_S = 0.2  # between two rounds over replicas that all fail
_REPLICAS = 2  # of a shard, where there are nodes for them
_AT_ONCE = 8  # calls that a shard answers at the same time
_LISTENS_S = 5.0  # that the head node has to take a connection
_NAMESPACE = "zeroin"


class ShardsLostError(FleetError):
    """Shards of which no replica answered in time; `why` by number."""

    def __init__(self, why: Mapping[int, str]) -> None:
        super().__init__(f"{len(why)} shards did not answer: {next(iter(why.values()))}")
        self.why = dict(why)


@contextlib.contextmanager
def connected(address: str | None) -> Iterator[None]:
    """Be part of the cluster at `address`, of the one that runs on this machine, or of one that is started for us.

    Raises `FleetError` where there is no cluster at the address.
    """
    common: dict[str, Any] = {
        "namespace": _NAMESPACE,
        "log_to_driver": False,
        "logging_level": "error",
        "ignore_reinit_error": True,
    }
    address = address or os.environ.get("RAY_ADDRESS")
    if address is not None and not _listens(address):
        raise FleetError(f"no Ray cluster answers at {address}")
    # Ray adds the working directory to the paths that workers import from, and it may be a stranger's.
    with contextlib.chdir(Path(__file__).anchor):
        try:
            ray.init(address=address or "auto", **common)
        except (ConnectionError, ValueError, RuntimeError) as error:
            if address is not None:
                raise FleetError(f"no Ray cluster answers at {address}") from error
            ray.init(_node_ip_address="127.0.0.1", include_dashboard=False, **common)
    try:
        yield
    finally:
        ray.shutdown()


def _listens(address: str) -> bool:
    """Tell whether something listens at HOST:PORT; Ray tries for a quarter of an hour. True for Ray's own addresses."""
    host, _, port = address.rpartition(":")
    if not port.isdecimal() or "/" in host:
        return True
    try:
        socket.create_connection((host.strip("[]"), int(port)), _LISTENS_S).close()
    except (OSError, OverflowError, UnicodeError):
        return False
    return True


@dataclass(frozen=True, slots=True)
class Layout:
    """How a workspace is cut: shards of members, each held by so many replicas."""

    shards: tuple[tuple[Member, ...], ...]
    replicas: int

    @classmethod
    def of(cls, members: Sequence[Member], shards: int, replicas: int) -> Layout:
        """Cut members evenly; revisions of one repository stay together where they can."""
        order = sorted(members, key=lambda member: (str(member.path), member.name))
        count = max(1, min(shards, len(order)))
        ends = [round(len(order) * at / count) for at in range(count + 1)]
        parts = [tuple(order[low:high]) for low, high in pairwise(ends)]
        return cls(tuple(parts), max(1, replicas))

    @property
    def names(self) -> tuple[frozenset[str], ...]:
        return tuple(frozenset(member.name for member in shard) for shard in self.shards)


@dataclass(slots=True)
class Shards:
    """The shards of a workspace, each held by some actors."""

    layout: Layout
    actors: list[list[Any]]
    started: bool  # just now: nothing is open yet
    resting: dict[tuple[int, int], float] = field(default_factory=dict)  # shard and replica, until when
    _turn: int = 0

    def rest(self, at: int, replica: int) -> None:
        """Pass over a replica for a while: it has failed, or is slow."""
        self.resting[at, replica] = time.monotonic() + _REST_S

    def resting_until(self, at: int, replica: int) -> float:
        """Return until when a replica is passed over, 0 for one that is not."""
        until = self.resting.get((at, replica), 0.0)
        return until if until > time.monotonic() else 0.0

    @classmethod
    def start(
        cls, members: Sequence[Member], shards: int | None = None, replicas: int | None = None
    ) -> Shards:
        """Return the actors that hold the members: those that run, unless another number is wanted, or new ones."""
        label = _label(members)
        running = _running(label)
        nodes = sorted(node["NodeID"] for node in ray.nodes() if node["Alive"])
        if running is not None:
            shards, replicas = shards or running[0], replicas or running[1]
        else:
            shards = shards or int(ray.cluster_resources().get("CPU", 1))
            replicas = min(replicas or _REPLICAS, len(nodes))
        layout = Layout.of(members, shards, replicas)
        if running not in (None, (len(layout.shards), layout.replicas)):
            _stop(label)
        prefix = f"{label}/{len(layout.shards)}/{layout.replicas}"
        setting = Setting.here()
        actor = ray.remote(Shard)
        actors = [
            [
                actor.options(
                    name=f"{prefix}/{at}/{replica}",
                    get_if_exists=True,
                    lifetime="detached",
                    max_restarts=-1,
                    max_concurrency=_AT_ONCE,
                    num_cpus=0,
                    # Replicas of one shard on different nodes; a shard whose node is gone starts on another.
                    scheduling_strategy=NodeAffinitySchedulingStrategy(
                        nodes[(at + replica) % len(nodes)], soft=True
                    ),
                ).remote(part, setting)
                for replica in range(layout.replicas)
            ]
            for at, part in enumerate(layout.shards)
        ]
        return cls(layout, actors, running != (len(layout.shards), layout.replicas))

    @classmethod
    def held(cls, members: Sequence[Member]) -> Shards | None:
        """Return the actors that hold the members, None where none runs."""
        return cls.start(members) if _running(_label(members)) is not None else None

    def stop(self) -> None:
        _stop(_label([member for shard in self.layout.shards for member in shard]))

    def every(
        self, method: str, *given: Any, limit_s: float, only: Collection[int] | None = None
    ) -> Iterator[tuple[int, int, Any]]:
        """Yield shard, replica and what each replica of `only` some shards answers, None for one that does not."""
        calls = {
            getattr(actor, method).remote(*given): (at, replica)
            for at, actors in enumerate(self.actors)
            if only is None or at in only
            for replica, actor in enumerate(actors)
        }
        end = time.monotonic() + limit_s
        while calls:
            done, _ = ray.wait(list(calls), timeout=max(0.0, end - time.monotonic()))
            for call in done or list(calls):
                at, replica = calls.pop(call)
                value = None
                if done:
                    with contextlib.suppress(RayError):
                        value = ray.get(call)
                yield at, replica, value

    def ask(
        self, method: str, calls: Mapping[int, tuple[Any, ...]], limit_s: float = LIMIT_S
    ) -> dict[int, Any]:
        """Return what each shard answers to a call with its arguments.

        One that fails or is slow is asked of its next replica. Raises `ShardsLostError` for shards that none answers.
        """
        self._turn += 1
        asking = _Asking(self, method, calls, self._turn)
        return asking.run(time.monotonic() + limit_s)


class _Asking:
    """One call of some shards, with their replicas in turn until each has answered."""

    def __init__(self, shards: Shards, method: str, calls: Mapping[int, tuple[Any, ...]], turn: int) -> None:
        self._shards, self._method, self._calls, self._turn = shards, method, calls, turn
        self._due = dict.fromkeys(calls, 0.0)  # when another replica is asked
        self._running: dict[Any, tuple[int, int]] = {}  # shard and replica by call
        self._faults = dict.fromkeys(calls, 0)  # errors of our own code, which no other try heals
        self._answers: dict[int, Any] = {}
        self._why: dict[int, str] = {}

    def run(self, end: float) -> dict[int, Any]:
        while self._open() and time.monotonic() < end:
            self._start_due()
            wait = max(0.0, min(_AGAIN_S, end - time.monotonic()))
            if not self._running:
                time.sleep(wait)
                continue
            done, _ = ray.wait(list(self._running), num_returns=1, timeout=wait)
            for call in done:
                self._take(call)
        if lost := self._open(failed=True):
            raise ShardsLostError({at: self._why.get(at, "no answer in time") for at in lost})
        return self._answers

    def _open(self, *, failed: bool = False) -> list[int]:
        """The shards that have not answered; with `failed` those too that no other try heals."""
        return [
            at
            for at in self._calls
            if at not in self._answers and (failed or self._faults[at] < self._shards.layout.replicas)
        ]

    def _start_due(self) -> None:
        """Ask the first replica of shards, and another one of those that fail or are slow."""
        now = time.monotonic()
        for at in self._open():
            if now < self._due[at]:
                continue
            busy = {replica for shard, replica in self._running.values() if shard == at}
            for replica in busy:
                self._shards.rest(at, replica)
            self._due[at] = now + _HEDGE_S
            count = len(self._shards.actors[at])
            free = [replica for n in range(count) if (replica := (self._turn + n) % count) not in busy]
            if free:
                replica = min(free, key=lambda one: self._shards.resting_until(at, one))
                call = getattr(self._shards.actors[at][replica], self._method).remote(*self._calls[at])
                self._running[call] = at, replica

    def _take(self, call: Any) -> None:
        at, replica = self._running.pop(call)
        if at in self._answers:
            return
        try:
            self._answers[at] = ray.get(call)
            self._shards.resting.pop((at, replica), None)
        except RayError as error:
            self._why[at] = _reason(error)
            self._faults[at] += isinstance(error, RayTaskError)
            self._shards.rest(at, replica)
            replicas = range(len(self._shards.actors[at]))
            others = any(not self._shards.resting_until(at, one) for one in replicas)
            self._due[at] = time.monotonic() + (0.0 if others else _AGAIN_S)


def answers_of(
    kind: type, given: tuple[Any, ...], requests: Sequence[tuple[Any, ...]], count: int
) -> Iterator[tuple[tuple[Any, ...], Any, str]]:
    """Yield each request with the result of `answer` by one of `count` actors of a kind, or with why there is none.

    What an actor was about when it ended is asked once more.
    """
    kept = {"num_cpus": 0, "max_restarts": -1, "max_task_retries": 1}
    actor = ray.remote(kind).options(**kept, scheduling_strategy="SPREAD")
    idle = [actor.remote(*given) for _ in range(max(1, min(count, len(requests))))]
    todo = list(reversed(requests))
    running: dict[Any, tuple[Any, tuple[Any, ...]]] = {}
    while todo or running:
        while todo and idle:
            asked, request = idle.pop(), todo.pop()
            running[asked.answer.remote(*request)] = asked, request
        (call,), _ = ray.wait(list(running))
        asked, request = running.pop(call)
        idle.append(asked)
        try:
            yield request, ray.get(call), ""
        except RayError as error:
            yield request, None, _reason(error)


def _reason(error: RayError) -> str:
    if isinstance(error, RayTaskError):
        return str(error.cause) or type(error.cause).__name__
    return "its process ended" if isinstance(error, RayActorError) else type(error).__name__


def _label(members: Sequence[Member]) -> str:
    """Return what names the members: a digest of all that is said of them."""
    return sha256(repr(sorted(members, key=lambda member: member.name)).encode()).hexdigest()[:16]


def _running(label: str) -> tuple[int, int] | None:
    """Return the number of shards and replicas that run for a workspace, None where none does."""
    running = (name.split("/") for name in _names(label))
    return next(((int(shards), int(replicas)) for _, shards, replicas, _, _ in running), None)


def _names(label: str) -> Collection[str]:
    return sorted(name for name in ray.util.list_named_actors() if name.startswith(f"{label}/"))


def _stop(label: str) -> None:
    for name in _names(label):
        with contextlib.suppress(ValueError):  # it has just ended
            ray.kill(ray.get_actor(name), no_restart=True)
