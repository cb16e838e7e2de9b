"""Headline measures of rankings, by set of tasks."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from benchmarks.scoring import any_hit, library_scores, strict
from training.features import Measured

Scored = tuple[Measured, np.ndarray]  # a task in one cycle, and the score of each candidate

SETS: Mapping[str, Callable[[Measured], bool]] = {
    "issues": lambda t: t.kind == "issue",
    "issues, Python, one file": lambda t: t.kind == "issue" and t.language == "python" and len(t.gold) == 1,
    "issues, other languages": lambda t: t.kind == "issue" and t.language != "python",
    "issues, other languages, one file": lambda t: t.kind == "issue" and t.language != "python" and len(t.gold) == 1,
    "reports": lambda t: t.kind == "report",
    "reports, Python, one file": lambda t: t.kind == "report" and t.language == "python" and len(t.gold) == 1,
    "queries": lambda t: t.kind == "query",
    "plain words": lambda t: t.kind == "plain",
    "written": lambda t: t.kind == "written",
    "strangers": lambda t: t.kind == "stranger",
    "mined": lambda t: t.kind == "mined" and t.history,
    "mined, without history": lambda t: t.kind == "mined" and not t.history,
    "small trees": lambda t: t.kind == "young",
    "issues, several files": lambda t: t.kind == "issue" and len(t.gold) > 1,
    "mined, several files": lambda t: t.kind == "mined" and len(t.gold) > 1,
}


def ranking(task: Measured, scores: np.ndarray) -> list[str]:
    """Paths, best first; equal scores by path."""
    order = sorted(range(len(scores)), key=lambda i: (-scores[i], task.paths[i]))
    return [task.paths[i] for i in order]


def quality(scored: Sequence[Scored], sets: Sequence[str] = tuple(SETS)) -> dict[str, dict[str, float]]:
    """Strict and any-hit accuracy in percent, nDCG@10 as the mean over repositories; gold are edited files."""
    out = {}
    for name in sets:
        members = [(task, scores) for task, scores in scored if SETS[name](task) and task.gold]
        if not members:
            continue
        ranked = {task.id: ranking(task, scores) for task, scores in members}
        gold = {task.id: task.gold for task, _ in members}
        row: dict[str, float] = {"tasks": len(members)}
        for k in (1, 3, 5, 10):
            row[f"strict@{k}"] = round(100 * float(np.mean([strict(ranked[i], gold[i], k) for i in ranked])), 2)
        for k in (1, 5, 10):
            row[f"any@{k}"] = round(100 * float(np.mean([any_hit(ranked[i], gold[i], k) for i in ranked])), 2)
        useful = {task.id: set(task.useful) for task, _ in members}
        row["useful recall@10"] = round(
            100 * float(np.mean([len(set(ranked[i][:10]) & useful[i]) / len(useful[i]) for i in ranked])), 2
        )
        scores_of = library_scores(ranked, gold)
        by_repo: dict[str, list[float]] = {}
        for task, _ in members:
            by_repo.setdefault(task.repo, []).append(scores_of[task.id]["ndcg@10"])
        row["ndcg@10"] = round(float(np.mean([np.mean(found) for found in by_repo.values()])), 4)
        out[name] = row
    return out


def chosen(task: Measured, relevance: np.ndarray, least: float = 0.5) -> tuple[float, int]:
    """F1 of the files of at least this relevance against the edited ones, and how many they are."""
    picked = {path for path, value in zip(task.paths, relevance, strict=True) if value >= least}
    hits = len(picked & set(task.gold))
    return (2 * hits / (len(picked) + len(task.gold)) if picked else 0.0), len(picked)
