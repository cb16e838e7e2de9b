"""Compare two runs on the tasks that both answered: exact McNemar test, and paired bootstrap by repository."""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from math import comb
from pathlib import Path
from statistics import fmean

import numpy as np

from benchmarks.data import Task, load
from benchmarks.measure import KINDS
from benchmarks.runs import read_run
from benchmarks.scoring import Scored, by, per_repository, resampled_ratio, score

RESAMPLES = 10_000
BINARY = ("acc@1", "acc@3", "acc@5", "acc@10", "hit@1", "hit@5", "hit@10", "hit@30")
GRADED = ("recall@10", "ndcg@10", "rr")


@dataclass(frozen=True, slots=True)
class Difference:
    """B − A of one measure: means (0–1), 95 % interval by repository, tasks that B alone and A alone get right, p."""

    name: str
    a: float
    b: float
    low: float
    high: float
    gained: int | None = None
    lost: int | None = None
    p: float | None = None


def mcnemar(gained: int, lost: int) -> float:
    """Two-sided exact McNemar p value: the discordant pairs as tosses of a fair coin (McNemar 1947; binomial form)."""
    pairs = gained + lost
    tail = sum(comb(pairs, i) for i in range(min(gained, lost) + 1))
    return min(1.0, 2.0 * tail / float(2**pairs))


def difference(name: str, a: Sequence[Scored], b: Sequence[Scored], *, by_repository: bool = False) -> Difference:
    """One measure compared over the same tasks in the same order.

    Means and interval weigh tasks alike, or repositories alike if ``by_repository``; the test is over tasks either way.
    """
    pairs = [(x.task.repo, x.scores[name], y.scores[name]) for x, y in zip(a, b, strict=True)]
    gaps: dict[str, list[float]] = {}
    for repo, before, after in pairs:
        gaps.setdefault(repo, []).append(after - before)
    sums = np.array([sum(found) for found in gaps.values()])
    counts = np.array([float(len(found)) for found in gaps.values()])
    if by_repository:
        sums, counts = sums / counts, np.ones_like(counts)
        means = per_repository(a)[name], per_repository(b)[name]
    else:
        means = fmean(before for _, before, _ in pairs), fmean(after for _, _, after in pairs)
    low, high = resampled_ratio(sums, counts, RESAMPLES)
    if name in GRADED:
        return Difference(name, *means, low, high)
    gained = sum(after > before for _, before, after in pairs)
    lost = sum(after < before for _, before, after in pairs)
    return Difference(name, *means, low, high, gained, lost, mcnemar(gained, lost))


def table(a: Sequence[Scored], b: Sequence[Scored]) -> str:
    """Markdown of every measure."""
    lines = ["| measure | A | B | B − A | 95 % interval | only B | only A | p |", "|---|---|---|---|---|---|---|---|"]
    for name in (*BINARY, *GRADED):
        d = difference(name, a, b)
        tests = [str(d.gained), str(d.lost), f"{d.p:.4f}"] if d.p is not None else ["–"] * 3
        figures = [f"{100 * v:.1f}" for v in (d.a, d.b)] + [f"{100 * (d.b - d.a):+.1f}"]
        lines.append("| " + " | ".join([name, *figures, f"{100 * d.low:+.1f} … {100 * d.high:+.1f}", *tests]) + " |")
    return "\n".join(lines)


def moved(a: Sequence[Scored], b: Sequence[Scored], name: str, count: int) -> list[str]:
    """Tasks whose score moved most, best gains and worst losses, as lines."""
    gaps = [(y.scores[name] - x.scores[name], x, y) for x, y in zip(a, b, strict=True)]
    ordered = sorted((g for g in gaps if g[0]), key=lambda g: (g[0], g[1].task.id))
    shown = ordered[:count] + ordered[count:][-count:]
    return [f"{gap:+.3f} {x.task.id}: ranks {list(x.ranks)} → {list(y.ranks)}" for gap, x, y in shown]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the comparison of B against A, by kind of task."""
    parser = argparse.ArgumentParser(prog="benchmarks.compare", description=__doc__)
    parser.add_argument("a", type=Path, metavar="A.jsonl")
    parser.add_argument("b", type=Path, metavar="B.jsonl")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--repos", type=Path, required=True)
    parser.add_argument("--only", choices=tuple(filter(None, KINDS)))
    parser.add_argument("--all-issues", action="store_true")
    parser.add_argument("--by-language", action="store_true")
    parser.add_argument("--moved", type=int, default=0, help="name this many tasks that gained and lost most nDCG")
    options = parser.parse_args(arguments)
    first, second = read_run(options.a), read_run(options.b)
    loaded = load(options.data, options.repos, kinds=KINDS[options.only], all_issues=options.all_issues)
    tasks = [task for task in loaded.tasks if task.id in first and task.id in second]
    if not tasks:
        print("the two runs share no known task", file=sys.stderr)
        return 1
    for title, chosen in _parts(tasks, options.by_language):
        a, b = score(chosen, first), score(chosen, second)
        print(
            f"\n### {title}: {len(chosen)} tasks, {len(by(a, lambda row: row.task.repo))} repositories\n\n{table(a, b)}"
        )
        for line in moved(a, b, "ndcg@10", options.moved):
            print(f"- {line}")
    return 0


def _parts(tasks: Sequence[Task], by_language: bool) -> list[tuple[str, list[Task]]]:
    parts: list[tuple[str, list[Task]]] = []
    for kind in sorted({task.kind for task in tasks}):
        of_kind = [task for task in tasks if task.kind == kind]
        parts.append((kind, of_kind))
        if by_language:
            for language in sorted({task.language for task in of_kind}):
                parts.append((f"{kind}, {language}", [task for task in of_kind if task.language == language]))
    return parts


if __name__ == "__main__":
    sys.exit(main())
