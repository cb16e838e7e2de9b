"""Scoring answers against gold files: per task, in groups, and with intervals.

nDCG@10, R@10 and RR come from ir_measures. Strict accuracy (all gold files within k) and any-hit are a line each here.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median

import ir_measures
import numpy as np

from benchmarks.data import Task
from benchmarks.runs import Answer

STRICT_DEPTHS = (1, 3, 5, 10)
HIT_DEPTHS = (1, 3, 5, 10, 30)
LIBRARY_MEASURES = {"ndcg@10": ir_measures.nDCG @ 10, "recall@10": ir_measures.R @ 10, "rr": ir_measures.RR}
RELEVANCE_FLOOR = 0.1  # calibration is judged on files that the system gives at least this much
LIKELY = 0.5  # files stated at least this relevant are scored as a set
RESAMPLES = 2_000
SEED = 20261121

Scores = dict[str, float]


@dataclass(frozen=True, slots=True)
class Scored:
    """One task with the scores of one answer, 0–1 each; ``ranks``: 1-based rank of each gold file, None if absent."""

    task: Task
    answer: Answer
    scores: Scores
    ranks: tuple[int | None, ...]


def strict(ranking: Sequence[str], gold: Iterable[str], k: int) -> float:
    """1.0 if every gold file is among the first k, else 0.0 (Acc@k of SWE-bench localisation, strict reading)."""
    return float(set(gold) <= set(ranking[:k]))


def any_hit(ranking: Sequence[str], gold: Iterable[str], k: int) -> float:
    """1.0 if at least one gold file is among the first k, else 0.0."""
    return float(not set(gold).isdisjoint(ranking[:k]))


def set_scores(files: Iterable[str], gold: Iterable[str], name: str = "set") -> Scores:
    """Precision, recall and F1 (0–1) and size (files) of a set of files, as ``<name>_…``; all 0 of an empty set."""
    handed, wanted = set(files), set(gold)
    right = len(handed & wanted)
    precision = right / len(handed) if handed else 0.0
    recall = right / len(wanted) if wanted else 0.0
    f1 = 2 * precision * recall / (precision + recall) if right else 0.0
    scores = {"precision": precision, "recall": recall, "f1": f1, "size": float(len(handed))}
    return {f"{name}_{score}": value for score, value in scores.items()}


def library_scores(rankings: Mapping[str, Sequence[str]], gold: Mapping[str, Iterable[str]]) -> dict[str, Scores]:
    """nDCG@10, R@10 and RR of each task, by ir_measures; a task without an answer scores 0.

    The library sorts by score and breaks ties by name, so the place in the ranking is what it is given as score.
    """
    qrels = [ir_measures.Qrel(task, path, 1) for task, paths in gold.items() for path in paths]
    run = [
        ir_measures.ScoredDoc(task, path, float(-place))
        for task, ranking in rankings.items()
        for place, path in enumerate(ranking)
    ]
    names = {str(measure): name for name, measure in LIBRARY_MEASURES.items()}
    scores: dict[str, Scores] = {task: dict.fromkeys(LIBRARY_MEASURES, 0.0) for task in gold}
    if not run:  # the library's C code refuses an empty run
        return scores
    for metric in ir_measures.iter_calc(list(LIBRARY_MEASURES.values()), qrels, run):
        scores[metric.query_id][names[str(metric.measure)]] = float(metric.value)
    return scores


def score(
    tasks: Sequence[Task],
    answers: Mapping[str, Answer],
    ranking_of: Callable[[Answer], Sequence[str]] = lambda answer: answer.ranking,
) -> list[Scored]:
    """Scores of every task; a missing or failed answer scores as an empty ranking."""
    found = {task.id: answers.get(task.id, Answer(task.id, error="no result row")) for task in tasks}
    rankings = {task.id: ranking_of(found[task.id]) for task in tasks}
    library = library_scores(rankings, {task.id: task.gold for task in tasks})
    # A system that hands over files, or states relevance, anywhere answers with an empty set where it fails.
    hands_over = any(answer.files is not None for answer in found.values())
    states = any(answer.relevance for answer in found.values())
    scored = []
    for task in tasks:
        ranking = rankings[task.id]
        places = {path: place for place, path in enumerate(ranking, start=1)}
        scores = {f"acc@{k}": strict(ranking, task.gold, k) for k in STRICT_DEPTHS}
        scores |= {f"hit@{k}": any_hit(ranking, task.gold, k) for k in HIT_DEPTHS}
        scores |= library[task.id]
        if hands_over:
            scores |= set_scores(found[task.id].files or (), task.gold)
        if states:
            stated = found[task.id].relevance or {}
            likely = [path for path, relevance in stated.items() if relevance >= LIKELY]
            scores |= set_scores(likely, task.gold, "likely")
        ranks = tuple(places.get(path) for path in task.gold)
        scored.append(Scored(task, found[task.id], scores, ranks))
    return scored


def mean(rows: Sequence[Scored]) -> Scores:
    """Mean of each score over tasks that have it."""
    return mean_of(row.scores for row in rows)


def mean_of(parts: Iterable[Scores]) -> Scores:
    """Unweighted mean of means."""
    values: dict[str, list[float]] = defaultdict(list)
    for part in parts:
        for name, value in part.items():
            values[name].append(value)
    return {name: fmean(found) for name, found in values.items()}


def by(rows: Iterable[Scored], key: Callable[[Scored], str]) -> dict[str, list[Scored]]:
    """Rows grouped by a key, in key order."""
    groups: dict[str, list[Scored]] = defaultdict(list)
    for row in rows:
        groups[key(row)].append(row)
    return dict(sorted(groups.items()))


def per_repository(rows: Iterable[Scored]) -> Scores:
    """Mean of the repositories' means."""
    return mean_of(mean(part) for part in by(rows, lambda row: row.task.repo).values())


