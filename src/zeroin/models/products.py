"""Products of matrices in one thread, without BLAS.

The matrices of one question are small. For these BLAS starts threads in the caller's process that mostly wait, and the
last digits of a row depend on the other rows of the call. `numpy.einsum` avoids both. The reader's are large, so it
uses BLAS and rounds what comes of it.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray


def along(matrix: NDArray[Any], vector: NDArray[Any]) -> NDArray[Any]:
    """Multiply the rows of a matrix (…, D) with a vector (D,); shape (…)."""
    return np.asarray(np.einsum("...j,j->...", matrix, vector))


def each_with_each(one: NDArray[Any], other: NDArray[Any]) -> NDArray[Any]:
    """Multiply each row of a matrix (n, D) with each of another (m, D); shape (n, m)."""
    return np.asarray(np.einsum("ik,jk->ij", one, other))


def weighted_sum(weights: NDArray[Any], matrix: NDArray[Any]) -> NDArray[Any]:
    """Sum the rows of a matrix (n, D), each times its weights (n, …); shape (…, D)."""
    return np.asarray(np.einsum("i...,ij->...j", weights, matrix))
