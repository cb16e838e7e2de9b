"""Update relevance by a judge's grades: Bayes' rule, with a posterior over how informative this judge's grades are.

The built-in relevance is calibrated, so its log odds plus the grade's log likelihood ratio are the log odds after the
grade. The ratio needs two distributions. P(grade | not useful) is estimated from the judge's own grades, since most
files of a request are not useful; a judge that grades many of these 2 or 3 is guessing, and counts for less or nothing.
P(grade | useful) cannot be estimated from so few files. So there are several hypotheses: the grades are uninformative,
or their sensitivity for useful files is one of 0.5 to 0.98. Each is weighed by the likelihood of this question's grades
and of the user's verdicts on earlier ones, and the new relevance is the mean over all hypotheses. A second pass uses
the relevance of the first. Weighing raters by agreement with other evidence: Dawid and Skene (1979), Applied
Statistics 28. A relevance that the caller has fixed is close to 0 or 1, so it weighs fully.
"""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from zeroin.llm_judge.contract import GRADES

Array = NDArray[np.float64]

# Priors, chosen on simulated judges (`benchmarks.judge`): probability that grades are informative, and of each
# sensitivity, as after two useful files that were graded high.
_WORTH = 0.95
_SENSITIVITIES = np.linspace(0.5, 0.98, 17)
_EXPECTED = _SENSITIVITIES**2 / np.sum(_SENSITIVITIES**2)
# Share of not useful files that are graded 2 or 3: up to `_KNOWS` grades count fully, from `_GUESSES` on not at all.
_GUESSES, _KNOWS = 0.38, 0.20
# Prior of P(grade | not useful), and the number of files that it counts as.
OTHER, _OTHER_FILES = np.array([0.62, 0.24, 0.10, 0.04]), 2.0
# Share of grade 3 among high grades of useful files, and of grade 1 among low ones.
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
# Most verdicts of the user that count, for useful files and for others (users name those that misled, which is no fair
# sample), and the bound to which verdicts can raise `_WORTH`.
_MOST_USEFUL, _MOST_OTHER, _MOST_WORTH = 20.0, 8.0, 0.98
_PASSES = 2
# Bounds of a likelihood ratio, as logs. At most 15, so that no grade alone lifts a file from 0.05 over 0.5.
MOST_UP, MOST_DOWN = float(np.log(15)), float(np.log(30))
_EDGE = 1e-4  # relevance is kept this far from 0 and 1


def fused(
    relevance: Sequence[float], grades: Sequence[int], verdicts: Iterable[tuple[int, bool]] = ()
) -> tuple[Array, float]:
    """Return the relevance of graded files after their grades, and the probability that the grades are informative.

    Pass all files graded in the run together. `verdicts` are grades of this judge in earlier questions, each with
    whether the file was useful.
    """
    before = np.clip(np.array(relevance, np.float64), _EDGE, 1 - _EDGE)
    given = np.array(grades, np.int64)
    if len(set(grades)) < 2:  # equal grades do not distinguish files
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
    """Return how many files have each grade, scaled down to `most` in all."""
    return np.asarray(
        np.bincount(np.array(grades, np.int64), minlength=len(GRADES)) * min(1.0, most / max(1, len(grades))),
        np.float64,
    )
