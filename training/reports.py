"""Real bug reports with the files that their fixes edit, beyond the tuning issues: tasks for the ranker.

    python -m training.reports --repos REPOS [--data DATA] --out FOLDER [--most 20] [--list training/reports.json]

They are those of Denchmark (Kim, Kim and Lee, MSR 2021), issues of GitHub, each with the commit that fixed it, read
from its repository at the commit `DATASET`; and, with `--data`, the issues that its `tune_ids.txt` does not name. Which
files a fix edits is read from git, not from the data set. The folder holds `reports.jsonl` and `forks.json`, as
`benchmarks.data` reads them.
"""

import argparse
import html
import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from benchmarks.repositories import RepositoryError, find_repositories, run_git
from training.changes import Change, read_changes
from training.gold import files_of
from training.held_out import held_out
from zeroin.corpus.languages import language_of
from zeroin.corpus.roles import role_of
from zeroin.types import Role

DATASET, DATASET_REPO = "4f40b47c", "rosepasta/denchmark_brs"
MOST_GOLD = 5  # a fix of more files is seldom of one report
MOST_FILES = 8_000  # of a tree
MOST_CHARS = 20_000  # of a text: longer ones are logs
MIN_CHARS = 80
RENAMED = {  # where a repository lies now
    "apache/incubator-mxnet": "apache/mxnet",
    "awslabs/djl": "deepjavalibrary/djl",
    "awslabs/gluon-ts": "awslabs/gluonts",
    "awslabs/autogluon": "autogluon/autogluon",
    "deepmipt/deeppavlov": "deeppavlov/deeppavlov",
    "intel-isl/open3d": "isl-org/open3d",
    "kubeflow/kfserving": "kserve/kserve",
    "microsoft/recommenders": "recommenders-team/recommenders",
    "oneapi-src/onednn": "uxlfoundation/onednn",
    "pytorch/fairseq": "facebookresearch/fairseq",
    "pytorchlightning/pytorch-lightning": "lightning-ai/pytorch-lightning",
    "rusty1s/pytorch_geometric": "pyg-team/pytorch_geometric",
}
_CODE = frozenset((Role.IMPLEMENTATION, Role.EXAMPLE))
_MARKUP = (
    (re.compile(r"<denchmark-h:h\d>(.*?)</denchmark-h>", re.DOTALL), r"### \1"),
    (re.compile(r"<denchmark-code>(.*?)</denchmark-code>", re.DOTALL), r"```\n\1\n```"),
    (re.compile(r"<denchmark-link:[^>]*>(.*?)</denchmark-link>", re.DOTALL), r"\1"),
    (re.compile(r"</?denchmark-[^>]*>"), ""),
    (re.compile(r"\n{3,}"), "\n\n"),
)


@dataclass(frozen=True, slots=True)
class Report:
    """One report: its repository as it is named now, number, text, and the commit that fixed it."""

    repo: str
    number: str
    task: str
    fix: str


def text_of(report: dict[str, Any]) -> str:
    """Title and body of a report of the dataset, its markup as Markdown."""
    told = report["BR_text"]
    body = html.unescape(told["BRdescription"] or "")
    for pattern, replacement in _MARKUP:
        body = pattern.sub(replacement, body)
    body = "\n".join(line.removeprefix(" ").rstrip() for line in body.strip().splitlines())
    return f"{html.unescape(told['BRsummary'] or '').strip()}\n\n{body}".strip()[:MOST_CHARS]


def read_reports(dataset: Path, commit: str) -> Iterator[Report]:
    """All reports of the dataset, in the order of their paths."""
    listing = run_git(dataset, "ls-tree", "-r", "-z", commit, "--", "JSonSet/simplejson/")
    entries = [entry.split("\t", 1) for entry in listing.decode().split("\0") if entry]
    wanted = "".join(f"{head.split()[2]}\n" for head, _ in entries).encode()
    out = run_git(dataset, "cat-file", "--batch", data=wanted)
    at = 0
    for _, name in entries:
        head, _, _ = out[at : at + 200].partition(b"\n")
        start = at + len(head) + 1
        if head.endswith(b"missing"):
            at = start
            continue
        at = start + int(head.split()[2]) + 1
        stored = json.loads(out[start : at - 1])
        owner, _, project = name.split("/")[2].partition("+")
        repo = f"{owner}/{project}".lower()
        told, fix = stored["BR"], stored["commit"]["commit_id"]
        yield Report(RENAMED.get(repo, repo), told["BR_id"], text_of(told), fix)


