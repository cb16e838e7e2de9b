"""Do gaps point at what is missing, and is a critical one worth another cycle?

    ZEROIN_CACHE_DIR=… python -m benchmarks.gaps --data DATA --repos REPOS [--models FOLDS] [--out FILE]

Two experiments on the tuning issues, each with its own answer to "what is missing":

**withheld**: of every issue with several gold files one, chosen by a hash, is taken out of every pool, as if no
retriever had found it. A gap points at it when its search names the file, or when its follow-up query, asked as one
cycle of zeroin with the file back in place, ranks it among the first five. Recall is the share of issues with such a
gap. A gap is idle when it points at no gold file that is not selected.

**natural**: every issue with nothing withheld, three cycles long whatever the rules say. A gap points as above, at any
gold file that is not selected after that cycle. From the places of gold files after each cycle follows what a rule that
stops after cycle 1, when no gap is critical, would lose or gain.

Selected is what `GapFinder` takes to be: files ≥ 0.5, else the best three.
"""

import argparse
import json
import multiprocessing
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from statistics import fmean
from typing import Any

from benchmarks.data import Task, load
from benchmarks.models import use_model
from benchmarks.provenance import provenance
from zeroin.config import Options
from zeroin.engine import Repository
from zeroin.errors import EmptyTaskError
from zeroin.loop import Dispatch
from zeroin.stopping import CyclesUsed
from zeroin.types import MEDIUM, Candidate, Gap, Judgment, Query

CYCLES = 3
FIRST = 5  # places of a follow-up query's ranking that count as found
KINDS = ("terminology", "reference", "dependency", "counterpart", "aspect")

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Withholding:
    """A dispatcher that never finds one file."""

    inner: Dispatch
    path: str

    def dispatch(self, query: Query) -> tuple[Candidate, ...]:
        return tuple(c for c in self.inner.dispatch(query) if c.path != self.path)


def withheld_of(task: Task) -> str:
    """The gold file to withhold: the first by a hash of task and path."""
    return min(task.gold, key=lambda path: sha256(f"{task.id}:{path}".encode()).digest())


def selected_paths(judgments: Sequence[Judgment]) -> set[str]:
    """Paths that count as found after a cycle."""
    return {j.path for j in judgments if j.relevance >= MEDIUM} or {j.path for j in judgments[:3]}


def targets(gap: Gap) -> set[str]:
    """Files that a gap names as those which would close it."""
    return set(gap.search.paths)


