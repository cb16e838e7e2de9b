"""The encoder: a static table of term vectors, trained so that prose lies near the code it describes.

A text's vector is the weighted sum of its terms' vectors, normalised to unit length. Tasks and code have their own
weights, since a term that distinguishes tasks may not distinguish passages of code.
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from zeroin.models import shipped
from zeroin.models.file import Arrays, Header, read
from zeroin.models.products import along, weighted_sum

SHIPPED = Path(__file__).with_name("encoder.npz")
VARIABLE = "ZEROIN_ENCODER"  # environment: path of another encoder, to measure one before it is shipped

Vectors = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Encoder:
    """V terms in D dimensions.

    `ids` (V,) are term ids, sorted. `table` (V, D) int8 times `scales` (V,) are unit vectors. `task_weights` and
    `code_weights` (V,) are the weights of terms in tasks and in code.
    """

    ids: NDArray[np.uint64]
    table: NDArray[np.int8]
    scales: Vectors
    task_weights: Vectors
    code_weights: Vectors
    card: Mapping[str, object] = field(default_factory=dict)  # training data and settings

    @property
    def dimensions(self) -> int:
        return int(self.table.shape[1])

    @property
    def unit(self) -> float:
        """Factor of packed vectors: a component of 4/√D, four standard deviations, becomes 127."""
        return 127.0 * float(np.sqrt(self.dimensions)) / 4.0

    def rows(self, ids: NDArray[np.uint64]) -> NDArray[np.int32]:
        """Find the rows of term ids, shape (n,); -1 for a term that the table does not hold."""
        at = np.minimum(np.searchsorted(self.ids, ids), len(self.ids) - 1)
        return np.where(self.ids[at] == ids, at, -1).astype(np.int32)

    def vectors(self, rows: NDArray[np.int32]) -> Vectors:
        """Return unit vectors of terms by row, shape (n, D)."""
        return self.table[rows].astype(np.float32) * self.scales[rows, None]

    def task(self, terms: Mapping[int, float]) -> Vectors:
        """Encode weighted term ids of a task: unit length, or all zero where no term is known; shape (D,)."""
        rows = self.rows(np.fromiter(terms, np.uint64, len(terms)))
        weights = np.fromiter(terms.values(), np.float32, len(terms))[rows >= 0]
        rows = rows[rows >= 0]
        return _unit(weighted_sum(weights * self.task_weights[rows], self.vectors(rows)))

    def passages(self, rows: NDArray[np.int32], counts: Vectors, bounds: Sequence[int]) -> Vectors:
        """Encode passages from rows of terms and their counts: unit length or all zero; shape (P, D).

        The terms of passage i lie between `bounds[i]` and `bounds[i + 1]`.
        """
        weights = np.log1p(counts) * self.code_weights[rows] * self.scales[rows]
        out = np.zeros((len(bounds) - 1, self.dimensions), np.float32)
        for vector, (start, end) in zip(out, pairwise(bounds), strict=True):
            if end > start:
                vector[:] = _unit(weights[start:end] @ self.table.take(rows[start:end], 0).astype(np.float32))
        return out

    def pack(self, vectors: Vectors) -> NDArray[np.int8]:
        """Pack unit vectors as int8, shape unchanged; `similarity` reads them."""
        return np.asarray(np.clip(np.rint(vectors * self.unit), -127, 127), np.int8)

    def similarity(self, packed: NDArray[np.int8], vector: Vectors) -> Vectors:
        """Compare packed vectors (n, D) with a unit vector (D,): cosines, shape (n,)."""
        return np.asarray(along(packed.astype(np.float32), vector) / np.float32(self.unit), np.float32)


WEIGHTS = ("scales", "task_weights", "code_weights")


def _unit(vector: Vectors) -> Vectors:
    length = float(np.sqrt(vector @ vector))
    return vector / length if length > 0 else vector


def read_encoder(path: Path) -> Encoder:
    """Read an encoder. Raises `ModelError`."""
    return read(path, "an encoder", _build)


def _build(header: Header, arrays: Arrays) -> Encoder:
    ids, table = arrays["ids"], arrays["table"]
    scales, task, code = (arrays[name].astype(np.float32) for name in WEIGHTS)
    if not len(ids) or table.ndim != 2 or any(len(array) != len(ids) for array in (table, scales, task, code)):
        raise ValueError("its arrays do not belong together")
    return Encoder(ids, table, scales, task, code, header["card"])


def encoder() -> Encoder:
    """Return the encoder that the environment names, or the shipped one. Raises `ModelError`."""
    return _read(os.environ.get(VARIABLE) or str(SHIPPED))


def digest() -> str:
    """Return a digest of the encoder in use."""
    if given := os.environ.get(VARIABLE):
        return sha256(Path(given).read_bytes()).hexdigest()
    return shipped.SHIPPED[SHIPPED.name].file


_read = lru_cache(maxsize=2)(lambda path: read_encoder(Path(path)))
