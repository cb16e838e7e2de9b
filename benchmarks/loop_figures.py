"""What `benchmarks.loop` makes of its answers: means, paired differences, an upper bound for gaps, calibration.

Queries and plain words are means over repositories, all other sets over tasks; 95 % intervals are by bootstrap over
repositories. `useful@10` is the share of the useful files, edited or not, among the first ten. The *oracle* is the loop
with every useful file that any of its gaps names put among the first ten: what it has more than the loop, gaps know
and judging lost; what it lacks, no gap knows. Calibration is over stated relevances ≥ 0.1, against graded usefulness of
mined tasks and gold of others. Tasks without an answer are only listed and calibrated.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from statistics import fmean
from typing import Any

from benchmarks.compare import difference
from benchmarks.data import Task
from benchmarks.runs import Answer, answer_of
from benchmarks.scoring import LIKELY, Scored, mean, per_repository, reliability, score

ONE_SHOT, ONE_CYCLE, LOOP, ORACLE = "one shot", "one cycle", "loop", "oracle"
VARIANTS = (ONE_SHOT, ONE_CYCLE, LOOP)
SETS = (
    "issues",
    "issues, several gold files",
    "queries",
    "plain words",
    "several files",
    "small trees",
    "single folders",
    "no answer",
)
BY_REPOSITORY = ("queries", "plain words")
LABELLED = ("issue", "query", "plain")  # kinds of task of which gold alone is known
NO_ANSWER = "no answer"
MEASURES = {
    "hit@1": "any-hit@1",
    "hit@5": "any-hit@5",
    "acc@5": "strict@5",
    "acc@10": "strict@10",
    "ndcg@10": "nDCG@10",
    "recall@10": "recall@10",
    "useful@10": "useful@10",
    "cpu": "CPU s",
}
DEPTH = 10

Row = Mapping[str, Any]
Member = tuple[Task, Row]


def figures(name: str, part: Sequence[Member]) -> dict[str, Any]:
    """Everything told of one set."""
    answers = {variant: [answer_of({"id": t.id} | r["answers"][variant]) for t, r in part] for variant in VARIANTS}
    told: dict[str, Any] = {
        "n": len(part),
        "repositories": len({task.repo for task, _ in part}),
        "failed": {variant: sum(bool(a.error) for a in found) for variant, found in answers.items()},
        "cycles": cycles(answers[LOOP]),
        "listing": {variant: listing(part, found) for variant, found in answers.items()},
        "calibration": {variant: calibration(part, found) for variant, found in answers.items()},
    }
    if name == NO_ANSWER:
        return told
    scored = {variant: scored_of(part, found) for variant, found in answers.items()}
    weighed = name in BY_REPOSITORY
    average = per_repository if weighed else mean
    means = {variant: average(rows) for variant, rows in scored.items()}
    bound = [oracle(task, row) for task, row in part]
    told["mean_over"] = "repositories" if weighed else "tasks"
    told["measures"] = {v: {measure: found[measure] for measure in MEASURES} for v, found in means.items()}
    told["measures"][ORACLE] = {"useful@10": _average(part, bound, weighed)}
    told["differences"] = {
        f"{LOOP} − {other}": {measure: _gain(measure, scored[other], scored[LOOP], weighed) for measure in MEASURES}
        for other in (ONE_SHOT, ONE_CYCLE)
    }
    return told


def scored_of(part: Sequence[Member], answers: Sequence[Answer]) -> list[Scored]:
    """Scores of one way of asking, with the share of useful files among the first ten, and processor seconds."""
    rows = score([task for task, _ in part], {answer.id: answer for answer in answers})
    for scored, (_, row) in zip(rows, part, strict=True):
        scored.scores["useful@10"] = found_share(row["useful"], scored.answer.ranking[:DEPTH])
        scored.scores["cpu"] = scored.answer.cpu_seconds or 0.0
    return rows


def found_share(useful: Mapping[str, float], found: Iterable[str]) -> float:
    """The share of the useful files that is among some, of at most as many as have room among the first ten."""
    return min(len(useful.keys() & set(found)), DEPTH) / len(useful) if useful else 0.0


def oracle(task: Task, row: Row) -> float:
    """`useful@10` of the loop if every useful file that a gap of its cycles names stood among the first ten."""
    told = row["answers"][LOOP]
    first = answer_of({"id": task.id} | told).ranking[:DEPTH]
    return found_share(row["useful"], [*first, *told.get("named", ())])


def _average(part: Sequence[Member], values: Sequence[float], weighed: bool) -> float:
    if not weighed:
        return fmean(values)
    groups: dict[str, list[float]] = {}
    for (task, _), value in zip(part, values, strict=True):
        groups.setdefault(task.repo, []).append(value)
    return fmean(map(fmean, groups.values()))


def _gain(measure: str, a: Sequence[Scored], b: Sequence[Scored], weighed: bool) -> dict[str, float]:
    found = difference(measure, a, b, by_repository=weighed)
    return {"difference": found.b - found.a, "low": found.low, "high": found.high}


def cycles(answers: Iterable[Answer]) -> dict[str, float]:
    """The share of the answered tasks that took so many cycles."""
    used = Counter(answer.cycles for answer in answers if answer.cycles is not None)
    return {str(number): count / used.total() for number, count in sorted(used.items())}


def listing(part: Sequence[Member], answers: Sequence[Answer]) -> dict[str, float | None]:
    """Files handed over and files of relevance ≥ 0.5, a task; of those handed over the share that is useful."""
    handed = [(row["useful"], answer.files or ()) for (_, row), answer in zip(part, answers, strict=True)]
    count = sum(len(files) for _, files in handed)
    right = sum(path in useful for useful, files in handed for path in files)
    likely = [sum(r >= LIKELY for r in (answer.relevance or {}).values()) for answer in answers]
    return {"files": count / len(part), "likely": fmean(likely), "useful": right / count if count else None}


def calibration(part: Sequence[Member], answers: Sequence[Answer]) -> dict[str, Any]:
    """Expected calibration error of the stated relevances, how many files they are of, and the bins."""
    useful = {task.id: row["useful"] for task, row in part}
    worth = partial(worth_of, useful)
    rows = [Scored(task, answer, {}, ()) for (task, _), answer in zip(part, answers, strict=True)]
    bins, error = reliability(rows, worth=worth)
    return {"ece": error, "files": sum(b.files for b in bins), "bins": [asdict(b) for b in bins]}


def worth_of(useful: Mapping[str, Mapping[str, float]], task: Task) -> Mapping[str, float]:
    """What relevance is held against: graded usefulness where the change tells it, else edited or labelled."""
    return dict.fromkeys(task.gold, 1.0) if task.kind in LABELLED else useful[task.id]


def task_rows(tasks: Iterable[tuple[Task, Sequence[str], Row]]) -> list[dict[str, Any]]:
    """Raw figures, a line a task: by way of asking the ranks of its gold and useful files, cycles, seconds, error."""
    lines = []
    for task, sets, row in tasks:
        line: dict[str, Any] = {"id": task.id, "sets": list(sets)}
        for variant, told in row["answers"].items():
            ranking = [entry["path"] for entry in told.get("ranking", ())]
            others = sorted(row["useful"].keys() - set(task.gold))
            line[variant] = {
                "ranks": [_rank(path, ranking) for path in task.gold],
                "useful": [_rank(path, ranking) for path in others],
                "cpu": round(told.get("cpu_seconds", 0.0), 3),
            } | {key: told[key] for key in ("cycles", "error") if key in told}
        lines.append(line)
    return lines


def _rank(path: str, ranking: Sequence[str]) -> int | None:
    return ranking.index(path) + 1 if path in ranking else None


def markdown(sets: Mapping[str, Mapping[str, Any]]) -> str:
    """Tables: means by way of asking, paired differences, what is listed and how well relevance is calibrated."""
    head = ["set (tasks, repositories)", "asked", *MEASURES.values(), "cycles 1 / 2 / 3", "failed"]
    lines = ["### Means, in percent\n", _line(head), _rule(head)]
    for name, told in sets.items():
        for variant, found in told.get("measures", {}).items():
            label = f"{name} ({told['n']}, {told['repositories']})" if variant == ONE_SHOT else ""
            used = " / ".join(f"{100 * told['cycles'].get(str(n), 0.0):.0f}" for n in (1, 2, 3))
            last = [used if variant == LOOP else "", str(told["failed"].get(variant, ""))]
            lines.append(_line([label, variant, *(_cell(m, found.get(m)) for m in MEASURES), *last]))
    for pair in (f"{LOOP} − {ONE_SHOT}", f"{LOOP} − {ONE_CYCLE}"):
        head = ["set", *MEASURES.values()]
        lines += [f"\n### {pair}, in points, with 95 % intervals\n", _line(head), _rule(head)]
        for name, told in sets.items():
            if gains := told.get("differences", {}).get(pair):
                lines.append(_line([name, *(_span(m, gains[m]) for m in MEASURES)]))
    head = ["set", "asked", "files listed", "of them useful", "files ≥ 0.5", "calibration error", "over files"]
    lines += ["\n### What is listed, and what relevance is worth\n", _line(head), _rule(head)]
    for name, told in sets.items():
        for variant in VARIANTS:
            found, error = told["listing"][variant], told["calibration"][variant]
            share = "–" if found["useful"] is None else f"{100 * found['useful']:.1f} %"
            cells = [
                f"{found['files']:.1f}",
                share,
                f"{found['likely']:.1f}",
                f"{error['ece']:.3f}",
                f"{error['files']}",
            ]
            lines.append(_line([name if variant == ONE_SHOT else "", variant, *cells]))
    return "\n".join(lines)


def _cell(measure: str, value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:.2f}" if measure == "cpu" else f"{100 * value:.1f}"


def _span(measure: str, gain: Mapping[str, float]) -> str:
    factor, digits = (1.0, 2) if measure == "cpu" else (100.0, 1)
    gained, low, high = (f"{factor * gain[key]:+.{digits}f}" for key in ("difference", "low", "high"))
    return f"{gained} ({low} … {high})"


def _line(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _rule(head: Sequence[str]) -> str:
    return "|" + "---|" * len(head)
