"""Tasks that nothing answers: two sentences and two foreign messages a repository, always the same ones."""

from training.absent import MOST, absent_tasks

SENTENCES = ("Water the tomatoes", "Paint the fence")


def young(repo: str, number: int) -> dict[str, object]:
    return {
        "id": f"{repo}@{number}:young",
        "repo": repo,
        "change": f"c{number}",
        "commit": f"p{number}",
        "task": f"{repo} message {number}",
        "gold": ["a.py"],
        "tests": ["t.py"],
        "added": [],
        "lines": {"a.py": [[1, 2]]},
        "sort": "young",
    }


def test_each_repository_is_asked_what_nothing_answers() -> None:
    rows = [young(f"owner/{name}", number) for name in "abcdefgh" for number in range(6)]
    tasks = absent_tasks([*rows, {**rows[0], "sort": "subtree"}], SENTENCES)
    assert len(tasks) == 8 * MOST
    assert tasks == absent_tasks(rows, SENTENCES)
    for task in tasks:
        assert (task["change"], task["gold"], task["tests"], task["lines"]) == ("", [], [], {})
        assert task["sort"] == "absent" and task["id"].endswith(":young:nothing")
    sentences = [task for task in tasks if task["task"] in SENTENCES]
    assert len(sentences) == len(tasks) // 2
    for task in tasks:
        assert task in sentences or not task["task"].startswith(task["repo"])


def test_no_young_task_gives_none() -> None:
    assert absent_tasks([], SENTENCES) == []
