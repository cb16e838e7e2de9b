"""How a grade changes a relevance: Bayes' rule, with an estimate of what this judge's grades are worth.

The built-in relevance p is calibrated, so its log odds plus the log likelihood ratio of the grade is the relevance
after it. What the ratio is depends on how often the judge is right, which is not known. So every accuracy from 0.5 to
1 is considered, weighed by how well it explains the grades: a file of relevance p is useful with probability p, and is
then graded 2 or 3 by a judge who is right, else 0 or 1. Most files of a request are surely not useful, so this is
mainly a count of how many of those got a 2 or 3: a judge that guesses, gives every file a 3 or contradicts itself is
right about half of them. Up to `_WORTHLESS` grades count for nothing, from `_TRUSTED` on in full. Which of the two
grades on either side it gives is counted in its own grades, too. Two passes, the second with the relevance after the
first. The idea, raters weighed by how they agree with the rest of the evidence, is that of Dawid and Skene (1979),
Applied Statistics 28. What the caller has judged is sure, and counts as such.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from zeroin.llm_judge.contract import GRADES

Array = NDArray[np.float64]

_ACCURACIES = np.linspace(0.5, 0.98, 25)
_WORTHLESS, _TRUSTED = 0.55, 0.75
_TRUST = np.clip((_ACCURACIES - _WORTHLESS) / (_TRUSTED - _WORTHLESS), 0, 1)
# P(grade | not useful) that is expected before anything is counted, and as how many files that counts.
OTHER, _OTHER_FILES = np.array([0.62, 0.24, 0.10, 0.04]), 2.0
# Of a useful file's high grades those that are 3, of its low ones those that are 1, from a judge who is right.
_SURE, _CLOSE = 0.7, 0.65
_PASSES = 2
# Bounds of a ratio in log odds. Up to 15 times: no grade alone lifts a file of 0.05 over 0.5.
MOST_UP, MOST_DOWN = float(np.log(15)), float(np.log(30))
_EDGE = 1e-4  # a relevance of 0 or 1 is this far from it


def fused(relevance: Sequence[float], grades: Sequence[int]) -> Array:
    """Return the relevance of graded files after their grades; give all that were graded in the run together."""
    before = np.clip(np.array(relevance, np.float64), _EDGE, 1 - _EDGE)
    given = np.array(grades, np.int64)
    if len(set(grades)) < 2:  # nothing is said of one file that is not said of all
        return before
    odds = np.log(before / (1 - before))
    after = before
    for _ in range(_PASSES):
        counts = np.asarray(np.bincount(given, weights=1 - after, minlength=len(GRADES)), np.float64)
        other = (_OTHER_FILES * OTHER + counts) / (_OTHER_FILES + counts.sum())
        if other[2:].sum() >= 0.5:  # most files that are not useful are said to be
            return before
        useful = _useful(other)
        weights = _weights(useful, other, before, counts, given)
        ratios = np.clip(np.log(useful / other), -MOST_DOWN, MOST_UP) * _TRUST[:, None]
        after = weights @ (1 / (1 + np.exp(-odds - ratios[:, given])))
    return np.asarray(after, np.float64)


def _useful(other: Array) -> Array:
    """Return P(grade | useful), a row for each accuracy."""
    informed = 2 * _ACCURACIES - 1
    sure = informed * _SURE + (1 - informed) * other[3] / other[2:].sum()
    close = informed * _CLOSE + (1 - informed) * other[1] / other[:2].sum()
    wrong = 1 - _ACCURACIES
    return np.stack(
        [wrong * (1 - close), wrong * close, _ACCURACIES * (1 - sure), _ACCURACIES * sure], axis=1
    )


def _weights(
    useful: Array, other: Array, relevance: Array, counts: Array, grades: NDArray[np.int64]
) -> Array:
    """Return how likely each accuracy is: by the files that are not useful, and by agreement with relevance."""
    wrong = counts[2:].sum()
    likelihood = wrong * np.log(1 - _ACCURACIES) + (counts.sum() - wrong) * np.log(_ACCURACIES)
    likelihood += np.log(relevance * useful[:, grades] + (1 - relevance) * other[grades]).sum(axis=1)
    weights = np.exp(likelihood - likelihood.max())
    return np.asarray(weights / weights.sum(), np.float64)
