"""Pasted error texts: is the file that holds the literal first?

    python -m benchmarks.literal --repos FOLDER [--half report] [--models DIR] [--out FILE]
    python -m benchmarks.literal --repos FOLDER --fit --data DIR [--models DIR]

Tasks are those of `benchmarks/literal.jsonl` (`benchmarks.literal_mine` made them). Half of their repositories, by a
hash of the name, is for fitting, the other half for reporting. `--fit` prints the weights of `evaluate.quoted`: a
logistic model of "is right" over the judged candidates of the first cycle, beside the score of the trees as it is, on
the fitting half and on tuning issues of other repositories, whose quotations are mostly not what is to be changed.
"""

import argparse
import json
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.data import load
from benchmarks.models import use_model
from benchmarks.provenance import provenance
from benchmarks.repositories import find_repositories, locate
from zeroin.config import Options
from zeroin.dispatch.stage import Dispatcher
from zeroin.engine import Repository
from zeroin.evaluate.judge import Judge
from zeroin.evaluate.model.quoted import WEIGHTS, features, strongest
from zeroin.evaluate.model.ranker import rank
from zeroin.evaluate.passages import Matcher
from zeroin.evaluate.task_terms import task_terms_of
from zeroin.index.view import View
from zeroin.query.task import formulate, query_of
from zeroin.types import Task

TASKS = Path(__file__).with_name("literal.jsonl")
RESULTS = Path(__file__).parent / "results" / "literal.json"
RIDGE = 0.3  # of the fit: messages nearly separate
ISSUES = 320  # tuning issues beside the mined tasks of the fit
# By hand: no mined task has a second right file, so that a fit would hold all others for wrong. `sole` is from
# `benchmarks.names`, since few tasks of the fit name a flag or a key.
FIXED = {"rival": -1.5, "sole": 0.7}
DEPTHS = (1, 3, 5)

Sample = tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]


def half_of(repo: str) -> str:
    """Which half a repository belongs to."""
    return "fit" if sha256(repo.lower().encode()).digest()[0] % 2 else "report"