def row_of(report: Report, change: Change, files: int) -> dict[str, Any] | str:
    """The task of a report, or why it is none."""
    found = files_of(change.touched)
    gold = [path for path in found.gold if role_of(path) in _CODE]
    if not gold:
        return "edits no code"
    if len(gold) > MOST_GOLD:
        return "edits many files"
    if len(report.task) < MIN_CHARS:
        return "a short text"
    if files > MOST_FILES:
        return "a large tree"
    languages = Counter(language_of(path) for path in gold)
    return {
        "id": f"denchmark:{report.repo}#{report.number}",
        "source": "denchmark",
        "repo": report.repo,
        "commit": change.parent,
        "language": str(languages.most_common(1)[0][0]).lower(),
        "task": report.task,
        "gold": gold,
        "tests": list(found.tests),
    }


def rows_of(git_dir: Path, reports: list[Report], most: int, counts: Counter[str]) -> list[dict[str, Any]]:
    """At most `most` tasks of one repository, drawn by a hash of their ids; why others are none is counted."""
    known = {
        line.split()[0]
        for line in run_git(git_dir, "cat-file", "--batch-check", data="".join(f"{r.fix}\n" for r in reports).encode())
        .decode()
        .splitlines()
        if line.split()[1] == "commit"
    }
    by_fix: dict[str, list[Report]] = defaultdict(list)
    for report in reports:
        by_fix[report.fix].append(report)
    changes = {change.sha: change for change in read_changes(git_dir, sorted(known))}
    rows: list[dict[str, Any]] = []
    for report in sorted(reports, key=lambda r: sha256(f"{r.repo}#{r.number}".encode()).digest()):
        if len(rows) == most:
            counts["not drawn"] += 1
            continue
        change = changes.get(report.fix)
        if report.fix not in known:
            reason: dict[str, Any] | str = "its commit is absent"
        elif change is None or not change.parent:
            reason = "a merge"
        elif len(by_fix[report.fix]) > 1:
            reason = "fixed with others"
        else:
            listed = run_git(git_dir, "ls-tree", "-r", "--name-only", "-z", change.parent).count(b"\0")
            reason = row_of(report, change, listed)
        if isinstance(reason, str):
            counts[reason] += 1
        else:
            rows.append(reason)
    return rows


def main(argv: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repos", type=Path, required=True, help="folder of git directories, owner+name/…")
    parser.add_argument("--data", type=Path, help="the tuning data, for its other issues")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--commit", default=DATASET, help="of the data set")
    parser.add_argument("--list", type=Path, help="the repositories of the data set that gave tasks, and how many")
    parser.add_argument("--most", type=int, default=20, help="reports a repository")
    arguments = parser.parse_args(argv)
    found, kept = find_repositories(arguments.repos), held_out()
    by_repo: dict[str, list[Report]] = defaultdict(list)
    for report in read_reports(found[DATASET_REPO], arguments.commit):
        by_repo[report.repo].append(report)
    counts: Counter[str] = Counter()
    rows: list[dict[str, Any]] = []
    for repo, reports in sorted(by_repo.items()):
        if {repo, repo.rpartition("/")[2]} & kept:
            counts["held out"] += len(reports)
        elif repo not in found:
            counts["its repository is absent"] += len(reports)
        else:
            try:
                rows += rows_of(found[repo], reports, arguments.most, counts)
            except RepositoryError as error:
                print(f"{repo}: {error}", file=sys.stderr)
    counts["kept"] = len(rows)
    others: list[dict[str, Any]] = []
    if arguments.data:
        named = frozenset((arguments.data / "tune_ids.txt").read_text().split())
        lines = (arguments.data / "issues_tune.jsonl").read_text().splitlines()
        others = [issue for issue in map(json.loads, lines) if issue["id"] not in named]
        counts["of the tuning data"] = len(others)
    arguments.out.mkdir(parents=True, exist_ok=True)
    (arguments.out / "reports.jsonl").write_text("".join(json.dumps(row) + "\n" for row in (*rows, *others)))
    forks = (arguments.data / "forks.json").read_text() if arguments.data else "{}\n"
    (arguments.out / "forks.json").write_text(forks)
    if arguments.list:
        names = Counter(row["repo"] for row in rows)
        listed = {"dataset": DATASET_REPO, "commit": arguments.commit, "repositories": dict(sorted(names.items()))}
        arguments.list.write_text(json.dumps(listed, indent=1) + "\n")
    print(json.dumps(dict(counts.most_common()), indent=1))


if __name__ == "__main__":
    main()
