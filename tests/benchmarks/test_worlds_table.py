"""None of the real worlds was trained on."""

import json
from pathlib import Path
from typing import Any

from benchmarks.vocabulary import TASKS, read_tasks
from benchmarks.worlds import REAL
from training.held_out import refuse

ROOT = Path(__file__).resolve().parents[2]


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
