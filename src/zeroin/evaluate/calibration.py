"""Score → relevance: a monotone piecewise linear map, so that files given relevance r are useful about r often.

The knots were fitted by isotonic regression on the tuning tasks (`python -m benchmarks.fit`); reliability is
reported in docs/QUALITY.md.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

# (score, relevance), ascending in both.
KNOTS: tuple[tuple[float, float], ...] = (
    (0.0, 0.01),
    (2.0, 0.03),
    (4.0, 0.12),
    (6.0, 0.4),
    (8.0, 0.7),
    (10.0, 0.9),
    (12.0, 0.97),
)


def relevance_of(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Relevance in 0–1, monotone in the score."""
    x, y = zip(*KNOTS, strict=True)
    return np.asarray(np.interp(scores, x, y), np.float64)
