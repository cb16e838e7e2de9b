"""A small part of `python -m benchmarks.faults`: the answer stays that of a clean cache, and nothing is left behind."""

from __future__ import annotations

import random
import sys

import pytest

from benchmarks.faults import damage, kills, scarce, together
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


@pytest.mark.parametrize(
    ("want", "command", "home"),
    [
        ("files of at most 4,096 bytes", "ask", "empty"),
        ("files of at most 40,000 bytes", "index --export", "warm"),
        ("64 open files", "ask with workers", "empty"),
        ("512 MB of address space", "ask", "empty"),
        ("a cache that is a file", "index", "empty"),
        ("a data folder that is a file", "learn", "warm"),
    ],
)
def test_what_is_wanting_costs_no_answer_or_is_said(world: World, want: str, command: str, home: str) -> None:
    one = next(one for one in scarce.wants() if one.name == want)
    assert scarce.trial(world, one, command, home)[1] == []


def test_a_disk_that_is_full_is_said_once(world: World) -> None:
    wrong: list[str] = []
    scarce.full_disks(world, wrong, print, pages=(16,))
    assert wrong == []


def test_processes_on_one_cache_take_turns(world: World) -> None:
    assert together.together(world, 0.02, 1, print, processes=6)["faults"] == []


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
