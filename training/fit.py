"""Weights, calibration and ablation of the evaluator, from measured features.

    python -m benchmarks.fit --features FOLDER [--out benchmarks/results/fit.json]

Everything reported as "held out" is predicted by a model that saw no task of the same repository. The fit is
listwise: softmax over a task's pool, gold against the rest, with an L2 pull towards the shipped weights.
"""

import argparse
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
from benchmarks.features import Measured, read
from scipy.optimize import minimize

from benchmarks.provenance import provenance
from benchmarks.scoring import any_hit, library_scores, strict
from zeroin.evaluate.calibration import relevance_of
from zeroin.evaluate.features import FEATURES
from zeroin.evaluate.ranker import weight_vector
from zeroin.loop import LIFTED, LIFTED_BY_WORDS, POOR
from zeroin.types import HIGH, MEDIUM

FOLDS = 8
L2 = 2.0
TEST_USEFULNESS = 0.6  # of a changed test, as docs/QUALITY.md defines usefulness

Scorer = Callable[[Measured], np.ndarray]


def gold_mask(task: Measured) -> np.ndarray:
    gold = set(task.gold)
    return np.array([p in gold for p in task.paths], bool)


def usefulness(task: Measured) -> np.ndarray:
    """1 for an edited or labelled file, 0.6 for a changed test, else 0."""
    gold, tests = set(task.gold), set(task.tests)
    return np.array([1.0 if p in gold else TEST_USEFULNESS if p in tests else 0.0 for p in task.paths])


def fit(tasks: Sequence[Measured], weight: Mapping[str, float], fixed: frozenset[int]) -> np.ndarray:
    """Weights that rank gold files of these tasks first; columns in `fixed` keep their shipped weight."""
    prior = weight_vector()
    data = [(t.rows.astype(float), gold_mask(t), weight[t.kind]) for t in tasks]
    data = [(x, y, a) for x, y, a in data if y.any()]
    free = np.array([i not in fixed for i in range(len(prior))])

    def loss(w: np.ndarray) -> tuple[float, np.ndarray]:
        total, gradient = 0.0, np.zeros(len(prior))
        for x, y, a in data:
            z = x @ w
            z -= z.max()
            e = np.exp(z)
            total += a * float(np.log(e.sum()) - z[y].mean())
            gradient += a * ((e / e.sum()) @ x - x[y].mean(axis=0))
        total += L2 * float(((w - prior) ** 2).sum())
        gradient += 2 * L2 * (w - prior)
        return total, gradient * free

    return np.asarray(minimize(loss, prior, jac=True, method="L-BFGS-B").x)


def held_out(tasks: Sequence[Measured], weight: Mapping[str, float], fixed: frozenset[int]) -> Scorer:
    """Scores of every task by a model fitted without its repository's fold."""
    repos = sorted({t.repo for t in tasks})
    fold = {repo: i % FOLDS for i, repo in enumerate(repos)}
    models = [fit([t for t in tasks if fold[t.repo] != i], weight, fixed) for i in range(FOLDS)]
    return lambda t: np.asarray(t.rows.astype(float) @ models[fold[t.repo]])


def ranking(task: Measured, scores: np.ndarray) -> list[str]:
    order = sorted(range(len(scores)), key=lambda i: (-scores[i], task.paths[i]))
    return [task.paths[i] for i in order]


def metrics(tasks: Sequence[Measured], scorer: Scorer) -> dict[str, dict[str, float]]:
    """Headline measures by set."""
    ranked = {t.id: ranking(t, scorer(t)) for t in tasks}
    out = {}
    for name, members in sets(tasks).items():
        rows: dict[str, float] = {"tasks": len(members)}
        for k in (1, 3, 5, 10):
            rows[f"strict@{k}"] = float(np.mean([strict(ranked[t.id], t.gold, k) for t in members]))
        for k in (1, 5, 10):
            rows[f"any@{k}"] = float(np.mean([any_hit(ranked[t.id], t.gold, k) for t in members]))
        library = library_scores({t.id: ranked[t.id] for t in members}, {t.id: t.gold for t in members})
        rows["ndcg@10"] = float(np.mean([library[t.id]["ndcg@10"] for t in members]))
        out[name] = {key: round(value, 4) for key, value in rows.items()}
    return out


