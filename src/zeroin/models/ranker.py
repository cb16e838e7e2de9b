"""The learned ranker's file: trees, the features they ask about, and the maps from score to relevance."""

from __future__ import annotations

import json
import os
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from zeroin.errors import ModelError
from zeroin.models.trees import ObliviousTrees

FORMAT = 1
SHIPPED = Path(__file__).with_name("ranker.npz")
VARIABLE = "ZEROIN_RANKER"  # names another file: how a ranker is measured before it is shipped

Knots = NDArray[np.float64]  # (K, 2): score, relevance; ascending in both


@dataclass(frozen=True, slots=True)
class Ranker:
    """A model over named features; `maps` are calibrations by the kind of task that they are for."""

    trees: ObliviousTrees
    features: tuple[str, ...]
    features_version: int
    maps: Mapping[str, Knots]
    card: Mapping[str, object] = field(default_factory=dict)  # what it was trained on, for whoever asks

    def relevance(self, scores: NDArray[np.float64], name: str) -> NDArray[np.float64]:
        """Scores → relevance by one of the maps: linear between knots, level beyond them."""
        knots = self.maps[name]
        return np.asarray(np.interp(scores, knots[:, 0], knots[:, 1]))

    def save(self, path: Path) -> None:
        """Write the file."""
        trees = self.trees
        header = {
            "format": FORMAT,
            "features": list(self.features),
            "features_version": self.features_version,
            "base": trees.base,
            "maps": {name: knots.tolist() for name, knots in self.maps.items()},
            "card": dict(self.card),
        }
        with path.open("wb") as file:
            np.savez_compressed(
                file,
                header=np.frombuffer(json.dumps(header).encode(), np.uint8),
                features=trees.features.astype(np.int16),
                borders=trees.borders.astype(np.float32),
                values=trees.values.astype(np.float64),
                weights=trees.weights.astype(np.float32),
            )


def read_ranker(path: Path) -> Ranker:
    """A ranker from its file. Raises `ModelError` for a file that is none."""
    try:
        with np.load(path, allow_pickle=False) as parts:
            header = json.loads(bytes(parts["header"]))
            if header["format"] != FORMAT:
                raise ModelError(f"{path}: a ranker of format {header['format']}, not {FORMAT}")
            trees = ObliviousTrees(
                features=parts["features"].astype(np.int32),
                borders=parts["borders"],
                values=parts["values"],
                weights=parts["weights"],
                base=float(header["base"]),
                width=len(header["features"]),
            )
            maps = {name: np.array(knots, np.float64) for name, knots in header["maps"].items()}
    except (OSError, EOFError, KeyError, ValueError, zipfile.BadZipFile) as error:
        raise ModelError(f"{path}: not a ranker: {error}") from error
    if trees.features.size and int(trees.features.max()) >= trees.width:
        raise ModelError(f"{path}: a tree asks about a feature that is not listed")
    return Ranker(trees, tuple(header["features"]), int(header["features_version"]), maps, header["card"])


def ranker() -> Ranker:
    """The ranker in use: the one that the environment names, or the shipped one. Raises `ModelError`."""
    return _read(os.environ.get(VARIABLE) or str(SHIPPED))


_read = lru_cache(maxsize=4)(lambda path: read_ranker(Path(path)))
