"""Score → relevance: isotonic maps fitted on predictions of repositories that the model never saw, and their errors."""

from collections.abc import Mapping, Sequence

import numpy as np
from scipy.optimize import isotonic_regression

from training.features import Measured
from training.quality import Scored, chosen
from zeroin.evaluate.features.table import COLUMN
from zeroin.evaluate.model.linear import SHORT_TASK
from zeroin.models.ranker import Knots
from zeroin.types import HIGH

LEAST = 0.1  # files of less relevance are not counted: nearly all of a tree
KNOTS = 40
LOWEST, HIGHEST = 0.0005, 0.99
# A map serves several kinds of task: none may drown the others.
_SHARES = {
    "issue": 1.0,
    "report": 0.25,  # of one field, and of many repositories: at 1 small trees and mined changes are told too little
    "query": 1.0,
    "plain": 0.5,
    "written": 0.5,
    "stranger": 0.5,
    "mined": 1.0,
    "young": 1.0,
    "absent": 0.3,
}
GRADED = ("mined", "young", "absent")


def map_name(task: Measured) -> str:
    """The map that the product uses for this task: by how many content words it has."""
    words = 2 ** (8 * float(task.rows[0, COLUMN["task_words"]])) - 1
    return "short" if round(words) <= SHORT_TASK else "long"


def truth(task: Measured) -> np.ndarray:
    """What relevance is held against: graded usefulness where the change tells it, else edited or labelled."""
    if task.kind in GRADED:
        return task.target
    gold = set(task.gold)
    return np.array([float(path in gold) for path in task.paths])


def fit_maps(scored: Sequence[Scored]) -> dict[str, Knots]:
    """One map for short tasks and one for long ones."""
    return {name: isotonic([(t, s) for t, s in scored if map_name(t) == name]) for name in ("short", "long")}


def isotonic(scored: Sequence[Scored]) -> Knots:
    """The isotonic regression of usefulness on scores, thinned to a few knots."""
    counts: dict[str, int] = {}
    for task, _ in scored:
        counts[task.kind] = counts.get(task.kind, 0) + 1
    x = np.concatenate([scores for _, scores in scored])
    y = np.concatenate([truth(task) for task, _ in scored])
    w = np.concatenate([np.full(len(scores), _SHARES[task.kind] / counts[task.kind]) for task, scores in scored])
    order = np.argsort(x, kind="stable")
    x, y, w = x[order], y[order], w[order]
    fitted = isotonic_regression(y, weights=w).x
    # Knots by equal steps of what is predicted, each the mean of its part.
    level = np.minimum((np.sqrt(fitted) * KNOTS).astype(int), KNOTS - 1)
    knots = []
    for value in np.unique(level):
        part = level == value
        knots.append((np.average(x[part], weights=w[part]), np.average(y[part], weights=w[part])))
    found = np.array(knots)
    found[:, 1] = np.clip(np.maximum.accumulate(found[:, 1]), LOWEST, HIGHEST)
    return found


def calibrated(task: Measured, scores: np.ndarray, maps: Mapping[str, Knots]) -> np.ndarray:
    """Relevance of each candidate."""
    knots = maps[map_name(task)]
    return np.asarray(np.interp(scores, knots[:, 0], knots[:, 1]))


def error_of(relevance: np.ndarray, useful: np.ndarray) -> dict[str, object]:
    """Expected calibration error over relevance ≥ 0.1; rows of (mean relevance, mean usefulness, files) by tenths."""
    table: list[tuple[float, float, int]] = []
    total = int((relevance >= LEAST).sum())
    error = 0.0
    for tenth in range(1, 10):
        inside = (relevance >= tenth / 10) & (relevance < (tenth + 1) / 10 if tenth < 9 else relevance <= 1)
        count = int(inside.sum())
        if count:
            mean, told = float(relevance[inside].mean()), float(useful[inside].mean())
            table.append((round(mean, 3), round(told, 3), count))
            error += count / total * abs(mean - told)
    return {"ece": round(error, 4), "files": total, "table": table}


def error_tables(tasks: Sequence[Measured], relevance: Sequence[np.ndarray]) -> dict[str, object]:
    """Calibration by kind of truth and by language; what the band "high" means; the set at relevance ≥ 0.5."""
    out: dict[str, object] = {}
    for kind in ("mined", "young", "issue", "report", "query", "plain", "written", "stranger", "absent"):
        pairs = [(t, r) for t, r in zip(tasks, relevance, strict=True) if t.kind == kind]
        if not pairs:
            continue
        p = np.concatenate([r for _, r in pairs])
        u = np.concatenate([truth(t) for t, _ in pairs])
        graded = np.concatenate([t.target for t, _ in pairs])
        sets = [chosen(t, r) for t, r in pairs]
        high = p >= HIGH
        out[kind] = {
            **error_of(p, u),
            "high": {
                "files": int(high.sum()),
                "useful": round(float((graded[high] > 0).mean()), 3) if high.any() else None,
                "mean usefulness": round(float(u[high].mean()), 3) if high.any() else None,
            },
            "at 0.5": {
                "F1": round(float(np.mean([f for f, _ in sets])), 3),
                "files": round(float(np.mean([n for _, n in sets])), 2),
            },
            "by language": _by_language(pairs),
        }
    return out


def _by_language(pairs: Sequence[Scored], least: int = 20) -> dict[str, object]:
    out: dict[str, object] = {}
    for language in sorted({task.language for task, _ in pairs}):
        members = [(t, r) for t, r in pairs if t.language == language]
        if len(members) >= least:
            found = error_of(np.concatenate([r for _, r in members]), np.concatenate([truth(t) for t, _ in members]))
            out[language] = {"tasks": len(members), "ece": found["ece"], "files": found["files"]}
    return out
