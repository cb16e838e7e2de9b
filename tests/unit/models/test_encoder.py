"""What the encoder's vectors promise, and the products that make them."""

import numpy as np
import pytest

from tests.unit.models.test_files import small_encoder
from zeroin.models.encoder import encoder
from zeroin.models.products import along, each_with_each, weighted_sum
from zeroin.terms import analyse, term_id


def terms(text: str) -> dict[int, float]:
    return {term_id(term): 1.0 for term in analyse(text)}


def test_words_that_mean_the_same_are_near() -> None:
    model = small_encoder()
    task = model.task(terms("wait"))
    assert np.linalg.norm(task) == pytest.approx(1, abs=1e-3)
    rows = model.rows(np.array([term_id("delay"), term_id("colour"), term_id("unheard")], np.uint64))
    assert rows[2] == -1
    delay, colour = model.vectors(rows[:2]) @ task
    # cos((100, 20), (110, 10)) = 11,200 / (101.98 · 110.45)
    assert (delay, colour) == pytest.approx((0.9943, 0.0), abs=1e-3)


def test_a_passage_is_the_weighted_mean_of_its_terms() -> None:
    model = small_encoder()
    rows = model.rows(np.array([term_id("delay"), term_id("colour")], np.uint64))
    counts = np.array([3.0, 1.0], np.float32)
    mean = np.log1p(counts) @ model.vectors(rows)
    assert model.passages(rows, counts, (0, 2))[0] == pytest.approx(mean / np.linalg.norm(mean), abs=1e-5)


def test_a_text_of_unknown_words_means_nothing() -> None:
    model = small_encoder()
    assert not model.task(terms("xyzzy plugh")).any()
    assert not model.task({}).any()
    assert not model.passages(np.empty(0, np.int32), np.empty(0, np.float32), (0, 0)).any()


def test_packed_vectors_keep_their_cosines() -> None:
    model = encoder()
    vectors = np.random.default_rng(3).normal(size=(50, model.dimensions)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    found = model.similarity(model.pack(vectors), vectors[0])
    assert np.abs(found - vectors @ vectors[0]).max() < 0.01


@pytest.mark.parametrize(
    ("task", "right", "wrong"),
    [
        ("limit how many calls a client makes", "throttle", "thumbnail"),
        ("sign in with a password", "authenticate", "gradient"),
        ("try again when the network is down", "retry", "palette"),
        ("too slow, remember the answer", "cache", "locale"),
    ],
)
def test_the_shipped_encoder_knows_its_trade(task: str, right: str, wrong: str) -> None:
    model = encoder()
    assert (np.diff(model.ids.astype(object)) > 0).all()
    vector = model.task(terms(task))
    assert float(vector @ model.task(terms(right))) > float(vector @ model.task(terms(wrong)))


_RANDOM = np.random.default_rng(5)
_MANY, _FEW = (_RANDOM.standard_normal((n, 256)).astype(np.float32) for n in (700, 9))


def test_they_are_what_algebra_says() -> None:
    weights = _RANDOM.standard_normal((700, 3)).astype(np.float32)
    for found, wanted in (
        (along(_MANY, _FEW[0]), _MANY @ _FEW[0]),
        (each_with_each(_MANY, _FEW), _MANY @ _FEW.T),
        (weighted_sum(weights[:, 0], _MANY), weights[:, 0] @ _MANY),
        (weighted_sum(weights, _MANY), weights.T @ _MANY),
        (weighted_sum(weights, _MANY[:, :1]), weights.T @ _MANY[:, :1]),
    ):
        assert found.dtype == np.float32
        np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-3)


def test_a_row_has_the_same_product_alone_and_among_others() -> None:
    whole = along(_MANY, _FEW[0])
    assert all(along(_MANY[n : n + 1], _FEW[0])[0] == whole[n] for n in range(len(_MANY)))
    assert (each_with_each(_MANY, _FEW)[:, 0] == whole).all()
