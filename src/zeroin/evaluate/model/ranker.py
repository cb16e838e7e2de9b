"""Features → score, relevance and what each feature added: the learned trees, or the linear model.

The trees judge tasks in words. A change and an overview of the whole are judged by the linear model under the weights
of their purpose, with a map of their own. Whatever moves a file enters the score; the map comes last.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from zeroin.errors import ModelError
from zeroin.evaluate.calibration import is_short, relevance_of
from zeroin.evaluate.features.registry import COLUMN, FEATURES, FEATURES_VERSION, FeatureRows
from zeroin.evaluate.features.retrieval import NAMES as RETRIEVAL
from zeroin.evaluate.model.linear import linear_contributions, linear_scores
from zeroin.evaluate.reasons.evidence import spread_restated
from zeroin.models.ranker import Ranker, ranker
from zeroin.models.trees import ObliviousTrees
from zeroin.types import Purpose, Query

# Candidates that the trees judge, the first by the linear model: as many as they were trained on.
JUDGED = 120
LINEAR: frozenset[Purpose] = frozenset({"review", "architecture"})

# Where no candidate says a word of the task, something is nearest all the same, and nothing says that it is meant: no
# file gets more log odds. So it is for none of the tuning tasks, and for one in ten of those that nothing answers.
_NOTHING_SAID = -2.5
# Where no file reaches 0.2 (log odds), so many of the best are ordered anew; a standard deviation of similarity, summed
# over its five fields, adds so much to the log odds. From 0.2 to 0.8 all is the same (plain words, open half).
_NOTHING, REORDERED, SIMILARITY, _NOT_SIMILAR = -1.386, 50, 0.4, -3.0

# Share of what a file says of the task that is said in words for which the codebase has others: from here on they
# mean something else, and the file may fall.
SHIFTED = 0.4
NOT_JUDGED = -20.0  # log odds: candidates behind the judged ones score less, in the order of the linear model
_UNJUDGED = 0.0005  # and have this relevance


@dataclass(frozen=True, slots=True)
class Ranked:
    """Scores (log odds) and relevance of a pool, shape (candidates,) each; `judged` are the places judged."""

    scores: NDArray[np.float64]
    relevance: NDArray[np.float64]
    judged: NDArray[np.int64]
    reordered: bool = False  # whether document similarity handed the scores of the best files out anew


def rank(
    rows: FeatureRows,
    query: Query,
    purpose: Purpose,
    *,
    history: bool,
    offsets: NDArray[np.float64] | None = None,
) -> Ranked:
    """Judge every candidate; `offsets` (candidates,) are log odds that earlier tasks add before calibration.

    Raises `ModelError` where the ranker's file is none.
    """
    count = len(rows.values)
    prior_odds = np.zeros(count) if offsets is None else offsets
    if purpose in LINEAR:
        scores = linear_scores(_columns(rows), purpose)
        overview = purpose == "architecture"
        relevance = relevance_of(
            scores + prior_odds, short=is_short(query), history=history, overview=overview
        )
        return Ranked(scores, relevance, np.arange(count))
    model = loaded_ranker()
    prior = rows.column("prior").astype(np.float64)
    judged = np.sort(np.argsort(-(prior + prior_odds), kind="stable")[:JUDGED])
    found = judged_scores(model.trees, rows.values[judged])
    scores = NOT_JUDGED + (prior - (float(prior.max()) if count else 0.0)) - 1.0
    relevance = np.full(count, _UNJUDGED)
    scores[judged] = found
    relevance[judged] = model.relevance(found + prior_odds[judged], map_of(query))
    return Ranked(scores, relevance, judged, reorders(found, rows.values[judged]))


def judged_scores(trees: ObliviousTrees, values: NDArray[np.float32]) -> NDArray[np.float64]:
    """Log odds of candidates, shape (candidates,): everything that moves a score, before the map to relevance."""
    scores = keep_previous(trees.predict(values), values)
    if len(values) and (values[:, COLUMN["says_nothing"]] > 0).all():
        scores = np.minimum(scores, _NOTHING_SAID)
    return by_similarity(scores, values)


def by_similarity(scores: NDArray[np.float64], values: NDArray[np.float32]) -> NDArray[np.float64]:
    """The same scores, handed out anew among the best candidates where the task's words found no file.

    There document similarity says which file is meant, and not how sure it is that any is: so the values stay. Measured
    against the trees alone, which see the similarities as features (docs/QUALITY.md, "Plain words").
    """
    compared = values[:, COLUMN["similar_asked"]] > 0
    if not reorders(scores, values):
        return scores
    best = np.argsort(-scores, kind="stable")[:REORDERED]
    similarity = np.where(compared[best], 8 * values[best, COLUMN["similar_sum"]], _NOT_SIMILAR)
    order = np.argsort(-(scores[best] + SIMILARITY * similarity), kind="stable")
    out = scores.copy()
    out[best[order]] = scores[best]
    return out


def reorders(scores: NDArray[np.float64], values: NDArray[np.float32]) -> bool:
    """Whether document similarity orders the best files: no file reached 0.2 before, and documents were compared."""
    if not (values[:, COLUMN["similar_asked"]] > 0).any():
        return False
    before = values[:, COLUMN["judged_before"]] > 0
    return float(values[:, COLUMN["held_best"]].max() if before.any() else scores.max()) < _NOTHING


def keep_previous(scores: NDArray[np.float64], values: NDArray[np.float32]) -> NDArray[np.float64]:
    """Scores of the trees, but none lower than what the cycle before held of the file, unless it `may_fall`.

    Measured against the mean of both, the higher and the latest: nothing in it but noise.
    """
    held, known = values[:, COLUMN["held"]], values[:, COLUMN["judged_before"]] > 0
    return np.where(known & (scores < held) & ~may_fall(values), held, scores)


def may_fall(values: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Whether there is evidence against a file that the cycle before did not have, shape (candidates,).

    Its text was read since, or it says the task in words for which the codebase has others.
    """
    read_since = (values[:, COLUMN["read"]] > 0) & (values[:, COLUMN["read_before"]] <= 0)
    return np.asarray(read_since | (values[:, COLUMN["shifted"]] >= SHIFTED))


def map_of(query: Query) -> str:
    """Which of the ranker's maps from score to relevance is for this task."""
    return "short" if is_short(query) else "long"


def contributions(rows: FeatureRows, places: Sequence[int], purpose: Purpose) -> list[dict[str, float]]:
    """What each feature added to the scores of some candidates; what restates the linear score is shared out."""
    picked = FeatureRows(rows.values[list(places)])
    linear = linear_contributions(_columns(picked), purpose)
    if purpose in LINEAR:
        return [dict(zip(RETRIEVAL, row.tolist(), strict=True)) for row in linear]
    moved = loaded_ranker().trees.contributions(picked.values)
    return [
        spread_restated(
            dict(zip(FEATURES, row.tolist(), strict=True)), dict(zip(RETRIEVAL, parts.tolist(), strict=True))
        )
        for row, parts in zip(moved, linear, strict=True)
    ]


def loaded_ranker() -> Ranker:
    """The ranker in use. Raises `ModelError` if it asks about features that are not computed here."""
    model = ranker()
    if model.features_version != FEATURES_VERSION or model.features != tuple(FEATURES):
        raise ModelError(
            f"the ranker was trained on features of version {model.features_version}, these are {FEATURES_VERSION}"
        )
    return model


def _columns(rows: FeatureRows) -> Mapping[str, NDArray[np.float32]]:
    return {name: rows.column(name) for name in RETRIEVAL}
