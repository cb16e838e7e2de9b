"""What each kind of evidence is worth, and whether more repositories would pay: models trained without it, held out.

    python -m training.ablate --features FOLDER [FOLDER …] --out benchmarks/results/ablation-ranker.json
                              [--trees 120] [--mined 2500] [--threads 2]

Every figure is leave-repository-out, by smaller models than the shipped one on a sample of the mined tasks, all alike:
what counts is the difference to the row "all".
"""

import argparse
import json
import sys
import time
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path

from benchmarks.provenance import provenance
from training.cycles import cross_fit
from training.dataset import Rows, load, project
from training.features import Measured
from training.quality import quality
from training.train import fit
from zeroin.evaluate.features.table import FEATURES, NONE, RESTATED, RETRIEVAL
from zeroin.models.trees import ObliviousTrees

SETS = ("issues", "issues, Python, one file", "issues, other languages", "queries", "mined")
CURVE = (10, 20, 40, 80)  # repositories with mined tasks
_PROVES_NOTHING = (NONE, RESTATED)
# Features that prove nothing by themselves, by what they are about.
_CONTEXT = {
    "what the task is like": ("task_", "cycle_"),
    "size and shape of the tree": ("tree_",),
    "the linear model's score": ("prior", "fused"),
    "the file's size, imports, depth": ("size", "entry", "definitions_count", "imports", "depth", "new"),
}


def groups() -> dict[str, tuple[str, ...]]:
    """What is left out together: features of one kind of evidence, all of history, everything but the first ones."""
    out: dict[str, list[str]] = {}
    for name in FEATURES:
        if FEATURES[name].evidence not in _PROVES_NOTHING:
            out.setdefault(FEATURES[name].evidence, []).append(name)
    for label, openings in _CONTEXT.items():
        out[label] = [
            name for name in FEATURES if name.startswith(openings) and FEATURES[name].evidence in _PROVES_NOTHING
        ]
    past = [name for kind in ("history", "changes", "cochange") for name in out[kind]]
    out["all of history"] = [*past, "new", "tree_commits"]
    out["all but what the linear model has"] = [name for name in FEATURES if FEATURES[name].section != RETRIEVAL]
    return {name: tuple(found) for name, found in out.items()}


def sampled(tasks: Sequence[Measured], most: int) -> list[Measured]:
    """All tuning tasks, and so many mined ones, by a hash of their ids."""
    mined = sorted((t for t in tasks if t.kind == "mined"), key=lambda t: _digest(t.id))
    return [t for t in tasks if t.kind != "mined"] + mined[:most]


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def measured(tasks: Sequence[Measured], without: Sequence[str], trees: int, threads: int) -> object:
    """Held-out quality of models that never see some features."""

    def train(rows: Rows) -> ObliviousTrees:
        return fit(rows, without=without, trees=trees, threads=threads)

    return quality(cross_fit(tasks, train)[1], SETS)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--features", type=Path, nargs="+", required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--trees", type=int, default=120)
    parser.add_argument("--mined", type=int, default=2500)
    parser.add_argument("--threads", type=int, default=2)
    arguments = parser.parse_args()
    every = [t for t in load(arguments.features, cycles=1) if t.cycle == 1]
    tasks = sampled(every, arguments.mined)
    report: dict[str, object] = {
        "provenance": provenance("training.ablate", sys.argv[1:]),
        "tasks": {kind: sum(t.kind == kind for t in tasks) for kind in ("issue", "query", "mined")},
    }
    without: dict[str, object] = {}

    def keep() -> None:
        arguments.out.write_text(json.dumps(report, indent=1) + "\n")  # so that an interruption loses little

    report["without"] = without
    for name, features in {"all": (), **groups()}.items():
        began = time.monotonic()
        without[name] = measured(tasks, features, arguments.trees, arguments.threads)
        keep()
        print(f"without {name}: {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)
    curve: dict[str, object] = {}
    report["learning curve"] = curve
    repositories = sorted({project(t.repo) for t in every if t.kind == "mined"}, key=_digest)
    for count in (0, *(n for n in CURVE if n < len(repositories)), len(repositories)):
        chosen = set(repositories[:count])
        members = [t for t in every if t.kind != "mined" or project(t.repo) in chosen]
        curve[str(count)] = {
            "mined tasks": sum(t.kind == "mined" for t in members),
            **_tuning(measured(members, (), arguments.trees, arguments.threads)),
        }
        keep()
        print(f"{count} repositories", file=sys.stderr, flush=True)


def _tuning(found: object) -> Mapping[str, object]:
    assert isinstance(found, dict)
    return {name: row for name, row in found.items() if name != "mined"}


if __name__ == "__main__":
    main()
