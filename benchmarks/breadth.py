"""Breadth: how much of a repository's make-up an answer shows, by purpose, at the same token budget.

    python -m benchmarks.breadth --repos DIR [--limit N] [--only NAME …] [--jobs N]

Three generic tasks a repository (its newest commit). Components are judged here, from paths and sizes alone, not by
the product: the folders below the one that holds most code, or its modules where it has no folders.
"""

import argparse
import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from hashlib import sha256
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np

from benchmarks.provenance import provenance
from benchmarks.repositories import Blob, find_repositories, list_blobs
from benchmarks.review import CODE
from benchmarks.scoring import RESAMPLES, SEED

RESULTS = Path(__file__).parent / "results" / "breadth.json"
REPOSITORIES = 24
MAX_TREE = 1_500
BUDGET = 8_000
FEWEST, MOST = 4, 30  # components: with fewer there is no breadth to show; of more, the largest count
MODULE_BYTES = 1_500  # a smaller module is no component
PURPOSES = ("fix", "explore", "architecture")
TASKS = (
    "How is this project structured?",
    "Overview of the architecture of {name}",
    "How does data flow through the system?",
)
_OTHER = re.compile(
    r"(?:^|/)(?:tests?|specs?|__tests__|testing|docs?|documentation|website|examples?|samples?|demos?|benchmarks?|benches|"
    r"bench|vendor|third_party|node_modules|dist|build|scripts?|tools?|\.[^/]+|fixtures|testdata|e2e|fuzz\w*|contrib|"
    r"\w+[_-]tests?|tests?[_-]\w+|androidTest|commonTest|jvmTest)(?:/|$)|"
    r"(?:^|/)(?:test_[^/]+|[^/]+_test|[^/]+[._-](?:test|spec)|[^/]*(?:Tests?|Spec)|conftest|setup)\.\w+$"
)


def components(blobs: Sequence[Blob]) -> list[str]:
    """Path prefixes (folders end in "/") that make up the repository: at most `MOST`, largest first."""
    code = [b for b in blobs if b.path.rpartition(".")[2].lower() in CODE and not _OTHER.search(b.path)]
    root = ""
    while True:
        bytes_of: Counter[str] = Counter()
        for blob in code:
            if blob.path.startswith(root):
                head, slash, _ = blob.path[len(root) :].partition("/")
                bytes_of[root + head + slash] += blob.size
        total = sum(bytes_of.values())
        name, size = max(bytes_of.items(), key=lambda item: (item[1], item[0]), default=("", 0))
        if not name.endswith("/") or size < 0.7 * total:
            break
        root = name
    kept = [name for name, size in bytes_of.most_common() if name.endswith("/") or size >= MODULE_BYTES]
    return kept[:MOST]


def share(names: Sequence[str], paths: Sequence[str]) -> float:
    """Share of the components of which at least one path is a part."""
    return fmean(float(any(p.startswith(n) for p in paths)) for n in names)


def measure(repo: str, git_dir: Path, names: Sequence[str]) -> list[dict[str, Any]]:
    """One row a task and purpose."""
    from zeroin.config import Options
    from zeroin.context.packing.select import select
    from zeroin.engine import Repository

    repository = Repository.open(git_dir, rev="HEAD", jobs=1)
    rows = []
    for number, form in enumerate(TASKS):
        for purpose in PURPOSES:
            options = Options(purpose=purpose, budget=BUDGET, always_loop=True, rev="HEAD")  # type: ignore[arg-type]
            session = repository.ask(form.format(name=repo.rpartition("/")[2]), options)
            context = session.run()
            answer = [*context.files, *context.supporting]
            shown = [s.judgment.path for s in select(answer, session.read, BUDGET)]
            listed = [j.path for j in answer]
            rows.append(
                {
                    "repo": repo,
                    "task": number,
                    "purpose": purpose,
                    "components": len(names),
                    "files": len(listed),
                    "shown": len(shown),
                    "listed_share": round(share(names, listed), 4),
                    "shown_share": round(share(names, shown), 4),
                    "paths": listed[:16],
                }
            )
    return rows


def summary(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Means by purpose over the tasks, and what exploring purposes gain over `fix`, with intervals by repository."""
    out: dict[str, Any] = {"repositories": len({r["repo"] for r in rows})}
    for purpose in PURPOSES:
        mine = [r for r in rows if r["purpose"] == purpose]
        out[purpose] = {
            name: round(fmean(r[name] for r in mine), 4) for name in ("files", "shown", "listed_share", "shown_share")
        }
    for purpose in PURPOSES[1:]:
        for name in ("listed_share", "shown_share"):
            out[purpose][f"{name}_minus_fix"] = gain(rows, purpose, name)
    return out


def gain(rows: Sequence[Mapping[str, Any]], purpose: str, name: str) -> dict[str, float]:
    """Mean difference to `fix` with its 95 % interval, by bootstrap over repositories."""
    values: dict[str, list[float]] = defaultdict(list)
    base = {(r["repo"], r["task"]): r[name] for r in rows if r["purpose"] == "fix"}
    for row in rows:
        if row["purpose"] == purpose:
            values[row["repo"]].append(row[name] - base[row["repo"], row["task"]])
    means = np.array([fmean(v) for v in values.values()])
    draws = np.random.default_rng(SEED).integers(0, len(means), size=(RESAMPLES, len(means)))
    low, high = np.percentile(means[draws].mean(axis=1), [2.5, 97.5])
    return {"mean": round(float(means.mean()), 4), "low": round(float(low), 4), "high": round(float(high), 4)}


def chosen(repos: Path, limit: int, only: Sequence[str]) -> list[tuple[str, Path, list[str]]]:
    """Repositories with enough components, by a hash of their name."""
    out: list[tuple[str, Path, list[str]]] = []
    found = find_repositories(repos)
    for repo in sorted(found, key=lambda r: sha256(f"breadth:{r}".encode()).digest()):
        if (only and repo not in only) or len(out) == limit:
            continue
        blobs = list_blobs(found[repo], "HEAD")
        names = components(blobs) if len(blobs) <= MAX_TREE else []
        if len(names) >= FEWEST:
            out.append((repo, found[repo], names))
    return sorted(out)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--repos", type=Path, required=True, help="folder of bare repositories (owner+name/…)")
    parser.add_argument("--limit", type=int, default=REPOSITORIES, help="repositories")
    parser.add_argument("--only", nargs="*", default=[], help="owner/name …; nothing is written then")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    rows: list[dict[str, Any]] = []
    cases = chosen(options.repos, options.limit, [name.lower() for name in options.only])
    with ProcessPoolExecutor(options.jobs) as pool:
        for done in as_completed([pool.submit(measure, *case) for case in cases]):
            rows += done.result()
            print(json.dumps(rows[-1]), file=sys.stderr, flush=True)
    rows.sort(key=lambda r: (r["repo"], r["task"], PURPOSES.index(r["purpose"])))
    result = {
        "provenance": provenance("benchmarks.breadth", sys.argv[1:]),
        "tasks": TASKS,
        "budget": BUDGET,
        "components": {repo: names for repo, _, names in cases},
        "all": summary(rows),
        "rows": rows,
    }
    print(json.dumps(result["all"], indent=1))
    if not options.only and options.limit >= REPOSITORIES:
        RESULTS.parent.mkdir(exist_ok=True)
        RESULTS.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
