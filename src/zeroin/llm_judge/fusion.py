"""How a grade changes a relevance: Bayes' rule, with a posterior over what this judge's grades are worth.

The built-in relevance p is calibrated, so its log odds plus the log likelihood ratio of the grade is the relevance
after it. The ratio takes two things. P(grade | not useful) is counted in the judge's own grades, since most files of a
request are surely not useful; a judge that gives a 2 or 3 to many of those guesses, and counts for less, or not at all.
P(grade | useful) is not known from so few files. So either the grades say nothing, or they find a useful file with a
sensitivity of 0.5 to 0.98, and each of these is weighed by how well it explains the grades of the question and what the
user has said of files that this judge graded in earlier ones. The relevance after is the mean over all of them. Two
passes, the second with the relevance after the first. Raters weighed by how they agree with the rest of the evidence:
that is Dawid and Skene (1979), Applied Statistics 28. What the caller has judged is sure, and counts as such.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from zeroin.llm_judge.contract import GRADES

Array = NDArray[np.float64]

# What is expected of a judge before anything is counted, chosen on simulated judges (`benchmarks.judge`): that its
# grades say something; of each sensitivity, as if two useful files had been found.
_WORTH = 0.95
_SENSITIVITIES = np.linspace(0.5, 0.98, 17)
_EXPECTED = _SENSITIVITIES**2 / np.sum(_SENSITIVITIES**2)
# The share of files that are not useful with a 2 or 3 from which on grades count for nothing, up to which in full.
_GUESSES, _KNOWS = 0.38, 0.20
# P(grade | not useful), and as how many files that counts.
OTHER, _OTHER_FILES = np.array([0.62, 0.24, 0.10, 0.04]), 2.0
# Of a useful file's high grades those that are 3, of its low ones those that are 1.
_SURE, _CLOSE = 0.7, 0.65
_USEFUL = np.stack(  # P(grade | useful), a row for each sensitivity
    [
        (1 - _SENSITIVITIES) * (1 - _CLOSE),
        (1 - _SENSITIVITIES) * _CLOSE,
        _SENSITIVITIES * (1 - _SURE),
        _SENSITIVITIES * _SURE,
    ],
    axis=1,
)
# Verdicts of the user on graded files: as many as count at most, by useful or not (those named as not useful are no
# fair sample: they are the ones that misled), and what the best of them can make of `_WORTH`.
_MOST_USEFUL, _MOST_OTHER, _MOST_WORTH = 20.0, 8.0, 0.98
_PASSES = 2
# Bounds of a ratio in log odds. Up to 15 times: no grade alone lifts a file of 0.05 over 0.5.
MOST_UP, MOST_DOWN = float(np.log(15)), float(np.log(30))
_EDGE = 1e-4  # a relevance of 0 or 1 is this far from it


def fused(
    relevance: Sequence[float], grades: Sequence[int], verdicts: Iterable[tuple[int, bool]] = ()
) -> tuple[Array, float]:
    """Return the relevance of graded files after their grades, and the probability that these say something.

    Give all that were graded in the run together. `verdicts` are grades of this judge in earlier questions, each with
    whether the file was useful.
    """
    before = np.clip(np.array(relevance, np.float64), _EDGE, 1 - _EDGE)
    given = np.array(grades, np.int64)
    if len(set(grades)) < 2:  # nothing is said of one file that is not said of all
        return before, 0.0
    known = list(verdicts)
    found = _counted([grade for grade, useful in known if useful], _MOST_USEFUL)
    misled = _counted([grade for grade, useful in known if not useful], _MOST_OTHER)
    odds = np.log(before / (1 - before))
    after, worth = before, 0.0
    for _ in range(_PASSES):
        counts = _OTHER_FILES * OTHER + np.bincount(given, weights=1 - after, minlength=len(GRADES))
        other = (counts + misled) / (counts + misled).sum()
        high = max(float(other[2:].sum()), float(counts[2:].sum() / counts.sum()))  # verdicts do not lower it
        knows = min(1.0, (_GUESSES - high) / (_GUESSES - _KNOWS))
        if knows <= 0:
            return before, 0.0
        ratios = np.log(_USEFUL / other)
        weights = _EXPECTED * np.exp(ratios @ found)
        share = knows * min(_MOST_WORTH, _WORTH * weights.sum() / (1 - _WORTH + _WORTH * weights.sum()))
        weights *= np.prod(before * np.exp(ratios[:, given]) + 1 - before, axis=1) * share / weights.sum()
        worth = float(weights.sum() / (weights.sum() + 1 - share))
        bounded = np.clip(ratios, -MOST_DOWN, MOST_UP)[:, given]
        mean = weights / weights.sum() @ (1 / (1 + np.exp(-odds - bounded)))
        after = np.asarray(worth * mean + (1 - worth) * before, np.float64)
    return after, worth


def _counted(grades: Sequence[int], most: float) -> Array:
    """Return how many files have each grade, as shares of `most` where there are more."""
    return np.asarray(
        np.bincount(np.array(grades, np.int64), minlength=len(GRADES)) * min(1.0, most / max(1, len(grades))),
        np.float64,
    )
