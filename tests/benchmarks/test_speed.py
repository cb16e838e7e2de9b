"""What a command is measured by: its memory, its end, and how its time grows with size."""

import sys

import pytest

from benchmarks import speed_scale
from benchmarks.timed import timed

MEGABYTES = "x = bytearray({}); x[::4096] = b'1' * len(x[::4096]); import time; time.sleep(0.3)"


def test_memory_is_that_of_the_command_alone_and_of_its_processes_together() -> None:
    mine = bytearray(300_000_000)
    mine[::4096] = b"1" * len(mine[::4096])
    one = timed([sys.executable, "-c", MEGABYTES.format(50_000_000)], {})
    assert one.code == 0
    assert 50 < one.memory_mb < 150
    two = "import os; os.fork(); " + MEGABYTES.format(50_000_000).replace("0.3", "1")
    assert timed([sys.executable, "-c", two], {}).memory_mb > 100


def test_a_command_that_never_ends_is_killed_with_what_it_started() -> None:
    waiting = timed(["sh", "-c", "sleep 600 & wait"], {}, limit_s=0.5)
    assert waiting.code < 0


def test_growth_is_the_exponent_of_size() -> None:
    assert speed_scale.exponent([1, 10, 100], [3, 30, 300]) == pytest.approx(1)
    assert speed_scale.exponent([1, 4, 16], [5, 10, 20]) == pytest.approx(0.5)
    assert speed_scale.exponent([8, 8], [1, 2]) is None
