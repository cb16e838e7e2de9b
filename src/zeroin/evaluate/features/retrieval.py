"""Scores of the retrievers and of the passages read. The linear model uses these columns alone."""

import math
from collections.abc import Set

import numpy as np

from zeroin.corpus.roles import role_of
from zeroin.evaluate.features.pool import Column, Pool
from zeroin.evaluate.features.table import RETRIEVAL, names_of
from zeroin.evaluate.task_terms import OVERRIDDEN_LOSS
from zeroin.types import Candidate, Origin, Query, Role

# Lists in the task's words; each has a counterpart in the codebase's words, `re_…`.
_LISTS = "lexical definitions path_terms title symbols paths history graph cochange learned".split()
_GAP_LISTS = ("asked_dependency", "asked_counterpart", "asked_terminology", "asked_aspect")
_VOTERS = ("lexical", "definitions", "path_terms", "title", "symbols", "paths", "history")
_DEFINES, _USES = 0.5, 0.2  # weight of a symbol that a gap asks for, by what the file does with it
_RE_SHARE = 0.9  # weight of a match of an expansion beside one of the task's own words
_ENTRY_NAMES = frozenset({"__init__", "index", "mod", "lib"})
_ENTRY_DEFINITIONS = 5
_ROLE_COLUMNS = {
    Role.TEST: "test",
    Role.DOC: "doc",
    Role.CONFIG: "config",
    Role.EXAMPLE: "example",
    Role.GENERATED: "machine",
    Role.VENDORED: "machine",
    Role.DATA: "machine",
}


def columns(pool: Pool) -> dict[str, Column]:
    """Compute the columns of the section."""
    query, in_pattern = pool.query, frozenset(pool.view.matching(pool.query.patterns))
    own_share = 1.0 - OVERRIDDEN_LOSS * pool.terms.overridden_share
    re_share = _RE_SHARE * (1.0 if any(pair.stated for pair in query.terminology) else query.expansion_weight)
    changed = frozenset(role_of(m.path) for m in query.paths if m.origin is Origin.DIFF)
    rows = [
        {**_lists(query, c, own_share, re_share), **_file(pool, c, in_pattern), **_change(changed, c, role)}
        for c, role in zip(pool.candidates, pool.roles, strict=True)
    ]
    out = {name: np.array([row.get(name, 0.0) for row in rows], np.float32) for name in names_of(RETRIEVAL)}
    return {**out, **read_columns(pool)}


def read_columns(pool: Pool) -> dict[str, Column]:
    """Compute those columns that depend on the texts read."""
    return {
        "covered": np.array([match.covered for match in pool.matched], np.float32),
        "passage": np.array([match.share for match in pool.matched], np.float32),
        "title_passage": np.array([match.title_share for match in pool.matched], np.float32),
    }


def _lists(query: Query, candidate: Candidate, own_share: float, re_share: float) -> dict[str, float]:
    """Combine the lists in the task's own words with those in the codebase's."""
    scores, ranks = candidate.scores, candidate.ranks
    row = {name: max(own_share * scores.get(name, 0.0), re_share * scores.get(f"re_{name}", 0.0)) for name in _LISTS}
    row["expansions"] = query.expansion_weight * row.pop("learned")
    for name in ("lexical", "symbols"):
        found = ((ranks.get(name), own_share), (ranks.get(f"re_{name}"), re_share))
        row[f"{name}_rank"] = max((share / rank for rank, share in found if rank), default=0.0)
    voters = [v for v in _VOTERS if 0 < ranks.get(v, 0) <= 10 or 0 < ranks.get(f"re_{v}", 0) <= 10]
    row["agreement"] = len(voters) / len(_VOTERS)
    row["followed"] = query.expansion_weight * _followed(candidate)
    row["asked"] = max((scores.get(name, 0.0) for name in _GAP_LISTS), default=0.0)
    row["dense"] = scores.get("dense", 0.0)
    row["landmarks"] = scores.get("landmarks", 0.0)
    for name in candidate.why:  # a hit of a caller's own retriever counts like a match of the whole document
        row["lexical"] = max(row["lexical"], scores.get(name, 0.0))
        if rank := ranks.get(name, 0):
            row["lexical_rank"] = max(row["lexical_rank"], 1.0 / rank)
    return row


def _followed(candidate: Candidate) -> float:
    """1 − e^(−Σ weight) over reference gaps whose search brought the file."""
    weight = sum(
        _DEFINES if candidate.path in gap.search.paths else _USES
        for gap in candidate.asked_by
        if gap.kind == "reference"
    )
    return 1.0 - math.exp(-weight)


def _file(pool: Pool, candidate: Candidate, in_pattern: frozenset[int]) -> dict[str, float]:
    snapshot, doc = pool.view.snapshot, candidate.doc
    role = snapshot.role(doc)
    stem = candidate.path.rpartition("/")[2].partition(".")[0]
    defined = int(snapshot.symbols.pointers[doc + 1] - snapshot.symbols.pointers[doc])
    row = {
        "pattern": float(doc in in_pattern),
        "entry": float(stem in _ENTRY_NAMES and defined < _ENTRY_DEFINITIONS),
        "size": float(np.log10(max(1, int(snapshot.lines[doc])))) / 4,
    }
    if role in _ROLE_COLUMNS and role not in pool.query.wanted_roles:
        row[_ROLE_COLUMNS[role]] = 1.0
    return row


def _change(changed: Set[Role], candidate: Candidate, role: Role) -> dict[str, float]:
    """Describe how a file is tied to the changed files, of these roles; empty where the task is no diff."""
    if not changed:
        return {}
    code = {Role.IMPLEMENTATION, Role.TEST}
    rank = candidate.ranks.get("cochange")
    return {
        "same_stem_as_changed": candidate.scores.get("same_stem", 0.0),
        "folder": candidate.scores.get("folder", 0.0),
        "callers": candidate.scores.get("callers", 0.0),
        "cochange_rank": 1.0 / rank if rank else 0.0,
        "counterpart": float(len(changed & code) == 1 and role in code - changed),
        "untouched_role": float(role is not Role.IMPLEMENTATION and role not in changed),
    }
