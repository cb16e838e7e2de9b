"""Products without BLAS: right, and the same whatever is multiplied beside."""

import numpy as np

from zeroin.models.products import along, each_with_each, weighted_sum

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
