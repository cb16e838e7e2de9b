"""Review: one file of a commit is withheld from its diff; is it found from the rest? Against co-change alone.

    python -m benchmarks.review --repos DIR [--limit N] [--only NAME …] [--variants A,B] [--jobs N] [--message]

Each task is a commit of public history with 2–8 code files, asked at its parent: neither the tree nor the history
holds the commit or anything later. The shown files are not counted as answers. Both halves (by a hash of the
repository) are reported: weights were chosen on `tuned`, `untouched` was only looked at.
"""

import argparse
import json
import re
import secrets
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from statistics import fmean, median
from time import monotonic
from typing import Any

import numpy as np

from benchmarks.provenance import provenance
from benchmarks.repositories import find_repositories, list_blobs, run_git
from benchmarks.scoring import RESAMPLES, SEED

RESULTS = Path(__file__).parent / "results" / "review.json"
COMMITS = 200
PER_REPOSITORY = 10
MAX_TREE = 1_000  # files at the newest commit: a tree for each of 200 commits must be affordable
NEWEST = 3_000  # commits that are looked at
OLDEST = 200  # commits that must lie before one: a history to speak of
MIN_CODE, MAX_CODE, MAX_CHANGED = 2, 8, 12
COCHANGE_FILES = 30  # a commit that touches more says nothing of who belongs together
DEPTH = 10
VARIANTS = ("", "graph", "cochange", "history", "symbols", "paths", "lexical")

