"""What a purpose changes in judging: weights that replace the ranker's own, as data (PATTERN P14)."""

from __future__ import annotations

from collections.abc import Mapping

from zeroin.types import Purpose

OVERRIDES: Mapping[Purpose, Mapping[str, float]] = {
    "review": {
        "graph": 1.5,
        "cochange": 3.0,
        "namesake": 1.5,
        "folder": 0.5,
        "callers": 1.5,
        "cochange_rank": 1.0,
        "counterpart": 0.5,
        "test": 0.0,
    },
    "explore": {"landmarks": 1.0, "doc": -0.8, "agreement": 1.0},
    "architecture": {
        "landmarks": 8.0,
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
