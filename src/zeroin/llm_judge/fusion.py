"""How a grade changes a relevance: Bayes' rule, with an estimate of how much the judge knows.

The built-in relevance p is calibrated, so its log odds plus the log likelihood ratio of the grade is the relevance
after it. A grade is taken for a mixture: with probability a it comes from a judge that is right nine times in ten
(`RELIABLE`), else it is drawn whatever the file is, as often as this judge gives that grade. The informed share a is
estimated from the grades of the run, each file counting as useful with its p. A judge that says the same of every file,
grades at random or upside down has a near 0 and changes nothing. The idea is that of Dawid and Skene (1979), Applied
Statistics 28: raters are weighed by how they agree with the rest of the evidence.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from zeroin.llm_judge.contract import GRADES

# P(grade | useful) and P(grade | other), grades 0 to 3.
RELIABLE = np.array([[0.04, 0.08, 0.26, 0.62], [0.62, 0.24, 0.10, 0.04]])
_SHARES = np.linspace(0.0, 1.0, 21)  # of informed grades that are considered …
_SHARE_PRIOR = (1.0, 0.15)  # … weighed by a^1.0 (1 - a)^0.15: most judges are informed
_SMOOTHING = 0.5  # added to how often each grade was given
# Bounds of a ratio in log odds. Up to 15 times: no grade alone lifts a file of 0.05 over 0.5.
MOST_UP, MOST_DOWN = float(np.log(15)), float(np.log(30))
_EDGE = 1e-4  # a relevance of 0 or 1 is this far from it


def informed_share(relevance: NDArray[np.float64], grades: NDArray[np.int64]) -> float:
    """Estimate the share of grades that depend on the file: the mean of its posterior."""
    chance = _frequencies(grades)[grades]
    informed = relevance * RELIABLE[0, grades] + (1 - relevance) * RELIABLE[1, grades]
    likelihood = np.log(np.outer(_SHARES, informed) + np.outer(1 - _SHARES, chance)).sum(axis=1)
    up, down = _SHARE_PRIOR
    with np.errstate(divide="ignore"):
        posterior = likelihood + up * np.log(_SHARES) + down * np.log(1 - _SHARES)
    weights = np.exp(posterior - posterior.max())
    return float((_SHARES * weights).sum() / weights.sum())


def fused(relevance: Sequence[float], grades: Sequence[int]) -> NDArray[np.float64]:
    """Return the relevance of graded files after their grades; give all that were graded in the run together."""
    before = np.clip(np.array(relevance, np.float64), _EDGE, 1 - _EDGE)
    given = np.array(grades, np.int64)
    share = informed_share(before, given)
    chance = (1 - share) * _frequencies(given)
    ratio = np.log((share * RELIABLE[0] + chance) / (share * RELIABLE[1] + chance))[given]
    odds = np.log(before / (1 - before)) + np.clip(ratio, -MOST_DOWN, MOST_UP)
    return np.asarray(1 / (1 + np.exp(-odds)), np.float64)


def _frequencies(grades: NDArray[np.int64]) -> NDArray[np.float64]:
    counts = np.bincount(grades, minlength=len(GRADES)) + _SMOOTHING
    return np.asarray(counts / counts.sum(), np.float64)
