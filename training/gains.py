"""What another cycle brings: quality after each, and the chance of a new right file, by how the loop stands.

    python -m training.gains --features FOLDER --folds FOLDER --out benchmarks/results/gains.json

Features of the tuning tasks with all their cycles are judged by rankers that never saw the repository, and merged as
the loop merges them. The chances are what `stopping.EXPECTED_GAIN` holds.
"""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from benchmarks.provenance import provenance
from training.calibrate import map_name
from training.dataset import load
from training.features import CYCLES, Measured
from training.quality import quality
from zeroin.models.ranker import Ranker, read_ranker
from zeroin.stopping import level_of

Held = dict[str, tuple[float, float]]  # path → relevance, score
SETS = ("issues", "issues, Python, one file", "issues, other languages", "queries", "plain words")


def merged(
    measured: Sequence[Measured], model: Mapping[str, Ranker], how: str = "latest"
) -> dict[int, dict[str, Held]]:
    """What is held of every task after each cycle; a task whose loop ended keeps what it had.

    `how` judgments of several cycles meet: the latest counts, as in the loop, or the best of all.
    """
    best: dict[str, Held] = {}
    out = {}
    for number in range(1, CYCLES + 1):
        for task in (t for t in measured if t.cycle == number):
            held = best.setdefault(task.id, {})
            scores = model[task.repo].trees.predict(task.rows)
            relevance = model[task.repo].relevance(scores, map_name(task))
            for path, r, s in zip(task.paths, relevance.tolist(), scores.tolist(), strict=True):
                held[path] = max(held.get(path, (0.0, -np.inf)), (r, s)) if how == "best" else (r, s)
        out[number] = {task: dict(held) for task, held in best.items()}
    return out


def best_first(held: Held) -> list[str]:
    """Paths by relevance, then score, then name."""
    return sorted(held, key=lambda path: (-held[path][0], -held[path][1], path))


def quality_by_cycle(measured: Sequence[Measured], after: Mapping[int, dict[str, Held]]) -> dict[str, object]:
    """Headline measures after each cycle."""
    tasks = {t.id: t for t in measured if t.cycle == 1}
    out: dict[str, object] = {}
    for number, held in after.items():
        orders = {task: best_first(files) for task, files in held.items()}
        rows = [
            (replace(tasks[task], paths=tuple(order)), -np.arange(len(order), dtype=float))
            for task, order in orders.items()
        ]
        out[f"cycle {number}"] = quality(rows, SETS)
    return out


def gains(measured: Sequence[Measured], after: Mapping[int, dict[str, Held]]) -> dict[str, tuple[int, float, float]]:
    """By the best relevance and open critical gaps: states seen, share in which the next cycle helps, and harms.

    It helps if it brings a gold file among the ten best, and harms if it drives one out.
    """
    counts: dict[str, list[int]] = {}
    for task in measured:
        if task.cycle + 1 not in after:
            continue
        now, later = after[task.cycle][task.id], after[task.cycle + 1][task.id]
        level = level_of(max(relevance for relevance, _ in now.values()))
        row = counts.setdefault(f"{level}, {'critical gap' if task.critical else 'none'}", [0, 0, 0])
        row[0] += 1
        before, behind = set(best_first(now)[:10]), set(best_first(later)[:10])
        row[1] += bool(set(task.gold) & (behind - before))
        row[2] += bool(set(task.gold) & (before - behind))
    return {
        state: (seen, round(helped / seen, 4), round(harmed / seen, 4))
        for state, (seen, helped, harmed) in sorted(counts.items())
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--features", type=Path, required=True)
    parser.add_argument("--folds", type=Path, required=True)
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args()
    measured = [t for t in load([arguments.features], cycles=CYCLES) if t.kind != "mined"]
    names: dict[str, str] = json.loads((arguments.folds / "folds.json").read_text())
    models = {name: read_ranker(arguments.folds / name) for name in set(names.values())}
    model = {repo: models[name] for repo, name in names.items()}
    report: dict[str, object] = {"provenance": provenance("training.gains", sys.argv[1:])}
    after = merged(measured, model)
    report["quality"] = quality_by_cycle(measured, after)
    report["gains"] = gains(measured, after)
    report["best of all cycles"] = quality_by_cycle(measured, merged(measured, model, "best"))
    report["gold files ever excluded"] = sum(t.excluded_gold for t in measured if t.cycle == CYCLES)
    json.dump(report, sys.stdout, indent=1)
    if arguments.out:
        arguments.out.write_text(json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    main()
