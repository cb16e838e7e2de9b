"""The learned ranker's file: trees, the features they ask about, and the maps from score to relevance."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from zeroin.models.file import Arrays, Header, read
from zeroin.models.trees import ObliviousTrees

SHIPPED = Path(__file__).with_name("ranker.npz")
VARIABLE = "ZEROIN_RANKER"  # path of another ranker, to measure it before it is shipped

Knots = NDArray[np.float64]  # (K, 2): score, relevance; ascending in both


@dataclass(frozen=True, slots=True)
class Ranker:
    """Trees over named features; `maps` are calibrations by name: "long" and "short" tasks."""

    trees: ObliviousTrees
    features: tuple[str, ...]
    features_version: int
    maps: Mapping[str, Knots]
    card: Mapping[str, object] = field(default_factory=dict)  # what it was trained on

    def relevance(self, scores: NDArray[np.float64], name: str) -> NDArray[np.float64]:
        """Map scores to relevance by one of the maps: linear between knots, level beyond them."""
        knots = self.maps[name]
        return np.asarray(np.interp(scores, knots[:, 0], knots[:, 1]))


def read_ranker(path: Path) -> Ranker:
    """Read a ranker. Raises `ModelError`."""
    return read(path, "a ranker", _build)


def _build(header: Header, arrays: Arrays) -> Ranker:
    features, asked = tuple(header["features"]), arrays["features"].astype(np.int32)
    if asked.size and int(asked.max()) >= len(features):
        raise ValueError("a tree asks about a feature that is not listed")
    borders, values, weights = arrays["borders"], arrays["values"], arrays["weights"]
    trees = ObliviousTrees(asked, borders, values, weights, float(header["base"]), len(features))
    maps = {name: np.array(knots, np.float64) for name, knots in header["maps"].items()}
    return Ranker(trees, features, int(header["features_version"]), maps, header["card"])


def ranker() -> Ranker:
    """Return the ranker that the environment names, or the shipped one. Raises `ModelError`."""
    return _read(os.environ.get(VARIABLE) or str(SHIPPED))


_read = lru_cache(maxsize=4)(lambda path: read_ranker(Path(path)))
