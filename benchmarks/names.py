"""Tasks that name a flag, a key or a constant: what is the only file of the code that holds it worth?

    python -m benchmarks.names --repos FOLDER --mined TASKS.jsonl [--models DIR] [--out FILE]

Tasks are all of `benchmarks/strangers.jsonl` that name one, and at most `MOST` mined changes a repository
(`training.mine`); of these, those where one file of the code alone holds it. First cycles, with
`evaluate.model.quoted.WEIGHTS["sole"]` at several values; 0 is without.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks.literal import Sample, sample
from benchmarks.models import use_model
from benchmarks.provenance import provenance
from benchmarks.repositories import find_repositories, locate
from benchmarks.vocabulary import STRANGERS, read_tasks
from zeroin.config import Options
from zeroin.engine import Repository
from zeroin.evaluate.model.quoted import WEIGHTS
from zeroin.query.task import query_of
from zeroin.types import Task

RESULTS = Path(__file__).parent / "results" / "names.json"
MOST = 4  # mined tasks a repository
VALUES = (0.0, 0.3, 0.7, 1.0, 1.5, 2.0)
MARKS = ("MOE_MIGRATED", "--HG--")  # of the tool that moved a history, in every message of it


class Row(NamedTuple):
    repo: str
    commit: str
    text: str
    gold: Sequence[str]


def tasks(mined: Path) -> Iterator[Row]:
    """Tasks that name something, by repository and commit."""
    rows = [Row(row["repo"], row["commit"], row["task"], row["gold"]) for row in read_tasks(STRANGERS)]
    yield from (row for row in rows if names(row))
    with mined.open(encoding="utf-8") as lines:
        found = [Row(row["repo"], row["commit"], row["task"], row["gold"]) for row in map(json.loads, lines)]
    for _, members in groupby(sorted(found, key=_order), key=lambda row: row.repo):
        named = (row for row in members if not any(mark in row.text for mark in MARKS) and names(row))
        yield from (row for row, _ in zip(named, range(MOST), strict=False))


def names(row: Row) -> bool:
    """Whether the task names a flag, a key or a constant."""
    return any(quotation.name for quotation in query_of(Task(row.text), Options()).quotations)


def _order(row: Row) -> tuple[str, str]:
    return row.repo, sha256(row.text.encode()).hexdigest()


def places(samples: Sequence[Sample], weight: float) -> np.ndarray:
    """The place of the first right file of each task, from 1; 0 where none is judged."""
    weights = np.array([weight if name == "sole" else value for name, value in WEIGHTS.items()])
    out = []
    for features, scores, right in samples:
        ranked = right[np.argsort(-(scores + features @ weights), kind="stable")]
        out.append(int(np.argmax(ranked)) + 1 if ranked.any() else 0)
    return np.array(out)


def summary_of(samples: Sequence[Sample]) -> dict[str, dict[str, float]]:
    """Shares of tasks in percent, by the value of the weight."""
    out = {}
    for value in VALUES:
        found = places(samples, value)
        shares = {f"any@{k}": round(100 * float(np.mean((found > 0) & (found <= k))), 1) for k in (1, 3, 5)}
        out[str(value)] = shares | {"MRR": round(float(np.mean(np.where(found > 0, 1 / np.maximum(found, 1), 0.0))), 4)}
    return out


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repos", type=Path, required=True)
    parser.add_argument("--mined", type=Path, required=True)
    parser.add_argument("--models", type=Path, help="folder of leave-repository-out models")
    parser.add_argument("--out", type=Path, default=RESULTS)
    options = parser.parse_args()
    found = find_repositories(options.repos)
    samples: list[Sample] = []
    by_tree = sorted(tasks(options.mined), key=lambda row: (row.repo, row.commit))
    for (repo, commit), members in groupby(by_tree, key=lambda row: (row.repo, row.commit)):
        git_dirs = locate(repo, found, {})
        if not git_dirs:
            continue
        use_model(options.models, repo)
        view = Repository.open(git_dirs[0], rev=commit, jobs=1).opened.view
        every = [sample(row.text, row.gold, view) for row in members]
        samples += [one for one in every if one is not None and one[0][:, list(WEIGHTS).index("sole")].any()]
    report = {
        "what": "names",
        "provenance": provenance("benchmarks.names", sys.argv[1:]),
        "tasks": len(samples),
        "by weight": summary_of(samples),
    }
    options.out.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(report["by weight"], indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
