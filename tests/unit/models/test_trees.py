"""The lean predictor against trees evaluated by hand, question by question."""

from __future__ import annotations

import numpy as np
import pytest

from zeroin.models.trees import ObliviousTrees


def trees(seed: int = 0, count: int = 20, depth: int = 4, width: int = 7) -> ObliviousTrees:
    rng = np.random.default_rng(seed)
    shape = (count, depth)
    return ObliviousTrees(
        features=rng.integers(0, width, shape).astype(np.int32),
        borders=rng.normal(size=shape).round(1).astype(np.float32),
        values=rng.normal(size=(count, 1 << depth)),
        weights=rng.integers(0, 50, (count, 1 << depth)).astype(np.float32),
        base=0.25,
        width=width,
    )


def by_hand(model: ObliviousTrees, row: np.ndarray) -> float:
    total = model.base
    for tree in range(len(model.values)):
        leaf = 0
        for level in range(model.depth):
            if row[model.features[tree, level]] > model.borders[tree, level]:
                leaf |= 1 << level
        total += float(model.values[tree, leaf])
    return total


@pytest.mark.parametrize("seed", range(5))
def test_scores_are_those_of_the_trees_walked_by_hand(seed: int) -> None:
    model = trees(seed)
    rows = np.random.default_rng(seed + 100).normal(size=(40, model.width)).round(1).astype(np.float32)
    assert model.predict(rows) == pytest.approx([by_hand(model, row) for row in rows], abs=1e-12)


def test_a_value_on_the_border_is_not_above_it() -> None:
    model = trees()
    row = np.full(model.width, model.borders[0, 0], np.float32)
    assert model.predict(row[None])[0] == pytest.approx(by_hand(model, row), abs=1e-12)


def test_contributions_and_the_expected_score_sum_to_the_score() -> None:
    model = trees(3)
    rows = np.random.default_rng(9).normal(size=(15, model.width)).astype(np.float32)
    moved = model.contributions(rows)
    assert moved.shape == (15, model.width)
    assert moved.sum(axis=1) + model.expected == pytest.approx(model.predict(rows), abs=1e-9)


def test_a_feature_that_no_tree_asks_about_contributes_nothing() -> None:
    model = trees(4)
    features = model.features.copy()
    features[features == 2] = 3
    changed = ObliviousTrees(features, model.borders, model.values, model.weights, model.base, model.width)
    rows = np.random.default_rng(1).normal(size=(5, model.width)).astype(np.float32)
    assert not changed.contributions(rows)[:, 2].any()


def test_no_rows_give_no_scores() -> None:
    assert trees().predict(np.empty((0, 7), np.float32)).shape == (0,)
