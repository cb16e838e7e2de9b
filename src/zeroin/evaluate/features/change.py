"""Features of a diff: how a file is tied to the changed files. All 0 unless the task is a diff."""

from __future__ import annotations

from zeroin.corpus.roles import role_of
from zeroin.types import Candidate, Origin, Query, Role

NAMES: dict[str, str] = {
    "same_stem_as_changed": "has the name of a changed file, marks of tests aside, share of the best",
    "folder": "lies beside changed files, share of the best",
    "callers": "uses rare names that the change touches, share of the best",
    "cochange_rank": "1 / rank by co-change with the changed files",
    "counterpart": "1 for a test while no test is changed, for implementation while only tests are",
    "untouched_role": "1 for tests, documentation and so on if no changed file is of that role",
}


def row(query: Query, candidate: Candidate, role: Role) -> dict[str, float]:
    """The features of one candidate by name; empty where the task is no diff."""
    changed = {role_of(m.path) for m in query.paths if m.origin is Origin.DIFF}
    if not changed:
        return {}
    code = {Role.IMPLEMENTATION, Role.TEST}
    rank = candidate.ranks.get("cochange")
    return {
        "same_stem_as_changed": candidate.scores.get("namesake", 0.0),
        "folder": candidate.scores.get("folder", 0.0),
        "callers": candidate.scores.get("callers", 0.0),
        "cochange_rank": 1.0 / rank if rank else 0.0,
        "counterpart": float(len(changed & code) == 1 and role in code - changed),
        "untouched_role": float(role is not Role.IMPLEMENTATION and role not in changed),
    }
