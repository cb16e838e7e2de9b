"""Scores with their arithmetic written out."""

import math
from pathlib import Path

import pytest

pytest.importorskip("ir_measures", reason="pip install 'zeroin[bench]'")

from benchmarks.compare import difference, mcnemar
from benchmarks.data import Task, gold_paths
from benchmarks.runs import Answer, answer_of
from benchmarks.scoring import any_hit, interval, per_language, reliability, score, set_scores, strict


def task(name: str, gold: tuple[str, ...], repo: str = "o/r", language: str = "python") -> Task:
    return Task(name, repo, Path("r"), "c", "text", gold, (), language, "issue")


def test_strict_needs_every_gold_file_and_any_hit_one() -> None:
    ranking = ["a", "x", "b"]
    assert strict(ranking, ["a", "b"], 2) == 0.0  # b is third
    assert strict(ranking, ["a", "b"], 3) == 1.0
    assert any_hit(ranking, ["a", "b"], 1) == 1.0
    assert any_hit(ranking, ["b"], 2) == 0.0


def test_library_measures_follow_the_ranking_not_the_names() -> None:
    # gold at ranks 1 and 3: DCG = 1/log2(2) + 1/log2(4) = 1.5; ideal = 1/log2(2) + 1/log2(3)
    [row] = score([task("t", ("z", "a"))], {"t": Answer("t", ("z", "m", "a"))})
    assert row.scores["ndcg@10"] == pytest.approx(1.5 / (1 + 1 / math.log2(3)))
    assert row.scores["recall@10"] == 1.0
    assert row.scores["rr"] == 1.0
    assert row.ranks == (1, 3)


def test_gold_beyond_ten_counts_for_nothing_at_ten() -> None:
    ranking = (*(f"x{i}" for i in range(10)), "a")
    [row] = score([task("t", ("a",))], {"t": Answer("t", ranking)})
    assert row.scores["ndcg@10"] == row.scores["recall@10"] == row.scores["acc@10"] == row.scores["hit@10"] == 0.0
    assert row.scores["hit@30"] == 1.0
    assert row.scores["rr"] == pytest.approx(1 / 11)


def test_a_missing_or_failed_answer_scores_zero_and_stays_in_the_mean() -> None:
    rows = score([task("t", ("a",)), task("u", ("a",))], {"t": Answer("t", ("a",))})
    assert [row.scores["acc@1"] for row in rows] == [1.0, 0.0]
    assert [row.scores["ndcg@10"] for row in rows] == [1.0, 0.0]
    assert rows[1].answer.error == "no result row"
    assert score([task("t", ("a",))], {})[0].scores["rr"] == 0.0  # a run with no ranking at all


def test_set_scores() -> None:
    # 1 of 4 handed over is gold, 1 of 2 gold is handed over: F1 = 2 · ¼ · ½ / ¾ = ⅓
    found = set_scores(["a", "x", "y", "z"], ["a", "b"])
    assert found == {"set_precision": 0.25, "set_recall": 0.5, "set_f1": pytest.approx(1 / 3), "set_size": 4.0}
    assert set_scores([], ["a"])["set_f1"] == 0.0


def test_files_of_relevance_one_half_are_scored_as_a_set_also_where_an_answer_failed() -> None:
    # a (.9) and x (.5) count, y (.4) does not: 1 of 2 is gold, 1 of 1 gold is there: F1 = 2 · ½ · 1 / 1.5 = ⅔
    answer = Answer("t", ("a", "x", "y"), {"a": 0.9, "x": 0.5, "y": 0.4}, files=("a",))
    good, failed = score([task("t", ("a",)), task("u", ("a",))], {"t": answer})
    assert good.scores["likely_f1"] == pytest.approx(2 / 3)
    assert good.scores["likely_size"] == 2.0
    assert failed.scores["likely_f1"] == failed.scores["likely_size"] == failed.scores["set_f1"] == 0.0
    [silent] = score([task("t", ("a",))], {"t": Answer("t", ("a",))})
    assert "likely_f1" not in silent.scores


