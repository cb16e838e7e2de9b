"""Boosted oblivious trees: every level of a tree asks one question, so a tree is a table of 2^depth leaves.

Applied without the training library: all trees at once, as comparisons of small integers. Oblivious trees as in
Prokhorenkova et al., "CatBoost: unbiased boosting with categorical features" (2018), section 4.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float32]


@dataclass(frozen=True)
class ObliviousTrees:
    """T trees of depth D over F features.

    Tree t asks at level l whether feature `features[t, l]` is above `borders[t, l]`; the answers are the bits of a
    leaf's number, the first level the lowest. `values` (T, 2^D) are what the leaves add to `base`; `weights`
    (T, 2^D) the training data in each, for contributions.
    """

    features: NDArray[np.int32]
    borders: Matrix
    values: NDArray[np.float64]
    weights: Matrix
    base: float
    width: int  # F

    @property
    def depth(self) -> int:
        return int(self.features.shape[1])

    @cached_property
    def _levels(self) -> tuple[tuple[Matrix, ...], NDArray[np.uint16]]:
        """Borders of each feature, ascending, and the position of each (tree, level)'s border among them."""
        features, borders = self.features.ravel(), self.borders.ravel()
        order = np.lexsort((borders, features))
        features, borders = features[order], borders[order]
        new = np.ones(len(order), np.bool_)
        new[1:] = (features[1:] != features[:-1]) | (borders[1:] != borders[:-1])
        starts = np.searchsorted(features[new], np.arange(self.width))
        position = np.empty(len(order), np.uint16)
        position[order] = np.cumsum(new) - 1 - starts[features]
        return tuple(np.split(borders[new], starts[1:])), position.reshape(self.features.shape)

    def leaves(self, rows: Matrix) -> NDArray[np.int64]:
        """Find the leaf of every row in every tree, shape (N, T); `rows` is (N, F)."""
        borders, position = self._levels
        # The bin of a value is the number of borders below it: above border k means a bin of more than k.
        bins = np.zeros(rows.shape, np.uint16)
        for f, known in enumerate(borders):
            if len(known):
                bins[:, f] = np.searchsorted(known, rows[:, f], side="left")
        out = np.zeros((len(rows), len(self.features)), np.int64)
        for level in range(self.depth):
            out |= (bins[:, self.features[:, level]] > position[:, level]).astype(np.int64) << level
        return out

    def predict(self, rows: Matrix) -> NDArray[np.float64]:
        """Score rows, shape (N,)."""
        leaves = self.leaves(rows)
        return np.asarray(self.base + self.values[np.arange(len(self.values)), leaves].sum(axis=1))

    @cached_property
    def _means(self) -> NDArray[np.float64]:
        """Mean value below each node, shape (D + 1, T, 2^D): node n of level l is the answers to l questions."""
        trees, size = self.values.shape
        out = np.zeros((self.depth + 1, trees, size))
        weights = self.weights.astype(np.float64) + 1e-9
        for level in range(self.depth + 1):
            shape = trees, size >> level, 1 << level
            total = (weights * self.values).reshape(shape).sum(axis=1)
            out[level, :, : 1 << level] = total / weights.reshape(shape).sum(axis=1)
        return out

    def contributions(self, rows: Matrix) -> NDArray[np.float64]:
        """Return what each feature adds to each score, shape (N, F); with the mean score of the training
        data they sum to `predict`.

        Each answer on the way down a tree changes the mean below; the change is the contribution of its feature.
        """
        leaves, trees = self.leaves(rows), np.arange(len(self.values))
        out = np.zeros((len(rows), self.width))
        before = self._means[0][trees, 0][None, :].repeat(len(rows), axis=0)
        for level in range(1, self.depth + 1):
            mean = self._means[level][trees, leaves & ((1 << level) - 1)]
            for row, change in enumerate(mean - before):
                out[row] += np.bincount(self.features[:, level - 1], weights=change, minlength=self.width)
            before = mean
        return out
