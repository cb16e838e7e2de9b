"""What a purpose changes in judging: weights that replace the ranker's own, as data (PATTERN P14)."""

from __future__ import annotations

from collections.abc import Mapping

from zeroin.types import Purpose

OVERRIDES: Mapping[Purpose, Mapping[str, float]] = {
    # A full table: the mean of weights set by hand and of a listwise fit on 146 commits of the tuned half of
    # `benchmarks.review`; by cross-validation over repositories neither beats the other.
    "review": {
        "lexical": 2.0,
        "definitions": 0.7,
        "path_terms": 0.6,
        "title": 0.4,
        "symbols": 0.8,
        "paths": 1.9,
        "history": 0.2,
        "graph": 1.0,
        "cochange": 2.6,
        "learned": 0.0,
        "followed": 0.5,
        "lexical_rank": 0.2,
        "symbols_rank": 0.2,
        "agreement": 0.8,
        "covered": 0.9,
        "passage": 1.1,
        "title_passage": 0.6,
        "test": 0.1,
        "doc": -2.2,
        "config": -1.2,
        "example": -1.2,
        "machine": -1.9,
        "entry": -0.5,
        "size": 0.2,
        "pattern": 0.2,
        "namesake": 1.1,
        "folder": 0.5,
        "callers": 1.4,
        "cochange_rank": 0.7,
        "counterpart": 0.5,
        "untouched_role": 0.2,
    },
    "explore": {"landmarks": 1.0, "doc": -0.8, "agreement": 1.0},
    "architecture": {
        "landmarks": 18.0,
        "lexical": 0.5,
        "title": 0.3,
        "history": 0.2,
        "lexical_rank": 0.0,
        "passage": 0.3,
        "title_passage": 0.3,
        "covered": 0.3,
        "agreement": 0.0,
        "doc": 0.0,
        "entry": 0.0,
    },
}
