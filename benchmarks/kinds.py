"""Kinds of task: is a kind told rightly, and how good are the answers to tasks of each kind?

    python -m benchmarks.kinds --data DATA --repos REPOS

`kinds.jsonl` holds labels, written by a person who read the texts: ids of issues and queries of DATA, and of commits
(`owner/name@sha`), whose messages are read from REPOS and cleaned as training cleans them. Printed: the confusion
table, the share told rightly per source, and what was told wrongly. The `fresh`
labels were written after the rules, which were not changed for them.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from benchmarks.data import read_texts
from benchmarks.repositories import RepositoryError, find_repositories, run_git
from training.messages import clean
from zeroin.config import Options
from zeroin.query.kind import kind_of
from zeroin.query.task import query_of
from zeroin.types import Task, TaskKind

LABELS = Path(__file__).with_name("kinds.jsonl")


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


def labelled(
    data: Path, repos: Path | None, labels: Mapping[str, tuple[TaskKind, str]]
) -> Iterator[Labelled]:
    """Labelled texts that can be read here."""
    texts = read_texts(data)
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


def told(text: str) -> tuple[TaskKind, float]:
    """The kind that zeroin tells, and the seconds that took, the query given."""
    task = Task(text)
    query = query_of(task, Options())
    kind_of(task, query)
    started = time.perf_counter()
    kind = kind_of(task, query)
    return kind, time.perf_counter() - started


def confusion(pairs: Sequence[tuple[TaskKind, TaskKind]]) -> str:
    """Markdown: rows are labels, columns are what was told."""
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


def tell(data: Path, repos: Path | None, *, wrong: bool) -> None:
    """Print how rightly kinds are told."""
    labels = read_labels()
    rows = list(labelled(data, repos, labels))
    answers = {row.id: told(row.text) for row in rows}
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
    print(f"\nkind_of: median {median(times):.0f} µs, longest {times[-1]:.0f} µs.")
    if len(rows) < len(labels):
        print(f"{len(labels) - len(rows)} labelled texts are not on this machine.")
    if wrong:
        print("\nTold wrongly:\n")
        for row in rows:
            kind = answers[row.id][0]
            if kind is not row.kind:
                print(
                    f"- {row.part} {row.id}: {row.kind.name} told as {kind.name}: {' '.join(row.text.split())[:100]}"
                )


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the tables; 1 if nothing labelled can be read here."""
    parser = argparse.ArgumentParser(prog="benchmarks.kinds", description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--repos", type=Path)
    parser.add_argument("--wrong", action="store_true", help="list what was told wrongly")
    options = parser.parse_args(arguments)
    tell(options.data, options.repos, wrong=options.wrong)
    return 0


if __name__ == "__main__":
    sys.exit(main())
