"""Standing: ranks and distances within the pool, and what the task is like. These make scores comparable."""

from __future__ import annotations

import numpy as np

from zeroin.evaluate.features.pool import Column, Pool
from zeroin.index.snapshot import ROLES
from zeroin.types import Role, TaskKind

NAMES: dict[str, str] = {
    "prior": "score of the linear model",
    "prior_rank": "1 / rank by the linear model",
    "prior_gap": "score of the linear model minus that of the best other file",
    "prior_ahead": "files ahead by the linear model, log2(1 + n), divided by 8",
    "fused": "fused score of the retrievers, share of the best",
    "title_rank": "1 / rank by the title alone",
    "path_rank": "1 / rank by the words of the path",
    "definitions_rank": "1 / rank by defined names",
    "history_rank": "1 / rank by resembling commits",
    "graph_rank": "1 / rank among import neighbours",
    "passage_lead": "best window's share minus that of the pool's best file",
    "matched_lines": "log2(1 + lines that match), divided by 12",
    "task_words": "log2(1 + content words of the task), divided by 8",
    "task_title_words": "words of the title, divided by 16",
    "task_symbols": "log2(1 + symbols that the task names), divided by 6",
    "task_paths": "log2(1 + paths that the task names), divided by 6",
    "task_trace": "1 if the task holds a trace",
    "task_best": "score of the linear model of the best file",
    "task_second": "how far the second file is behind the first by the linear model",
    "task_best_passage": "share of the task's information in the pool's best window",
    "task_found": "candidates, log2(1 + n), divided by 9",
    "tree_files": "log10 of the files of the tree, divided by 5",
    "tree_commits": "log10(1 + commits of the history), divided by 5",
    "tree_code": "log10 of the implementation files of the tree, divided by 5",
    "cycle_later": "1 from the second cycle on",
    "terms_learned": "log2(1 + learned words of the query), divided by 5",
    "gaps_asked": "log2(1 + gaps that the query asks), divided by 6",
    "read": "1 for a file whose text was read",
    "says_nothing": "1 for a file that says, defines and is called nothing of the task",
    "shifted": "share of what the file says of the task in words for which the codebase has others, 0–1",
    **{f"task_is_{kind.name.lower()}": f"1 for a {kind.value}" for kind in TaskKind},
}

# Lists that say something of the task itself, not of neighbours.
_SAYS: tuple[str, ...] = (
    "lexical",
    "definitions",
    "path_terms",
    "title",
    "symbols",
    "paths",
    "history",
    "learned",
)
_SAYS += tuple(f"re_{name}" for name in ("lexical", "definitions", "path_terms", "title"))


def columns(pool: Pool, prior: Column) -> dict[str, Column]:
    """The columns of `NAMES`; `prior` are the linear model's scores."""
    out = {name: pool.zeros() for name in NAMES}
    if not len(pool):
        return out
    order = np.argsort(-prior, kind="stable")
    ahead = np.empty(len(pool), np.int64)
    ahead[order] = np.arange(len(pool))
    best = float(prior[order[0]])
    second = float(prior[order[1]]) if len(pool) > 1 else 0.0
    out["prior"] = prior
    out["prior_rank"] = (1.0 / (1 + ahead)).astype(np.float32)
    out["prior_gap"] = np.where(ahead == 0, prior - second, prior - best).astype(np.float32)
    out["prior_ahead"] = (np.log2(1.0 + ahead) / 8).astype(np.float32)
    fused = np.array([c.score for c in pool.candidates], np.float32)
    out["fused"] = fused / max(float(fused.max()), 1e-9)
    for name, retriever in (
        ("title_rank", "title"),
        ("path_rank", "path_terms"),
        ("definitions_rank", "definitions"),
        ("history_rank", "history"),
        ("graph_rank", "graph"),
    ):
        out[name] = pool.inverse_ranks(retriever)
    passages = [pool.passages.get(c.doc) for c in pool.candidates]
    share = np.array([p.share if p else 0.0 for p in passages], np.float32)
    out["passage_lead"] = share - share.max()
    lines = np.array([p.matched_lines if p else 0 for p in passages], np.float32)
    out["matched_lines"] = (np.log2(1.0 + lines) / 12).astype(np.float32)
    out["read"] = np.array([p is not None for p in passages], np.float32)
    out["says_nothing"] = np.array(
        [not any(c.scores.get(n) for n in _SAYS) for c in pool.candidates], np.float32
    )
    out["shifted"] = _shifted(pool)
    _of_task(pool, best, best - second, float(share.max()), out)
    return out


def _shifted(pool: Pool) -> Column:
    info = pool.terms
    out = pool.zeros()
    if not info.overridden:
        return out
    for place, candidate in enumerate(pool.candidates):
        passages = pool.passages.get(candidate.doc)
        if passages is not None and passages.terms:
            said = sorted(passages.terms & info.weights.keys())
            whole = sum(info.weights[term] for term in said)
            moved = sum(info.weights[term] * info.overridden.get(term, 0.0) for term in said)
            out[place] = moved / whole if whole else 0.0
    return out


def _of_task(pool: Pool, best: float, lead: float, passage: float, out: dict[str, Column]) -> None:
    query = pool.query
    snapshot = pool.view.snapshot
    history = pool.history
    values = {
        "task_words": np.log2(1 + len(query.own)) / 8,
        "task_title_words": len(query.title.split()) / 16,
        "task_symbols": np.log2(1 + len(query.symbols)) / 6,
        "task_paths": np.log2(1 + len(query.paths)) / 6,
        "task_trace": float(any(m.frame is not None for m in query.paths)),
        "task_best": best,
        "task_second": lead,
        "task_best_passage": passage,
        "task_found": np.log2(1 + len(pool)) / 9,
        "tree_files": np.log10(max(1, len(pool.view.snapshot))) / 5,
        "tree_commits": np.log10(1 + (len(history) if history is not None else 0)) / 5,
        "tree_code": np.log10(1 + int((snapshot.roles == ROLES.index(Role.IMPLEMENTATION)).sum())) / 5,
        "cycle_later": float(bool(pool.held)),
        # Joined forms are the task's own words: nothing was learned with them.
        "terms_learned": np.log2(1 + sum(not term.joined for term in query.terminology)) / 5,
        "gaps_asked": np.log2(1 + len(query.gaps)) / 6,
        f"task_is_{query.kind.name.lower()}": 1.0,
    }
    for name, value in values.items():
        out[name][:] = value
