"""The kind of evidence of each feature: what moved the score decides which reasons are shown.

A feature that is in no list fails a test, so that every feature is thought about.
"""

from __future__ import annotations

from collections.abc import Mapping

NONE = ""  # moves the score, and nothing in the file proves it: ranks, sizes, what the task is like
ROLE = "role"  # the only evidence that is shown when it speaks against a file

# Kind of evidence → its features; a name ending in `*` covers all features that begin like it.
_FEATURES: Mapping[str, str] = {
    "path": "paths path_mentioned frame frame_innermost",
    "symbols": "symbols symbols_rank defines_*",
    "names": "named_names rare_names",
    "definitions": "definitions definitions_rank cover_definitions cover_title_definitions name_*",
    "passage": "lexical lexical_rank title title_rank passage title_passage passage_lead covered expansions "
    "matched_lines rare_words cover_identifiers cover_comments cover_text cover_title_identifiers",
    "name": "path_terms path_rank cover_path cover_title_path stem_in_* folder_in_task",
    "history": "history history_rank commits_cover_task commits_cover_title closest_commit",
    "changes": "churn recency",
    "dense": "dense dense_cosine dense_path dense_zscore dense_title_zscore dense_zscore_behind similar_*",
    "cochange": "cochange cochange_rank with_best",
    "graph": "graph graph_rank imports_best imported_by_best",
    "hub": "importers",
    "beside": "beside_best folder_support package_support",
    "same_stem": "same_stem_as_best test_of_best",
    "pattern": "pattern",
    "followed": "followed asked_reference",
    "asked": "asked asked_dependency asked_counterpart asked_terminology asked_aspect asked_precision asked_user "
    "asked_times asked_kinds asked_test asked_together",
    "landmarks": "landmarks",
    "language": "language_match",
    "changed_stem": "same_stem_as_changed",
    "folder": "folder",
    "callers": "callers",
    ROLE: "test doc config example machine untouched_role counterpart is_*",
    NONE: "agreement size entry new prior prior_* fused definitions_count imports depth language_share task_* tree_* "
    "cycle_later expansions_count gaps_asked read no_lexical_match overridden_share dense_enabled dense_zscore_best "
    "similarity_computed previously_judged previous_* previously_read",
}
_KINDS = {name: kind for kind, names in _FEATURES.items() for name in names.split()}

# Features that restate the linear model or the previous cycle: their share belongs to the features behind those.
RESTATED = (
    "prior",
    "prior_rank",
    "prior_gap",
    "prior_ahead",
    "fused",
    "previously_judged",
    "previous_score",
    "previous_score_behind",
    "previous_score_best",
)


def evidence_of(feature: str) -> str | None:
    """The kind of evidence of a feature: `NONE` where nothing can prove it, None if it is in no list."""
    if feature in _KINDS:
        return _KINDS[feature]
    return next(
        (kind for name, kind in _KINDS.items() if name[-1] == "*" and feature.startswith(name[:-1])), None
    )


def by_evidence(contributions: Mapping[str, float]) -> dict[str, float]:
    """What every kind of evidence adds to the score: the sum over its features, negative ones too."""
    amounts: dict[str, float] = {}
    for feature, amount in contributions.items():
        kind = evidence_of(feature) or NONE
        amounts[kind] = amounts.get(kind, 0.0) + amount
    return amounts


def spread_restated(contributions: Mapping[str, float], linear: Mapping[str, float]) -> dict[str, float]:
    """Replace the contributions of `RESTATED` features by those of the features behind them.

    `linear` are the contributions to the linear model. The sum is shared out in proportion among those of its sign;
    where there are none, it stays.
    """
    out = dict(contributions)
    amount = sum(out.get(name, 0.0) for name in RESTATED)
    sign = 1.0 if amount > 0 else -1.0
    total = sum(max(0.0, sign * value) for value in linear.values())
    if not amount or total <= 0:
        return out
    for name in RESTATED:
        out.pop(name, None)
    for name, value in linear.items():
        if sign * value > 0:
            out[name] = out.get(name, 0.0) + amount * sign * value / total
    return out