def sets(tasks: Sequence[Measured]) -> dict[str, list[Measured]]:
    issues = [t for t in tasks if t.kind == "issue"]
    found = {
        "issues": issues,
        "issues, Python, one file": [t for t in issues if t.language == "python" and len(t.gold) == 1],
        "issues, other, one file": [t for t in issues if t.language != "python" and len(t.gold) == 1],
        "queries": [t for t in tasks if t.kind == "query"],
    }
    return {name: members for name, members in found.items() if members}


def isotonic(scores: np.ndarray, useful: np.ndarray, weight: np.ndarray) -> list[tuple[float, float]]:
    """Pool-adjacent-violators over score quantiles, as (score, usefulness) knots."""
    order = np.argsort(scores, kind="stable")
    edges = np.unique(np.r_[np.linspace(0, 0.98, 50), np.linspace(0.98, 1, 60)])
    cuts = np.unique((edges * len(order)).astype(int))
    blocks: list[list[float]] = []  # weighted score, weighted usefulness, weight
    for lo, hi in pairwise(cuts.tolist()):
        part = order[lo:hi]
        w = weight[part].sum()
        blocks.append(
            [float((scores[part] * weight[part]).sum()), float((useful[part] * weight[part]).sum()), float(w)]
        )
        while len(blocks) > 1 and blocks[-2][1] / blocks[-2][2] >= blocks[-1][1] / blocks[-1][2]:
            last = blocks.pop()
            blocks[-1] = [a + b for a, b in zip(blocks[-1], last, strict=True)]
    return [(round(s / w, 3), round(u / w, 4)) for s, u, w in blocks]


def calibration_error(
    predicted: np.ndarray, useful: np.ndarray, least: float = 0.1
) -> tuple[float, list[list[float]]]:
    """Expected calibration error over relevance ≥ `least`, and the table (mean predicted, mean useful, files)."""
    table, error, total = [], 0.0, int((predicted >= least).sum())
    for low in np.arange(0.1, 1.0, 0.1):
        inside = (predicted >= low) & (predicted < low + 0.1 + (1e-9 if low > 0.85 else 0))
        if inside.any():
            p, u, n = float(predicted[inside].mean()), float(useful[inside].mean()), int(inside.sum())
            table.append([round(p, 3), round(u, 3), n])
            error += n / total * abs(p - u)
    return round(error, 4), table


