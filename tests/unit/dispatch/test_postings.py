"""BM25F written out, and fusion."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from zeroin.dispatch.fusion import K, ranks, reciprocal_rank_fusion
from zeroin.index.postings import FieldWeights, Postings, bm25f, build


def postings_of(*documents: dict[int, tuple[int, int]]) -> Postings:
    parts = [
        (np.array(sorted(d), np.uint64), np.array([d[t] for t in sorted(d)], np.uint16).reshape(len(d), 2))
        for d in documents
    ]
    return build(parts, 2)


def test_bm25f_is_the_formula() -> None:
    postings = postings_of({7: (1, 2), 9: (0, 1)}, {9: (0, 4)}, {})
    fields = FieldWeights(weights=(3.0, 1.0), b=(0.5, 0.75), k1=1.2)
    # Term 7 is in one of three documents; its fields have lengths 1 and 3, on average 1/3 and 7/3.
    idf = math.log1p((3 - 1 + 0.5) / (1 + 0.5))
    tf = 3 * 1 / (1 - 0.5 + 0.5 * 1 / (1 / 3)) + 1 * 2 / (1 - 0.75 + 0.75 * 3 / (7 / 3))
    expected = 2.0 * idf * 2.2 * tf / (1.2 + tf)
    scores = bm25f(postings, {7: 2.0}, fields)
    assert scores[0] == pytest.approx(expected, rel=1e-5)
    assert scores[1] == scores[2] == 0


def test_an_unknown_term_changes_nothing() -> None:
    postings = postings_of({7: (1, 0)}, {7: (1, 0)})
    fields = FieldWeights(weights=(1.0, 1.0), b=(0.5, 0.5))
    assert (bm25f(postings, {7: 1.0, 99: 5.0}, fields) == bm25f(postings, {7: 1.0}, fields)).all()
    assert postings.idf(99) == 0.0
    assert postings.document_frequency(7) == 2
    assert postings.document_frequencies([7, 0, 2**64 - 1]).tolist() == [
        2,
        *map(postings.document_frequency, (0, 2**64 - 1)),
    ]


def test_ranks_break_ties_by_document() -> None:
    assert ranks(np.array([0.0, 2.0, 2.0, 5.0], np.float32)).tolist() == [0, 2, 3, 1]


def test_fusion_is_the_weighted_sum_of_reciprocal_ranks() -> None:
    lists = {"a": np.array([3.0, 1.0], np.float32), "b": np.array([0.0, 4.0], np.float32)}
    fused = reciprocal_rank_fusion(lists, {"a": 1.0, "b": 2.0})
    assert fused.tolist() == pytest.approx([1 / (K + 1), 1 / (K + 2) + 2 / (K + 1)])


@given(st.lists(st.lists(st.floats(0, 10, width=32), min_size=5, max_size=5), min_size=1, max_size=4), st.randoms())
def test_fusion_ignores_the_order_of_its_inputs(rows: list[list[float]], random: object) -> None:
    lists = {str(i): np.array(row, np.float32) for i, row in enumerate(rows)}
    shuffled = dict(reversed(list(lists.items())))
    one, two = reciprocal_rank_fusion(lists, {}), reciprocal_rank_fusion(shuffled, {})
    assert (one == two).all()
