"""The shipped ranker: its features, its scores, and its trees evaluated by hand, question by question."""

from pathlib import Path

import numpy as np
import pytest

from tests.unit.models.test_files import small_ranker
from training.model_files import save_ranker
from zeroin.errors import ModelError
from zeroin.evaluate.features.table import FEATURES, FEATURES_VERSION
from zeroin.evaluate.model.ranker import loaded_ranker
from zeroin.models.ranker import SHIPPED, VARIABLE, read_ranker
from zeroin.models.trees import ObliviousTrees

CHECK = Path(__file__).parents[2] / "data" / "ranker-check.npz"


def test_it_knows_the_features_of_this_version() -> None:
    model = read_ranker(SHIPPED)
    assert model.features == tuple(FEATURES)
    assert model.features_version == FEATURES_VERSION
    for knots in model.maps.values():
        assert (np.diff(knots, axis=0) >= 0).all()
        assert 0 <= knots[0, 1] <= knots[-1, 1] <= 1


def test_it_predicts_what_the_training_library_did() -> None:
    with np.load(CHECK) as stored:
        assert read_ranker(SHIPPED).trees.predict(stored["rows"]) == pytest.approx(stored["scores"], abs=1e-9)


def test_a_ranker_of_other_features_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save_ranker(small_ranker(), tmp_path / "r.npz")
    monkeypatch.setenv(VARIABLE, str(tmp_path / "r.npz"))
    with pytest.raises(ModelError, match="other features"):
        loaded_ranker()


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
    rows[0] = model.borders[0, 0]  # a value on the border is not above it
    assert model.predict(rows) == pytest.approx([by_hand(model, row) for row in rows], abs=1e-12)
    assert model.predict(rows[:0]).shape == (0,)


def test_contributions_and_the_mean_score_sum_to_the_score() -> None:
    model = trees(3)
    features = np.where(model.features == 2, 3, model.features)  # no tree asks about feature 2
    model = ObliviousTrees(features, model.borders, model.values, model.weights, model.base, model.width)
    rows = np.random.default_rng(9).normal(size=(15, model.width)).astype(np.float32)
    contributions = model.contributions(rows)
    mean = (model.weights * model.values).sum(axis=1) / model.weights.sum(axis=1)
    expected = contributions.sum(axis=1) + model.base + mean.sum()
    assert model.predict(rows) == pytest.approx(expected, abs=1e-6)
    assert contributions.shape == (15, model.width) and not contributions[:, 2].any()


def test_a_contribution_is_the_change_of_the_mean_below() -> None:
    model = ObliviousTrees(
        np.array([[0, 1]], np.int32),
        np.zeros((1, 2), np.float32),
        np.array([[0.0, 1.0, 2.0, 5.0]]),  # leaf = (a > 0) + 2 · (b > 0)
        np.array([[1, 1, 1, 3]], np.float32),
        0.0,
        2,
    )
    # Mean of all (0 + 1 + 2 + 15) / 6 = 3, of a > 0 (1 + 15) / 4 = 4, of the leaf 5.
    assert model.contributions(np.ones((1, 2), np.float32))[0].tolist() == pytest.approx([1.0, 1.0])
