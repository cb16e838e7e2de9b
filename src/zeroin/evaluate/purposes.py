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
}
