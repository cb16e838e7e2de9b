"""Ranks and distances within the pool, and features of task and tree that make scores of different tasks comparable."""

import numpy as np

from zeroin.evaluate.features.pool import Column, Pool
from zeroin.index.snapshot import ROLES
from zeroin.types import Role

_RANKS = {
    "title_rank": "title",
    "path_rank": "path_terms",
    "definitions_rank": "definitions",
    "history_rank": "history",
    "graph_rank": "graph",
}
# Lists that match the file itself, not its neighbours.
_LEXICAL = (
    "lexical definitions path_terms title symbols paths history learned "
    "re_lexical re_definitions re_path_terms re_title"
).split()


def columns(pool: Pool, prior: Column) -> dict[str, Column]:
    """Compute the columns of the section; `prior` are the linear model's scores."""
    out = pool.columns("pool_features")
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
    for name, retriever in _RANKS.items():
        ranks = (c.ranks.get(retriever, 0) for c in pool.candidates)
        out[name] = np.array([1.0 / rank if rank else 0.0 for rank in ranks], np.float32)
    share = np.array([m.share for m in pool.matched], np.float32)
    out["passage_lead"] = share - share.max()
    two_lines = np.array([m.two_lines for m in pool.matched], np.float32)
    out["two_lines"], out["two_lines_lead"] = two_lines, two_lines - two_lines.max()
    lines = np.array([m.matched_lines for m in pool.matched], np.float32)
    out["matched_lines"] = (np.log2(1.0 + lines) / 12).astype(np.float32)
    out["read"] = np.array([c.doc in pool.matches for c in pool.candidates], np.float32)
    out["no_lexical_match"] = np.array(
        [not any(c.scores.get(n) for n in _LEXICAL) for c in pool.candidates], np.float32
    )
    out["overridden_share"] = np.array([_overridden(pool, m.terms) for m in pool.matched], np.float32)
    for name, value in _constants(pool, best, best - second, float(share.max())).items():
        out[name][:] = value
    return out


def _overridden(pool: Pool, matched: frozenset[str]) -> float:
    terms = pool.terms
    own = sorted(matched & terms.weights.keys()) if terms.overridden else ()
    total = sum(terms.weights[term] for term in own) or 1.0
    return sum(terms.weights[term] * terms.overridden.get(term, 0.0) for term in own) / total


def _constants(pool: Pool, best: float, margin: float, passage: float) -> dict[str, float]:
    """Compute features of the task and the tree: the same for every candidate."""
    query, snapshot = pool.query, pool.view.snapshot
    commits = len(pool.history) if pool.history is not None else 0
    code = int((snapshot.roles == ROLES.index(Role.IMPLEMENTATION)).sum())
    expansions = sum(not term.joined for term in query.terminology)  # joined forms are the task's own words
    return {
        "task_words": np.log2(1 + len(query.own)) / 8,
        "task_title_words": len(query.title.split()) / 16,
        "task_symbols": np.log2(1 + len(query.symbols)) / 6,
        "task_paths": np.log2(1 + len(query.paths)) / 6,
        "task_trace": float(any(m.frame is not None for m in query.paths)),
        "task_best": best,
        "task_second": margin,
        "task_best_passage": passage,
        "task_found": np.log2(1 + len(pool)) / 9,
        "tree_files": np.log10(max(1, len(snapshot))) / 5,
        "tree_commits": np.log10(1 + commits) / 5,
        "tree_code": np.log10(1 + code) / 5,
        "cycle_later": float(bool(pool.previous_scores)),
        "expansions_count": np.log2(1 + expansions) / 5,
        "gaps_asked": np.log2(1 + len(query.gaps)) / 6,
        f"task_is_{query.kind.name.lower()}": 1.0,
    }
