"""Granularity: how much of what a change edits inside a file lies in the lines that zeroin shows of it.

    python -m benchmarks.granularity --tasks MINED.jsonl --repos DIR [--written WRITTEN.jsonl] [--repositories N]
                                     [--each N] [--half tune|report] [--answers] [--out FILE]

A task is the message of a change, asked at its parent; the patch says which lines of the parent it replaces. With
`--written`, the tasks of `training/written.jsonl` too: the lines are those of the definition that each was written for.
Files are given, so the ranking of spans alone is measured; a file without spans shows its head. `--answers` asks the
whole question, too, and counts what is listed, and what the table and the Markdown page show. Line recall: share of
these lines that are shown. Function recall: share of the innermost definitions around them that a shown span overlaps.
Beside it, at the same number of lines: the windows of the file that BM25 over its own windows ranks best, and the
file's head. Means over files; intervals are resampled by repository.
"""

import argparse
import hashlib
import json
import math
import re
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from statistics import fmean, median
from typing import Any

import numpy as np

from benchmarks.provenance import provenance
from benchmarks.repositories import find_repositories
from benchmarks.scoring import RESAMPLES, resampled_ratio
from training.mined import Mined, read_mined
from zeroin.answer import Context
from zeroin.config import Options
from zeroin.context.clean import path_text
from zeroin.context.packing.select import HEAD_LINES, select_listed
from zeroin.context.rendering.markdown import render
from zeroin.engine import Repository
from zeroin.errors import ZeroinError
from zeroin.index.view import View
from zeroin.session import Session
from zeroin.terms import WORD, analyse, analyse_word
from zeroin.tree import Definition
from zeroin.types import Candidate, Judgment, Role, Task

RESULTS = Path(__file__).parent / "results" / "granularity.json"
TOPS = (1, 3)  # spans of ours; the others show as many lines
BUDGETS = (30, 60, 120, 200)  # lines of one file
CUTS = (*(f"top {k}" for k in TOPS), "all", *(f"{b} lines" for b in BUDGETS))
OF_A_TREE = 12  # tasks about definitions for each change: they are asked of one tree
SYSTEMS = ("zeroin", "windows", "windows of 12", "head")
CODE = frozenset({Role.IMPLEMENTATION, Role.EXAMPLE})  # what the tables by language are over
K1, B = 1.2, 0.75

Lines = tuple[int, int]  # first and last, 1-based
Found = dict[str, dict[str, list[float | None]]]  # system → cut → line recall, function recall, lines shown


@dataclass(frozen=True, slots=True)
class Gold:
    """What a change edits of one file: its lines, and the innermost definitions around them."""

    lines: frozenset[int]
    functions: frozenset[Lines]


def gold_of(ranges: Iterable[Lines], definitions: Sequence[Definition], last: int) -> Gold:
    """Gold of a file of `last` lines; a line outside every definition has no function."""
    lines = frozenset(n for a, b in ranges for n in range(max(1, a), min(b, last) + 1))
    functions = set()
    for line in lines:
        around = [d for d in definitions if d.start <= line <= d.end]
        if around:
            inner = min(around, key=lambda d: d.end - d.start)
            functions.add((inner.start, inner.end))
    return Gold(lines, frozenset(functions))


def recall(spans: Sequence[Lines], gold: Gold) -> list[float | None]:
    """Line recall, function recall (None where nothing edited is in a definition), lines shown."""
    shown = {n for a, b in spans for n in range(a, b + 1)}
    met = [any(a <= last and first <= b for a, b in spans) for first, last in gold.functions]
    return [len(shown & gold.lines) / len(gold.lines), fmean(met) if met else None, float(len(shown))]


def cut(spans: Iterable[Lines], budget: int) -> list[Lines]:
    """The first `budget` lines of spans that do not overlap, in their order; the last one is cut to its head."""
    out: list[Lines] = []
    for first, last in spans:
        if budget <= 0:
            break
        out.append((first, min(last, first + budget - 1)))
        budget -= out[-1][1] - first + 1
    return out


