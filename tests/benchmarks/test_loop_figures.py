"""The loop against asking at once: figures of rows written by hand."""

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("ir_measures", reason="pip install 'zeroin[bench]'")
pytest.importorskip("bm25s", reason="pip install 'zeroin[bench]'")

from benchmarks.data import Kind, Task
from benchmarks.loop_figures import LOOP, ONE_CYCLE, ONE_SHOT, ORACLE, VARIANTS, figures, oracle, task_rows


def task(name: str, repo: str = "p/1", kind: Kind = "mined", gold: tuple[str, ...] = ("a.py",)) -> Task:
    return Task(name, repo, Path("r"), "c", "Crash in the parser", gold, (), "python", kind)


def answer(*paths: str, cpu: float = 1.0, cycles: int = 1, relevance: float = 0.5, **more: Any) -> dict[str, Any]:
    ranking = [{"path": path, "relevance": relevance} for path in paths]
    told = {"ranking": ranking, "files": list(paths[:2]), "cycles": cycles, "cpu_seconds": cpu, "named": []}
    return told | more


def row(useful: dict[str, float], one: dict[str, Any], last: dict[str, Any]) -> dict[str, Any]:
    return {"useful": useful, "answers": {ONE_SHOT: one, ONE_CYCLE: one, LOOP: last}}


def test_means_and_differences_are_paired() -> None:
    useful = {"a.py": 1.0, "b.py": 0.6}
    part = [
        (task("1"), row(useful, answer("x.py"), answer("a.py", "b.py", cpu=3.0, cycles=2))),
        (task("2", "p/2"), row(useful, answer("a.py"), answer("a.py", cpu=2.0, cycles=3))),
    ]
    told = figures("small trees", part)
    means = told["measures"]
    assert [means[name]["hit@1"] for name in VARIANTS] == [0.5, 0.5, 1.0]
    assert [means[name]["useful@10"] for name in (ONE_SHOT, LOOP)] == [0.25, 0.75]
    assert [means[name]["cpu"] for name in (ONE_SHOT, LOOP)] == [1.0, 2.5]
    assert told["differences"]["loop − one shot"]["hit@1"] == {"difference": 0.5, "low": 0.0, "high": 1.0}
    assert told["cycles"] == {"2": 0.5, "3": 0.5}
    # handed over: a and b, and a; all are useful
    assert told["listing"][LOOP] == {"files": 1.5, "likely": 1.5, "useful": 1.0}
    # stated 0.5 of files worth 1, 0.6 and 1
    assert told["calibration"][LOOP]["ece"] == pytest.approx(2.6 / 3 - 0.5)


def test_a_failed_answer_counts_zero_and_is_told() -> None:
    failed = {"error": "no such revision", "cpu_seconds": 0.5}
    told = figures("issues", [(task("1", kind="issue"), row({"a.py": 1.0}, failed, answer("a.py")))])
    assert told["failed"] == {ONE_SHOT: 1, ONE_CYCLE: 1, LOOP: 0}
    assert told["measures"][ONE_SHOT]["ndcg@10"] == 0.0
    assert told["listing"][ONE_SHOT] == {"files": 0.0, "likely": 0.0, "useful": None}


def test_queries_weigh_repositories() -> None:
    useful = {"a.py": 1.0}
    hit, miss = row(useful, answer("a.py"), answer("a.py")), row(useful, answer("x.py"), answer("x.py"))
    part = [(task(str(n), "p/1", "query"), miss) for n in range(3)] + [(task("3", "p/2", "query"), hit)]
    measures = figures("queries", part)["measures"]
    assert (measures[LOOP]["hit@1"], measures[ORACLE]["useful@10"]) == (0.5, 0.5)


def test_the_oracle_has_what_gaps_name() -> None:
    useful = {"a.py": 1.0, "b.py": 0.6, "c.py": 0.6, "d.py": 0.6}
    last = answer(*(f"x{n}.py" for n in range(10)), "a.py", named=["b.py", "x.py", "a.py"])
    assert oracle(task("1"), row(useful, last, last)) == 0.5  # a and b; nothing names c and d
    many = {f"u{n}.py": 0.6 for n in range(20)}
    assert oracle(task("1"), row(many, last, answer(named=list(many)))) == 0.5  # ten have room


def test_tasks_without_an_answer_are_only_listed() -> None:
    told = figures("no answer", [(task("1", gold=()), row({}, answer("a.py"), answer("a.py", relevance=0.2)))])
    assert "measures" not in told and told["listing"][LOOP]["likely"] == 0.0
    assert told["calibration"][LOOP]["ece"] == pytest.approx(0.2)


def test_raw_ranks_are_kept() -> None:
    last = answer("x.py", "b.py", "a.py", cycles=2)
    (line,) = task_rows([(task("1"), ("small trees",), row({"a.py": 1.0, "b.py": 0.6}, {"error": "e"}, last))])
    assert line["loop"] == {"ranks": [3], "useful": [2], "cpu": 1.0, "cycles": 2}
    assert line["one shot"] == {"ranks": [None], "useful": [None], "cpu": 0.0, "error": "e"}
