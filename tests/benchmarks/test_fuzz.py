"""Fuzzing in seconds: a few inputs of every target, and what was found once."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks import fuzz
from benchmarks.fuzz_inputs import changed, shrunk
from random import Random

INPUTS = dict.fromkeys(fuzz.TARGETS, 60) | {"answers": 8, "arguments": 15, "tasks": 150, "redaction": 150}
# Target, form, and the smallest input that made it fail: as text, or compressed in base 85.
FOUND: list[tuple[str, str, str]] = [
    ("values", "runs", '{"\udcff": 1}'),
    ("values", "hosts", "/*"),
    ("values", "hosts", "// comments alone"),
]
PACKED = [
]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(fuzz.os, "environ", fuzz.os.environ.copy())
    for name in ("ZEROIN_CACHE_DIR", "ZEROIN_DATA_DIR", "HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))
    return tmp_path


@pytest.mark.parametrize("target", fuzz.TARGETS)
def test_a_few_inputs_of_every_target(target: str, home: Path) -> None:
    rng = Random(target)
    forms = fuzz.forms_of(target, home)
    for _ in range(INPUTS[target]):
        name = rng.choice(sorted(forms))
        data = changed(rng, forms[name].seeds, forms[name].words)
        what = fuzz.failure(forms[name].read, data)
        assert not what or what.startswith("over"), (name, data[:1_000])  # the time is not judged here