def test_mean_per_repository_then_per_language() -> None:
    # python: repositories (1 + 0)/2 = .5 and 1 → .75; go: 0 → mean over languages .375 (over tasks it would be .5)
    tasks = [
        task("1", ("a",), "p/1"),
        task("2", ("b",), "p/1"),
        task("3", ("a",), "p/2"),
        task("4", ("b",), "g/1", "go"),
    ]
    rows = score(tasks, {t.id: Answer(t.id, ("a",)) for t in tasks})
    assert per_language(rows)["acc@1"] == 0.375


def test_reliability() -> None:
    # bins: [.2, .3) holds .2 (gold) and .25 (not) → stated .225, gold .5; [.9, 1] holds 1.0 (not) → stated 1, gold 0
    # error = (2 · .275 + 1 · 1) / 3; the file at .05 is below the floor
    answer = Answer("t", ("a", "b", "c", "d"), {"a": 0.2, "b": 0.25, "c": 1.0, "d": 0.05})
    bins, error = reliability(score([task("t", ("a",))], {"t": answer}))
    assert [(b.low, b.files, b.stated, b.gold) for b in bins] == [
        (0.2, 2, pytest.approx(0.225), 0.5),
        (0.9, 1, 1.0, 0.0),
    ]
    assert error == pytest.approx(1.55 / 3)


def test_bin_edges_survive_binary_fractions() -> None:
    answer = Answer("t", ("a",), {"a": 0.3})
    bins, _ = reliability(score([task("t", ("a",))], {"t": answer}))
    assert bins[0].low == 0.3


def test_mcnemar_is_the_exact_binomial() -> None:
    assert mcnemar(0, 0) == 1.0
    assert mcnemar(5, 0) == 2 / 32  # two tails of one outcome in 2^5
    assert mcnemar(1, 3) == 2 * (1 + 4) / 16
    assert mcnemar(2, 2) == 1.0  # 2 · 11/16, capped


def test_difference_is_b_minus_a() -> None:
    tasks = [task("1", ("a",), "p/1"), task("2", ("a",), "p/2")]
    before = score(tasks, {"1": Answer("1", ("x", "a")), "2": Answer("2", ("a",))})
    after = score(tasks, {"1": Answer("1", ("a",)), "2": Answer("2", ("a",))})
    found = difference("acc@1", before, after)
    assert (found.a, found.b, found.gained, found.lost, found.p) == (0.5, 1.0, 1, 0, 1.0)
    assert (found.low, found.high) == (0.0, 1.0)  # either repository may be drawn twice


def test_interval_of_equal_scores_is_a_point() -> None:
    tasks = [task(str(i), ("a",), f"p/{i}") for i in range(5)]
    rows = score(tasks, {t.id: Answer(t.id, ("a",)) for t in tasks})
    assert interval(rows, "acc@1") == (1.0, 1.0)


def test_gold_relative_to_root_is_resolved() -> None:
    paths = frozenset({"src/Core.hs", "Main.hs", "src/Main.hs"})
    assert gold_paths(["Core.hs", "src/Core.hs", "Main.hs"], "src", paths) == ("src/Core.hs", "src/Main.hs")
    assert gold_paths(["Main.hs"], "", paths) == ("Main.hs",)
    assert gold_paths(["gone.hs"], "src", paths) == ("gone.hs",)


def test_result_row_as_answer() -> None:
    row = {
        "id": "t",
        "ranking": [{"path": "a", "relevance": 0.9}, {"path": "a", "relevance": 0.9}, {"path": "b", "relevance": 0.1}],
        "files": [{"path": "a"}],
        "rankings_by_cycle": [[{"path": "b", "relevance": 0.3}], [{"path": "a", "relevance": 0.9}]],
        "cycles": 2,
        "stop_reason": "enough",
        "seconds": 0.5,
    }
    answer = answer_of(row)
    assert answer.ranking == ("a", "b")
    assert answer.files == ("a",)
    assert answer.by_cycle == (("b",), ("a",))
    assert answer.relevance == {"a": 0.9, "b": 0.1}
    assert answer_of({"id": "t", "error": "no such revision"}).error == "no such revision"