def windows(terms: frozenset[str], lines: Sequence[str], size: int = 24) -> list[Lines]:
    """All lines of a file as its windows rank: BM25 of the task's distinct terms over the file's own windows.

    Windows overlap by half; a later one is cut down to what is new. Okapi with Lucene's idf, k1 = 1.2, b = 0.75.
    """
    step = size // 2
    said = [[t for word in WORD.findall(line) for t in analyse_word(word)] for line in lines]
    starts = range(0, max(1, len(lines) - size + step), step)
    bags = [Counter(t for line in said[s : s + size] for t in line) for s in starts]
    held = Counter(t for bag in bags for t in bag if t in terms)
    mean = (sum(bag.total() for bag in bags) / len(bags)) or 1.0
    scored = []
    for start, bag in zip(starts, bags, strict=True):
        norm = K1 * (1 - B + B * bag.total() / mean)
        score = sum(
            math.log1p((len(bags) - held[t] + 0.5) / (held[t] + 0.5)) * bag[t] * (K1 + 1) / (bag[t] + norm)
            for t in sorted(terms & bag.keys())
        )
        scored.append((-score, start))
    out: list[Lines] = []
    done: set[int] = set()
    for _, start in sorted(scored):
        new = [n for n in range(start + 1, min(len(lines), start + size) + 1) if n not in done]
        if new:
            out.append((new[0], new[-1]))
            done.update(range(new[0], new[-1] + 1))
    return out


def measured(ours: Sequence[Lines], others: Mapping[str, Sequence[Lines]], gold: Gold) -> Found:
    """Recall of every system at every cut; at `top k` and `all` each shows as many lines as ours."""
    sizes = [b - a + 1 for a, b in ours]
    lines = {**{f"top {k}": sum(sizes[:k]) for k in TOPS}, "all": sum(sizes)}
    lines |= {f"{b} lines": b for b in BUDGETS}
    ranked = {"zeroin": ours, **others}
    return {name: {c: recall(cut(spans, lines[c]), gold) for c in CUTS} for name, spans in ranked.items()}


def half_of(repository: str) -> str:
    """Whether a repository's figures may be tuned on ("tune") or are reported ("report"): by hash of its name."""
    return "tune" if int(_digest(repository), 16) % 2 == 0 else "report"


def written_tasks(path: Path) -> list[Mined]:
    """Two tasks for each definition of a file laid out as `training/written.jsonl`."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [
        Mined(
            id=f"{row['repo']}:{row['path']}:{row['start']}:{kind}",
            repo=row["repo"],
            change="",
            commit=row["commit"],
            language="",
            task=row[kind],
            gold=(row["path"],),
            tests=(),
            added=(),
            lines={row["path"]: ((row["start"], row["end"]),)},
        )
        for row in rows
        for kind in ("plain", "natural")
    ]


def sample(tasks: Sequence[Mined], repositories: int, each: int) -> list[Mined]:
    """At most `each` tasks of so many repositories, both by hash of their names."""
    names = sorted({t.repo for t in tasks}, key=_digest)[:repositories]
    by_repository: dict[str, list[Mined]] = {name: [] for name in names}
    for task in sorted(tasks, key=lambda t: _digest(t.id)):
        if len(by_repository.get(task.repo, range(each))) < each:
            by_repository[task.repo].append(task)
    return [task for found in by_repository.values() for task in found]


def _digest(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()


@lru_cache(maxsize=1)
def _open(git_dir: Path, commit: str) -> Repository:
    return Repository.open(git_dir, rev=commit, jobs=1)


def rows_of(mined: Mined, git_dir: Path, *, answers: bool) -> Iterator[dict[str, Any]]:
    """One row for every gold file of a task that is no test and has lines."""
    repository = _open(git_dir, mined.commit)
    view = repository.opened.view
    session = repository.ask(mined.task, Options())
    given = [
        (path, doc)
        for path in mined.gold
        if (doc := view.doc_of(path)) is not None and view.snapshot.role(doc) is not Role.TEST and mined.lines.get(path)
    ]
    terms = frozenset(analyse(mined.task))
    spans = _spans(session, view, given)
    context = session.run() if answers else None
    for path, doc in given:
        lines = view.text(doc).split("\n")[: max(1, int(view.snapshot.lines[doc]))]
        gold = gold_of(mined.lines[path], tuple(view.snapshot.symbols.of_document(doc)), len(lines))
        if not gold.lines:
            continue
        others = {
            "windows": windows(terms, lines),
            "windows of 12": windows(terms, lines, 12),
            "head": [(1, len(lines))],
        }
        yield {
            "id": mined.id,
            "repo": mined.repo,
            "set": "changes" if mined.change else "definitions",
            "path": path,
            "role": view.snapshot.role(doc).value,
            "language": view.snapshot.language(doc),
            "lines": len(lines),
            "edited": len(gold.lines),
            "functions": len(gold.functions),
            "found": measured(spans.get(path) or ((1, min(HEAD_LINES, len(lines))),), others, gold),
            "answer": _answered(context, session, path, gold) if context is not None else None,
        }


def _spans(session: Session, view: View, given: Sequence[tuple[str, int]]) -> dict[str, tuple[Lines, ...]]:
    """Spans of the given files, as they are annotated for the task's first query."""
    loop = session.loop
    candidates = [Candidate(doc, path, 0.0) for path, doc in given]
    given_all = [Judgment(path, 1.0) for path, _ in given]
    judged = loop.annotator.annotate(Task(loop.task.text), loop.query, candidates, given_all)
    return {j.path: tuple((s.start, s.end) for s in j.spans) for j in judged}


