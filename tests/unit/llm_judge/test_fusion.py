"""How grades change relevance."""

import numpy as np
import pytest

from zeroin.llm_judge.fusion import Array
from zeroin.llm_judge.fusion import fused as weighed

POOL = [0.6, 0.3, 0.2, 0.1, 0.05, 0.03, 0.02, *[0.01] * 17]


def fused(relevance: list[float], grades: list[int]) -> Array:
    return weighed(relevance, grades)[0]


@pytest.mark.parametrize("grade", range(4))
def test_the_same_grade_for_every_file_changes_nothing(grade: int) -> None:
    assert fused(POOL, [grade] * len(POOL)).tolist() == pytest.approx(POOL)
    after = fused(POOL, [grade] * (len(POOL) - 1) + [1])  # nearly the same
    assert after.tolist()[:7] == sorted(after[:7], reverse=True)


def test_a_judge_who_agrees_where_relevance_is_sure_is_believed_where_it_is_not() -> None:
    after = fused([0.9, 0.1, 0.1, *[0.01] * 21], [3, 3, 0, *[0] * 21])
    assert after[1] > 0.5
    assert after[2] < 0.03


def test_grades_of_no_worth_move_little() -> None:
    rng = np.random.default_rng(1)
    odds = np.log(np.array(POOL) / (1 - np.array(POOL)))
    moved = []
    for _ in range(50):
        after = fused(POOL, rng.integers(0, 4, len(POOL)).tolist())
        moved.append(np.abs(np.log(after / (1 - after)) - odds).max())
    assert np.mean(moved) < 0.4
    for useless in ([0, *[3] * 23], [3, 0] * 12, [0, 3] * 12):  # upside down; contradicting itself
        assert fused(POOL, useless).tolist() == pytest.approx(POOL, abs=0.05)


def test_no_grade_alone_lifts_a_file_of_five_per_cent_over_a_half() -> None:
    after = fused([0.95, 0.9, 0.05, *[0.001] * 21], [3, 3, 3, *[0] * 21])
    assert 0.2 < after[2] < 0.5


def test_certainty_stays_finite() -> None:
    assert fused([1.0, 0.0], [0, 3]) == pytest.approx([1.0, 0.0], abs=0.01)


HONEST = [3, 3, 1, *[0] * 20, 1]


def test_verdicts_of_the_user_move_the_weight_of_a_judge() -> None:
    plain = weighed(POOL, HONEST)[1]
    right = weighed(POOL, HONEST, [(3, True)] * 3 + [(0, False)] * 3)[1]
    wrong = weighed(POOL, HONEST, [(0, True)] * 3 + [(3, False)] * 3)[1]
    assert wrong < plain / 2 < plain < right


def test_no_number_of_verdicts_makes_a_useless_judge_trusted() -> None:
    praise = [(3, True)] * 500 + [(0, False)] * 500
    rng = np.random.default_rng(1)
    guesses = [rng.integers(0, 4, len(POOL)).tolist() for _ in range(50)]
    plain, praised = ([weighed(POOL, each, said)[1] for each in guesses] for said in ([], praise))
    assert np.mean(praised) < np.mean(plain) + 0.05 < 0.3
    for useless in ([3] * 24, [0] * 24, [0, *[3] * 23], [3, 0] * 12):
        assert weighed(POOL, useless, praise)[0].tolist() == pytest.approx(POOL, abs=0.05)
    nonsense = [0, 0, 0, 0, 0, 0, 3, 3, *[0] * 16]  # denies what is likely, praises what is not
    assert weighed(POOL, nonsense, praise)[1] < 0.99


def test_a_judge_who_denies_what_is_likely_and_praises_what_is_not_is_doubted() -> None:
    """A few high grades at random look like a judge who knows, but for whom they are given to."""
    pool = [0.8, 0.5, 0.4, *[0.02] * 21]
    after, weight = weighed(pool, [0, 0, 0, *[0] * 19, 3, 3])
    assert weight < 0.75
    assert after[0] == max(after)
