"""Whether an answer holds every file that the change needs: a fitted probability, not a rule of thumb.

The model is logistic, fitted on tasks with known answers and checked on repositories left out (`training.sufficiency`,
docs/QUALITY.md, "Sufficient"). It sees how sure the best two files are, and how much relevance is left unlisted.
"""

import math
from collections.abc import Collection, Sequence

from zeroin.index.view import View
from zeroin.types import Judgment, Purpose, Query, Quotation

SUFFICIENT = 0.9  # from this probability on an answer calls itself sufficient
# A review or an overview is never called sufficient: its gold is not known well enough to fit a model.
UNCLAIMED: frozenset[Purpose] = frozenset({"review", "architecture"})

# Of a constant and the three features of `evidence_of`. Fitted with an older ranker and kept: fitted anew, answers call
# themselves sufficient more often and less truly (docs/QUALITY.md).
COEFFICIENTS = (0.054, 0.481, 0.061, -0.998)
_LEAST, _MOST = 0.001, 0.999  # relevance is clipped to these for its log odds
_FAINT = 0.01  # unlisted files below do not count: there are hundreds
_LEFT_FLOOR = 0.1  # added before the logarithm: no repository of the fit leaves less
_MUCH_OF_MESSAGE = 0.7  # share of a message; a file that holds it is where the message comes from


def evidence_of(listed: Sequence[float], left: Sequence[float]) -> tuple[float, float, float]:
    """Return the features: log odds of the best two `listed` relevances, log of the relevance that is `left` out."""
    best, second = (*sorted(listed, reverse=True)[:2], 0.0, 0.0)[:2]
    rest = sum(relevance for relevance in left if relevance >= _FAINT)
    return _log_odds(best), _log_odds(second), math.log(rest + _LEFT_FLOOR)


def probability_complete(ranking: Sequence[Judgment], listed: Collection[str]) -> float:
    """Return the probability that every file that the task needs is among the `listed` paths.

    `ranking` are the files that count: neither given by the caller nor secondary.
    """
    features = evidence_of(
        [j.relevance for j in ranking if j.path in listed], [j.relevance for j in ranking if j.path not in listed]
    )
    odds = sum(weight * value for weight, value in zip(COEFFICIENTS, (1.0, *features), strict=True))
    return 1 / (1 + math.exp(-odds))


def message_is_raised(query: Query, listed: Collection[int], view: View) -> bool:
    """Tell whether a `listed` document raises or logs a message that the task is about; True if it is about none."""
    messages = [q for q in query.quotations if not q.name and q.part >= Quotation.SUBJECT]
    holding = view.quote_matches(query.quotations).by_doc
    found = (holding[doc] for doc in listed if doc in holding)
    return not messages or any(
        match.raised and match.share >= _MUCH_OF_MESSAGE and match.quotation in messages for match in found
    )


def _log_odds(relevance: float) -> float:
    bounded = min(_MOST, max(_LEAST, relevance))
    return math.log(bounded / (1 - bounded))
