"""The written tasks are of repositories that neither the tuning data's plain-word tasks nor the held-out list names."""

import json

from benchmarks.data import TAUGHT
from benchmarks.vocabulary import SECOND, TASKS, WRITTEN, read_tasks
from training.held_out import refuse


def test_written_tasks_are_whole_and_of_other_repositories() -> None:
    rows = read_tasks(WRITTEN)
    repositories = {row["repo"].lower() for row in rows}
    others = {row["repo"].lower() for path in (TASKS, SECOND) for row in read_tasks(path)}
    refuse(repositories)
    assert not repositories & others
    assert len({row["id"] for row in rows}) == len(rows)
    assert all(row["gold"] and row["commit"] and len(row["task"]) >= 25 for row in rows)
    assert {row["category"] for row in rows} == {"need", "where", "symptom", "plain", "report"}


def test_what_the_encoder_was_taught_by_is_of_its_own_repositories_at_their_commits() -> None:
    listed = json.loads((TAUGHT.parent / "encoder_repositories.json").read_text(encoding="utf-8"))["repositories"]
    rows = [json.loads(line) for line in TAUGHT.read_text(encoding="utf-8").splitlines()]
    taught = {row["repo"] for row in rows}
    refuse(taught)
    assert all(row["commit"] == listed[row["repo"]]["commit"] for row in rows)
    assert not taught & {row["repo"] for path in (TASKS, SECOND) for row in read_tasks(path)}
    assert len({row["repo"] for row in read_tasks(WRITTEN)} - taught) >= 24, "repositories to measure on"
