"""Session: what the retrievers and the read passages say. The linear model is made of these alone."""

from __future__ import annotations

import math

import numpy as np

from zeroin.evaluate.features import change
from zeroin.evaluate.features.pool import Column, Pool
from zeroin.evaluate.passages import TextMatch
from zeroin.evaluate.task_terms import OVERRIDDEN_LOSS
from zeroin.types import Candidate, Role

NAMES: dict[str, str] = {
    "lexical": "BM25F of the whole document, share of the best candidate's score",
    "definitions": "BM25 of defined names, share of the best",
    "path_terms": "BM25 of the path, share of the best",
    "title": "BM25F of the title alone, share of the best",
    "symbols": "definitions of symbols that the task names, share of the best",
    "paths": "mentions of the path, module or frame, share of the best",
    "history": "resembling commits that touched the file, share of the best",
    "graph": "import neighbours among the best, share of the best",
    "cochange": "changes along with the best, share of the best",
    "learned": "BM25F of learned words, share of the best",
    "meaning": "passages near the task by the encoder, share of the best",
    "followed": "defines symbols that selected files use and nothing selected defines, 0–1 by how many",
    "asked": "asked for by gaps of other kinds, 0–1 by the best of them",
    "lexical_rank": "1 / rank by whole document",
    "symbols_rank": "1 / rank by named symbols",
    "agreement": "share of the retrievers that hold the file among their first ten",
    "covered": "share of the task's information that the file matches anywhere",
    "passage": "share of the task's information in the best window of 24 lines",
    "title_passage": "share of the title's information in the best window",
    "test": "1 for a test file, unless the task is about tests",
    "doc": "1 for documentation, unless the task is about it",
    "config": "1 for configuration, unless the task is about it",
    "example": "1 for an example, unless the task is about it",
    "machine": "1 for generated, vendored or data files",
    "entry": "1 for a package's entry file (__init__, index, mod) that defines little",
    "size": "log10 of lines, divided by 4",
    "pattern": "1 if a learned location pattern holds the file",
    **change.NAMES,
    "landmarks": "a hub of its component or a document on the whole, share of the best; only when exploring",
}

_LISTS = (
    "lexical",
    "definitions",
    "path_terms",
    "title",
    "symbols",
    "paths",
    "history",
    "graph",
    "cochange",
    "learned",
)
_ASKED = ("asked_dependency", "asked_counterpart", "asked_terminology", "asked_aspect")
_VOTERS = ("lexical", "definitions", "path_terms", "title", "symbols", "paths", "history")
_DEFINES, _USES = 0.5, 0.2  # weight of a symbol that was asked for, by what the file does with it
_RE_SHARE = 0.9  # a match in the codebase's learned words counts this much of one in the task's own
_ENTRY_NAMES = frozenset({"__init__", "index", "mod", "lib"})
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
    """The columns of `NAMES`."""
    rows = [_row(pool, candidate) for candidate in pool.candidates]
    columns = {name: np.array([row.get(name, 0.0) for row in rows], np.float32) for name in NAMES}
    return {**columns, **read_columns(pool)}


def read_columns(pool: Pool) -> dict[str, Column]:
    """Those of them that depend on the texts read."""
    nothing = TextMatch()
    told = [pool.passages.get(candidate.doc, nothing) for candidate in pool.candidates]
    return {
        "covered": np.array([passages.covered for passages in told], np.float32),
        "passage": np.array([passages.share for passages in told], np.float32),
        "title_passage": np.array([passages.title_share for passages in told], np.float32),
    }


def _followed(candidate: Candidate) -> float:
    """1 − e^(−Σ weight) over gaps of kind reference that ask for a file; a definition weighs more than a use."""
    weight = sum(
        _DEFINES if candidate.path in gap.search.paths else _USES
        for gap in candidate.asked_by
        if gap.kind == "reference"
    )
    return 1.0 - math.exp(-weight)


def _row(pool: Pool, candidate: Candidate) -> dict[str, float]:
    query, snapshot, doc = pool.query, pool.view.snapshot, candidate.doc
    own_share = 1.0 - OVERRIDDEN_LOSS * pool.terms.overridden_share
    re_share = _RE_SHARE * (1.0 if any(pair.stated for pair in query.terminology) else query.expansion_weight)
    row = {
        name: max(
            own_share * candidate.scores.get(name, 0.0), re_share * candidate.scores.get(f"re_{name}", 0.0)
        )
        for name in _LISTS
    }
    row["learned"] *= query.expansion_weight
    row["meaning"] = candidate.scores.get("meaning", 0.0)
    for name in ("lexical", "symbols"):
        ranks = ((candidate.ranks.get(name), own_share), (candidate.ranks.get(f"re_{name}"), re_share))
        row[f"{name}_rank"] = max((share / rank for rank, share in ranks if rank), default=0.0)
    row["agreement"] = sum(
        1
        for v in _VOTERS
        if 0 < candidate.ranks.get(v, 0) <= 10 or 0 < candidate.ranks.get(f"re_{v}", 0) <= 10
    ) / len(_VOTERS)
    row["followed"] = query.expansion_weight * _followed(candidate)
    row["asked"] = max((candidate.scores.get(name, 0.0) for name in _ASKED), default=0.0)
    for (
        name
    ) in candidate.why:  # what a caller's own retriever finds counts like a match of the whole document
        row["lexical"] = max(row["lexical"], candidate.scores.get(name, 0.0))
        if rank := candidate.ranks.get(name, 0):
            row["lexical_rank"] = max(row["lexical_rank"], 1.0 / rank)
    row["pattern"] = float(doc in pool.in_pattern)
    role = snapshot.role(doc)
    column = _ROLE_COLUMNS.get(role)
    if column and role not in query.wanted_roles:
        row[column] = 1.0
    stem = candidate.path.rpartition("/")[2].partition(".")[0]
    defined = int(snapshot.symbols.pointers[doc + 1] - snapshot.symbols.pointers[doc])
    row["entry"] = float(stem in _ENTRY_NAMES and defined < 5)
    row["landmarks"] = candidate.scores.get("landmarks", 0.0)
    row |= change.change_row(query, candidate, role)
    row["size"] = float(np.log10(max(1, int(snapshot.lines[doc])))) / 4
    return row
