"""The command that measures speed: real processes over real repositories, with a stand-in for the peer."""

import json
import sys
from pathlib import Path
from typing import NoReturn

import pytest

from benchmarks import performance, speed, speed_commands, speed_scale
from benchmarks.speed_commands import Case
from benchmarks.timed import timed
from tests.repositories import bare, git, repository

MEGABYTES = "x = bytearray({}); x[::4096] = b'1' * len(x[::4096]); import time; time.sleep(0.3)"


@pytest.fixture
def repos(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Bare repositories: ``o/r``, which is the one to measure, ``o/small``, and one that is held out."""
    for name in ("o+r", "o+small", "o+redis"):
        files = {f"step_{n}.py": f"def step_{n}(job):\n    return job.timeout\n" for n in range(12)}
        bare(repository(tmp_path / "trees" / name, files), tmp_path / "repos" / name / "repo")
    head = git(tmp_path / "repos/o+r/repo", "rev-parse", "HEAD")
    case = Case(head, "Python", "The timeout of a step", "timeout", ".py")
    monkeypatch.setattr(speed_commands, "CASES", {"o/r": case})
    monkeypatch.setattr(speed_scale, "PARTS", 1)
    return tmp_path / "repos"


def test_every_part_is_measured_and_rendered(
    repos: Path, peer: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data, out = tmp_path / "data", tmp_path / "out"
    data.mkdir()
    (data / "issues_tune.jsonl").write_text(
        "".join(
            json.dumps({"id": str(n), "repo": "o/r", "task": f"step_{n} is late"}) + "\n" for n in range(2)
        )
    )
    arguments = ["--repos", str(repos), "--data", str(data), "--runs", "1", "--scale", "12,24", *peer]
    assert speed.main([*arguments, "--out", str(out)]) == 0

    commands = json.loads((out / "speed-commands.json").read_text())
    assert commands["provenance"]["complete"]
    tools = commands["rows"]["o/r"]["tools"]
    assert {tool: sorted(states) for tool, states in tools.items()} == {
        "zeroin": ["cold", "edited", "warm"],
        "semble": ["cold", "edited", "warm"],
        "git grep": ["warm"],
        "Python alone": ["warm"],
        "imports": ["warm"],
    }
    assert all(state["failed"] == 0 for states in tools.values() for state in states.values())
    process = json.loads((out / "speed-process.json").read_text())["rows"]["o/r"]
    assert {s: len(c["runs"]) for s, c in process["tools"]["zeroin"].items()} == {
        "open": 1,
        "first": 1,
        "another": 1,
        "repeated": 2,
        "one cycle": 2,
    }
    scale = json.loads((out / "speed-scale.json").read_text())
    assert [row["files"] for row in scale["rows"].values()] == [12, 24]
    assert "o/redis" not in {name for row in scale["rows"].values() for name in row["repositories"]}
    assert set(scale["exponents"]) == {"zeroin", "semble"}

    monkeypatch.setattr(performance, "RESULTS", out)
    for elsewhere in ("tokens", "anytime"):
        monkeypatch.delitem(performance.TABLES, elsewhere)
    for name, made in performance.TABLES.items():
        assert made().count("\n") > 2, name
    assert performance.scale_curves().startswith("<svg")


def test_what_was_measured_before_ctrl_c_is_kept(
    repos: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> NoReturn:
        raise KeyboardInterrupt

    monkeypatch.setattr(speed_scale, "measure", interrupted)
    arguments = ["--repos", str(repos), "--runs", "1", "--parts", "commands", "scale", "--out", str(tmp_path)]
    assert speed.main(arguments) == 130
    commands = json.loads((tmp_path / "speed-commands.json").read_text())
    assert not commands["provenance"]["complete"]
    assert set(commands["rows"]["o/r"]["tools"]) >= {"zeroin", "git grep"}
    assert not (tmp_path / "speed-scale.json").exists()


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
