"""Simulated judges on the pools of real issues: useless ones cost next to nothing, good ones pay."""

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("bm25s", reason="pip install 'zeroin[bench]'")

from benchmarks.judge import JUDGED, JUDGES, Judge, pool_of, pooled

RESULT = Path(__file__).parents[2] / "benchmarks" / "results" / "judge-all.json"
DRAWS = 5
USELESS = [judge for judge in JUDGES if judge.name.split()[0] in ("always", "random", "by", "upside")]


@cache
def rows() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(RESULT.read_text("utf-8"))["rows"]
    return found


def offline(most: int) -> float:
    return 100 * sum(any(useful for _, useful in pool_of(row)[:most]) for row in rows()) / len(rows())


@pytest.mark.parametrize("judge", USELESS, ids=lambda judge: judge.name)
def test_a_judge_of_no_worth_costs_a_point_at_most(judge: Judge) -> None:
    scores = pooled(rows(), judge, DRAWS)
    assert len(USELESS) == 5
    for most in (1, 3, 5):
        assert scores[f"any@{most}"] >= offline(most) - 1.0


def test_the_users_verdicts_find_out_who_guesses_and_cost_a_good_judge_nothing() -> None:
    """A few high grades at random look like a good judge's, and cost dearly, until the user said what was useful."""
    good, guessing = JUDGED
    told, untold = (pooled(rows(), replace(good, verdicts=count), DRAWS) for count in (20, 0))
    assert told["any@1"] >= untold["any@1"]
    found = pooled(rows(), guessing, DRAWS)
    for most in (1, 3, 5):
        assert found[f"any@{most}"] >= offline(most) - 1.5


def test_the_better_the_judge_the_better_the_answer() -> None:
    kinds = [replace(JUDGES[0], name=f"right {share}", accuracy=share) for share in (0.7, 0.8, 0.9, 1.0)]
    first = [offline(1), *(pooled(rows(), judge, DRAWS)["any@1"] for judge in kinds)]
    assert first == sorted(first)
    assert first[3] >= 80