def calibrate(tasks: Sequence[Measured], scorer: Scorer, weight: Mapping[str, float]) -> dict[str, object]:
    """Knots fitted on all, and errors of knots fitted without each repository's fold, by kind."""

    def stacked(members: Sequence[Measured]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        return (
            np.concatenate([scorer(t) for t in members]),
            np.concatenate([usefulness(t) for t in members]),
            np.concatenate([np.full(len(t.paths), weight[t.kind]) for t in members]),
        )

    knots = isotonic(*stacked(tasks))
    repos = sorted({t.repo for t in tasks})
    predicted: dict[str, list[np.ndarray]] = {}
    truth: dict[str, list[np.ndarray]] = {}
    for i in range(FOLDS):
        inside = [t for t in tasks if repos.index(t.repo) % FOLDS == i]
        fold_knots = isotonic(*stacked([t for t in tasks if repos.index(t.repo) % FOLDS != i]))
        x, y = zip(*fold_knots, strict=True)
        for t in inside:
            predicted.setdefault(t.kind, []).append(np.interp(scorer(t), x, y))
            truth.setdefault(t.kind, []).append(usefulness(t))
    errors = {
        kind: dict(
            zip(
                ("ece", "table"),
                calibration_error(np.concatenate(p), np.concatenate(truth[kind])),
                strict=True,
            )
        )
        for kind, p in predicted.items()
    }
    return {"knots": knots, "held out": errors}


def shipped(task: Measured) -> np.ndarray:
    return np.asarray(task.rows.astype(float) @ weight_vector())


def merged(measured: Sequence[Measured]) -> dict[int, dict[str, dict[str, tuple[float, float]]]]:
    """(relevance, score) of every file after each cycle, by task, merged as the loop merges them.

    A task whose loop ended keeps what it had.
    """
    best: dict[str, dict[str, tuple[float, float]]] = {}
    out = {}
    for number in sorted({m.cycle for m in measured}):
        for m in (m for m in measured if m.cycle == number):
            held = best.setdefault(m.id, {})
            top = max((relevance for relevance, _ in held.values()), default=0.0)
            first = best_first(held)[0] if held else ""
            most = 1.0
            if number > 1:
                share = LIFTED_BY_WORDS if m.reworded else LIFTED ** (number - 1)
                most = 1.0 if m.reworded and top < POOR else share * top
            scores = shipped(m)
            relevance = relevance_of(scores, short=m.kind == "query")
            for path, r, s in zip(m.paths, relevance.tolist(), scores.tolist(), strict=True):
                old = held.get(path, (0.0, -np.inf))
                new = (r if path == first else max(old[0], min(r, most)), s)
                held[path] = max(old, new)
        out[number] = {task: dict(held) for task, held in best.items()}
    return out


def best_first(held: Mapping[str, tuple[float, float]]) -> list[str]:
    return sorted(held, key=lambda path: (-held[path][0], -held[path][1], path))


def cycles_table(measured: Sequence[Measured]) -> dict[str, dict[str, dict[str, float]]]:
    """Quality after each cycle."""
    tasks = {m.id: m for m in measured if m.cycle == 1}
    out = {}
    for number, held in merged(measured).items():
        rows = [
            replace(tasks[i], paths=tuple(order), rows=-np.arange(len(order), dtype=float)[:, None])
            for i, order in ((i, best_first(files)) for i, files in held.items())
        ]
        out[f"cycle {number}"] = metrics(rows, lambda t: np.asarray(t.rows[:, 0]))
    return out


def gain_table(measured: Sequence[Measured]) -> dict[str, list[float]]:
    """How often another cycle brings a gold file among the ten best, by the best relevance and open critical gaps.

    Values: states seen, share of them in which it does.
    """
    after = merged(measured)
    counts: dict[str, list[float]] = {}
    for m in measured:
        if m.cycle + 1 not in after:
            continue
        now, later = after[m.cycle][m.id], after[m.cycle + 1][m.id]
        top = max(relevance for relevance, _ in now.values())
        level = "high" if top >= HIGH else "medium" if top >= MEDIUM else "low"
        row = counts.setdefault(f"{level}, {'critical gap' if m.critical else 'none'}", [0, 0])
        row[0] += 1
        row[1] += bool(set(m.gold) & (set(best_first(later)[:10]) - set(best_first(now)[:10])))
    return {state: [seen, round(gained / seen, 4)] for state, (seen, gained) in sorted(counts.items())}


def ablation(tasks: Sequence[Measured]) -> dict[str, dict[str, dict[str, float]]]:
    """Held-out quality with each feature left out in turn."""
    columns = list(FEATURES)
    weight = {"issue": 1.0, "query": 0.5}
    out = {"all": metrics(tasks, held_out(tasks, weight, frozenset()))}
    for i, name in enumerate(columns):
        if not any(t.rows[:, i].any() for t in tasks):
            continue
        cut = []
        for t in tasks:
            rows = t.rows.copy()
            rows[:, i] = 0
            cut.append(replace(t, rows=rows))
        out[f"without {name}"] = metrics(cut, held_out(cut, weight, frozenset({i})))
    return out


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--features", type=Path, required=True)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--ablate", action="store_true")
    arguments = parser.parse_args()
    measured = read(arguments.features)
    first = [m for m in measured if m.cycle == 1]
    weight = {"issue": 1.0, "query": 0.5}
    later_only = frozenset(i for i, name in enumerate(FEATURES) if not any(m.rows[:, i].any() for m in first))
    fitted = fit(first, weight, later_only)
    report = {
        "shipped": metrics(first, shipped),
        "refitted, held out": metrics(first, held_out(first, weight, later_only)),
        "refitted weights": dict(zip(FEATURES, np.round(fitted, 2).tolist(), strict=True)),
        "calibration of the shipped weights": {
            kind: calibrate([m for m in first if m.kind == kind], shipped, weight)
            for kind in sorted({m.kind for m in first})
        },
        "cycles": cycles_table(measured),
        "gain": gain_table(measured),
        "gold files ever excluded": sum(m.excluded_gold for m in measured if m.cycle == 3),
    }
    if arguments.ablate:
        report["ablation, held out"] = ablation(first)
    json.dump(report, sys.stdout, indent=1)
    if arguments.out:
        arguments.out.write_text(
            json.dumps({"provenance": provenance("benchmarks.fit", sys.argv[1:])} | report, indent=1) + "\n"
        )


if __name__ == "__main__":
    main()
