"""Fit what `sufficient` rests on: the probability that every edited file is listed.

    python -m training.sufficiency --features FOLDER [FOLDER …] --folds FOLDS
                                   [--report benchmarks/results/sufficiency.json]

Every task is judged, cycle after cycle, by the ranker that never saw its repository; its answer lists every file ≥ 0.2.
The logistic model is fitted on four folds of the repositories and checked on the fifth; the printed coefficients are
fitted on all. Checked as well is what `zeroin.context.selection.sufficiency` holds: it is of an older ranker, and kept
as long as what it says is true more often.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from benchmarks.provenance import provenance
from training.calibrate import calibrated
from training.cycles import judged, latest
from training.dataset import FOLDS, fold_of, load, trainable
from training.features import Measured
from zeroin.context.selection.sections import Wanted, is_secondary
from zeroin.context.selection.sufficiency import COEFFICIENTS, SUFFICIENT, evidence_of
from zeroin.corpus.roles import role_of
from zeroin.models.ranker import read_ranker
from zeroin.types import LOW, Judgment

# A kind counts by how much it is like what users ask, not by how many there are: an issue as four commit messages.
WEIGHTS = {
    "issue": 4.0,
    "report": 1.0,
    "query": 1.5,
    "mined": 1.0,
    "young": 1.5,
    "plain": 4.0,
    "written": 0.5,
    "stranger": 0.5,
    "absent": 1.0,
}
NAMES = ("base", "best", "second", "left")
_ROUNDS, _RIDGE = 50, 1e-2


def row_of(task: Measured, relevance: np.ndarray) -> tuple[tuple[float, ...], bool]:
    """What the model sees of an answer, and whether all edited files are in it."""
    wanted = Wanted()
    files = [
        Judgment(path, float(value), role=role_of(path)) for path, value in zip(task.paths, relevance, strict=True)
    ]
    main = [j for j in files if task.kind == "query" or not is_secondary(j, wanted)]
    listed = {j.path for j in files if j.relevance >= LOW}
    seen = evidence_of(
        [j.relevance for j in main if j.path in listed], [j.relevance for j in main if j.path not in listed]
    )
    return (1.0, *seen), bool(task.gold) and set(task.gold) <= listed


def fitted(rows: np.ndarray, true: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Coefficients of a logistic model, by Newton's method."""
    out = np.zeros(rows.shape[1])
    for _ in range(_ROUNDS):
        chance = 1 / (1 + np.exp(-rows @ out))
        slope = rows.T @ (weights * (chance - true)) + _RIDGE * out
        curve = (rows * (weights * chance * (1 - chance))[:, None]).T @ rows + _RIDGE * np.eye(len(out))
        out -= np.linalg.solve(curve, slope)
    return out


def checked(kinds: np.ndarray, chance: np.ndarray, true: np.ndarray) -> dict[str, object]:
    """By kind of task: how many, how many answers call themselves sufficient, and how many of those are."""
    out: dict[str, object] = {}
    for kind in WEIGHTS:
        of_kind = kinds == kind
        said = of_kind & (chance >= SUFFICIENT)
        out[kind] = {
            "tasks": int(of_kind.sum()),
            "all listed": round(float(true[of_kind].mean()), 3) if of_kind.any() else None,
            "said": int(said.sum()),
            "true": round(float(true[said].mean()), 3) if said.any() else None,
        }
    return out


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--features", type=Path, nargs="+", required=True)
    parser.add_argument("--folds", type=Path, required=True)
    parser.add_argument("--report", type=Path)
    arguments = parser.parse_args(argv)
    rankers = [read_ranker(arguments.folds / f"fold{number}.npz") for number in range(FOLDS)]
    tasks = [task for task in trainable(load(arguments.features)) if not task.once]
    scored = latest(judged(tasks, lambda task: rankers[fold_of(task.repo)].trees))
    maps = [ranker.maps for ranker in rankers]
    found = [row_of(task, calibrated(task, scores, maps[fold_of(task.repo)])) for task, scores in scored]
    rows, true = np.array([row for row, _ in found]), np.array([float(held) for _, held in found])
    kinds = np.array([task.kind for task, _ in scored])
    folds = np.array([fold_of(task.repo) for task, _ in scored])
    weights = np.array([WEIGHTS[kind] for kind in kinds])
    chance = np.zeros(len(rows))
    for fold in range(FOLDS):
        inside = folds == fold
        chance[inside] = 1 / (1 + np.exp(-rows[inside] @ fitted(rows[~inside], true[~inside], weights[~inside])))
    report = {
        "provenance": provenance("training.sufficiency", sys.argv[1:]),
        "threshold": SUFFICIENT,
        "coefficients": dict(zip(NAMES, fitted(rows, true, weights).round(3).tolist(), strict=True)),
        "leave-repository-out": checked(kinds, chance, true),
        "as shipped": checked(kinds, 1 / (1 + np.exp(-rows @ np.array(COEFFICIENTS))), true),
    }
    if arguments.report:
        arguments.report.write_text(json.dumps(report, indent=1) + "\n")
    json.dump({k: v for k, v in report.items() if k != "provenance"}, sys.stdout, indent=1)


if __name__ == "__main__":
    main()
