"""The kind of evidence of each feature: what moved the score decides which reasons are shown."""

from __future__ import annotations

from collections.abc import Mapping

from zeroin.evaluate.features.table import FEATURES, NONE, RESTATED

_RESTATED = tuple(name for name, feature in FEATURES.items() if feature.evidence == RESTATED)


def by_evidence(contributions: Mapping[str, float]) -> dict[str, float]:
    """Sum the contributions of the features of every kind of evidence, negative ones too."""
    amounts: dict[str, float] = {}
    for feature, amount in contributions.items():
        kind = FEATURES[feature].evidence
        kind = NONE if kind == RESTATED else kind
        amounts[kind] = amounts.get(kind, 0.0) + amount
    return amounts


def spread_restated(contributions: Mapping[str, float], linear: Mapping[str, float]) -> dict[str, float]:
    """Replace the contributions of restated features by those of the features behind them.

    `linear` are the contributions to the linear model. The sum is shared out in proportion among those of its sign;
    where there are none, it stays.
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
