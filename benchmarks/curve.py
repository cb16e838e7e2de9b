"""The curve: how good answers are after one, two and three cycles and at the stop, for every set and kind of task.

    python -m benchmarks.curve --data DATA --repos REPOS --run RUN.jsonl [--run RUN2.jsonl …] --out FILE.json
                               [--at-once RUN3.jsonl …]

Runs are files that `benchmarks.measure --keep` wrote; nothing is run here. Those of `--at-once` were asked everything
in one cycle (`measure --at-once`): *one shot*. Tasks of the data that no run answered, and answers that do not tell
their rankings by cycle, are skipped and counted; a failed answer scores zero everywhere.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import fmean, median
from typing import Any

import numpy as np

from benchmarks.compare import Difference, difference
from benchmarks.data import DataError, Kind, Task, load
from benchmarks.loop_figures import ONE_SHOT
from benchmarks.measure import result_text
from benchmarks.provenance import file_stamp, provenance
from benchmarks.report import kind_groups
from benchmarks.runs import Answer, RunError, after_cycle, read_run
from benchmarks.scoring import Scored, by, mean, per_repository, score, seconds

CYCLES = (1, 2, 3)
FIRST, STOP = "1", "stop"
MEASURES = {
    "hit@1": "any-hit@1",
    "hit@5": "any-hit@5",
    "hit@10": "any-hit@10",
    "recall@10": "recall@10",
    "ndcg@10": "nDCG@10",
}
NOTE = (
    "A cycle that a task never reached counts as the ranking that the task kept, that of its last cycle; `stop` is the "
    "ranking handed back. Seconds of a cycle: median over the tasks that reached it. Queries and plain words: mean "
    "over repositories; all other sets: mean over tasks. Intervals: 95 %, paired, by bootstrap over repositories. "
    "Processor seconds: mean over tasks of asking up to there, without indexing. "
    "Kinds are those that zeroin tells from the text, over tasks of every sort."
)

Points = Mapping[str, Sequence[Scored]]


@dataclass(frozen=True, slots=True)
class Part:
    """One set of tasks: its name, the ids of its tasks, and whether its means are over repositories (else tasks)."""

    name: str
    ids: frozenset[str]
    by_repository: bool = False


def read_runs(paths: Iterable[Path]) -> dict[str, Answer]:
    """Answers of several run files by task id; raises RunError when two of them answer the same task."""
    answers: dict[str, Answer] = {}
    for path in paths:
        found = read_run(path)
        if twice := sorted(answers.keys() & found.keys()):
            raise RunError(f"{path.name}: {len(twice)} tasks are answered twice, such as {twice[0]}")
        answers |= found
    return answers


def answered(
    tasks: Iterable[Task], answers: Mapping[str, Answer], shots: Mapping[str, Answer] | None = None
) -> tuple[list[Task], dict[str, int]]:
    """Tasks with a curve, and where answers in one shot are given with such a one; how many are left out, by reason."""
    kept: list[Task] = []
    skipped: Counter[str] = Counter()
    for task in tasks:
        answer = answers.get(task.id)
        if answer is None:
            skipped[f"{task.kind}: no run answers"] += 1
        elif not (answer.by_cycle or answer.error):
            skipped[f"{task.kind}: no ranking by cycle"] += 1
        elif shots is not None and task.id not in shots:
            skipped[f"{task.kind}: not asked in one shot"] += 1
        else:
            kept.append(task)
    return kept, dict(sorted(skipped.items()))


def points(
    tasks: Sequence[Task], answers: Mapping[str, Answer], shots: Mapping[str, Answer] | None = None
) -> dict[str, list[Scored]]:
    """The same tasks in the same order, scored in one shot where that is given, after each cycle and at the stop."""
    once = {} if shots is None else {ONE_SHOT: score(tasks, shots)}
    after = {str(number): score(tasks, answers, partial(after_cycle, number)) for number in CYCLES}
    return once | after | {STOP: score(tasks, answers)}


def parts(rows: Sequence[Scored]) -> list[Part]:
    """The sets in which the curve is told, those without a task left out."""
    issues = [row for row in rows if row.task.kind == "issue"]
    sets = {
        "issues": issues,
        "issues, Python, one file": [
            row for row in issues if row.task.language == "python" and len(row.task.gold) == 1
        ],
        "issues, other languages": [row for row in issues if row.task.language != "python"],
        "issues, several gold files": [row for row in issues if len(row.task.gold) > 1],
        "queries": [row for row in rows if row.task.kind == "query"],
        "plain words": [row for row in rows if row.task.kind == "plain"],
    }
    sets |= {f"kind: {kind}": found for kind, found in kind_groups(rows).items()}
    return [
        Part(name, frozenset(row.task.id for row in found), name in ("queries", "plain words"))
        for name, found in sets.items()
        if found
    ]


def curve(scored: Points, part: Part) -> dict[str, Any]:
    """Everything told of one set: means (0–1) at each point, what the stop gained, cycles used and their seconds."""
    chosen = {at: [row for row in rows if row.task.id in part.ids] for at, rows in scored.items()}
    average = per_repository if part.by_repository else mean
    means = {at: average(rows) for at, rows in chosen.items()}
    gained = partial(difference, b=chosen[STOP], by_repository=part.by_repository)
    gains = {name: gained(name, a=chosen[FIRST]) for name in MEASURES}
    over = {name: gained(name, a=chosen[ONE_SHOT]) for name in MEASURES} if ONE_SHOT in chosen else {}
    hits = gains["hit@5"]
    rows = chosen[STOP]
    used = [row.answer.cycles for row in rows if row.answer.cycles is not None]
    return {
        "n": len(rows),
        "repositories": len(by(rows, lambda row: row.task.repo)),
        "failed": sum(bool(row.answer.error) for row in rows),
        "mean_over": "repositories" if part.by_repository else "tasks",
        "measures": {
            name: {at: means[at][name] for at in chosen}
            | _gain(gain)
            | ({f"over {ONE_SHOT}": _gain(over[name])} if over else {})
            for name, gain in gains.items()
        },
        "hit@5_by_iterating": {"won": hits.gained, "lost": hits.lost, "p": hits.p},
        "mean_cycles": fmean(used) if used else None,
        "tasks_by_cycles": {str(number): count for number, count in sorted(Counter(used).items())},
        "cycle_seconds": cycle_seconds([row.answer for row in rows]),
        "seconds": seconds(rows),
        "cost": cost([row.answer for row in rows]),
        "cpu_seconds": {at: cpu for at, found in chosen.items() if (cpu := cpu_seconds(at, found)) is not None},
    }


def _gain(found: Difference) -> dict[str, float]:
    return {"difference": found.b - found.a, "low": found.low, "high": found.high}


def cpu_seconds(at: str, rows: Iterable[Scored]) -> float | None:
    """Mean processor seconds of asking up to a point: all but the cycles after it; None where no row says."""
    told = [row.answer for row in rows if row.answer.cpu_seconds is not None]
    if at in (ONE_SHOT, STOP):
        spent = [answer.cpu_seconds or 0.0 for answer in told]
    else:
        spent = [(a.cpu_seconds or 0.0) - sum(a.cpu_by_cycle[int(at) :]) for a in told if a.cpu_by_cycle]
    return fmean(spent) if spent else None


def cycle_seconds(answers: Iterable[Answer]) -> dict[str, dict[str, float]]:
    """Seconds that each cycle took (median, 90th percentile), and how many tasks reached it; {} where no row says."""
    told = [answer.seconds_by_cycle for answer in answers]
    out: dict[str, dict[str, float]] = {}
    for number in CYCLES:
        if found := [times[number - 1] for times in told if len(times) >= number]:
            p90 = float(np.percentile(found, 90))
            out[str(number)] = {"tasks": len(found), "median": median(found), "p90": p90}
    return out


def cost(answers: Iterable[Answer]) -> dict[str, float]:
    """How much longer than with one cycle: all cycles, and the whole task; sums over tasks, {} where no row says."""
    told = [(a.seconds_by_cycle, a.seconds) for a in answers if a.seconds_by_cycle and a.seconds is not None]
    first, cycles = sum(t[0] for t, _ in told), sum(sum(t) for t, _ in told)
    whole = sum(s for _, s in told)
    if not first:
        return {}
    return {"cycles": cycles / first, "task": whole / (whole - cycles + first)}


def markdown(sets: Mapping[str, Mapping[str, Any]]) -> str:
    """One table a measure, in percent, and one each of what the cycles took and gave, and of processor seconds."""
    lines: list[str] = []
    at_once = any(ONE_SHOT in told["measures"]["hit@1"] for told in sets.values())
    ats = [*([ONE_SHOT] if at_once else []), *map(str, CYCLES), STOP]
    columns = ["set", "n", *(f"cycle {at}" if at.isdigit() else at for at in ats)]
    for name, title in MEASURES.items():
        head = [*columns, "stop − cycle 1", "95 % interval"]
        head += [f"stop − {ONE_SHOT}", "95 % interval"] if at_once else []
        lines += [f"\n### {title}, in percent\n", _line(head), "|" + "---|" * len(head)]
        for part, told in sets.items():
            found = told["measures"][name]
            gains = [found, *([found[f"over {ONE_SHOT}"]] if at_once else [])]
            figures = [f"{100 * found[at]:.1f}" for at in ats]
            lines.append(_line([part, str(told["n"]), *figures, *(cell for gain in gains for cell in _cells(gain))]))
    head = ["set", "n", "repositories", "failed", "mean cycles", "tasks by cycles used"]
    head += [f"s, cycle {number} (tasks)" for number in CYCLES]
    head += ["cycles : one", "task : with one", "any-hit@5 won", "lost", "p"]
    lines += ["\n### What iterating took and gave\n", _line(head), "|" + "---|" * len(head)]
    for part, told in sets.items():
        hits = told["hit@5_by_iterating"]
        figures = [str(told[key]) for key in ("n", "repositories", "failed")]
        figures.append("–" if told["mean_cycles"] is None else f"{told['mean_cycles']:.2f}")
        figures.append(", ".join(f"{count} × {used}" for used, count in told["tasks_by_cycles"].items()) or "–")
        figures += [_seconds(told["cycle_seconds"].get(str(number))) for number in CYCLES]
        figures += [f"{told['cost'][name]:.2f}" if told["cost"] else "–" for name in ("cycles", "task")]
        lines.append(_line([part, *figures, str(hits["won"]), str(hits["lost"]), f"{hits['p']:.4f}"]))
    if any(told["cpu_seconds"] for told in sets.values()):
        lines += ["\n### Processor seconds, mean\n", _line(columns), "|" + "---|" * len(columns)]
        for part, told in sets.items():
            spent = (told["cpu_seconds"].get(at) for at in ats)
            lines.append(_line([part, str(told["n"]), *("–" if s is None else f"{s:.2f}" for s in spent)]))
    return "\n".join(lines)


def _cells(gain: Mapping[str, float]) -> tuple[str, str]:
    return f"{100 * gain['difference']:+.1f}", f"{100 * gain['low']:+.1f} … {100 * gain['high']:+.1f}"


def _line(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _seconds(found: Mapping[str, float] | None) -> str:
    return f"{found['median']:.2f} ({found['tasks']:.0f})" if found else "–"


def task_rows(scored: Points) -> list[dict[str, Any]]:
    """Raw figures, a line a task: ranks of its gold files (null: not listed) at every point, in order."""
    rows = []
    for at_points in zip(*scored.values(), strict=True):
        answer = at_points[-1].answer
        line = {"id": answer.id, "cycles": answer.cycles, "ranks": [list(row.ranks) for row in at_points]}
        rows.append(line | ({"error": answer.error} if answer.error else {}))
    return rows


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = argparse.ArgumentParser(prog="benchmarks.curve", description=(__doc__ or "").partition("\n")[0])
    made.add_argument("--data", type=Path, required=True)
    made.add_argument("--repos", type=Path, required=True)
    made.add_argument("--run", type=Path, required=True, action="append", metavar="RUN.jsonl")
    made.add_argument(
        "--at-once", type=Path, action="append", metavar="RUN.jsonl", help="answers in one shot to the same tasks"
    )
    made.add_argument("--all-issues", action="store_true", help="every issue, not only tune_ids.txt")
    made.add_argument("--half", choices=("open", "locked", "second"), default="open", help="of the plain-word tasks")
    made.add_argument("--out", type=Path, metavar="FILE.json", help="write figures and ranks with provenance")
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the curve and write it; 1 when the runs cannot be read or answer no known task."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    options = parser().parse_args(given)
    try:
        answers = read_runs(options.run)
        shots = read_runs(options.at_once) if options.at_once else None
        kinds: tuple[Kind, ...] = ("issue", "query", "plain")
        loaded = load(options.data, options.repos, kinds=kinds, all_issues=options.all_issues, half=options.half)
    except (RunError, DataError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    tasks, reasons = answered(loaded.tasks, answers, shots)
    if not tasks:
        print(f"error: no task has a ranking by cycle: {reasons}", file=sys.stderr)
        return 1
    skipped = dict(loaded.skipped) | reasons
    if unknown := len(answers.keys() - {task.id for task in loaded.tasks}):
        skipped["answers to no task that is loaded"] = unknown
    scored = points(tasks, answers, shots)
    sets = {part.name: curve(scored, part) for part in parts(scored[STOP])}
    print(markdown(sets))
    print(f"\n{NOTE}\n\nSkipped:", "; ".join(f"{why}: {count}" for why, count in skipped.items()) or "none")
    if options.out:
        runs = [*options.run, *(options.at_once or [])]
        about = {"answers_from": [{"file": path.name} | file_stamp(path) for path in runs]}
        body = {"provenance": provenance("benchmarks.curve", given) | about, "note": NOTE}
        body |= {"rows": {"scored": len(tasks), "skipped": skipped}, "points": list(scored), "sets": sets}
        options.out.parent.mkdir(parents=True, exist_ok=True)
        options.out.write_text(result_text(body, {"curve": task_rows(scored)}), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
