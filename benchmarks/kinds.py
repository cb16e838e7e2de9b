"""Kinds of task: is a kind told rightly, and how good are the answers to tasks of each kind?

    python -m benchmarks.kinds --data DATA --repos REPOS [--wrong]
    python -m benchmarks.kinds --mined TASKS.jsonl --repos REPOS [--models FOLDER] [--each 40] [--jobs N] [--out FILE]

`kinds.jsonl` holds labels, written by a person who read the texts: ids of issues and queries of DATA, and of commits
(`owner/name@sha`), whose messages are read from REPOS and cleaned as training cleans them. Printed: the confusion
table, the share told rightly per source, and what was told wrongly. The `fresh`
labels were written after the rules, which were not changed for them.
"""

import argparse
import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from statistics import median

from benchmarks import data
from benchmarks.measure import RESULTS, MeasureError, by_model, run_batch, system
from benchmarks.models import ModelError, use_model
from benchmarks.provenance import provenance
from benchmarks.report import KIND_COLUMNS, kind_of_text, summary, task_rows
from benchmarks.repositories import RepositoryError, find_repositories, run_git
from benchmarks.runs import read_run
from training.messages import clean
from training.mined import read_mined
from zeroin.config import Options
from zeroin.query.task import query_of
from zeroin.types import Task, TaskKind

LABELS = Path(__file__).with_name("kinds.jsonl")
# Kinds that changes of a history can be told to be; their messages ask nothing and hold hardly any trace.
MINED_KINDS = (TaskKind.BUG, TaskKind.FEATURE, TaskKind.REFACTORING, TaskKind.DOCUMENTATION, TaskKind.CONFIG)


@dataclass(frozen=True, slots=True)
class Labelled:
    """One text with the kind that a person gave it; `part` is `tuned`, or `fresh` if no rule was written after it."""

    id: str
    source: str
    text: str
    kind: TaskKind
    part: str


def read_labels(path: Path = LABELS) -> dict[str, tuple[TaskKind, str]]:
    """Id → kind, written by its enum name in lower case, and the set that the label belongs to."""
    with path.open(encoding="utf-8") as file:
        rows = [json.loads(line) for line in file if line.strip()]
    return {row["id"]: (TaskKind[row["kind"].upper()], row["set"]) for row in rows}


def labelled(folder: Path, repos: Path | None, labels: Mapping[str, tuple[TaskKind, str]]) -> Iterator[Labelled]:
    """Labelled texts that can be read here."""
    texts = data.read_texts(folder)
    found = find_repositories(repos) if repos is not None else {}
    for name, (kind, part) in labels.items():
        if name in texts:
            yield Labelled(name, "queries" if ":" in name else "issues", texts[name], kind, part)
            continue
        repo, _, commit = name.partition("@")
        git_dir = found.get(repo.lower())
        if git_dir is None or not commit:
            continue
        try:
            message = run_git(git_dir, "log", "-1", "--format=%B", commit).decode("utf-8", "replace")
        except RepositoryError:
            continue
        yield Labelled(name, "commits", clean(message), kind, part)


def timed_kind(text: str) -> tuple[TaskKind, float]:
    """The kind that zeroin gives a text, and the seconds that its query took."""
    started = time.perf_counter()
    return query_of(Task(text), Options()).kind, time.perf_counter() - started


def confusion(pairs: Sequence[tuple[TaskKind, TaskKind]]) -> str:
    """Markdown: rows are labels, columns are what zeroin says."""
    counts = Counter(pairs)
    present = [kind for kind in TaskKind if any(kind in pair for pair in counts)]
    lines = [
        "| label | n | told rightly | " + " | ".join(kind.name.lower() for kind in present) + " |",
        "|" + "---|" * (3 + len(present)),
    ]
    for label in present:
        total = sum(counts[label, kind] for kind in present)
        share = f"{100 * counts[label, label] / total:.0f} %" if total else "–"
        cells = " | ".join(str(counts[label, kind] or "") for kind in present)
        lines.append(f"| {label} | {total} | {share} | {cells} |")
    return "\n".join(lines)


def share(pairs: Sequence[tuple[TaskKind, TaskKind]]) -> str:
    """The share told rightly, with its count."""
    right = sum(label is kind for label, kind in pairs)
    return f"{100 * right / len(pairs):.1f} % of {len(pairs)}" if pairs else "–"


