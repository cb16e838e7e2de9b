"""How a grade changes a relevance: Bayes' rule, with an estimate of what this judge's grades are worth.

The built-in relevance p is calibrated, so its log odds plus the log likelihood ratio of the grade is the relevance
after it. How often files that are not useful get a grade is counted in this judge's own grades, each file counting
with 1 - p: a judge that gives every file a 3 has said nothing. How often useful ones get it is `USEFUL` for an
informed judge, and as for any other file for an uninformed one. The informed share is estimated from how grades agree
with p; it falls where many files get a 2 or 3, since few can be useful. Two passes, the second with the relevance after
the first. The idea, raters weighed by how they agree with the rest of the evidence, is that of Dawid and Skene (1979),
Applied Statistics 28.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from zeroin.llm_judge.contract import GRADES

# P(grade | useful) of an informed judge, and what is expected for other files before anything is counted.
USEFUL = np.array([0.04, 0.08, 0.26, 0.62])
OTHER = np.array([0.62, 0.24, 0.10, 0.04])
_OTHER_FILES = 4.0  # that the expectation counts as
_SHARES = np.linspace(0.0, 1.0, 21)  # informed shares that are considered …
_SHARE_PRIOR = 1.5  # … weighed by their power: most judges are informed
# A judge may find so many of the other files useful; each one beyond makes an informed judge less likely.
_MOST_USEFUL, _DISTRUST = 0.3, 1.5
_PASSES = 2
# Bounds of a ratio in log odds. Up to 15 times: no grade alone lifts a file of 0.05 over 0.5.
MOST_UP, MOST_DOWN = float(np.log(15)), float(np.log(30))
_EDGE = 1e-4  # a relevance of 0 or 1 is this far from it


def fused(relevance: Sequence[float], grades: Sequence[int]) -> NDArray[np.float64]:
    """Return the relevance of graded files after their grades; give all that were graded in the run together."""
    before = np.clip(np.array(relevance, np.float64), _EDGE, 1 - _EDGE)
    given = np.array(grades, np.int64)
    if len(set(grades)) < 2:  # nothing is said of one file that is not said of all
        return before
    odds = np.log(before / (1 - before))
    after = before
    for _ in range(_PASSES):
        after = 1 / (1 + np.exp(-odds - _log_ratios(after, given)[given]))
    return np.asarray(after, np.float64)


def _log_ratios(relevance: NDArray[np.float64], grades: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the log likelihood ratio of each grade, useful against other."""
    other = _OTHER_FILES * OTHER + np.bincount(grades, weights=1 - relevance, minlength=len(GRADES))
    other /= other.sum()
    share = _informed_share(relevance, grades, other)
    return np.asarray(np.clip(np.log((share * USEFUL + (1 - share) * other) / other), -MOST_DOWN, MOST_UP))


def _informed_share(
    relevance: NDArray[np.float64], grades: NDArray[np.int64], other: NDArray[np.float64]
) -> float:
    """Estimate the share of useful files that the judge graded by what they are: the mean of its posterior."""
    useful = np.outer(_SHARES, USEFUL[grades]) + np.outer(1 - _SHARES, other[grades])
    likelihood = np.log(relevance * useful + (1 - relevance) * other[grades]).sum(axis=1)
    surplus = max(0.0, float(other[2:].sum()) - _MOST_USEFUL) * len(grades)
    likelihood -= _DISTRUST * surplus * _SHARES
    weights = np.exp(likelihood - likelihood.max()) * _SHARES**_SHARE_PRIOR
    return float((_SHARES * weights).sum() / weights.sum())
