"""The totals of the table of worlds, and that none of the real ones was trained on."""

import json
from pathlib import Path
from typing import Any

from benchmarks.vocabulary import TASKS, read_tasks
from benchmarks.worlds import REAL, Place, Row, table, totals
from training.held_out import refuse

ROOT = Path(__file__).resolve().parents[2]


def test_totals_add_up() -> None:
    found = Place("a.py", 0.8, "files", 1), Place("b.py", 0.5, "supporting", 2), Place("c.py", 0.1)
    decoys = (Place("d.py", 0.6, "supporting", 1), Place("e.py", 0.3))
    rows = [
        Row("x", "real", "go", True, found, decoys, {"m": True}, 2, "enough", True, {"files": 3}),
        Row("y", "real", "go", True, found[:2], (), {"n": False}, 3, "no_gain", True, {"files": 4}),
    ]
    assert totals(rows) == {
        "worlds": 2,
        "complete": 1,
        "expected": 5,
        "places": {"files": 2, "supporting": 2, "tests": 0, "documents": 0},
        "listed": 4,
        "listed_since_first_cycle": 2,
        "decoys": 2,
        "decoys_listed": 1,
        "terms": 2,
        "terms_learned": 1,
        "sufficient": 2,
        "sufficient_but_incomplete": 1,
        "cycles": 2.5,
        "files_listed": 3.5,
    }
    assert "d.py 0.60 supporting@1" in table(rows)  # a listed decoy before one that is not


def test_no_world_was_trained_on() -> None:
    rows: list[dict[str, Any]] = read_tasks(REAL)
    repos = {row["repo"].lower() for row in rows}
    assert len(repos) == len(rows) == 6
    refuse(sorted(repos))  # nor is any kept for the final measurement
    for name in ("repositories.json", "encoder_repositories.json"):
        listed = json.loads((ROOT / "training" / name).read_text())["repositories"]
        assert not repos & {repo.lower() for repo in listed}, name
    assert not repos & {row["repo"].lower() for row in read_tasks(TASKS)}
    for row in rows:
        assert 1 <= len(row["expect_files"]) <= 4 and len(row["decoys"]) <= 3
        assert not set(row["expect_files"]) & set(row["decoys"])
