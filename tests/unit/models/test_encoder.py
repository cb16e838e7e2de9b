"""The encoder's file, and what its vectors promise."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from zeroin.errors import ModelError
from zeroin.models.encoder import SHIPPED, VARIABLE, Encoder, encoder, read_encoder
from zeroin.terms import analyse, term_id

MOST_BYTES = 12_000_000  # all shipped weights together


def small() -> Encoder:
    ids = np.sort(np.array([term_id("wait"), term_id("delay"), term_id("colour")], np.uint64))
    vectors = {"wait": [100, 20, 0, 0], "delay": [110, 10, 0, 0], "colour": [0, 0, 127, 0]}
    table = np.zeros((3, 4), np.int8)
    for term, row in vectors.items():
        table[np.searchsorted(ids, term_id(term))] = row
    scales = 1 / np.linalg.norm(table, axis=1)
    ones = np.ones(3, np.float32)
    return Encoder(ids, table, scales.astype(np.float32), ones, ones, {"seed": 1})


def terms(text: str) -> dict[int, float]:
    return {term_id(term): 1.0 for term in analyse(text)}


def test_what_is_written_is_read(tmp_path: Path) -> None:
    small().save(tmp_path / "e.npz")
    found = read_encoder(tmp_path / "e.npz")
    assert found.card == {"seed": 1}
    assert found.dimensions == 4
    assert (found.table == small().table).all()


def test_words_that_mean_the_same_are_near() -> None:
    model = small()
    task = model.task(terms("wait"))
    assert np.linalg.norm(task) == pytest.approx(1, abs=1e-3)
    rows = model.rows(np.array([term_id("delay"), term_id("colour"), term_id("unheard")], np.uint64))
    assert rows[2] == -1
    delay, colour = model.vectors(rows[:2]) @ task
    assert delay > 0.9 > 0.1 > colour


def test_a_text_of_unknown_words_means_nothing() -> None:
    model = small()
    assert not model.task(terms("xyzzy plugh")).any()
    assert not model.task({}).any()
    assert not model.passage(np.empty(0, np.int32), np.empty(0, np.float32)).any()


def test_packed_vectors_keep_their_cosines() -> None:
    rng = np.random.default_rng(3)
    vectors = rng.normal(size=(50, 256)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    model = encoder()
    wide = vectors[:, : model.dimensions] / np.linalg.norm(
        vectors[:, : model.dimensions], axis=1, keepdims=True
    )
    found = model.similarity(model.pack(wide), wide[0])
    assert np.abs(found - wide @ wide[0]).max() < 0.01


@pytest.mark.parametrize("content", [b"", b"no model", b"PK\x03\x04 broken"])
def test_what_is_no_encoder_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "e.npz"
    path.write_bytes(content)
    with pytest.raises(ModelError, match="not an encoder"):
        read_encoder(path)


def test_arrays_that_do_not_belong_together_are_refused(tmp_path: Path) -> None:
    good = small()
    Encoder(good.ids, good.table[:2], good.scales, good.task_weights, good.code_weights).save(
        tmp_path / "e.npz"
    )
    with pytest.raises(ModelError, match="belong together"):
        read_encoder(tmp_path / "e.npz")


def test_the_environment_names_another_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small().save(tmp_path / "mine.npz")
    monkeypatch.setenv(VARIABLE, str(tmp_path / "mine.npz"))
    assert encoder().dimensions == 4


def test_the_shipped_encoder_is_whole_and_knows_its_trade() -> None:
    model = encoder()
    assert len(model.ids) >= 20_000
    assert (np.diff(model.ids.astype(object)) > 0).all()
    assert len(model.card["repositories"]) >= 150  # type: ignore[arg-type]

    def near(task: str, code: str) -> float:
        return float(model.task(terms(task)) @ model.task(terms(code)))

    for task, right, wrong in (
        ("limit how many calls a client makes", "throttle", "thumbnail"),
        ("sign in with a password", "authenticate", "gradient"),
        ("try again when the network is down", "retry", "palette"),
        ("too slow, remember the answer", "cache", "locale"),
    ):
        assert near(task, right) > near(task, wrong)


def test_all_weights_together_stay_small() -> None:
    shipped = SHIPPED.parent.glob("*.npz")
    assert sum(path.stat().st_size for path in shipped) <= MOST_BYTES
