"""Features → score, relevance and the contribution of each feature, by the learned trees or the linear model.

The trees judge tasks in words, the linear model changes and overviews. Calibration comes last, after everything that
moves a score.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from zeroin.errors import ModelError
from zeroin.evaluate.features.table import COLUMN, FEATURES, FEATURES_VERSION, RESTATED, RETRIEVAL, names_of
from zeroin.evaluate.model.linear import linear_contributions, linear_scores, map_of, relevance_of, score_at
from zeroin.models.ranker import Ranker, ranker
from zeroin.models.trees import ObliviousTrees
from zeroin.types import Purpose, Query

# Candidates that the trees judge, the first by the linear model: as many as they were trained on.
JUDGED = 120
LINEAR: frozenset[Purpose] = frozenset({"review", "architecture"})

# Most log odds where no candidate matches a word of the task: dense retrieval finds a nearest file for any task, which
# is no evidence that it is meant. Applies to no tuning task, and to one in ten of the tasks without an answer.
_NO_MATCH = -2.5
# Share of a file's match that is in overridden words, from which its score may fall below that of the previous cycle.
OVERRIDDEN = 0.4
NOT_JUDGED = -20.0  # log odds: candidates behind the judged ones score less, in the order of the linear model
_UNJUDGED = 0.0005  # their relevance
_RESTATED = tuple(name for name, feature in FEATURES.items() if feature.evidence == RESTATED)
# Log odds (n,) and positions (n,) of candidates → the log odds after the best were read.
Reread = Callable[[NDArray[np.float64], NDArray[np.int64]], NDArray[np.float64]]


class Ranked(NamedTuple):
    """Scores (log odds) and relevance of a pool, shape (candidates,) each; `judged` are the positions judged.

    `own` are the scores before reading.
    """

    scores: NDArray[np.float64]
    relevance: NDArray[np.float64]
    judged: NDArray[np.int64]
    own: NDArray[np.float64]


def rank(
    rows: NDArray[np.float32],
    query: Query,
    purpose: Purpose,
    *,
    history: bool,
    offsets: NDArray[np.float64],
    least: NDArray[np.float64] | float = 0.0,
    reread: Reread | None = None,
) -> Ranked:
    """Judge every candidate. Raises `ModelError`.

    `offsets` (candidates,) are log odds to add before calibration. The linear model raises scores to those of a
    relevance of `least` (candidates,). `reread` gets the log odds of judged candidates, shape (judged,), and their
    positions, and reads some of them.
    """
    name = map_of(query, purpose)
    if purpose in LINEAR:
        scores = np.maximum(linear_scores(_columns(rows), purpose), score_at(least, name, history=history))
        relevance = relevance_of(scores + offsets, name, history=history)
        return Ranked(scores, relevance, np.arange(len(scores)), scores)
    model = loaded_ranker()
    prior = rows[:, COLUMN["prior"]].astype(np.float64)
    judged = np.sort(np.argsort(-(prior + offsets), kind="stable")[:JUDGED])
    found = judged_scores(model.trees, rows[judged])
    total = found + offsets[judged]
    read = total if reread is None else reread(total, judged)
    scores = NOT_JUDGED + (prior - prior.max(initial=-np.inf)) - 1.0
    relevance = np.full(len(prior), _UNJUDGED)
    own = scores.copy()
    own[judged] = found
    scores[judged] = read - offsets[judged]
    relevance[judged] = model.relevance(read, name)
    return Ranked(scores, relevance, judged, own)


def judged_scores(trees: ObliviousTrees, values: NDArray[np.float32]) -> NDArray[np.float64]:
    """Score candidates in log odds, shape (candidates,), by trees and previous cycle."""
    scores = keep_previous(trees.predict(values), values)
    if len(values) and (values[:, COLUMN["no_lexical_match"]] > 0).all():
        scores = np.minimum(scores, _NO_MATCH)
    return scores


def keep_previous(scores: NDArray[np.float64], values: NDArray[np.float32]) -> NDArray[np.float64]:
    """Raise scores to those of the previous cycle, unless the file `may_fall`.

    The mean of both, the higher and the latest were measured too: no difference but noise.
    """
    previous, known = values[:, COLUMN["previous_score"]], values[:, COLUMN["previously_judged"]] > 0
    return np.where(known & (scores < previous) & ~may_fall(values), previous, scores)


def may_fall(values: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Tell whether there is new evidence against files, shape (candidates,): read since, or overridden words."""
    read_since = (values[:, COLUMN["read"]] > 0) & (values[:, COLUMN["previously_read"]] <= 0)
    return np.asarray(read_since | (values[:, COLUMN["overridden_share"]] >= OVERRIDDEN))


def contributions(rows: NDArray[np.float32], purpose: Purpose) -> list[dict[str, float]]:
    """Return what each feature added to the scores; the linear score's share goes to the features behind it."""
    by_line = linear_contributions(_columns(rows), purpose).tolist()
    linear = [dict(zip(names_of(RETRIEVAL), row, strict=True)) for row in by_line]
    if purpose in LINEAR:
        return linear
    by_trees = loaded_ranker().trees.contributions(rows).tolist()
    trees = (dict(zip(FEATURES, row, strict=True)) for row in by_trees)
    return [spread_restated(row, parts) for row, parts in zip(trees, linear, strict=True)]


def spread_restated(contributions: Mapping[str, float], linear: Mapping[str, float]) -> dict[str, float]:
    """Replace the contributions of restated features by those of the features behind them.

    `linear` are the contributions to the linear model. The sum is shared out in proportion among those of the same
    sign; without any, nothing changes.
    """
    out = dict(contributions)
    amount = sum(out.get(name, 0.0) for name in _RESTATED)
    sign = 1.0 if amount > 0 else -1.0
    total = sum(max(0.0, sign * value) for value in linear.values())
    if not amount or total <= 0:
        return out
    for name in _RESTATED:
        out.pop(name, None)
    for name, value in linear.items():
        if sign * value > 0:
            out[name] = out.get(name, 0.0) + amount * sign * value / total
    return out


def loaded_ranker() -> Ranker:
    """Return the ranker in use. Raises `ModelError` if it asks about features that are not computed here."""
    model = ranker()
    if model.features_version != FEATURES_VERSION or model.features != tuple(FEATURES):
        raise ModelError(
            f"the ranker asks about other features (version {model.features_version}) than zeroin computes"
            f" (version {FEATURES_VERSION}): train it anew"
        )
    return model


def _columns(rows: NDArray[np.float32]) -> dict[str, NDArray[np.float32]]:
    return {name: rows[:, COLUMN[name]] for name in names_of(RETRIEVAL)}
