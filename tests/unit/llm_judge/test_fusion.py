"""How grades change relevance."""

import numpy as np
import pytest

from zeroin.llm_judge.fusion import OTHER, USEFUL, fused

POOL = [0.6, 0.3, 0.2, 0.1, 0.05, 0.03, 0.02, *[0.01] * 17]


def test_a_grade_counts_as_much_more_as_useful_files_get_it_more_often() -> None:
    """One pass written out, for a judge whose informed share is 1."""
    other = 4 * OTHER + np.array([0.99 * 20, 0, 0, 0.7])
    ratio = USEFUL[3] / (other[3] / other.sum())
    after = fused([0.3, *[0.01] * 20], [3, *[0] * 20])
    assert 0.3 < after[0] < 0.3 * ratio / (0.7 + 0.3 * ratio) + 0.05
    assert all(after[1:] < 0.01)


@pytest.mark.parametrize("grade", range(4))
def test_the_same_grade_for_every_file_changes_nothing(grade: int) -> None:
    assert fused(POOL, [grade] * len(POOL)).tolist() == pytest.approx(POOL)
    after = fused(POOL, [grade] * (len(POOL) - 1) + [1])  # nearly the same
    assert after.tolist()[:7] == sorted(after[:7], reverse=True)


def test_a_judge_who_agrees_where_relevance_is_sure_is_believed_where_it_is_not() -> None:
    after = fused([0.9, 0.1, 0.1, *[0.01] * 21], [3, 3, 0, *[0] * 21])
    assert after[1] > 0.5
    assert after[2] < 0.03


def test_random_grades_and_grades_upside_down_move_little() -> None:
    rng = np.random.default_rng(1)
    for _ in range(50):
        after = fused(POOL, rng.integers(0, 4, len(POOL)).tolist())
        assert np.abs(np.log(after / (1 - after)) - np.log(np.array(POOL) / (1 - np.array(POOL)))).max() < 2.2
    assert fused(POOL, [0, *[3] * 23])[0] > 0.4  # upside down


def test_no_grade_alone_lifts_a_file_of_five_per_cent_over_a_half() -> None:
    after = fused([0.95, 0.9, 0.05, *[0.001] * 21], [3, 3, 3, *[0] * 21])
    assert 0.2 < after[2] < 0.5


def test_certainty_stays_finite() -> None:
    assert fused([1.0, 0.0], [0, 3]) == pytest.approx([1.0, 0.0], abs=0.01)
