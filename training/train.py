"""Train the ranker, calibrate it and write it: the one to ship, and one a fold that never saw the fold's repositories.

    python -m training.train --features FOLDER [FOLDER …] --out src/zeroin/models/ranker.npz --folds FOLDER
                             --report benchmarks/results/training.json

Repositories are split into five folds by a hash of their name; whatever is reported was predicted by a model that saw
no task of the repository, and calibrated on predictions of other folds alone.
"""

import argparse
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from catboost import CatBoost, Pool

from benchmarks.provenance import provenance
from training.calibrate import calibrated, error_tables, fit_maps
from training.cycles import cross_fit, latest, rows_of_cycles
from training.dataset import FOLDS, Rows, fold_of, load, project, trainable
from training.model_files import save_ranker
from training.quality import Scored, quality
from zeroin.evaluate.features.table import COLUMN, FEATURES, FEATURES_VERSION
from zeroin.models.ranker import Knots, Ranker
from zeroin.models.trees import ObliviousTrees

TREES = 300
RATE = 0.07
DEPTH = 6
FOLD_SEEDS = 1, 2, 3  # of the rankers that figures are made with: nearly as good at three fifths of the time
TOLD_TREES, TOLD_RATE = 100, 0.14  # of the models that tell later cycles in training what a first one held
SEEDS = (1, 2, 3, 4, 5)  # the ranker is the mean of models that differ in what they drew: less noise, more trees
CHECKED = 200
PARAMETERS: Mapping[str, object] = {
    "loss_function": "CrossEntropy",  # usefulness is a probability: what is predicted is what is promised
    "iterations": TREES,
    "depth": DEPTH,
    "learning_rate": RATE,
    "l2_leaf_reg": 8,
    "rsm": 0.4,
    "bootstrap_type": "Bernoulli",
    "subsample": 0.7,
    "border_count": 64,
    "allow_writing_files": False,
    "verbose": False,
}


def fit(
    rows: Rows,
    *,
    seeds: Sequence[int] = SEEDS,
    without: Sequence[str] = (),
    threads: int = 2,
    trees: int = TREES,
    rate: float = RATE,
) -> ObliviousTrees:
    """Trees that predict usefulness in log odds: the mean of one model a seed."""
    models = library_fit(rows, seeds=seeds, without=without, threads=threads, trees=trees, rate=rate)
    return mean_of([trees_of(model) for model in models])


def library_fit(
    rows: Rows,
    *,
    seeds: Sequence[int] = SEEDS,
    without: Sequence[str] = (),
    threads: int = 2,
    trees: int = TREES,
    rate: float = RATE,
) -> list[CatBoost]:
    """The same as the training library holds it, a model a seed."""
    ignored = [COLUMN[name] for name in without]
    pool = Pool(rows.features, rows.useful, weight=rows.weights)
    models = []
    for seed in seeds:
        given = {
            "iterations": trees,
            "learning_rate": rate,
            "thread_count": threads,
            "ignored_features": ignored,
            "random_seed": seed,
        }
        models.append(CatBoost({**PARAMETERS, **given}).fit(pool))
    return models


def mean_of(models: Sequence[ObliviousTrees]) -> ObliviousTrees:
    """One set of trees whose sum is the mean of some."""
    return ObliviousTrees(
        np.concatenate([model.features for model in models]),
        np.concatenate([model.borders for model in models]),
        np.concatenate([model.values for model in models]) / len(models),
        np.concatenate([model.weights for model in models]),
        float(np.mean([model.base for model in models])),
        len(FEATURES),
    )


