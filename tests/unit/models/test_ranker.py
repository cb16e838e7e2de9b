"""The ranker's file: what is written is read, what is none is refused, and the shipped one is whole."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from zeroin.errors import ModelError
from zeroin.evaluate.features.table import FEATURES, FEATURES_VERSION
from zeroin.models.ranker import SHIPPED, VARIABLE, Ranker, ranker, read_ranker
from zeroin.models.trees import ObliviousTrees

CHECK = Path(__file__).parents[2] / "data" / "ranker-check.npz"
MOST_BYTES = 12_000_000  # all shipped weights together


def small() -> Ranker:
    trees = ObliviousTrees(
        np.array([[0, 1]], np.int32),
        np.array([[0.5, 0.5]], np.float32),
        np.array([[0.0, 1.0, 2.0, 3.0]]),
        np.ones((1, 4), np.float32),
        -1.0,
        2,
    )
    return Ranker(trees, ("a", "b"), 7, {"short": np.array([[-1.0, 0.1], [2.0, 0.9]])}, {"tasks": 3})


def test_what_is_written_is_read(tmp_path: Path) -> None:
    small().save(tmp_path / "r.npz")
    found = read_ranker(tmp_path / "r.npz")
    rows = np.array([[0.0, 1.0], [1.0, 1.0]], np.float32)
    assert found.trees.predict(rows).tolist() == [1.0, 2.0]
    assert (found.features, found.features_version, found.card) == (("a", "b"), 7, {"tasks": 3})
    assert found.relevance(np.array([-5.0, 0.5, 9.0]), "short").tolist() == pytest.approx([0.1, 0.5, 0.9])


@pytest.mark.parametrize("content", [b"", b"not a model", b"PK\x03\x04 broken"])
def test_what_is_no_ranker_is_refused_with_its_name(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "broken.npz"
    path.write_bytes(content)
    with pytest.raises(ModelError, match=r"broken\.npz"):
        read_ranker(path)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="nowhere"):
        read_ranker(tmp_path / "nowhere.npz")


def test_the_environment_names_another_ranker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small().save(tmp_path / "r.npz")
    monkeypatch.setenv(VARIABLE, str(tmp_path / "r.npz"))
    assert ranker().features == ("a", "b")


def test_the_shipped_ranker_knows_the_features_of_this_version() -> None:
    model = read_ranker(SHIPPED)
    assert model.features == tuple(FEATURES)
    assert model.features_version == FEATURES_VERSION
    for knots in model.maps.values():
        assert (np.diff(knots, axis=0) >= 0).all()
        assert 0 <= knots[0, 1] <= knots[-1, 1] <= 1


def test_the_shipped_weights_are_small() -> None:
    assert (
        sum(f.stat().st_size for f in SHIPPED.parent.iterdir() if f.suffix != ".py" and f.is_file())
        < MOST_BYTES
    )


def test_the_shipped_ranker_predicts_what_the_training_library_did() -> None:
    with np.load(CHECK) as stored:
        assert read_ranker(SHIPPED).trees.predict(stored["rows"]) == pytest.approx(stored["scores"], abs=1e-9)
