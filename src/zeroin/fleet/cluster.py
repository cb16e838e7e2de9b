"""Shards as Ray actors: start them, find them again by name, and ask another replica where one fails or is slow.

Only this module and `service` import Ray, and they are imported only when a fleet is used.
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

# Ray sends usage reports unless this is set before it is loaded; zeroin reports nothing to anyone.
os.environ["RAY_USAGE_STATS_ENABLED"] = "0"

import ray
from ray._private import ray_constants
from ray._private.utils import read_ray_address
from ray.exceptions import RayActorError, RayError, RayTaskError
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from zeroin.errors import FleetError
from zeroin.fleet.shard import Setting, Shard
from zeroin.workspace.members import Member

LIMIT_S = 30.0  # for one step of a question, over all replicas of a shard
_HEDGE_S = 2.0  # after so long without an answer another replica is asked, too
_REST_S = 20.0  # a replica that was slow or failed is asked last for so long
_AGAIN_S = 0.2  # between two rounds over replicas that all fail
_REPLICAS = 2  # of a shard, where there are nodes for them
_AT_ONCE = 8  # calls that a shard answers at the same time
_LISTENS_S = 5.0  # that the head node has to take a connection
_COMMON: Any = {"namespace": "zeroin", "log_to_driver": False, "logging_level": "error", "ignore_reinit_error": True}
_LOOPBACK = "127.0.0.1"


class ShardsLostError(FleetError):
    """Shards of which no replica answered in time; `why` by number."""

    def __init__(self, why: Mapping[int, str]) -> None:
        super().__init__(f"{len(why)} shards did not answer: {next(iter(why.values()))}")
        self.why = dict(why)


@contextlib.contextmanager
def connected(address: str | None, *, start: bool = True) -> Iterator[bool]:
    """Connect to the cluster at `address`; without one to the cluster on this machine, which is started if none runs.

    Yields whether it was started, and so ends afterwards. Raises `FleetError` where there is no cluster at the address,
    or none runs on this machine and `start` is false.
    """
    address = address or os.environ.get("RAY_ADDRESS")
    if address is not None and not _listens(address):
        raise FleetError(f"no Ray cluster answers at {address}")
    # Ray prints on standard output, where the answer goes, which worker has died.
    with _replaced(ray._private.worker, "print_to_stdstream", lambda *_, **__: None):
        started = _connect(address, start=start)
        try:
            yield started
        finally:
            ray.shutdown()


def _connect(address: str | None, *, start: bool) -> bool:
    """Connect to a cluster, and return whether it was started for this."""
    with contextlib.ExitStack() as kept:
        # Ray adds the working directory to the import path of its workers, and the directory may not be trusted.
        kept.enter_context(contextlib.chdir(Path(__file__).anchor))
        if _is_on_loopback(address or read_ray_address() or ""):
            kept.enter_context(_loopback())
        try:
            ray.init(address=address or "auto", **_COMMON)
        except (ConnectionError, ValueError, RuntimeError) as error:
            if address is not None:
                raise FleetError(
                    f"no Ray cluster answers at {address}; one that wants a token needs RAY_AUTH_MODE=token"
                ) from error
            if not start:
                raise FleetError("no Ray cluster runs on this machine: start one, or name it with --address") from error
        else:
            return False
        with _loopback():
            ray.init("local", _node_ip_address=_LOOPBACK, include_dashboard=False, **_COMMON)
        return True


def _is_on_loopback(address: str) -> bool:
    """Tell whether a cluster at HOST:PORT is one of the loopback interface alone."""
    host, _, port = address.rpartition(":")
    return host in (_LOOPBACK, "localhost") and not _listens(f"{ray.util.get_node_ip_address()}:{port}")


@contextlib.contextmanager
def _loopback() -> Iterator[None]:
    """Let Ray take 127.0.0.1 as it is, in this process and those that it starts.

    On Linux it puts another address of this machine in its place, and then listens to strangers.
    """
    name = ray_constants.ENABLE_RAY_CLUSTERS_ENV_VAR
    before = os.environ.get(name)
    os.environ[name] = "0"
    try:
        with _replaced(ray_constants, "ENABLE_RAY_CLUSTER", value=False):
            yield
    finally:
        del os.environ[name]
        os.environ |= {} if before is None else {name: before}


@contextlib.contextmanager
def _replaced(module: Any, name: str, value: object) -> Iterator[None]:
    before = getattr(module, name)
    setattr(module, name, value)
    try:
        yield
    finally:
        setattr(module, name, before)


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
    """How a workspace is cut: the members of each shard, and the number of replicas of every shard."""

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
    """The shards of a workspace; `actors` are the replicas of each."""

    layout: Layout
    actors: list[list[Any]]
    started: bool  # the actors are new and have no repository open yet
    resting: dict[tuple[int, int], float] = field(default_factory=dict)  # shard and replica, until when
    _turn: int = 0

    @property
    def ids(self) -> list[list[Any]]:
        """The identities of the actors, which a restart leaves as they are."""
        return [[actor._actor_id for actor in replicas] for replicas in self.actors]

    def rest(self, at: int, replica: int) -> None:
        """Ask a replica that failed or is slow last for `_REST_S`."""
        self.resting[at, replica] = time.monotonic() + _REST_S

    def resting_until(self, at: int, replica: int) -> float:
        """Return until when a replica is asked last (monotonic), 0 for one that is not resting."""
        until = self.resting.get((at, replica), 0.0)
        return until if until > time.monotonic() else 0.0

    @classmethod
    def start(cls, members: Sequence[Member], shards: int | None = None, replicas: int | None = None) -> Shards:
        """Return the actors that hold the members: the running ones, or new ones if none run or the numbers differ."""
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
                    scheduling_strategy=NodeAffinitySchedulingStrategy(nodes[(at + replica) % len(nodes)], soft=True),
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
        """Call every replica (`only` of some shards); yield shard, replica and result, None if it does not answer."""
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

    def ask(self, method: str, calls: Mapping[int, tuple[Any, ...]], limit_s: float = LIMIT_S) -> dict[int, Any]:
        """Call `method` of each shard with its own arguments; return the results by shard.

        Where a replica fails or is slow, the next one is asked. Raises `ShardsLostError` for shards without an answer.
        """
        self._turn += 1
        asking = _Asking(self, method, calls, self._turn)
        return asking.run(time.monotonic() + limit_s)


class _Asking:
    """One call to several shards, each at one replica after another until it has answered."""

    def __init__(self, shards: Shards, method: str, calls: Mapping[int, tuple[Any, ...]], turn: int) -> None:
        self._shards, self._method, self._calls, self._turn = shards, method, calls, turn
        self._due = dict.fromkeys(calls, 0.0)  # when another replica is asked
        self._running: dict[Any, tuple[int, int]] = {}  # shard and replica by call
        # Errors of our own code: another replica is likely to fail as well.
        self._faults = dict.fromkeys(calls, 0)
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
        if lost := [at for at in self._calls if at not in self._answers]:
            raise ShardsLostError({at: self._why.get(at, "no answer in time") for at in lost})
        return self._answers

    def _open(self) -> list[int]:
        """Return shards without an answer that may still give one."""
        most = self._shards.layout.replicas
        return [at for at, faults in self._faults.items() if at not in self._answers and faults < most]

    def _start_due(self) -> None:
        """Ask a replica of every shard that has none asked yet, and another one of shards that fail or are slow."""
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
    """Yield each request with the result of `answer` by one of `count` actors of a class, or with why there is none.

    If an actor ends during a request, Ray restarts it and repeats the request once.
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
    """Return a digest of the members, the prefix of their actors' names."""
    return sha256(repr(sorted(members, key=lambda member: member.name)).encode()).hexdigest()[:16]


def _running(label: str) -> tuple[int, int] | None:
    """Return the number of shards and replicas that run for a workspace, None where none does."""
    running = (name.split("/") for name in _names(label))
    return next(((int(shards), int(replicas)) for _, shards, replicas, _, _ in running), None)


def _names(label: str) -> Collection[str]:
    return sorted(name for name in ray.util.list_named_actors() if name.startswith(f"{label}/"))


def _stop(label: str) -> None:
    for name in _names(label):
        with contextlib.suppress(ValueError):  # the actor has just ended
            ray.kill(ray.get_actor(name), no_restart=True)
