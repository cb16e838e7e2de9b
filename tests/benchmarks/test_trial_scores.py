"""The trial: from a task to its row of the table, with labels written by hand."""

from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("ir_measures", reason="pip install 'zeroin[bench]'")

from benchmarks.trial import scoring
from benchmarks.trial.sheet import carried, sheet
from benchmarks.trial.tasks import KINDS, TrialTask, half_of, read_tasks, task_of

OPEN = Path(__file__).parents[2] / "benchmarks" / "trial" / "open.jsonl"


def task(id: str = "o1", kind: str = "bug", **given: Any) -> TrialTask:
    row = {"id": id, "repo": "o/r", "commit": "c", "language": "go", "kind": kind, "task": "The bell is mute"}
    row |= {"right": ["bell.go"], "related": ["bell_test.go"]}
    return task_of(row | given)


def file(path: str, relevance: float, reason: str = "says bell") -> dict[str, Any]:
    return {"path": path, "relevance": relevance, "reasons": [{"text": reason}]}


def answered(*files: dict[str, Any], ranking: tuple[dict[str, Any], ...] = (), **given: Any) -> dict[str, Any]:
    context = {"files": list(files), "supporting": [], "tests": [], "documents": [], "gaps": [], "terminology": []}
    context |= {"patterns": [], "sufficient": False, "ranking": list(ranking or files)}
    outer = {key: given.pop(key) for key in ("own", "exit_code") if key in given}
    return {"own": [], "exit_code": 0, **outer, "context": context | given, "product": "abc"}


def test_places_of_right_files_are_counted_without_labels() -> None:
    first = scoring.outcome(task(), answered(file("bell.go", 0.6)))
    ranked = answered(file("door.go", 0.6), ranking=(file("door.go", 0.6), file("bell.go", 0.1)))
    found = scoring.places([first, scoring.outcome(task("o2"), ranked)])
    assert found == {"tasks": 2, "first": 1, "listed": 1, "among 5": 2, "among 10": 2, "reciprocal rank": 0.75}


def test_every_claim_is_a_row_and_known_files_are_labelled() -> None:
    said = answered(
        file("door.go", 0.6),
        file("bell.go", 0.5),
        tests=[file("bell_test.go", 0.1)],
        gaps=[
            {"need": "no test of door.go", "kind": "counterpart", "critical": True, "follow_up": "door test"},
            {"need": "found", "kind": "aspect", "critical": False, "follow_up": "x", "outcome": "closed"},
        ],
        terminology=[
            {"task_word": "bell", "code_word": "chime", "sources": [], "certainty": "sure"},
            {"task_word": "mute", "code_word": "door", "sources": [], "certainty": "guess"},
        ],
        patterns=[{"text": "tests lie beside", "kind": "tests"}],
        sufficient=True,
    )
    rows = sheet([task()], {"o1": said})
    assert [(r["claim"], r["key"], r["label"]) for r in rows] == [
        ("file", "door.go", ""),
        ("reason", "door.go: says bell", ""),
        ("file", "bell.go", "right"),
        ("reason", "bell.go: says bell", ""),
        ("file", "bell_test.go", "related"),
        ("reason", "bell_test.go: says bell", ""),
        ("gap", "no test of door.go", ""),
        ("term", "bell → chime", ""),
        ("pattern", "tests lie beside", ""),
        ("sufficient", "", ""),
    ]
    assert [(r["section"], r["place"]) for r in rows if r["claim"] == "file"] == [
        ("files", 1),
        ("files", 2),
        ("tests", 3),
    ]
    earlier = [{**r, "label": "true" if r["claim"] == "sufficient" else "wrong"} for r in rows]
    labels = {(r["claim"], r["key"]): r["label"] for r in carried(rows, earlier)}
    assert labels["file", "door.go"] == "wrong" and labels["file", "bell.go"] == "right"
    assert labels["sufficient", ""] == ""


def test_the_table_counts_places_labels_and_what_is_left_out() -> None:
    tasks = [
        task(),
        task("o2", "error", task="bell 3 is mute", repo="o/s"),
        task("o3", "nonsense", right=[], related=[]),
        task("o4", "review", task="", diff="d", withheld=["bell.go"]),
    ]
    better = (file("bell.go", 0.9), file("hall.go", 0.7), file("door.go", 0.3), file("roof.go", 0.2))
    answers = {
        "o1": answered(file("bell.go", 0.9), file("door.go", 0.3), ranking=better, sufficient=True),
        "o2": answered(file("door.go", 0.6), file("bell.go", 0.4), sufficient=True),
        "o3": answered(file("door.go", 0.1), exit_code=1),
        "o4": answered(file("door.go", 1.0), file("bell.go", 0.4), own=["door.go"]),
    }
    rows = sheet(tasks, answers)
    given = {("file", "door.go"): "wrong", ("sufficient", "o1"): "true", ("sufficient", "o2"): "false"}
    for row in rows:
        known = given.get((row["claim"], row["key"] or row["task"]), "true")
        row["label"] = row["label"] or known
    made = scoring.scored(tasks, answers, rows)
    counted = {name: (share["hits"], share["of"]) for name, share in made["measures"].items()}
    assert counted["right file first"] == (2, 3)  # the review's own file is no answer
    assert counted["right file listed"] == (3, 3)
    assert counted["listed files that are right or related"] == (3, 6)
    assert counted["listed files that are right or related, relevance 0.7 to 1.0"] == (1, 1)
    assert counted["answers that leave out a better file"] == (1, 4)
    assert counted["answers wrongly said to be sufficient"] == (1, 4)
    assert counted["'sufficient' that is true"] == (1, 2)
    assert counted["error texts whose file comes first"] == (0, 1)
    assert counted["nonsense that ends with exit code 1"] == (1, 1)
    assert counted["answers that say nothing was found and list a right file"] == (0, 3)
    assert counted["reasons that are true"] == (6, 6)
    assert "terms that are right" not in counted
    unread = [{**row, "label": ""} if row["claim"] == "reason" else row for row in rows]
    assert "reasons that are true" not in scoring.scored(tasks, answers, unread)["measures"]
    assert [o["left_out"] for o in made["outcomes"]] == [("hall.go",), (), (), ()]
    assert made["by_kind"]["error"]["right file first"]["hits"] == 0
    shown = scoring.table(made)
    assert "| right file first | 67 % | 2 of 3 |" in shown
    assert "| o2 | o/s | error | door.go | 2 | 2 |" in shown and "| o1 |" not in shown


def test_a_file_that_the_cut_ranking_does_not_reach_stands_behind_it() -> None:
    ranking = (file("bell.go", 0.5), file("hall.go", 0.3), {**file("bell_test.go", 0.4), "role": "test"})
    said = answered(file("bell.go", 0.5), supporting=[file("roof.go", 0.01)], ranking=ranking)
    assert scoring.better_left_out(said) == ("hall.go",)
    beside = answered(file("bell.go", 0.5), tests=[{**file("bell_test.go", 0.02), "role": "test"}], ranking=ranking)
    assert scoring.better_left_out(beside, scoring.MAIN) == ()
    assert scoring.better_left_out(beside) == ("hall.go",)


def test_the_open_half_is_of_its_half_and_of_every_kind() -> None:
    tasks = read_tasks(OPEN)
    assert {half_of(task.repo) for task in tasks} == {"open"}
    assert {t.kind for t in tasks} == set(KINDS)
    assert len(tasks) >= 50 and len({t.repo for t in tasks}) >= 10
    assert half_of("O/R") == ("open", "locked")[int(sha256(b"o/r").hexdigest()[:8], 16) % 2]
