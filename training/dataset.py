"""Measured tasks as training rows: which candidates are kept, what they weigh, and which fold a repository is in."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

import numpy as np

from training.features import KEPT, Measured, read
from zeroin.evaluate.features.table import COLUMN

FOLDS = 5
KIND_WEIGHTS = {
    "issue": 8.0,
    "report": 3.5,
    "query": 9.0,
    "plain": 25.0,
    "written": 2.0,
    "stranger": 2.0,
    "mined": 3.0,
    "young": 5.0,
    "absent": 5.0,
}
# What the trees are to predict of a needed file: less than its usefulness, so that edited files come before it. The
# calibration gives it back what it is worth.
NEEDED_TARGET = 0.3
HEAD = 25  # candidates that are always kept, by first score
TAIL_SHARE = 0.3  # of the other ones without use: each stands for 1 / 0.3
# Repositories that are one project: a fork, the place that it moved from, or a rewriting of it.
SAME = {
    "encode/starlette": "kludex/starlette",
    "ntmc-community/matchzoo-py": "ntmc-community/matchzoo",
    "ultralytics/yolov3": "ultralytics/yolov5",
    "asyml/texar-pytorch": "asyml/texar",
}


@dataclass(frozen=True, slots=True)
class Rows:
    """Training rows: features (N, F), what is to be predicted, weights and task numbers (N,)."""

    features: np.ndarray
    useful: np.ndarray
    weights: np.ndarray
    tasks: np.ndarray


def load(folders: Sequence[Path], cycles: int = 2) -> list[Measured]:
    """Tasks with the candidates that the ranker judges: the first by the linear model."""
    return [trimmed(task) for task in read(*folders, cycles=cycles) if len(task.paths)]


def trainable(tasks: Sequence[Measured]) -> list[Measured]:
    """What may be trained on: later cycles only where an unseeing ranker judged the ones before.

    They are asked by what a ranker found in the first: where that one had seen the task, a model trained on them seemed
    to gain six points @1 by iterating.
    """
    return [task for task in tasks if task.cycle == 1 or task.unseen]


def trimmed(task: Measured) -> Measured:
    """The first candidates alone, as many as the ranker judges."""
    prior = task.rows[:, COLUMN["prior"]]
    places = np.sort(np.argsort(-prior, kind="stable")[:KEPT])
    return replace(task, rows=task.rows[places], paths=tuple(task.paths[i] for i in places))


def project(repo: str) -> str:
    """What a repository is split by."""
    name = repo.lower()
    return SAME.get(name, name)


def fold_of(repo: str, folds: int = FOLDS) -> int:
    """The fold of a repository, the same in every run."""
    return int(sha256(f"fold{project(repo)}".encode()).hexdigest()[:8], 16) % folds


def rows_of(tasks: Sequence[Measured], seed: int = 0) -> Rows:
    """Every useful candidate and the first ones; of the rest a share that stands for all of it."""
    rng = np.random.default_rng(seed)
    features, useful, weights, numbers = [], [], [], []
    for number, task in enumerate(tasks):
        target = np.where((task.target > 0) & (task.target < 1), NEEDED_TARGET, task.target)
        order = np.argsort(-task.rows[:, COLUMN["prior"]], kind="stable")
        weight = np.zeros(len(target), np.float32)
        rest = order[HEAD:]
        weight[rest[rng.random(len(rest)) < TAIL_SHARE]] = 1 / TAIL_SHARE
        weight[order[:HEAD]] = 1.0
        weight[target > 0] = 1.0
        kept = weight > 0
        features.append(task.rows[kept])
        useful.append(target[kept])
        weights.append(weight[kept] * KIND_WEIGHTS[task.kind])
        numbers.append(np.full(int(kept.sum()), number))
    return Rows(np.concatenate(features), np.concatenate(useful), np.concatenate(weights), np.concatenate(numbers))
