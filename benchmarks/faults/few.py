"""A few trials of every part that are the same each time: what the test suite runs."""

import random
from collections.abc import Callable
from functools import lru_cache, partial

from benchmarks.faults.damage import Kept
from benchmarks.faults.kills import OPERATIONS
from benchmarks.faults.kills import trial as killed
from benchmarks.faults.place import World
from benchmarks.faults.scarce import full_disks, wants
from benchmarks.faults.scarce import trial as wanting
from benchmarks.faults.together import together

_KILLS = {"ask, nothing indexed": 12, "ask after an edit": 6, "learn": 4, "install": 9}  # at this change of a file
_DAMAGES = (
    ("snapshot", "two pages exchanged"),
    ("history", "noise"),
    ("store", "a value in a row"),
    ("journal", "a page zeroed"),
    ("lessons", "swapped"),
    ("run", "cut"),
    ("export", "newer"),
    ("reply", "swapped"),
)
_WANTS = (
    ("files of at most 4,096 bytes", "ask", "empty"),
    ("files of at most 40,000 bytes", "index --export", "warm"),
    ("64 open files", "ask with workers", "empty"),
    ("512 MB of address space", "ask", "empty"),
    ("a cache that is a file", "index", "empty"),
    ("a data folder that is a file", "learn", "warm"),
)

Case = Callable[[World], list[str]]


def _kill(name: str, moment: float, world: World) -> list[str]:
    operation = next(one for one in OPERATIONS if one.name == name)
    return killed(world, operation, moment, at_change=not operation.worker)[0]


@lru_cache(maxsize=1)
def _kept(world: World) -> Kept:
    return Kept(world)


def _damage(kind: str, way: str, world: World) -> list[str]:
    return _kept(world).trial(kind, way, random.Random(2))[0]


def _want(name: str, command: str, home: str, world: World) -> list[str]:
    return wanting(world, next(one for one in wants() if one.name == name), command, home)[1]


def _full_disk(world: World) -> list[str]:
    wrong: list[str] = []
    full_disks(world, wrong, _silent, pages=(16,))
    return wrong


def _together(world: World) -> list[str]:
    return list(together(world, 0.02, 1, _silent, processes=6)["faults"])


def _silent(_: str) -> None:
    """Tell nothing: the list says it."""


CASES: dict[str, Case] = {
    **{f"killed: {name}": partial(_kill, name, change) for name, change in _KILLS.items()},
    "killed: a worker": partial(_kill, "ask, one of two workers", 0.0),
    **{f"damaged: {kind}, {way}": partial(_damage, kind, way) for kind, way in _DAMAGES},
    **{f"wanting: {want[0]}, {want[1]}": partial(_want, *want) for want in _WANTS},
    "wanting: room on a disk": _full_disk,
    "together: six processes": _together,
}


def few(world: World) -> dict[str, list[str]]:
    """What is wrong, by case."""
    return {name: case(world) for name, case in CASES.items()}
