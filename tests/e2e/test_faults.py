"""A small part of `python -m benchmarks.faults`: the answer stays that of a clean cache, and nothing is left behind."""

from __future__ import annotations

import random
import sys

import pytest

from benchmarks.faults import damage, kills
from benchmarks.faults.place import World

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="processes are found in /proc")


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    return World(tmp_path_factory.mktemp("faults"), files=42)


@pytest.mark.parametrize(
    ("operation", "change"),
    [("ask, nothing indexed", 12), ("ask after an edit", 6), ("learn", 4), ("install", 9)],
)
def test_a_killed_command_leaves_no_trace(world: World, operation: str, change: int) -> None:
    one = next(one for one in kills.OPERATIONS if one.name == operation)
    assert kills.trial(world, one, change, at_change=True)[0] == []


@pytest.fixture(scope="module")
def kept(world: World) -> damage.Kept:
    return damage.Kept(world)


@pytest.mark.parametrize(
    ("kind", "way"),
    [
        ("snapshot", "two pages exchanged"),
        ("history", "noise"),
        ("store", "a value in a row"),
        ("journal", "a page zeroed"),
        ("lessons", "swapped"),
        ("run", "cut"),
        ("export", "newer"),
        ("reply", "swapped"),
    ],
)
def test_a_damaged_file_changes_no_answer_and_is_said_once(kept: damage.Kept, kind: str, way: str) -> None:
    assert kept.trial(kind, way, random.Random(2))[0] == []


def test_a_killed_worker_changes_no_answer(world: World) -> None:
    assert kills.trial(world, kills.OPERATIONS[-1], 0.0)[0] == []
