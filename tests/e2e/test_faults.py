"""A small part of `python -m benchmarks.faults`: the answer stays that of a clean cache, and nothing is left behind."""

import json
import subprocess
import sys

import pytest

from benchmarks.faults.few import CASES

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="processes are found in /proc")


@pytest.fixture(scope="module")
def found() -> dict[str, list[str]]:
    """Of every case what is wrong: in one process, since commands are forked from it."""
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.faults", "--few"], stdout=subprocess.PIPE, check=False, timeout=600
    )
    result: dict[str, list[str]] = json.loads(done.stdout)
    return result


@pytest.mark.parametrize("case", CASES)
def test_no_fault_changes_an_answer(found: dict[str, list[str]], case: str) -> None:
    assert found[case] == []
