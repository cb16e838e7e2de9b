"""The written tasks are of repositories that neither the tuning data's plain-word tasks nor the held-out list names."""

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
