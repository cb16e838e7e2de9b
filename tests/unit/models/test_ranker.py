"""The shipped ranker: its features are those of this version, and its scores those of the training library."""

from pathlib import Path

import numpy as np
import pytest

from tests.unit.models.test_files import small_ranker
from training.model_files import save_ranker
from zeroin.errors import ModelError
from zeroin.evaluate.features.table import FEATURES, FEATURES_VERSION
from zeroin.evaluate.model.ranker import loaded_ranker
from zeroin.models.ranker import SHIPPED, VARIABLE, read_ranker

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
