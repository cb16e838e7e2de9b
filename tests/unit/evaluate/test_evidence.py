"""Which evidence a feature stands for."""

import pytest

from zeroin.evaluate.features.registry import FEATURES
from zeroin.evaluate.reasons.evidence import NONE, RESTATED, by_evidence, evidence_of, spread_restated


def test_every_feature_has_a_kind_of_evidence() -> None:
    unknown = [feature for feature in FEATURES if evidence_of(feature) is None]
    assert not unknown, f"say in evaluate/evidence.py what proves {', '.join(unknown)}"


def test_names_are_exact_unless_they_open_a_family() -> None:
    assert evidence_of("defines_title") == "symbols"
    assert evidence_of("task_is_bug") == NONE
    assert evidence_of("paths_of_glory") is None


def test_evidence_is_the_sum_of_its_features() -> None:
    moved = {"symbols": 1.0, "defines_title": -0.25, "test": -2.0, "unheard_of": 3.0, "size": 0.5}
    assert by_evidence(moved) == {"symbols": 0.75, "role": -2.0, NONE: 3.5}


def test_what_restates_the_linear_model_belongs_to_what_moved_it() -> None:
    linear = {"lexical": 3.0, "history": 1.0, "test": -2.0}
    raised = spread_restated({"prior": 1.0, "prior_rank": 1.0, "lexical": 0.5}, linear)
    assert raised == pytest.approx({"lexical": 2.0, "history": 0.5})
    cut = spread_restated({"prior": -1.0, "lexical": 0.5}, linear)
    assert cut == pytest.approx({"lexical": 0.5, "test": -1.0})
    assert not set(RESTATED) & set(raised)
    assert spread_restated({"prior": 1.0}, {"test": -1.0}) == {"prior": 1.0}