def trees_of(model: CatBoost) -> ObliviousTrees:
    """The library's model as plain tables."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.json"
        model.save_model(str(path), format="json")
        stored = json.loads(path.read_text())
    numbers = [
        f["flat_feature_index"]
        for f in sorted(stored["features_info"]["float_features"], key=lambda f: f["feature_index"])
    ]
    trees = stored["oblivious_trees"]
    shape = (len(trees), DEPTH)
    features, borders = np.zeros(shape, np.int32), np.full(shape, np.inf, np.float32)
    values, weights = np.zeros((len(trees), 1 << DEPTH)), np.zeros((len(trees), 1 << DEPTH), np.float32)
    for number, tree in enumerate(trees):
        splits = tree.get("splits") or []  # a shallower tree asks nothing on its last levels
        for level, split in enumerate(splits):
            features[number, level] = numbers[split["float_feature_index"]]
            borders[number, level] = split["border"]
        leaves = 1 << len(splits)
        values[number, :leaves] = tree["leaf_values"]
        weights[number, :leaves] = tree["leaf_weights"]
    scale, (base,) = stored["scale_and_bias"]
    return ObliviousTrees(features, borders, values * scale, weights, float(base), len(FEATURES))


def ranker_of(trees: ObliviousTrees, maps: Mapping[str, Knots], card: Mapping[str, object]) -> Ranker:
    return Ranker(trees, tuple(FEATURES), FEATURES_VERSION, maps, card)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--features", type=Path, nargs="+", required=True)
    parser.add_argument("--out", type=Path, help="the ranker trained on everything")
    parser.add_argument("--folds", type=Path, help="folder for the rankers that never saw a fold")
    parser.add_argument("--report", type=Path)
    parser.add_argument("--check", type=Path, help="rows, and what the library predicts for them: a test's truth")
    parser.add_argument("--threads", type=int, default=2)
    arguments = parser.parse_args()
    tasks = trainable(load(arguments.features))
    counts = Counter(task.kind for task in tasks if task.cycle == 1 and not task.once)
    repositories = sorted({project(task.repo) for task in tasks})
    print(f"{dict(counts)} of {len(repositories)} repositories", file=sys.stderr)

    def train(rows: Rows) -> ObliviousTrees:
        return fit(rows, seeds=FOLD_SEEDS, threads=arguments.threads)

    def tell(rows: Rows) -> ObliviousTrees:  # what a first cycle holds: a smaller model is as good
        return fit(rows, seeds=SEEDS[:1], threads=arguments.threads, trees=TOLD_TREES, rate=TOLD_RATE)

    models, every = cross_fit(tasks, train, tell)
    once = [(task, found) for task, found in every if task.once]
    first = [(task, found) for task, found in every if task.cycle == 1 and not task.once]
    last = latest([(task, found) for task, found in every if not task.once])
    shown = [*first, *last]  # an answer is that of the cycle where the loop stops: the maps serve both
    fold_maps = [fit_maps([pair for pair in shown if fold_of(pair[0].repo) != n]) for n in range(FOLDS)]

    def relevance(scored: Sequence[Scored]) -> list[np.ndarray]:
        return [calibrated(task, found, fold_maps[fold_of(task.repo)]) for task, found in scored]

    card: dict[str, object] = {
        "tasks": dict(counts),
        "repositories": len(repositories),
        "parameters": {k: v for k, v in PARAMETERS.items() if k not in ("verbose", "allow_writing_files")},
        "seeds": SEEDS,
    }
    report = {
        "provenance": provenance("training.train", sys.argv[1:]),
        **card,
        "linear, in sample": quality([(t, t.rows[:, COLUMN["prior"]]) for t, _ in first]),
        "everything at once, leave-repository-out": quality(once),
        "first cycle, leave-repository-out": quality(first),
        "second cycle, leave-repository-out": quality(last),
        "calibration of the first cycle, leave-repository-out": error_tables([t for t, _ in first], relevance(first)),
        "calibration of the second cycle, leave-repository-out": error_tables([t for t, _ in last], relevance(last)),
    }
    if arguments.folds:
        arguments.folds.mkdir(parents=True, exist_ok=True)
        for number, (trees, maps) in enumerate(zip(models, fold_maps, strict=True)):
            save_ranker(ranker_of(trees, maps, card), arguments.folds / f"fold{number}.npz")
        names = {task.repo: f"fold{fold_of(task.repo)}.npz" for task in tasks}
        (arguments.folds / "folds.json").write_text(json.dumps(names, indent=1, sort_keys=True) + "\n")
    if arguments.out:
        rows = rows_of_cycles(tasks, tell)
        members = library_fit(rows, threads=arguments.threads)
        mean = mean_of([trees_of(member) for member in members])
        save_ranker(ranker_of(mean, fit_maps(shown), card), arguments.out)
        if arguments.check:
            some = rows.features[:: max(1, len(rows.features) // CHECKED)][:CHECKED]
            scores = np.mean([member.predict(some) for member in members], axis=0)
            np.savez_compressed(arguments.check, rows=some, scores=scores)
    if arguments.report:
        arguments.report.write_text(json.dumps(report, indent=1) + "\n")
    json.dump({k: v for k, v in report.items() if k != "provenance"}, sys.stdout, indent=1)


if __name__ == "__main__":
    main()
