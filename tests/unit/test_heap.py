"""Freed memory goes back to the system."""

import platform
import subprocess
import sys

import pytest

HOLES = """
from pathlib import Path
from zeroin.heap import trim

def resident():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4 // 1024  # MB

blocks = [bytearray(20_000) for _ in range(5_000)]
blocks[:] = blocks[::50]  # what is left keeps the heap as long as it was
before = resident()
trim()
print(before - resident() > 60, all(len(block) == 20_000 for block in blocks))
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other C libraries keep it")
def test_holes_between_what_lives_go_back_to_the_system() -> None:
    done = subprocess.run([sys.executable, "-c", HOLES], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (0, "True True\n"), done.stderr