class Asker:
    """Asks follow-up queries of one repository at one commit, each once."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._known: dict[str, tuple[str, ...]] = {}

    def first(self, follow_up: str) -> tuple[str, ...]:
        """The first files of the ranking for a follow-up query; none for an empty one."""
        if follow_up.strip() and follow_up not in self._known:
            try:
                session = self._repository.ask(follow_up, Options(max_cycles=1, always_loop=True))
                self._known[follow_up] = tuple(j.path for j in session.run().ranking[:FIRST])
            except EmptyTaskError:  # a name of one letter is no question
                self._known[follow_up] = ()
        return self._known.get(follow_up, ())


def rows_of(gaps: Iterable[Gap], missing: set[str], asker: Asker) -> list[Row]:
    """Each gap as a row: what it names, and which missing files it names or finds."""
    return [
        {
            "kind": gap.kind,
            "critical": gap.critical,
            "need": gap.need,
            "follow_up": gap.follow_up,
            "names": sorted(targets(gap) & missing),
            "finds": sorted(set(asker.first(gap.follow_up)) & missing),
        }
        for gap in gaps
    ]


def withheld(task: Task, repository: Repository, asker: Asker) -> Row:
    """One issue with a gold file withheld, as the product runs it."""
    path = withheld_of(task)
    session = repository.ask(task.task, Options(always_loop=True))
    session.loop.dispatcher = Withholding(session.loop.dispatcher, path)
    context = session.run()
    rows: Row = {"id": task.id, "repo": task.repo, "withheld": path, "cycles": len(context.cycles)}
    first = context.cycles[0]
    selected = selected_paths(first.judgments)
    rows["first"] = rows_of(first.gaps, set(task.gold) - selected, asker)
    listed = {j.path for j in context.listed}
    rows["answer"] = rows_of(context.gaps, set(task.gold) - listed, asker)
    return rows


def natural(task: Task, repository: Repository, asker: Asker) -> Row:
    """One issue as it is, with all cycles: gaps after the first, and the places of gold files after each."""
    session = repository.ask(task.task, Options(always_loop=True))
    session.loop.rules = (CyclesUsed(CYCLES),)
    stopped = list(repository.ask(task.task, Options(always_loop=True)).loop.rules)
    row: Row = {"id": task.id, "repo": task.repo, "gold": list(task.gold), "ranks": [], "stops": 0}
    for cycle in session:
        order = [j.path for j in cycle.judgments]
        row["ranks"].append([order.index(path) + 1 if path in order else None for path in task.gold])
        if not row["stops"] and any(rule.check(session.loop.cycles) for rule in stopped):
            row["stops"] = cycle.number
        if cycle.number == 1:
            row["missing"] = sorted(set(task.gold) - selected_paths(cycle.judgments))
            row["first"] = rows_of(cycle.gaps, set(row["missing"]), asker)
    row["stops"] = row["stops"] or len(row["ranks"])
    return row


def measure(tasks: Sequence[Task], models: Path | None, experiments: Sequence[str]) -> list[tuple[str, Row]]:
    """Rows of both experiments for the tasks of one repository."""
    use_model(models, tasks[0].repo)
    rows = []
    for task in tasks:
        repository = Repository.open(task.git_dir, rev=task.rev, jobs=1)
        asker = Asker(repository)
        if "withheld" in experiments and len(task.gold) > 1:
            rows.append(("withheld", withheld(task, repository, asker)))
        if "natural" in experiments:
            rows.append(("natural", natural(task, repository, asker)))
    return rows


def points(gap: Row) -> set[str]:
    """Missing gold files that a gap names or finds."""
    return {*gap["names"], *gap["finds"]}


def gaps_table(rows: Sequence[Row], stage: str) -> Row:
    """By kind, and of all: gaps, share that point at missing gold, share that name it; critical ones apart."""
    table: Row = {}
    for kind in (*KINDS, "all"):
        for level in ("critical", "told"):
            mine = [
                gap
                for row in rows
                for gap in row[stage]
                if kind in (gap["kind"], "all") and gap["critical"] == (level == "critical")
            ]
            if mine:
                table[f"{kind}, {level}"] = {
                    "gaps": len(mine),
                    "tasks": sum(
                        any(kind in (g["kind"], "all") and g["critical"] == (level == "critical") for g in r[stage])
                        for r in rows
                    ),
                    "points": round(fmean(bool(points(gap)) for gap in mine), 3),
                    "names": round(fmean(bool(gap["names"]) for gap in mine), 3),
                }
    return table


def recall_table(rows: Sequence[Row], stage: str) -> Row:
    """Share of withheld files that any gap points at, names; by kind and by critical gaps alone."""

    def share(keep: Any, key: Any) -> float:
        return round(fmean(any(row["withheld"] in key(gap) for gap in row[stage] if keep(gap)) for row in rows), 3)

    out: Row = {
        "points": share(lambda g: True, points),
        "names": share(lambda g: True, lambda g: g["names"]),
        "critical points": share(lambda g: g["critical"], points),
        "critical names": share(lambda g: g["critical"], lambda g: g["names"]),
        "gaps a task": round(fmean(len(row[stage]) for row in rows), 2),
    }
    for kind in KINDS:
        out[f"{kind} points"] = share(lambda g, kind=kind: g["kind"] == kind, points)
        out[f"{kind} names"] = share(lambda g, kind=kind: g["kind"] == kind, lambda g: g["names"])
    return out


def quality(rows: Sequence[Row], cycle_of: Any) -> Row:
    """Any-hit@5, recall@10, any-hit@10 and strict@10 in percent, each task after the cycle that `cycle_of` gives."""
    ranks = [row["ranks"][min(cycle_of(row), len(row["ranks"])) - 1] for row in rows]
    return {
        "any-hit@1": round(100 * fmean(any(r == 1 for r in found) for found in ranks), 2),
        "any-hit@5": round(100 * fmean(any(r and r <= 5 for r in found) for found in ranks), 2),
        "recall@10": round(100 * fmean(fmean(bool(r and r <= 10) for r in found) for found in ranks), 2),
        "strict@10": round(100 * fmean(all(r and r <= 10 for r in found) for found in ranks), 2),
    }


def is_open(row: Row) -> bool:
    """Whether a critical gap is open after cycle 1."""
    return any(gap["critical"] for gap in row["first"])


def stopping_table(rows: Sequence[Row]) -> Row:
    """How selective critical gaps are, and what each way of stopping reaches."""
    out: Row = {
        "tasks": len(rows),
        "something missing after cycle 1": round(fmean(bool(row["missing"]) for row in rows), 3),
        "critical gap after cycle 1": round(fmean(is_open(row) for row in rows), 3),
        "stop after cycle, by the rules": dict(sorted(Counter(row["stops"] for row in rows).items())),
    }
    several = [row for row in rows if len(row["gold"]) > 1]
    opened = [row for row in rows if is_open(row)]
    for name, chosen in (("all", rows), ("several gold files", several), ("with a critical gap", opened)):
        if chosen:
            out[name] = {
                "tasks": len(chosen),
                "cycle 1": quality(chosen, lambda row: 1),
                "cycle 2": quality(chosen, lambda row: 2),
                "cycle 3": quality(chosen, lambda row: 3),
                "cycle 2 when a gap is critical": quality(chosen, lambda row: 1 + is_open(row)),
                "by the rules": quality(chosen, lambda row: row["stops"]),
            }
    return out


def report(rows: Mapping[str, Sequence[Row]]) -> Row:
    """Everything measured."""
    out: Row = {}
    if rows.get("withheld"):
        mine = rows["withheld"]
        out["withheld"] = {
            "tasks": len(mine),
            "recall after cycle 1": recall_table(mine, "first"),
            "recall of the answer": recall_table(mine, "answer"),
            "gaps after cycle 1": gaps_table(mine, "first"),
            "gaps of the answer": gaps_table(mine, "answer"),
        }
    if rows.get("natural"):
        mine = rows["natural"]
        out["natural"] = {"gaps after cycle 1": gaps_table(mine, "first"), "stopping": stopping_table(mine)}
    return out


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--repos", type=Path, required=True, help="folder of bare repositories")
    parser.add_argument("--models", type=Path, help="folder of rankers that never saw the repository")
    parser.add_argument("--limit", type=int, help="issues, by a hash of their id")
    parser.add_argument("--only", choices=("withheld", "natural"), help="one experiment")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    experiments = (options.only,) if options.only else ("withheld", "natural")
    loaded = load(options.data, options.repos, kinds=("issue",), limit=options.limit)
    groups: dict[str, list[Task]] = {}
    for task in loaded.tasks:
        if options.only != "withheld" or len(task.gold) > 1:
            groups.setdefault(task.repo, []).append(task)
    rows: dict[str, list[Row]] = {}
    # A process reads one ranker only, so that every repository gets a process of its own.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(options.jobs, mp_context=context, max_tasks_per_child=1) as pool:
        jobs = [pool.submit(measure, tasks, options.models, experiments) for tasks in groups.values()]
        for number, job in enumerate(as_completed(jobs), start=1):
            for name, row in job.result():
                rows.setdefault(name, []).append(row)
            print(f"{number} of {len(jobs)} repositories", file=sys.stderr, flush=True)
    for found in rows.values():
        found.sort(key=lambda row: row["id"])
    result = {"provenance": provenance("benchmarks.gaps", sys.argv[1:]), "skipped": loaded.skipped}
    result |= report(rows)
    print(json.dumps(result, indent=1))
    if options.out:
        options.out.write_text(json.dumps(result | {"rows": rows}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
