"""What the reader learns from: tasks, the files that compete for each, and the digest that it would read of each.

    python -m training.reader_pools --mined TASKS.jsonl --repos REPOS --out FOLDER --most 36
    python -m training.reader_pools --strangers FILE.jsonl --repos REPOS --out FOLDER --most 24 [--without NAMES]
    python -m training.reader_pools --written FILE.jsonl --repos REPOS --out FOLDER --most 60

Everything is asked at once, as the product asks later cycles, and judged by a ranker that has not seen the repository,
whose log odds are kept beside each file: one of `--models`. One file a repository, `owner+name.jsonl.gz`; a repository
whose file exists is not asked again.
"""

import argparse
import gzip
import json
import os
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from hashlib import sha256
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.models import VARIABLE, folds, use_model
from benchmarks.repositories import find_repositories, run_git
from training.features import analyse_here
from training.held_out import refuse
from training.mined import read_mined
from zeroin.config import Options
from zeroin.dispatch.stage import Dispatcher
from zeroin.engine import Repository
from zeroin.errors import ZeroinError
from zeroin.evaluate.digest import digest
from zeroin.evaluate.judge import Judge
from zeroin.evaluate.model.ranker import rank
from zeroin.evaluate.passages import Matcher, TextMatch
from zeroin.evaluate.reading import task_words
from zeroin.evaluate.task_terms import task_terms_of
from zeroin.query.task import formulate
from zeroin.refine.rewrite import Refiner

FILES = 12  # that compete for a task
FAR = 40  # a right file is kept up to this place
Row = dict[str, Any]


def pool_of(repository: Repository, row: Row) -> Row | None:
    """One task with its files: path, log odds, whether it is right, the words of its digest."""
    view = repository.opened.view
    asked, query = formulate(row["task"], Options())
    full = Refiner(view).expanded(query)
    candidates = Dispatcher(view, purpose=asked.purpose).dispatch(full)
    gold = set(row["gold"])
    if not any(c.path in gold for c in candidates):
        return None
    terms, matcher = task_terms_of(full, view), Matcher(view)
    measured = Judge(view, matcher, asked.purpose, at_once=True).measure(full, candidates, (), terms)
    history = any("history" in c.scores for c in candidates)
    ranked = rank(measured.rows, full, measured.purpose, history=history, offsets=measured.quoted)
    scores = ranked.scores + measured.quoted
    order = np.argsort(-scores, kind="stable").tolist()
    kept = order[:FILES] + [i for i in order[FILES:FAR] if candidates[i].path in gold]
    if not any(candidates[i].path in gold for i in kept):
        return None
    matches = matcher.read([candidates[i].doc for i in kept], terms)
    vector = view.dense_scores(full.own, full).vector
    files = []
    for i in kept:
        one = candidates[i]
        found = digest(view, one.doc, matches.get(one.doc, TextMatch()), terms.weights, vector)
        files.append([one.path, round(float(scores[i]), 3), int(one.path in gold), " ".join(found.words)])
    places = [place for place, i in enumerate(order) if candidates[i].path in gold]
    return {
        "id": row["id"],
        "kind": row["kind"],
        "task": " ".join(task_words(query)),
        "places": places[:5],
        "files": files,
    }


def ask(rows: Sequence[Row], git_dir: Path, models: Path, out: Path) -> str:
    """Ask the tasks of one repository, oldest commit first; returns a line for the log."""
    began = time.monotonic()
    analyse_here()
    if use_model(models, rows[0]["repo"]) is None:
        os.environ[VARIABLE] = str(models / sorted(set(folds(models).values()))[0])  # none of them saw it
    commits = sorted({row["commit"] for row in rows})
    times = run_git(git_dir, "log", "--no-walk=unsorted", "--format=%H %ct", *commits)
    when = dict(line.split() for line in times.decode().splitlines())
    by_commit: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        by_commit[row["commit"]].append(row)
    kept = 0
    part = out.with_suffix(".part")
    with gzip.open(part, "wt", encoding="utf-8") as file:
        for commit in sorted(by_commit, key=lambda c: int(when.get(c, 0))):
            try:
                repository = Repository.open(git_dir, rev=commit, jobs=1)
                for row in by_commit[commit]:
                    pool = pool_of(repository, row)
                    if pool is not None:
                        file.write(json.dumps(pool, ensure_ascii=False) + "\n")
                        kept += 1
            except ZeroinError as error:
                print(f"{rows[0]['repo']} {commit[:10]}: {error}", file=sys.stderr)
    part.replace(out)
    return f"{rows[0]['repo']}: {kept} of {len(rows)}, {(time.monotonic() - began) / len(rows):.2f} s each"


def mined_rows(path: Path) -> Iterator[Row]:
    """Changes, as `training.mine` writes them: the newest of a repository first."""
    for one in read_mined(path):
        yield one.row() | {"kind": "mined"}


def stranger_rows(path: Path) -> Iterator[Row]:
    """Tasks of `benchmarks/strangers.jsonl`."""
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        yield {**row, "kind": f"stranger-{row['category']}"}


def written_rows(path: Path) -> Iterator[Row]:
    """Tasks of `training/written.jsonl`, one for each form that a definition has."""
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        base = {"repo": row["repo"], "commit": row["commit"], "gold": [row["path"]]}
        for form in ("plain", "natural", "symptom"):
            if row.get(form):
                identity = f"{row['repo']}:{row['path']}:{row['start']}:{form}"
                yield {**base, "id": identity, "task": row[form], "kind": f"written-{form}"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--mined", type=Path)
    source.add_argument("--strangers", type=Path)
    source.add_argument("--written", type=Path)
    parser.add_argument("--repos", type=Path, required=True, help="folder of git directories, owner+name/…")
    parser.add_argument("--models", type=Path, default=Path("benchmarks/folds"), help="rankers, each with its folds")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--most", type=int, default=60, help="tasks a repository")
    parser.add_argument("--without", type=Path, help="names of repositories to leave out, one a line")
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    found = find_repositories(arguments.repos)
    left_out = set(arguments.without.read_text(encoding="utf-8").lower().split()) if arguments.without else set()
    read: tuple[Callable[[Path], Iterator[Row]], Path] = (
        (mined_rows, arguments.mined)
        if arguments.mined
        else (stranger_rows, arguments.strangers)
        if arguments.strangers
        else (written_rows, arguments.written)
    )
    rows: dict[str, list[Row]] = defaultdict(list)
    for row in read[0](read[1]):
        name = row["repo"].lower()
        if name in found and name not in left_out:
            rows[row["repo"]].append(row)
    refuse(rows)
    # A process a repository: the ranker is loaded once.
    with ProcessPoolExecutor(arguments.jobs, mp_context=get_context("spawn"), max_tasks_per_child=1) as pool:
        futures = {}
        for repo in sorted(rows, key=lambda r: sha256(r.encode()).hexdigest()):
            out = arguments.out / f"{repo.replace('/', '+')}.jsonl.gz"
            drawn = (
                rows[repo] if arguments.mined else sorted(rows[repo], key=lambda r: sha256(r["id"].encode()).digest())
            )
            drawn = drawn[: arguments.most]  # of mined ones the newest: their trees differ little
            if not out.exists():
                futures[pool.submit(ask, drawn, found[repo.lower()], arguments.models.resolve(), out)] = repo
        for done, future in enumerate(as_completed(futures), 1):
            try:
                line = future.result()
            except (OSError, RuntimeError) as error:
                line = f"{futures[future]}: {error}"
            print(f"[{done}/{len(futures)}] {line}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
