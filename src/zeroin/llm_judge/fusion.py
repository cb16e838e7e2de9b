"""How a grade changes a relevance: Bayes' rule with an error model of the judge that its own grades correct.

The built-in relevance p is calibrated, so log odds of p plus the log likelihood ratio of the grade is the relevance
after it. How likely a grade is for a useful and for another file starts from `PRIOR`, and is corrected by the grades of
the same run, each file counting as useful with its p. A judge that says the same of every file, or grades at random,
so gets likelihood ratios near 1 and changes nothing. The method is one step of Dawid and Skene (1979), Applied
Statistics 28, with the built-in evaluator as the other rater.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from zeroin.llm_judge.contract import GRADES

# P(grade | useful) and P(grade | other), grades 0 to 3: a judge that is right about nine times in ten.
PRIOR = np.array([[0.04, 0.08, 0.26, 0.62], [0.62, 0.24, 0.10, 0.04]])
STRENGTH = np.array([4.0, 10.0])  # files that the prior counts as, useful and other
# Bounds of a ratio in log odds. Up to 15 times: no grade alone lifts a file of 0.05 over 0.5.
MOST_UP, MOST_DOWN = float(np.log(15)), float(np.log(30))
_EDGE = 1e-4  # a relevance of 0 or 1 is this far from it


def error_model(relevance: NDArray[np.float64], grades: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return P(grade | useful) and P(grade | other), shape (2, grades), from files graded in this run."""
    useful = np.stack([relevance, 1 - relevance])
    counts = np.stack([np.bincount(grades, weights=w, minlength=len(GRADES)) for w in useful])
    model = PRIOR * STRENGTH[:, None] + counts
    return np.asarray(model / model.sum(axis=1, keepdims=True), np.float64)


def fused(relevance: Sequence[float], grades: Sequence[int]) -> NDArray[np.float64]:
    """Return the relevance of graded files after their grades; all that were graded in the run together."""
    before = np.clip(np.array(relevance, np.float64), _EDGE, 1 - _EDGE)
    given = np.array(grades, np.int64)
    model = error_model(before, given)
    ratio = np.log(model[0, given] / model[1, given])
    odds = np.log(before / (1 - before)) + np.clip(ratio, -MOST_DOWN, MOST_UP)
    return np.asarray(1 / (1 + np.exp(-odds)), np.float64)
