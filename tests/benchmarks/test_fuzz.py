"""Fuzzing in seconds: a few inputs of every target, and what was found once."""

from pathlib import Path
from random import Random

import pytest

from benchmarks import fuzz
from benchmarks.fuzz_inputs import changed

INPUTS = dict.fromkeys(fuzz.TARGETS, 60) | {"answers": 6, "arguments": 12, "tasks": 150, "redaction": 150}
# Target, form, and a small input that made it fail.
FOUND = (
    ("values", "runs", b'{"version": 2, "\xed\xb3\xbf": ""}'),
    ("values", "hosts", b"/*"),
    ("values", "hosts", b"// comments alone\n"),
    ("values", "lessons", b'{"id":"\\ud800","title":"","words":[["",1],["",2]],"relevant":[""],"":[]}'),
    ("answers", "tree", b"i.c\nWhy doc\n" + 2_500 * b"Why doc\n"),
    ("patterns", "ignore files", b"%s%s.py\n*a*a*a*a*a*ab\n**/a*/**/b*/**/c" % (500 * b"a", 50_000 * b"/a")),
)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in fuzz.PLACES:
        monkeypatch.setenv(name, "")  # restored afterwards
    fuzz.at_home(tmp_path)
    return tmp_path


@pytest.mark.parametrize("target", fuzz.TARGETS)
def test_a_few_inputs_of_every_target(target: str, home: Path) -> None:
    rng, forms = Random(target), fuzz.forms_of(target, home)
    for _ in range(INPUTS[target]):
        name = rng.choice(sorted(forms))
        data = changed(rng, forms[name].seeds, forms[name].words)
        what = fuzz.failure(forms[name].read, data)
        assert not what or what.startswith("over"), (name, data[:1_000])  # the time is not judged here


def test_what_was_found_once(home: Path) -> None:
    for target, name, data in FOUND:
        assert fuzz.failure(fuzz.forms_of(target, home)[name].read, data) == ""
