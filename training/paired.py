"""Two trainings on the same tasks, each by rankers that never saw the task's repository: is the second any better?

    python -m training.paired --features FOLDER [FOLDER …] --before FOLDS --after FOLDS --out FILE

Both folders come from `training.train --folds`. Means over tasks; intervals are paired, by bootstrap over repositories.
"""

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from benchmarks.provenance import provenance
from benchmarks.scoring import any_hit, library_scores, resampled_ratio
from training.dataset import FOLDS, fold_of, load
from training.features import Measured
from training.quality import ranking
from zeroin.models.ranker import read_ranker
from zeroin.models.trees import ObliviousTrees

MEASURES = ("any@1", "any@5", "ndcg@10")
RESAMPLES = 2000


def scores_of(task: Measured, trees: Sequence[ObliviousTrees]) -> np.ndarray:
    """float64[3], in the order of `MEASURES`; ``trees`` has the model of each fold."""
    ranked = ranking(task, trees[fold_of(task.repo)].predict(task.rows))
    ndcg = library_scores({task.id: ranked}, {task.id: task.gold})[task.id]["ndcg@10"]
    return np.array([any_hit(ranked, task.gold, 1), any_hit(ranked, task.gold, 5), ndcg])


def compared(repos: Sequence[str], before: np.ndarray, after: np.ndarray) -> dict[str, object]:
    """Means of float64[tasks, 3] before and after, and the gain with its 95 % interval, by measure."""
    names, group = np.unique(np.array(repos), return_inverse=True)
    counts = np.bincount(group).astype(float)
    out: dict[str, object] = {"tasks": len(repos), "repositories": len(names)}
    for column, name in enumerate(MEASURES):
        gain = after[:, column] - before[:, column]
        low, high = resampled_ratio(np.bincount(group, gain), counts, RESAMPLES)
        out[name] = {
            "before": round(float(before[:, column].mean()), 4),
            "after": round(float(after[:, column].mean()), 4),
            "gain": [round(value, 4) for value in (float(gain.mean()), low, high)],
        }
    return out


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--features", type=Path, nargs="+", required=True)
    parser.add_argument("--before", type=Path, required=True)
    parser.add_argument("--after", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    tasks = [task for task in load(arguments.features) if not task.once and task.gold]
    found = []
    for folder in (arguments.before, arguments.after):
        trees = [read_ranker(folder / f"fold{number}.npz").trees for number in range(FOLDS)]
        found.append(np.array([scores_of(task, trees) for task in tasks]))
    sets: dict[str, list[int]] = defaultdict(list)
    for index, task in enumerate(tasks):
        for name in (f"cycle {task.cycle}", f"cycle {task.cycle}, {task.kind}"):
            sets[name].append(index)
    report = {
        "provenance": provenance("training.paired", sys.argv[1:]),
        "gain": "mean, and its 95 % interval",
        **{
            name: compared([tasks[i].repo for i in members], found[0][members], found[1][members])
            for name, members in sorted(sets.items())
        },
    }
    arguments.out.write_text(json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    main()