def tell(folder: Path, repos: Path | None, *, wrong: bool) -> None:
    """Print how rightly kinds are told."""
    labels = read_labels()
    rows = list(labelled(folder, repos, labels))
    answers = {row.id: timed_kind(row.text) for row in rows}
    print(confusion([(row.kind, answers[row.id][0]) for row in rows]))
    print("\n| texts | all | tuned | fresh |\n|---|---|---|---|")
    for source in ("issues", "queries", "commits", "all"):
        chosen = [row for row in rows if source in (row.source, "all")]
        cells = [
            share([(row.kind, answers[row.id][0]) for row in chosen if part in (row.part, "all")])
            for part in ("all", "tuned", "fresh")
        ]
        print(f"| {source} | {' | '.join(cells)} |")
    times = sorted(1e6 * seconds for _, seconds in answers.values())
    print(f"\nquery_of: median {median(times):.0f} µs, longest {times[-1]:.0f} µs.")
    if len(rows) < len(labels):
        print(f"{len(labels) - len(rows)} labelled texts are not on this machine.")
    if wrong:
        print("\nTold wrongly:\n")
        for row in rows:
            kind = answers[row.id][0]
            if kind is not row.kind:
                print(f"- {row.part} {row.id}: {row.kind.name} told as {kind.name}: {' '.join(row.text.split())[:100]}")


def sample(path: Path, repos: Path, each: int) -> list[data.Task]:
    """Mined tasks whose repository is here, `each` of every kind that changes are told to be, by a hash of the id."""
    found = find_repositories(repos)
    rows = sorted(read_mined(path), key=lambda row: sha256(f"kinds:{row.id}".encode()).digest())
    left = dict.fromkeys(MINED_KINDS, each)
    tasks = []
    for row in rows:
        git_dir = found.get(row.repo.lower())
        if git_dir is None or not any(left.values()):
            continue
        kind = kind_of_text(row.task)
        if left.get(kind, 0):
            left[kind] -= 1
            task = data.Task(
                row.id, row.repo, git_dir, row.commit, row.task, row.gold, row.tests, row.language, "mined"
            )
            tasks.append(task)
    return tasks


def measure(options: argparse.Namespace, given: Sequence[str]) -> int:
    """Run zeroin over the sample and print the table; 1 when it could not be run."""
    tasks = sample(options.mined, options.repos, options.each)
    with tempfile.TemporaryDirectory(prefix="bench-") as scratch:
        run = options.keep or Path(scratch) / "run.jsonl"
        try:
            for part in by_model(tasks, options.models):
                use_model(options.models, part[0].repo)
                run_batch(part, run, program=options.program, jobs=options.jobs, extra=())
        except (MeasureError, ModelError) as error:
            print(f"error: {error}", file=sys.stderr)
            return 1
        done = system("zeroin", tasks, read_run(run))
    figures = summary(done)["kinds"]
    print("| kind | n | " + " | ".join(KIND_COLUMNS) + " |")
    print("|" + "---|" * (2 + len(KIND_COLUMNS)))
    for kind, scores in figures.items():
        cells = (f"{scores[name]:.3f}" if name == "ndcg@10" else f"{100 * scores[name]:.1f}" for name in KIND_COLUMNS)
        print(f"| {kind} | {scores['n']} | {' | '.join(cells)} |")
    review = RESULTS / "review.json"
    if review.is_file():
        print(f"\nA diff with one file withheld: `python -m benchmarks.review`, {review.name}.")
    if options.out:
        body = {"provenance": provenance("benchmarks.kinds", given), "kinds": figures, "tasks": task_rows(done.rows)}
        options.out.write_text(json.dumps(body, indent=1) + "\n", encoding="utf-8")
    return 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the tables; 1 when zeroin could not be run, 2 for a missing argument."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    parser = argparse.ArgumentParser(prog="benchmarks.kinds", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, help="folder with issues and queries: check how kinds are told")
    parser.add_argument("--repos", type=Path)
    parser.add_argument("--wrong", action="store_true", help="list what was told wrongly")
    parser.add_argument("--mined", type=Path, help="mined tasks: measure the answers by kind")
    parser.add_argument("--models", type=Path, help="folder of leave-repository-out models")
    parser.add_argument("--each", type=int, default=40, help="mined tasks of each kind")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--program", type=Path, default=Path(sys.executable).with_name("zeroin"))
    parser.add_argument("--keep", type=Path, metavar="RUN.jsonl", help="keep the answers; rows there are not run again")
    parser.add_argument("--out", type=Path, metavar="FILE.json", help="write figures and ranks with provenance")
    options = parser.parse_args(given)
    if options.data:
        tell(options.data, options.repos, wrong=options.wrong)
    elif options.mined and options.repos:
        return measure(options, given)
    else:
        parser.error("name --data, or --mined and --repos")
    return 0


if __name__ == "__main__":
    sys.exit(main())
