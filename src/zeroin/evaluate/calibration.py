"""Score → relevance for the linear model, which judges changes and overviews: monotone piecewise linear maps.

One map for long tasks, one for short ones, whose scores mean something else, since they name fewer things and have
more answers. The knots were fitted by isotonic regression on the tuning tasks, before the learned ranker took over
tasks in words; its maps are in its file.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from zeroin.types import Query

# Without history a file lacks what history would have added, which is no evidence against it. Measured on 161
# queries asked without it: calibration error 0.154 at 1, 0.098 at 1.1, 0.083 at 1.15, 0.101 at 1.2.
NO_HISTORY = 1.15
SHORT_TASK = 12  # keywords; most issues have more, most questions and searches fewer

# (score, relevance), ascending in both.
KNOTS_LONG: tuple[tuple[float, float], ...] = (
    (-2.0, 0.0005),
    (0.4, 0.003),
    (1.4, 0.005),
    (2.3, 0.012),
    (3.0, 0.022),
    (3.6, 0.04),
    (4.3, 0.06),
    (4.8, 0.125),
    (5.2, 0.19),
    (5.7, 0.25),
    (6.3, 0.31),
    (6.9, 0.39),
    (7.6, 0.44),
    (8.3, 0.51),
    (9.2, 0.62),
    (10.7, 0.87),
    (12.5, 0.97),
)
# Of an overview: how often a file stands for a part that the repository's own architecture document names and that no
# file before it stands for. Isotonic, on 176 files of the 8 tuning repositories of `benchmarks.architecture`: few.
KNOTS_OVERVIEW: tuple[tuple[float, float], ...] = (
    (0.0, 0.0),
    (0.05, 0.03),
    (0.2, 0.11),
    (0.3, 0.12),
    (0.4, 0.25),
    (0.48, 0.42),
    (0.7, 0.5),
    (0.9, 0.58),
    (1.0, 0.6),
)
KNOTS_SHORT: tuple[tuple[float, float], ...] = (
    (0.7, 0.0005),
    (1.8, 0.001),
    (3.0, 0.004),
    (3.9, 0.0125),
    (4.8, 0.03),
    (5.4, 0.063),
    (6.5, 0.17),
    (7.4, 0.32),
    (7.7, 0.43),
    (8.0, 0.5),
    (8.5, 0.55),
    (8.9, 0.63),
    (9.2, 0.75),
    (9.6, 0.86),
    (10.2, 0.93),
    (11.0, 0.98),
)


def relevance_of(
    scores: NDArray[np.float64], *, short: bool, history: bool = True, overview: bool = False
) -> NDArray[np.float64]:
    """Relevance in 0–1, monotone in the score.

    `history` says whether history could speak at all, `overview` whether landmarks were judged instead of words.
    """
    if overview:
        x, y = zip(*KNOTS_OVERVIEW, strict=True)
        return np.asarray(np.interp(scores, x, y), np.float64)
    x, y = zip(*(KNOTS_SHORT if short else KNOTS_LONG), strict=True)
    scale = 1.0 if history else NO_HISTORY
    told = np.where(scores > 0, scores * scale, scores)
    return np.asarray(np.interp(told, x, y), np.float64)


def is_short(query: Query) -> bool:
    """Whether the task is read by the map for short queries."""
    return len(query.own) <= SHORT_TASK
