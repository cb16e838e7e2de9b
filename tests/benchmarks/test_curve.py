"""The curve over cycles: a small run written by hand, and its arithmetic."""

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("ir_measures", reason="pip install 'zeroin[bench]'")
pytest.importorskip("bm25s", reason="pip install 'zeroin[bench]'")

from benchmarks import curve
from benchmarks.compare import difference
from benchmarks.data import Kind, Task
from benchmarks.runs import Answer, after_cycle, answer_of
from benchmarks.scoring import score

BESIDE = [f"x{i}.py" for i in range(5)]  # five files that are no answer: what follows is beyond @5
FOUND, BEYOND = ["a.py", *BESIDE], [*BESIDE, "a.py"]


def task(name: str, repo: str, kind: Kind = "issue", gold: tuple[str, ...] = ("a.py",)) -> Task:
    return Task(name, repo, Path("r"), "c", "Crash in the parser", gold, (), "python", kind)


def row(name: str, *cycles: list[str]) -> dict[str, Any]:
    """A result row whose answer is the ranking of its last cycle; cycle n took n tenths of a second."""
    ranked = [[{"path": path, "relevance": 0.5} for path in cycle] for cycle in cycles]
    times = [number / 10 for number in range(1, len(cycles) + 1)]
    told = {"cycles": len(cycles), "seconds": 1.0, "seconds_by_cycle": times}
    return {"id": name, "ranking": ranked[-1], "rankings_by_cycle": ranked} | told


def figures_of(tasks: list[Task], rows: list[dict[str, Any]], name: str) -> dict[str, Any]:
    """The figures of one set."""
    scored = curve.points(tasks, {found["id"]: answer_of(found) for found in rows})
    [part] = [part for part in curve.parts(scored["stop"]) if part.name == name]
    return curve.curve(scored, part)


def test_a_cycle_that_was_not_reached_counts_as_the_ranking_that_was_kept() -> None:
    answer = answer_of(row("t", ["b.py"], ["a.py"]))
    assert [after_cycle(number, answer) for number in (1, 2, 3)] == [("b.py",), ("a.py",), ("a.py",)]
    assert after_cycle(2, Answer("t", ("c.py",))) == ("c.py",)


def test_seconds_of_each_cycle_are_read() -> None:
    assert answer_of(row("t", ["b.py"], ["a.py"])).seconds_by_cycle == (0.1, 0.2)
    assert answer_of({"id": "t", "error": "no such revision"}).seconds_by_cycle == ()


def test_the_curve_of_issues_weighs_tasks() -> None:
    tasks = [task("won", "p/1"), task("lost", "p/1"), task("late", "p/1"), task("failed", "p/2")]
    rows = [
        row("won", BEYOND, FOUND),
        row("lost", FOUND, FOUND, BEYOND),
        row("late", BEYOND, BEYOND, FOUND),
        {"id": "failed", "error": "no such revision", "seconds": 0.1},
    ]
    found = figures_of(tasks, rows, "issues")
    hits = found["measures"]["hit@5"]
    # cycle 1: lost; cycle 2: won and lost; cycle 3: won (kept) and late
    assert [hits[at] for at in ("1", "2", "3", "stop")] == [0.25, 0.5, 0.5, 0.5]
    assert hits["difference"] == 0.25
    assert (hits["low"], hits["high"]) == (0.0, pytest.approx(1 / 3))  # p/2 drawn twice, p/1 drawn twice
    assert (found["n"], found["repositories"], found["failed"], found["mean_over"]) == (4, 2, 1, "tasks")
    assert found["hit@5_by_iterating"] == {"won": 2, "lost": 1, "p": 1.0}
    assert found["mean_cycles"] == pytest.approx(8 / 3)  # a failed answer used none that is known
    assert found["tasks_by_cycles"] == {"2": 1, "3": 2}
    third = found["cycle_seconds"]["3"]
    assert (third["tasks"], third["median"], third["p90"]) == (2, 0.3, pytest.approx(0.3))
    assert found["cycle_seconds"]["1"]["tasks"] == 3


def test_one_shot_stands_beside_the_cycles() -> None:
    tasks = [task("won", "p/1"), task("same", "p/2"), task("unasked", "p/2")]
    runs = {name: answer_of(row(name, BEYOND, FOUND)) for name in ("won", "same", "unasked")}
    shots = {"won": answer_of({"id": "won", "error": "e"}), "same": answer_of(row("same", FOUND))}
    kept, skipped = curve.answered(tasks, runs, shots)
    assert [found.id for found in kept] == ["won", "same"]
    assert skipped == {"issue: not asked in one shot": 1}
    scored = curve.points(kept, runs, shots)
    assert list(scored) == ["one shot", "1", "2", "3", "stop"]
    [part] = [part for part in curve.parts(scored["stop"]) if part.name == "issues"]
    hits = curve.curve(scored, part)["measures"]["hit@5"]
    assert (hits["one shot"], hits["1"], hits["stop"]) == (0.5, 0.0, 1.0)
    assert hits["over one shot"] == {"difference": 0.5, "low": 0.0, "high": 1.0}


def test_processor_seconds_up_to_each_point() -> None:
    spent = {"cpu_seconds": 1.0, "cpu_by_cycle": [0.3, 0.2]}
    rows = [row("1", BEYOND, FOUND) | spent, row("2", FOUND) | {"cpu_seconds": 0.5, "cpu_by_cycle": [0.25]}]
    found = figures_of([task("1", "p/1"), task("2", "p/1")], rows, "issues")["cpu_seconds"]
    assert found == pytest.approx({"1": 0.65, "2": 0.75, "3": 0.75, "stop": 0.75})
    assert figures_of([task("1", "p/1")], [row("1", FOUND)], "issues")["cpu_seconds"] == {}


@pytest.mark.parametrize(("kind", "name"), [("query", "queries"), ("plain", "plain words")])
def test_queries_and_plain_words_weigh_repositories(kind: Kind, name: str) -> None:
    tasks = [task(str(number), "p/1", kind) for number in range(3)] + [task("3", "p/2", kind)]
    rows = [row(str(number), BEYOND, BEYOND) for number in range(3)] + [row("3", BEYOND, FOUND)]
    found = figures_of(tasks, rows, name)
    assert found["measures"]["hit@5"] == {
        "1": 0.0, "2": 0.5, "3": 0.5, "stop": 0.5, "difference": 0.5, "low": 0.0, "high": 1.0
    }  # fmt: skip
    assert found["mean_over"] == "repositories"


def test_a_difference_by_repository_is_paired() -> None:
    tasks = [task("1", "p/1"), task("2", "p/1"), task("3", "p/2")]
    before = score(tasks, {})
    after = score(tasks, {name: Answer(name, ("a.py",)) for name in ("1", "3")})
    assert difference("hit@1", before, after).b == pytest.approx(2 / 3)
    found = difference("hit@1", before, after, by_repository=True)
    assert (found.a, found.b, found.low, found.high, found.gained) == (0.0, 0.75, 0.5, 1.0, 2)


def test_sets_and_kinds_that_hold_a_task() -> None:
    tasks = [task("1", "p/1"), task("2", "p/1", gold=("a.py", "b.py")), task("3", "p/1", "query")]
    parts = {part.name: part.ids for part in curve.parts(score(tasks, {}))}
    assert parts == {
        "issues": {"1", "2"},
        "issues, Python, one file": {"1"},
        "issues, several gold files": {"2"},
        "queries": {"3"},
        "kind: bug report in prose": {"1", "2", "3"},
    }
