"""What another cycle brings, by how the loop stands: what the stopping rules are chosen by.

    python -m training.gains --features FOLDER [FOLDER …] --folds FOLDER --out benchmarks/results/gains.json

Every task is judged cycle by cycle, by rankers that never saw its repository, with all cycles whatever the rules say.
Then rules are laid over it: when the first cycle is enough, and when a third one is asked.
"""

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from benchmarks.provenance import provenance
from training.calibrate import map_name
from training.cycles import judged
from training.dataset import load
from training.features import CYCLES, Measured
from training.quality import quality
from zeroin.models.ranker import Ranker, read_ranker
from zeroin.stopping import KNOWN, TOP
from zeroin.types import HIGH, LOW, MEDIUM

Held = dict[str, tuple[float, float]]  # path → relevance, score
Key = tuple[str, str]  # kind, id
Rule = Callable[[Mapping[int, Held]], int]  # after which cycle to stop, given what is held after each
SETS = ("issues", "issues, Python, one file", "issues, other languages", "queries", "plain words", "mined")
BANDS = (0.0, LOW, 0.3, MEDIUM, HIGH, 0.9)


def merged(measured: Sequence[Measured], model: Mapping[str, Ranker]) -> dict[Key, dict[int, Held]]:
    """What is held of every task after each of its cycles: each file's latest judgment, as the loop keeps them."""
    out: dict[Key, dict[int, Held]] = defaultdict(dict)
    for task, scores in judged(measured, lambda one: model[one.repo].trees):
        relevance = model[task.repo].relevance(scores, map_name(task))
        found = zip(task.paths, relevance.tolist(), scores.tolist(), strict=True)
        before = out[task.kind, task.id].get(task.cycle - 1, {})
        out[task.kind, task.id][task.cycle] = before | {path: (r, s) for path, r, s in found}
    return out


def best_first(held: Held) -> list[str]:
    """Paths by relevance, then score, then name."""
    return sorted(held, key=lambda path: (-held[path][0], -held[path][1], path))


def best(held: Held) -> float:
    """The best relevance."""
    return max(relevance for relevance, _ in held.values())


def brings_news(before: Held, now: Held, top: int = TOP, known: int = KNOWN) -> bool:
    """Whether one of the best files was far behind one cycle before."""
    return not set(best_first(now)[:top]) <= set(best_first(before)[:known])


def rule(sure: float, third: Callable[[Mapping[int, Held]], bool]) -> Rule:
    """Stop after the first cycle where a file is sure; go into a third one as told."""

    def stop(after: Mapping[int, Held]) -> int:
        if 2 not in after or best(after[1]) >= sure:
            return 1
        return 3 if 3 in after and best(after[2]) < sure and third(after) else 2

    return stop


RULES: Mapping[str, Rule] = {
    "one cycle": lambda after: 1,
    "two cycles": lambda after: min(2, max(after)),
    "three cycles": max,
    **{f"a second one below {sure}": rule(sure, lambda after: False) for sure in (LOW, 0.3, MEDIUM, HIGH, 0.9)},
    f"a second one below {HIGH}, a third after news": rule(HIGH, lambda a: brings_news(a[1], a[2])),
    f"a second one below {HIGH}, a third below {MEDIUM}": rule(HIGH, lambda a: best(a[2]) < MEDIUM),
}


def quality_under(stop: Rule, tasks: Mapping[Key, Measured], after: Mapping[Key, Mapping[int, Held]]) -> object:
    """Headline measures, and cycles used, where the loop stops by a rule."""
    rows = []
    cycles: dict[str, list[int]] = defaultdict(list)
    for key, held in after.items():
        number = stop(held)
        order = best_first(held[number])
        rows.append((replace(tasks[key], paths=tuple(order)), -np.arange(len(order), dtype=float)))
        cycles[key[0]].append(number)
    used = {kind: round(float(np.mean(found)), 2) for kind, found in cycles.items()}
    return {"cycles": used, **quality(rows, SETS)}


def gains(
    tasks: Mapping[Key, Measured], after: Mapping[Key, Mapping[int, Held]]
) -> dict[str, dict[str, tuple[int, int, int]]]:
    """By kind, cycle and best relevance: states seen, in how many the next cycle helps, and in how many it harms.

    It helps if it brings a gold file among the five best, and harms if it drives one out.
    """
    out: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(lambda: [0, 0, 0]))
    for key, held in after.items():
        gold = set(tasks[key].gold)
        for number in range(1, max(held)):
            band = max(low for low in BANDS if low <= best(held[number]))
            row = out[f"{key[0]}, after cycle {number}"][f"best file ≥ {band}"]
            before, behind = set(best_first(held[number])[:5]), set(best_first(held[number + 1])[:5])
            row[0] += 1
            row[1] += bool(gold & (behind - before))
            row[2] += bool(gold & (before - behind))
    return {
        state: {band: (row[0], row[1], row[2]) for band, row in sorted(bands.items())}
        for state, bands in sorted(out.items())
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--features", type=Path, nargs="+", required=True)
    parser.add_argument("--folds", type=Path, required=True)
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args()
    measured = load(arguments.features, cycles=CYCLES)
    names: dict[str, str] = json.loads((arguments.folds / "folds.json").read_text())
    models = {name: read_ranker(arguments.folds / name) for name in set(names.values())}
    after = merged(measured, {repo: models[name] for repo, name in names.items()})
    tasks = {(task.kind, task.id): task for task in measured if task.cycle == 1}
    report: dict[str, object] = {
        "provenance": provenance("training.gains", sys.argv[1:]),
        "gains": gains(tasks, after),
        "rules": {name: quality_under(stop, tasks, after) for name, stop in RULES.items()},
        "gold files ever excluded": sum(t.excluded_gold for t in measured if t.cycle == CYCLES),
        "gold files": sum(len(t.gold) for t in tasks.values() if t.kind != "mined"),
    }
    json.dump(report, sys.stdout, indent=1)
    if arguments.out:
        arguments.out.write_text(json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    main()
