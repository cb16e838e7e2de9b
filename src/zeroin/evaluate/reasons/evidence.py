"""Which kind of evidence each feature stands for: what moved the score decides what is told.

A feature that is in no list here fails a test, so that no reason is ever chosen by a feature that nobody thought about.
"""

from __future__ import annotations

from collections.abc import Mapping

NONE = ""  # moves the score, and nothing in the file proves it: ranks, sizes, what the task is like
ROLE = "role"  # what a file is for; the only evidence that is told when it speaks against a file

# Kind of evidence → its features. A name ending in `*` covers all features that begin with what precedes it.
_LISTS: Mapping[str, str] = {
    "path": "paths path_told frame frame_innermost",
    "symbols": "symbols symbols_rank defines_*",
    "names": "named_names rare_names",
    "definitions": "definitions definitions_rank cover_definitions cover_title_definitions name_*",
    "passage": "lexical lexical_rank title title_rank passage title_passage passage_lead covered learned "
    "matched_lines rare_words cover_identifiers cover_comments cover_text cover_title_identifiers",
    "name": "path_terms path_rank cover_path cover_title_path stem_in_* folder_in_task",
    "history": "history history_rank told_by_commits title_told_by_commits closest_commit",
    "changes": "churn recency",
    "meaning": "meaning meaning_cosine meaning_path meaning_unusual meaning_title meaning_behind similar_path "
    "similar_passages similar_definitions similar_identifiers similar_comments similar_sum",
    "cochange": "cochange cochange_rank with_best",
    "graph": "graph graph_rank imports_best imported_by_best",
    "hub": "importers",
    "beside": "beside_best folder_support package_support",
    "kin": "kin_of_best test_of_best",
    "pattern": "pattern",
    "followed": "followed asked_reference",
    "asked": "asked asked_dependency asked_counterpart asked_terminology asked_aspect asked_chance asked_user "
    "asked_times asked_kinds asked_test asked_together",
    "landmarks": "landmarks",
    "language": "language_told",
    "namesake": "namesake",
    "folder": "folder",
    "callers": "callers",
    ROLE: "test doc config example machine untouched_role counterpart is_*",
    NONE: "agreement size entry new prior prior_* fused definitions_count imports depth language_share task_* tree_* "
    "cycle_later terms_learned gaps_asked read says_nothing shifted meaning_asked meaning_peak similar_asked "
    "judged_before held held_behind held_best read_before",
}
_EXACT = {name: kind for kind, names in _LISTS.items() for name in names.split() if not name.endswith("*")}
_OPENINGS = {
    name[:-1]: kind for kind, names in _LISTS.items() for name in names.split() if name.endswith("*")
}

# Features that say again what the linear model, or the cycle before, made of all others: their share belongs to those.
RESTATED = (
    "prior",
    "prior_rank",
    "prior_gap",
    "prior_ahead",
    "fused",
    "judged_before",
    "held",
    "held_behind",
    "held_best",
)


def evidence_of(feature: str) -> str | None:
    """The kind of evidence of a feature: `NONE` where nothing can prove it, None if it is in no list."""
    if feature in _EXACT:
        return _EXACT[feature]
    return next((kind for opening, kind in _OPENINGS.items() if feature.startswith(opening)), None)


def by_evidence(moved: Mapping[str, float]) -> dict[str, float]:
    """What every kind of evidence adds to the score: the sum of its features' contributions, negative ones too."""
    amounts: dict[str, float] = {}
    for feature, amount in moved.items():
        kind = evidence_of(feature) or NONE
        amounts[kind] = amounts.get(kind, 0.0) + amount
    return amounts


def spread_restated(moved: Mapping[str, float], linear: Mapping[str, float]) -> dict[str, float]:
    """Contributions in which what restates the linear model is handed to what moved that model.

    `linear` are the linear model's own contributions. A raise goes to what raised it and a cut to what cut it, in
    proportion; where nothing did, it stays.
    """
    out = dict(moved)
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