CODE = frozenset(
    "py pyi js jsx mjs cjs ts tsx go rs java kt kts scala c h cc cpp cxx hpp hh cs rb php swift ex exs hs lua sh bash "
    "bats zig vue svelte".split()
)
_MACHINE_MADE = re.compile(
    r"(?:^|/)(?:vendor|third_party|node_modules|dist|build|generated|__snapshots__|_version\.py|version\.\w+$)|"
    r"\.min\.|\.lock$|lock\.(?:json|yaml)$|\.pb\.|_pb2|\.g\.|\.generated\.",
    re.IGNORECASE,
)
_SWEEP = re.compile(
    r"^(?:\w+(?:\([^)]*\))?!?:\s*)?(?:bump|release|prepare|version|v?\d+\.\d|format|reformat|lint|style|typos?|"
    r"copyright|licen[cs]e|merge|revert|update (?:dependenc|copyright|licen)|black\b|prettier|rubocop|clang-format|"
    r"gofmt|ruff|isort|pre-commit|cleanup whitespace|whitespace)|\b(?:clang-format|re-?format|code ?style|"
    r"lint(?:er|ing)?|typos?|copyright|isort|prettier|run black)\b",
    re.IGNORECASE,
)
_BOT = re.compile(r"\[bot\]|\bbot\b|dependabot|renovate|greenkeeper|pre-commit-ci|github-actions", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Case:
    """One commit with the file that is withheld; `shown` are the other changed paths."""

    repo: str
    git_dir: Path
    commit: str
    parent: str
    withheld: str
    shown: tuple[str, ...]

    @property
    def half(self) -> str:
        return "tuned" if sha256(f"review:{self.repo}".encode()).digest()[0] % 2 else "untouched"


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit of the log: status letter and path of each changed file."""

    id: str
    parents: tuple[str, ...]
    author: str
    subject: str
    files: tuple[tuple[str, str], ...]


def log(git_dir: Path, rev: str, count: int) -> Iterator[Commit]:
    """Commits that are no merges, newest first; renames count as a file gone and a file come."""
    mark = secrets.token_hex(16)  # no message of a repository holds it
    form = f"--format={mark}%H%x00%P%x00%an <%ae>%x00%s%x00"
    out = run_git(
        git_dir, "log", "-z", "--no-merges", "--no-renames", "--name-status", f"--max-count={count}", form, rev
    )
    for record in out.split(mark.encode())[1:]:
        identity, parents, author, subject, rest = record.split(b"\0", 4)
        fields = [f.lstrip(b"\n") for f in rest.split(b"\0")]
        fields = [f for f in fields if f]
        pairs = zip(fields[::2], fields[1::2], strict=False)
        files = tuple((s.decode("ascii", "replace"), p.decode("utf-8", "replace")) for s, p in pairs)
        yield Commit(
            identity.decode(),
            tuple(parents.decode().split()),
            author.decode("utf-8", "replace"),
            subject.decode("utf-8", "replace"),
            files,
        )


def is_code(path: str) -> bool:
    return path.rpartition(".")[2].lower() in CODE and not _MACHINE_MADE.search(path)


def case_of(repo: str, git_dir: Path, commit: Commit) -> Case | None:
    """The case that a commit makes, or None; which file is withheld is decided by a hash."""
    if len(commit.parents) != 1 or _BOT.search(commit.author) or _SWEEP.search(commit.subject):
        return None
    code = [path for _, path in commit.files if is_code(path)]
    if not MIN_CODE <= len(code) <= MAX_CODE or len(commit.files) > MAX_CHANGED:
        return None
    known = [path for status, path in commit.files if status == "M" and is_code(path)]
    if not known:
        return None
    withheld = min(known, key=lambda p: sha256(f"{commit.id}:{p}".encode()).digest())
    shown = tuple(path for _, path in commit.files if path != withheld)
    if not any(is_code(path) for path in shown):
        return None
    return Case(repo, git_dir, commit.id, commit.parents[0], withheld, shown)


def cases(repos: Path, limit: int, only: Sequence[str] = ()) -> list[Case]:
    """Cases in a fixed order: repositories take turns, each giving its commits by a hash of their id."""
    waiting: dict[str, list[Case]] = {}
    for repo, git_dir in sorted(find_repositories(repos).items()):
        if only and repo not in only:
            continue
        if len(list_blobs(git_dir, "HEAD")) > MAX_TREE:
            continue
        commits = list(log(git_dir, "HEAD", NEWEST + OLDEST))
        young = commits[: max(0, len(commits) - OLDEST)]
        young.sort(key=lambda c: sha256(c.id.encode()).digest())
        found = [case for c in young if (case := case_of(repo, git_dir, c)) is not None]
        waiting[repo] = found[:PER_REPOSITORY]
    out: list[Case] = []
    for turn in range(PER_REPOSITORY):
        for repo in sorted(waiting, key=lambda r: sha256(r.encode()).digest()):
            if turn < len(waiting[repo]) and len(out) < limit:
                out.append(waiting[repo][turn])
    return sorted(out, key=lambda c: (c.repo, c.commit))


def shown_diff(case: Case, *, message: bool) -> str:
    """The commit's diff without the withheld file, as `git diff` prints it."""
    exclude = f":(exclude,top,literal){case.withheld}"
    flags = ("--no-color", "--no-ext-diff", "--no-renames", "--unified=3")
    text = run_git(case.git_dir, "diff", *flags, case.parent, case.commit, "--", ".", exclude).decode(
        "utf-8", "replace"
    )
    if not message:
        return text
    return run_git(case.git_dir, "log", "-1", "--format=%B", case.commit).decode("utf-8", "replace") + "\n" + text


def cochange(case: Case, present: frozenset[str]) -> dict[str, list[str]]:
    """Rankings by co-change alone, from the parent's history: by count, and by share of the shown file's commits.

    `share` is the stronger of the two: a file that changes in every commit goes with everything.
    """
    counts: Counter[str] = Counter()
    shares: dict[str, float] = defaultdict(float)
    shown = set(case.shown)
    together: dict[str, Counter[str]] = {path: Counter() for path in shown}
    changes: Counter[str] = Counter()
    for commit in log(case.git_dir, case.parent, 20_000):
        paths = {path for _, path in commit.files}
        if len(paths) > COCHANGE_FILES:
            continue
        for path in paths & shown:
            changes[path] += 1
            together[path].update(paths - shown)
    for path in sorted(shown):
        for other, times in together[path].items():
            if other in present:
                counts[other] += times
                shares[other] += times / changes[path]
    return {
        "count": sorted(counts, key=lambda p: (-counts[p], p)),
        "share": sorted(shares, key=lambda p: (-shares[p], p)),
    }


def rank_of(ranking: Sequence[str], case: Case) -> int | None:
    """1-based place of the withheld file among files that are not shown; None if it is not there."""
    shown = set(case.shown)
    others = [path for path in ranking if path not in shown]
    return others.index(case.withheld) + 1 if case.withheld in others else None


def measure(case: Case, variants: Sequence[str], *, message: bool) -> dict[str, Any]:
    """Ranks of the withheld file: of both baselines and of the product, whole and with each part off."""
    from zeroin.config import Options
    from zeroin.engine import Repository, diff_of
    from zeroin.query.diff import names_of
    from zeroin.types import Task

    present = frozenset(blob.path for blob in list_blobs(case.git_dir, case.parent))
    ranks = {f"cochange by {name}": rank_of(r, case) for name, r in cochange(case, present).items()}
    diff = diff_of(case.git_dir, text=shown_diff(case, message=message))
    task = Task(diff.message or names_of(diff), "review", diff)
    repository = Repository.open(case.git_dir, rev=case.parent, jobs=1)
    seconds = 0.0
    for variant in variants:
        options = Options(
            purpose="review",
            rev=case.parent,
            always_loop=True,
            without=frozenset({variant} - {""}),
            max_cycles=1 if variant else 3,
            top=60,
        )
        began = monotonic()
        context = repository.ask(task, options).run()
        ranks[f"cycle 1 without {variant}" if variant else "zeroin"] = rank_of([j.path for j in context.ranking], case)
        if not variant:
            seconds = monotonic() - began
            ranks["cycle 1"] = rank_of([j.path for j in context.cycles[0].judgments], case)
    return {
        "repo": case.repo,
        "half": case.half,
        "commit": case.commit,
        "withheld": case.withheld,
        "shown": len(case.shown),
        "files": len(present),
        "ranks": ranks,
        "seconds": round(seconds, 3),
    }


def hit(row: Mapping[str, Any], name: str, depth: int = DEPTH) -> float:
    rank = row["ranks"].get(name)
    return float(rank is not None and rank <= depth)


def difference(rows: Sequence[Mapping[str, Any]], name: str, other: str) -> dict[str, float]:
    """Mean difference of recall@10 with its 95 % interval, paired, by bootstrap over repositories."""
    groups: dict[str, list[float]] = defaultdict(list)
    for row in rows:
        groups[row["repo"]].append(hit(row, name) - hit(row, other))
    sums = np.array([sum(g) for g in groups.values()])
    sizes = np.array([float(len(g)) for g in groups.values()])
    draws = np.random.default_rng(SEED).integers(0, len(sums), size=(RESAMPLES, len(sums)))
    means = sums[draws].sum(axis=1) / sizes[draws].sum(axis=1)
    low, high = np.percentile(means, [2.5, 97.5])
    return {
        "mean": round(float(sums.sum() / sizes.sum()), 4),
        "low": round(float(low), 4),
        "high": round(float(high), 4),
    }


def summary(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Recall at 1, 5, 10 of every system; what zeroin gains over each, and what its first cycle owes to each part."""
    names = list(rows[0]["ranks"])
    return {
        "commits": len(rows),
        "repositories": len({row["repo"] for row in rows}),
        "recall": {n: {f"@{k}": round(fmean(hit(r, n, k) for r in rows), 4) for k in (1, 5, 10)} for n in names},
        "zeroin_minus": {n: difference(rows, "zeroin", n) for n in names if n.startswith("cochange") or n == "cycle 1"},
        "cycle_1_minus": {n: difference(rows, "cycle 1", n) for n in names if n.startswith("cycle 1 without")},
        "seconds_median": round(median(row["seconds"] for row in rows), 3),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--repos", type=Path, required=True, help="folder of bare repositories (owner+name/…)")
    parser.add_argument("--limit", type=int, default=COMMITS, help="commits in all")
    parser.add_argument("--only", nargs="*", default=[], help="owner/name …; nothing is written then")
    parser.add_argument("--variants", default=",".join(VARIANTS[1:]), help="parts to switch off, one at a time")
    parser.add_argument("--half", choices=("tuned", "untouched"), help="measure one half; nothing is written then")
    parser.add_argument("--message", action="store_true", help="show the commit message too; nothing is written then")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    chosen = cases(options.repos, options.limit, [name.lower() for name in options.only])
    chosen = [case for case in chosen if options.half in (None, case.half)]
    variants = ("", *(v for v in options.variants.split(",") if v))
    rows: list[dict[str, Any]] = []
    with ProcessPoolExecutor(options.jobs) as pool:
        waiting = {pool.submit(measure, case, variants, message=options.message): case for case in chosen}
        for done in as_completed(waiting):
            rows.append(done.result())
            print(json.dumps(rows[-1]), file=sys.stderr, flush=True)
    rows.sort(key=lambda r: (r["repo"], r["commit"]))
    halves = {half: [r for r in rows if r["half"] == half] for half in ("tuned", "untouched")}
    result = {
        "provenance": provenance("benchmarks.review", sys.argv[1:]),
        "all": summary(rows),
        **{half: summary(found) for half, found in halves.items() if found},
        "rows": rows,
    }
    print(json.dumps({k: v for k, v in result.items() if k not in ("rows", "provenance")}, indent=1))
    if not (options.only or options.half or options.message) and options.limit >= COMMITS:
        RESULTS.parent.mkdir(exist_ok=True)
        RESULTS.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
