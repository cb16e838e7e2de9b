"""Features of a diff: how a file is tied to the changed files. All 0 unless the task is a diff."""

from __future__ import annotations

from zeroin.corpus.roles import role_of
from zeroin.types import Candidate, Origin, Query, Role

NAMES: dict[str, str] = {
    "namesake": "called like a changed file, marks of tests aside, share of the best",
    "folder": "lies beside changed files, share of the best",
    "callers": "uses rare names that the change touches, share of the best",
    "cochange_rank": "1 / rank by co-change with the changed files",
    "counterpart": "1 for a test while no test is changed, for implementation while only tests are",
    "untouched_role": "1 for tests, documentation and so on if no changed file is of that role",
}


def change_row(query: Query, candidate: Candidate, role: Role) -> dict[str, float]:
    """The features of one candidate by name; empty where the task is no diff."""
    kinds = {role_of(m.path) for m in query.paths if m.origin is Origin.DIFF}
    if not kinds:
        return {}
    row = {name: candidate.scores.get(name, 0.0) for name in ("namesake", "folder", "callers")}
    rank = candidate.ranks.get("cochange")
    row["cochange_rank"] = 1.0 / rank if rank else 0.0
    code = kinds & {Role.IMPLEMENTATION, Role.TEST}
    row["counterpart"] = float(
        len(code) == 1 and role in (Role.IMPLEMENTATION, Role.TEST) and role not in code
    )
    row["untouched_role"] = float(role is not Role.IMPLEMENTATION and role not in kinds)
    return row
