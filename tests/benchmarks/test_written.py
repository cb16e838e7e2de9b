"""Tasks that a language model wrote: of which repositories, and whole."""

import json

from benchmarks.data import TAUGHT
from benchmarks.trial import tasks as trial
from benchmarks.vocabulary import SECOND, STRANGERS, TASKS, WRITTEN, half_of, read_tasks
from training.held_out import refuse


def test_written_tasks_are_whole_and_of_other_repositories() -> None:
    rows = read_tasks(WRITTEN)
    repositories = {row["repo"].lower() for row in rows}
    others = {row["repo"].lower() for path in (TASKS, SECOND) for row in read_tasks(path)}
    refuse(repositories)
    assert not repositories & others
    assert len({row["id"] for row in rows}) == len(rows)
    assert all(row["gold"] and row["commit"] and len(row["task"]) >= 10 for row in rows)
    assert {row["category"] for row in rows} == {"need", "where", "symptom", "plain", "report"}


def test_what_the_encoder_was_taught_by_is_of_its_own_repositories_at_their_commits() -> None:
    listed = json.loads((TAUGHT.parent / "encoder_repositories.json").read_text(encoding="utf-8"))["repositories"]
    rows = [json.loads(line) for line in TAUGHT.read_text(encoding="utf-8").splitlines()]
    taught = {row["repo"] for row in rows}
    refuse(taught)
    assert all(row["commit"] == listed[row["repo"]]["commit"] for row in rows)
    assert not taught & {row["repo"] for path in (TASKS, SECOND) for row in read_tasks(path)}
    assert len({row["repo"] for row in read_tasks(WRITTEN)} - taught) >= 24, "repositories to measure on"


def test_strangers_ask_other_repositories_than_those_whose_tasks_taught_the_encoder_or_tried_the_product() -> None:
    rows = read_tasks(STRANGERS)
    repositories = {row["repo"].lower() for row in rows}
    refuse(repositories)
    taught = {row["repo"] for row in read_tasks(TAUGHT)}
    locked = {row["repo"] for row in read_tasks(TASKS) if half_of(row["repo"]) == "locked"}
    locked |= {row["repo"] for row in read_tasks(SECOND)}
    files = [path for path in (TASKS.parent / "trial").glob("*.jsonl") if "labels" not in path.name]
    trials = {task.repo for path in files for task in trial.read_tasks(path)}
    assert not repositories & {name.lower() for name in (*taught, *locked, *trials)}
    assert len({row["id"] for row in rows}) == len(rows)
    assert all(
        1 <= len(set(row["gold"])) == len(row["gold"]) <= 3 and row["commit"] and len(row["task"]) >= 10 for row in rows
    )
    assert {row["category"] for row in rows} == {"plain", "how", "bug", "feature", "vague"}
