"""Overviews against the documents in which ten and more repositories describe their own architecture.

    python -m benchmarks.architecture --repos DIR [--half tuned|reported] [--only NAME …]

Of every part that the document names (`architecture.jsonl`, made by `benchmarks.architecture_gold`): is a file of it
among those that an overview lists? The document is excluded from the run. Whatever was chosen was chosen on the half
`tuned`; `reported` was only looked at.
"""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from statistics import fmean
from typing import Any

from benchmarks.architecture_gold import GOLD, Tree
from benchmarks.provenance import provenance
from benchmarks.repositories import find_repositories, list_blobs

RESULTS = Path(__file__).parent / "results" / "architecture.json"
TASKS = (
    "Give me an overview",
    "How do the parts fit together?",
    "How is this project organised?",
    "Where do I start reading?",
)
MOST_FILES = 12
BINS = (0.0, 0.2, 0.5, 0.7, 1.01)


def half_of(repo: str) -> str:
    """The half that a repository belongs to, by a hash of its name."""
    return "tuned" if sha256(f"architecture:{repo}".encode()).digest()[0] % 2 else "reported"


def covers(path: str, part: str) -> bool:
    """Whether a file is a part, or lies in it."""
    return path == part or (part.endswith("/") and path.startswith(part))


def measure(row: Mapping[str, Any], git_dir: Path) -> list[dict[str, Any]]:
    """One row a task: what was recognised, how many parts are covered, and how useful each listed file is."""
    from zeroin.config import Options
    from zeroin.engine import Repository

    repository = Repository.open(git_dir, rev=row["commit"], jobs=1)
    code = Tree.of(list_blobs(git_dir, row["commit"])).files
    out = []
    for task in TASKS:
        options = Options(rev=row["commit"], excludes=(f"/{row['document']}",))
        session = repository.ask(task, options)
        context = session.run()
        listed = [j for j in (*context.files, *context.supporting) if j.path in code]
        named = row["named"]
        told: set[str] = set()
        useful = []
        for judgment in listed:
            new = {part for part in named if covers(judgment.path, part)} - told
            useful.append([judgment.relevance, int(bool(new))])
            told |= new
        first = [j.path for j in (*context.files, *context.supporting)][:MOST_FILES]
        out.append(
            {
                "repo": row["repo"],
                "half": half_of(row["repo"]),
                "task": task,
                "purpose": context.task.purpose,
                "named": len(named),
                "files": len(context.files) + len(context.supporting),
                "covered": round(fmean(any(covers(p, part) for p in first) for part in named), 4),
                "useful": useful,  # of a code file: it stands for a part for which no file before it stands
                "paths": first,
            }
        )
    return out


def summary(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Means over repositories and tasks; of the code files listed, usefulness by band and the calibration error."""
    pairs = [pair for row in rows for pair in row["useful"]]
    bands = {}
    error = 0.0
    for low, high in pairwise(BINS):
        inside = [(r, y) for r, y in pairs if low <= r < high]
        if inside:
            told, true = fmean(r for r, _ in inside), fmean(y for _, y in inside)
            bands[f"{low:.1f}"] = {"files": len(inside), "relevance": round(told, 3), "useful": round(true, 3)}
            error += abs(told - true) * len(inside) / len(pairs)
    return {
        "repositories": len({row["repo"] for row in rows}),
        "recognised": round(fmean(row["purpose"] == "architecture" for row in rows), 4),
        "files": round(fmean(row["files"] for row in rows), 2),
        "most_files": max(row["files"] for row in rows),
        "covered": round(fmean(row["covered"] for row in rows), 4),
        "useful": round(fmean(y for _, y in pairs), 4) if pairs else 0.0,
        "calibration_error": round(error, 4),
        "bands": bands,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--repos", type=Path, required=True, help="folder of bare repositories (owner+name/…)")
    parser.add_argument("--half", choices=("tuned", "reported"), help="one half; nothing is written then")
    parser.add_argument("--only", nargs="*", default=[], help="owner/name …; nothing is written then")
    options = parser.parse_args()
    found = find_repositories(options.repos)
    gold = [json.loads(line) for line in GOLD.read_text(encoding="utf-8").splitlines()]
    rows: list[dict[str, Any]] = []
    for row in gold:
        if options.half in (None, half_of(row["repo"])) and (not options.only or row["repo"] in options.only):
            rows += measure(row, found[row["repo"]])
            print(json.dumps(rows[-1]), file=sys.stderr, flush=True)
    halves = {half: [r for r in rows if r["half"] == half] for half in ("tuned", "reported")}
    result = {
        "provenance": provenance("benchmarks.architecture", sys.argv[1:]),
        **{half: summary(some) for half, some in halves.items() if some},
        "by_task": {task: summary([r for r in rows if r["task"] == task]) for task in TASKS},
        "rows": rows,
    }
    print(json.dumps({k: v for k, v in result.items() if k not in ("rows", "provenance")}, indent=1))
    if not (options.only or options.half):
        RESULTS.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