def per_language(rows: Iterable[Scored]) -> Scores:
    """Mean over repositories, then over languages: the published protocol of the code-search queries."""
    return mean_of(per_repository(part) for part in by(rows, lambda row: row.task.language).values())


def interval(
    rows: Sequence[Scored], name: str, mean_rows: Callable[[Iterable[Scored]], Scores] | None = None
) -> tuple[float, float]:
    """95 % percentile interval of a mean, by bootstrap over repositories (tasks of one repository are not independent).

    ``mean_rows`` None weighs tasks alike; otherwise it is the mean of repository means that is resampled.
    """
    groups = by((row for row in rows if name in row.scores), lambda row: row.task.repo).values()
    sums = np.array([sum(row.scores[name] for row in group) for group in groups])
    counts = np.array([float(len(group)) for group in groups])
    if mean_rows is not None:
        sums, counts = sums / counts, np.ones_like(counts)
    low, high = resampled_ratio(sums, counts, RESAMPLES)
    return low, high


def resampled_ratio(sums: np.ndarray, counts: np.ndarray, resamples: int, seed: int = SEED) -> tuple[float, float]:
    """2.5th and 97.5th percentile of Σsums / Σcounts when the groups (float64[n] each) are drawn with replacement."""
    draws = np.random.default_rng(seed).integers(0, len(sums), size=(resamples, len(sums)))
    ratios = sums[draws].sum(axis=1) / counts[draws].sum(axis=1)
    low, high = np.percentile(ratios, [2.5, 97.5])
    return float(low), float(high)


@dataclass(frozen=True, slots=True)
class Bin:
    """Files whose stated relevance fell into [low, high): how many, the mean stated, the mean worth."""

    low: float
    high: float
    files: int
    stated: float
    gold: float


def reliability(
    rows: Iterable[Scored],
    width: float = 0.1,
    worth: Callable[[Task], Mapping[str, float]] = lambda task: dict.fromkeys(task.gold, 1.0),
) -> tuple[tuple[Bin, ...], float]:
    """Reliability table and expected calibration error over files with relevance ≥ RELEVANCE_FLOOR.

    ``worth`` is what a task's files are worth, 0–1, by path: by itself binary (edited or labelled, or not). The error
    is the files-weighted mean of |stated − worth| over bins; 0 without files.
    """
    edges = round(1 / width)
    pairs: dict[int, list[tuple[float, float]]] = defaultdict(list)
    for row in rows:
        known = worth(row.task)
        for path, relevance in (row.answer.relevance or {}).items():
            if relevance >= RELEVANCE_FLOOR:
                # the small term keeps 0.3 (0.1 × 3 = 0.30000000000000004) in the bin that it opens
                pairs[min(int(relevance / width + 1e-9), edges - 1)].append((relevance, known.get(path, 0.0)))
    bins = tuple(
        Bin(
            low=round(number * width, 6),
            high=round((number + 1) * width, 6),
            files=len(found),
            stated=fmean(relevance for relevance, _ in found),
            gold=fmean(hit for _, hit in found),
        )
        for number, found in sorted(pairs.items())
    )
    total = sum(b.files for b in bins)
    error = sum(b.files * abs(b.stated - b.gold) for b in bins) / total if total else 0.0
    return bins, error


def seconds(rows: Iterable[Scored]) -> dict[str, float]:
    """Median, 90th percentile and maximum of the seconds per task; empty where no row states them."""
    found = sorted(row.answer.seconds for row in rows if row.answer.seconds is not None)
    if not found:
        return {}
    return {"median": median(found), "p90": float(np.percentile(found, 90)), "max": found[-1]}