def main(argv: Sequence[str] | None = None) -> int:
    """Measures a half, or fits."""
    given = list(sys.argv[1:] if argv is None else argv)
    parser = argparse.ArgumentParser(prog="benchmarks.literal", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--repos", type=Path, required=True, help="folder of bare repositories, owner+name/…")
    parser.add_argument("--half", choices=("fit", "report"), default="report")
    parser.add_argument("--models", type=Path, help="folder of leave-repository-out models")
    parser.add_argument("--fit", action="store_true")
    parser.add_argument("--data", type=Path, help="folder with the tuning issues, for --fit")
    parser.add_argument("--out", type=Path, default=RESULTS)
    parser.add_argument("--dry", action="store_true", help="write no result file")
    options = parser.parse_args(given)
    if options.fit:
        return fit(options.repos, options.data, options.models)
    rows, without = [], []
    for row, repository in asked(options.half, options.repos, options.models):
        rows.append(measured(row, repository))
        without.append(measured(row, repository, look_up=False))
    summary = summary_of(rows) | {"not looked up": _shares(without)}
    print(json.dumps(summary, indent=1))
    if not options.dry:
        body = {"what": "literal", "provenance": provenance("benchmarks.literal", given), "half": options.half}
        listed = ",\n".join("  " + json.dumps(row, ensure_ascii=False) for row in rows)
        text = json.dumps(body | {"summary": summary}, indent=1, ensure_ascii=False)[:-2]
        options.out.write_text(f'{text},\n "tasks": [\n{listed}\n ]\n}}\n', encoding="utf-8")
    return 0


def asked(half: str, repos: Path, models: Path | None) -> Iterator[tuple[dict[str, Any], Repository]]:
    """The tasks of a half whose repository is here, each with it; the right model is in use."""
    found = find_repositories(repos)
    rows = [json.loads(line) for line in TASKS.read_text(encoding="utf-8").splitlines()]
    opened: tuple[str, Repository] | None = None
    for row in rows:
        git_dirs = locate(row["repo"], found, {})
        if half_of(row["repo"]) != half or not git_dirs:
            continue
        if opened is None or opened[0] != row["repo"]:
            use_model(models, row["repo"])
            opened = row["repo"], Repository.open(git_dirs[0], rev=row["commit"], jobs=1)
        yield row, opened[1]


def measured(row: Mapping[str, Any], repository: Repository, *, look_up: bool = True) -> dict[str, Any]:
    """Where the right file stands in an answer, and whether it is listed; without `look_up` by its words alone."""
    began = time.perf_counter()
    session = repository.ask(row["task"], Options())
    if not look_up:
        session.loop.query = replace(session.loop.query, quotations=())
    context = session.run()
    paths = [j.path for j in context.ranking]
    listed = [j.path for j in context.listed]
    place = next((n for n, path in enumerate(paths, 1) if path in row["gold"]), 0)
    return {
        "id": row["id"],
        "form": row["form"],
        "place": place,
        "listed": bool(set(listed) & set(row["gold"])),
        "first": paths[0] if paths else "",
        "relevance": context.ranking[0].relevance if context.ranking else 0.0,
        "sufficient": context.sufficient,
        "seconds": round(time.perf_counter() - began, 2),
    }


def summary_of(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Shares of tasks, over all and by form."""
    out: dict[str, Any] = {"all": _shares(rows)}
    for form in sorted({row["form"] for row in rows}):
        out[form] = _shares([row for row in rows if row["form"] == form])
    return out


def _shares(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    count = max(1, len(rows))
    shares = {f"first {k}": round(sum(0 < row["place"] <= k for row in rows) / count, 4) for k in DEPTHS}
    return {"tasks": len(rows), **shares, "listed": round(sum(row["listed"] for row in rows) / count, 4)}


# --- fitting ------------------------------------------------------------------------------------


def fit(repos: Path, data: Path | None, models: Path | None) -> int:
    """Print weights, and how often the right file is first with them and without any."""
    sets: list[tuple[str, Any]] = []
    for row, repository in asked("fit", repos, models):
        sets.append(("mined", sample(row["task"], row["gold"], repository.opened.view)))
    if data is not None:
        for task in load(data, repos, kinds=("issue",), all_issues=True, limit=ISSUES).tasks:
            if half_of(task.repo) == "report" or not query_of(Task(task.task), Options()).quotations:
                continue
            use_model(models, task.repo)
            view = Repository.open(task.git_dir, rev=task.rev, jobs=1).opened.view
            sets.append(("issue", sample(task.task, task.gold, view)))
    groups = [(kind, one) for kind, one in sets if one is not None]
    weights = fitted(groups)
    print(json.dumps({name: round(float(w), 2) for name, w in zip(WEIGHTS, weights, strict=True)}, indent=1))
    for kind in ("mined", "issue"):
        mine = [one for k, one in groups if k == kind]
        before = [bool(y[np.argmax(b)]) for _, b, y in mine]
        after = [bool(y[np.argmax(b + f @ weights)]) for f, b, y in mine]
        print(f"{kind}: {len(mine)} with quoted text held, first {np.mean(before):.3f} → {np.mean(after):.3f}")
    return 0


def fitted(groups: Sequence[tuple[str, Sample]]) -> NDArray[np.float64]:
    """Weights in the order of `WEIGHTS`."""
    names = list(WEIGHTS)
    x = np.concatenate([one[0] for _, one in groups])
    base = np.concatenate([one[1] for _, one in groups])
    right = np.concatenate([one[2] for _, one in groups])
    for name, weight in FIXED.items():
        base = base + weight * x[:, names.index(name)]
    free = [place for place, name in enumerate(names) if name not in FIXED]
    weights = np.array([FIXED.get(name, 0.0) for name in names])
    weights[free] = logistic(x[:, free], base, right, np.full(len(free), RIDGE))
    return weights


def sample(text: str, gold: Sequence[str], view: View) -> Sample | None:
    """Features (judged, weights), scores and labels of the files that the trees judge; None without quoted text."""
    task, query = formulate(text, Options())
    matches = view.quote_matches(query.quotations).by_doc
    if not matches:
        return None
    candidates = Dispatcher(view, purpose=task.purpose).dispatch(query)
    judge = Judge(view, Matcher(view), task.purpose)
    found = judge.measure(query, candidates, (), task_terms_of(query, view))
    ranked = rank(found.rows, query, found.purpose, history=True, offsets=found.quoted)
    rival = strongest(matches, view)
    docs = [candidates[i].doc for i in ranked.judged.tolist()]
    rows = [features(doc, matches, query, view, rival) for doc in docs]
    x = np.array([[row.get(name, 0.0) for name in WEIGHTS] for row in rows])
    return x, ranked.scores[ranked.judged], np.array([float(view.paths[doc] in gold) for doc in docs])


def logistic(
    x: NDArray[np.float64], base: NDArray[np.float64], right: NDArray[np.float64], ridge: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Weights of a ridge logistic regression beside fixed log odds, by Newton's method."""
    w = np.zeros(x.shape[1])
    for _ in range(60):
        p = 1 / (1 + np.exp(-np.clip(base + x @ w, -30, 30)))
        gradient = x.T @ (p - right) + ridge * w
        hessian = (x * (p * (1 - p))[:, None]).T @ x + np.diag(ridge)
        step = np.linalg.solve(hessian, gradient)
        w -= step
        if float(np.abs(step).max()) < 1e-6:
            break
    return w


if __name__ == "__main__":
    sys.exit(main())
