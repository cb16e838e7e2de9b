"""What each feature is evidence of, and how contributions are summed into reasons' amounts."""

import pytest

from zeroin.evaluate.features.table import FEATURES, NONE, RESTATED
from zeroin.evaluate.model.ranker import spread_restated
from zeroin.evaluate.reasons.writer import WRITERS, by_evidence


def test_every_kind_of_evidence_has_a_writer() -> None:
    kinds = {feature.evidence for feature in FEATURES.values()}
    assert kinds - {NONE, RESTATED} <= WRITERS.keys()
    assert WRITERS.keys() - kinds == {"literal", "retriever"}  # no feature: quoted text, a caller's retriever


def test_evidence_is_the_sum_of_its_features() -> None:
    contributions = {"symbols": 1.0, "defines_title": -0.25, "test": -2.0, "task_words": 3.0, "prior": 0.5}
    assert by_evidence(contributions) == {"symbols": 0.75, "role": -2.0, NONE: 3.5}


def test_a_restated_score_belongs_to_the_features_behind_it() -> None:
    linear = {"lexical": 3.0, "history": 1.0, "test": -2.0}
    raised = spread_restated({"prior": 1.0, "prior_rank": 1.0, "lexical": 0.5}, linear)
    assert raised == pytest.approx({"lexical": 0.5 + 2.0 * 3 / 4, "history": 2.0 * 1 / 4})
    cut = spread_restated({"prior": -1.0, "lexical": 0.5}, linear)
    assert cut == pytest.approx({"lexical": 0.5, "test": -1.0})
    assert spread_restated({"prior": 1.0}, {"test": -1.0}) == {"prior": 1.0}