def _answered(context: Context, session: Session, path: str, gold: Gold) -> dict[str, Any]:
    """Recall of a file's listed spans, of the lines of the table, and of the code of the Markdown page, each at the
    default token budget; nothing of a file not listed."""
    listed = context.listed
    spans = [(s.start, s.end) for j in listed if j.path == path for s in j.spans]
    shown = [
        (p.span.start, p.span.end)
        for chosen in select_listed(context, session.read, context.budget)
        if chosen.judgment.path == path
        for p in chosen.passages
    ]
    is_listed = any(j.path == path for j in listed)
    _, _, code = render(context, session.read).partition(f"\n### {path_text(path)}")
    numbers = map(int, re.findall(r"^ *(\d+)(?:  |$)", code.partition("\n### ")[0], re.MULTILINE))
    page = [(n, n) for n in numbers]
    return {
        "listed": is_listed,
        "spans": recall(spans, gold),
        "table": recall(shown, gold),
        "markdown": recall(page, gold),
    }


def summary(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Means over files with intervals by repository: system → cut → line recall, function recall, lines."""
    out: dict[str, Any] = {}
    for name in SYSTEMS:
        out[name] = {
            c: {
                kind: _mean([(row["repo"], row["found"][name][c][i]) for row in rows])
                for i, kind in enumerate(("line", "function", "lines"))
            }
            for c in CUTS
        }
    return {"files": len(rows), "repositories": len({row["repo"] for row in rows}), **out}


def answer_summary(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The same of whole answers: share of gold files listed, recall over all of them, and over those listed."""
    with_answer = [row for row in rows if row["answer"] is not None]
    listed = [row for row in with_answer if row["answer"]["listed"]]
    if not listed:
        return {}
    out: dict[str, Any] = {"listed": _mean([(row["repo"], float(row["answer"]["listed"])) for row in with_answer])}
    for what, part in (("all", with_answer), ("listed files", listed)):
        for place in ("spans", "table", "markdown"):
            out[f"{place} of {what}"] = {
                kind: _mean([(row["repo"], row["answer"][place][i]) for row in part])
                for i, kind in enumerate(("line", "function", "lines"))
            }
    return out


def _mean(values: Iterable[tuple[str, float | None]]) -> list[float] | None:
    """Mean, and its 95 % interval by repository; None without a value."""
    groups: dict[str, list[float]] = defaultdict(list)
    for repository, value in values:
        if value is not None:
            groups[repository].append(value)
    if not groups:
        return None
    sums = np.array([sum(found) for found in groups.values()])
    counts = np.array([float(len(found)) for found in groups.values()])
    low, high = resampled_ratio(sums, counts, RESAMPLES)
    return [round(float(x), 4) for x in (sums.sum() / counts.sum(), low, high)]


def table(found: Mapping[str, Any]) -> str:
    """Markdown: a row for every cut, line and function recall in per cent of every system, and the lines shown."""
    out = [
        "| shown | lines | " + " | ".join(f"{s}: lines | functions" for s in SYSTEMS) + " |",
        "|---|---:|" + "---:|---:|" * len(SYSTEMS),
    ]
    for c in CUTS:
        cells = [_percent(found[s][c][kind]) for s in SYSTEMS for kind in ("line", "function")]
        out.append(f"| {c} | {found['zeroin'][c]['lines'][0]:.0f} | " + " | ".join(cells) + " |")
    return "\n".join(out)


def _percent(value: Sequence[float] | None) -> str:
    return f"{100 * value[0]:.1f} ({100 * value[1]:.0f}–{100 * value[2]:.0f})" if value else "–"


def _figures(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """All summaries of the source files of a set of tasks."""
    code = [row for row in rows if row["role"] in CODE]
    languages: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for row in code:
        languages[row["language"]].append(row)
    halves = {half: [r for r in code if half_of(r["repo"]) == half] for half in ("tune", "report")}
    return {
        "median_lines": median(row["lines"] for row in code) if code else None,
        "halves": {half: summary(part) for half, part in halves.items()},
        "by_language": {name: summary(part) for name, part in sorted(languages.items())},
        "answers": {half: answer_summary(part) for half, part in halves.items()},
    }


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, print, write."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--tasks", type=Path, required=True, help="rows of training.mine")
    parser.add_argument("--written", type=Path, help="definitions with tasks, as training/written.jsonl")
    parser.add_argument("--repos", type=Path, required=True, help="folder of bare repositories")
    parser.add_argument(
        "--each", type=int, default=4, help=f"changes of one repository, and {OF_A_TREE} times as many definitions"
    )
    parser.add_argument("--repositories", type=int, default=50, help="repositories in all")
    parser.add_argument("--half", choices=("tune", "report"), help="only repositories of this half")
    parser.add_argument("--answers", action="store_true", help="ask the whole question as well")
    parser.add_argument("--out", type=Path, default=RESULTS)
    options = parser.parse_args(given)
    found = find_repositories(options.repos)
    sets = [read_mined(options.tasks), *([written_tasks(options.written)] if options.written else [])]
    chosen: list[Mined] = []
    for tasks, each in zip(sets, (options.each, OF_A_TREE * options.each), strict=False):
        here = [t for t in tasks if t.repo.lower() in found and options.half in (None, half_of(t.repo))]
        chosen += sample(here, options.repositories, each)
    rows: list[dict[str, Any]] = []
    skipped: Counter[str] = Counter()
    began = time.monotonic()
    for number, mined in enumerate(chosen, 1):
        try:
            rows += rows_of(mined, found[mined.repo.lower()], answers=options.answers)
        except ZeroinError as error:
            skipped[type(error).__name__] += 1
        if sys.stderr.isatty() or number % 20 == 0:
            print(f"{number}/{len(chosen)} tasks, {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)
    if not rows:
        sys.exit("no task could be measured")
    result: dict[str, Any] = {
        "provenance": provenance("benchmarks.granularity", given),
        "tasks": len(chosen),
        "skipped": skipped,
        "sets": {name: _figures([r for r in rows if r["set"] == name]) for name in sorted({r["set"] for r in rows})},
        "rows": rows,
    }
    for name, part in result["sets"].items():
        for half, found_in in part["halves"].items():
            if found_in["files"]:
                files, of = found_in["files"], found_in["repositories"]
                print(f"\n{name}, {half}: {files} files of {of} repositories\n{table(found_in)}")
        print("\nanswers", json.dumps(part["answers"]))
    options.out.write_text(json.dumps(result) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
