"""Measured systems as numbers (for the result file) and as Markdown (for the reader)."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any

from benchmarks.scoring import (
    LIKELY,
    Scored,
    Scores,
    by,
    interval,
    mean,
    per_language,
    per_repository,
    reliability,
    seconds,
)
from zeroin.config import Options
from zeroin.query.task import query_of
from zeroin.types import Task as ZeroinTask
from zeroin.types import TaskKind

ISSUE_COLUMNS = ("acc@1", "acc@3", "acc@5", "acc@10", "hit@1", "hit@5", "hit@10", "recall@10", "ndcg@10")
KIND_COLUMNS = ("hit@1", "hit@5", "acc@5", "acc@10", "ndcg@10")
QUERY_COLUMNS = ("ndcg@10", "hit@1", "hit@5", "hit@10", "recall@10", "rr")
SETS = {"set": "Files handed over", "likely": f"Files of relevance ≥ {LIKELY}"}
SET_COLUMNS = ("precision", "recall", "f1", "size")
WITH_INTERVAL = ("acc@1", "acc@5", "acc@10", "hit@5", "ndcg@10")


@dataclass(frozen=True, slots=True)
class System:
    """One measured system: its name, its scored tasks, and the same scored after each cycle (cycle number → tasks)."""

    name: str
    rows: Sequence[Scored]
    cycles: Mapping[int, Sequence[Scored]]


def issue_groups(rows: Sequence[Scored]) -> dict[str, list[Scored]]:
    """Groups in which issues are reported: all, one gold file, language families, and each language."""
    single = [row for row in rows if len(row.task.gold) == 1]
    groups = {
        "all": list(rows),
        "single gold": single,
        "single gold, python": [row for row in single if row.task.language == "python"],
        "single gold, other languages": [row for row in single if row.task.language != "python"],
        "all, other languages": [row for row in rows if row.task.language != "python"],
    }
    languages = by(rows, lambda row: row.task.language)
    return {name: found for name, found in (groups | languages).items() if found}


def query_groups(rows: Sequence[Scored]) -> dict[str, list[Scored]]:
    """Groups in which queries are reported: all, each category, each language."""
    categories = by(rows, lambda row: row.task.group)
    return {"all": list(rows)} | categories | by(rows, lambda row: row.task.language)


def kind_groups(rows: Sequence[Scored]) -> dict[str, list[Scored]]:
    """Tasks of every sort by the kind that zeroin gives their text."""
    found = by(rows, lambda row: kind_of_text(row.task.task))
    return {kind: found[kind] for kind in TaskKind if kind in found}


@cache
def kind_of_text(text: str) -> TaskKind:
    """The kind that zeroin gives a text."""
    return query_of(ZeroinTask(text), Options()).kind


def summary(system: System) -> dict[str, Any]:
    """Everything measured of one system; empty parts are left out."""
    queries = [row for row in system.rows if row.task.kind == "query"]
    found: dict[str, Any] = {"tasks": len(system.rows), "errors": _errors(system.rows), "seconds": seconds(system.rows)}
    for kind, name in (("issue", "issues"), ("report", "reports")):
        if issues := [row for row in system.rows if row.task.kind == kind]:
            found[name] = _of_issues(issues)
    if queries:
        found["queries"] = {
            "groups": {name: {"n": len(rows)} | per_language(rows) for name, rows in query_groups(queries).items()},
            "per_repository": per_repository(queries),
            "intervals": {name: interval(queries, name, per_repository) for name in WITH_INTERVAL},
            "stops": dict(Counter(row.answer.stop_reason for row in queries if row.answer.stop_reason)),
        } | _calibration(queries)
    for kind, name in (("written", "written"), ("stranger", "strangers")):
        if rows := [row for row in system.rows if row.task.kind == kind]:
            found[name] = {
                "groups": {group: {"n": len(some)} | mean(some) for group, some in query_groups(rows).items()},
                "intervals": {column: interval(rows, column) for column in WITH_INTERVAL},
            } | _calibration(rows)
    found["kinds"] = {
        kind: {"n": len(rows)} | {name: mean(rows)[name] for name in KIND_COLUMNS}
        for kind, rows in kind_groups(system.rows).items()
    }
    if system.cycles:
        found["cycles"] = {str(number): _by_kind(rows) for number, rows in system.cycles.items()}
    return found


def _of_issues(issues: Sequence[Scored]) -> dict[str, Any]:
    return {
        "groups": {name: {"n": len(rows)} | mean(rows) for name, rows in issue_groups(issues).items()},
        "per_repository": per_repository(issues),
        "intervals": {name: interval(issues, name) for name in WITH_INTERVAL},
        "stops": dict(Counter(row.answer.stop_reason for row in issues if row.answer.stop_reason)),
    } | _calibration(issues)


def _errors(rows: Iterable[Scored]) -> dict[str, Any]:
    """How many answers failed, and the first few messages by how often they occur."""
    messages = Counter(row.answer.error[:200] for row in rows if row.answer.error)
    return {"count": messages.total(), "messages": dict(messages.most_common(5))}


def _calibration(rows: Sequence[Scored]) -> dict[str, Any]:
    bins, error = reliability(rows)
    return {"calibration": {"ece": error, "bins": [asdict(b) for b in bins]}} if bins else {}


def _by_kind(rows: Sequence[Scored]) -> dict[str, Scores]:
    issues = [row for row in rows if row.task.kind == "issue"]
    queries = [row for row in rows if row.task.kind == "query"]
    return {name: found for name, found in (("issues", mean(issues)), ("queries", per_language(queries))) if found}


def task_rows(rows: Iterable[Scored]) -> list[dict[str, Any]]:
    """The raw figures, a line a task: rank of each gold file (null: not listed), and what the run says of itself."""
    raw = []
    for row in rows:
        answer = row.answer
        line: dict[str, Any] = {"id": row.task.id, "ranks": list(row.ranks), "seconds": answer.seconds}
        extra: dict[str, Any] = {"files": None if answer.files is None else len(answer.files), "cycles": answer.cycles}
        extra |= {"stop_reason": answer.stop_reason, "error": answer.error}
        raw.append(line | {name: value for name, value in extra.items() if value})
    return raw


def markdown(systems: Sequence[System], skipped: Mapping[str, int]) -> str:
    """Tables of all systems; the first is the one measured, the others are its baselines."""
    parts = []
    for kind, title, columns, groups, average in (
        ("issue", "Issues", ISSUE_COLUMNS, issue_groups, mean),
        ("report", "Bug reports", ISSUE_COLUMNS, issue_groups, mean),
        ("query", "Queries (mean per repository, then per language)", QUERY_COLUMNS, query_groups, per_language),
    ):
        chosen = [(system, [row for row in system.rows if row.task.kind == kind]) for system in systems]
        if chosen[0][1]:
            parts += [f"\n### {title}\n", _groups_table(chosen, columns, groups, average)]
            if kind == "query":
                parts += ["\nMean over repositories (all):\n", _repositories_table(chosen, columns)]
            if len(chosen) > 1:
                parts += ["\nRatios to each baseline (all):\n", _ratio_table(chosen, columns, average)]
            parts += _cycles_table(systems[0], kind, columns, average)
            parts += _set_line(chosen[0][1])
    if systems[0].rows:
        everything = [(system, system.rows) for system in systems]
        parts += ["\n### By kind of task (mean over tasks)\n"]
        parts += [_groups_table(everything, KIND_COLUMNS, kind_groups, mean)]
    parts += ["\n### Running\n", _running_table(systems)]
    if skipped:
        parts.append("\nSkipped rows: " + "; ".join(f"{reason}: {count}" for reason, count in skipped.items()))
    return "\n".join(parts)


Average = Callable[[Sequence[Scored]], Scores]
Groups = Callable[[Sequence[Scored]], Mapping[str, Sequence[Scored]]]
Chosen = Sequence[tuple[System, Sequence[Scored]]]


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def _figures(scores: Scores, columns: Iterable[str]) -> list[str]:
    return [f"{scores[name]:.3f}" if name in ("ndcg@10", "rr") else f"{100 * scores[name]:.1f}" for name in columns]


def _groups_table(chosen: Chosen, columns: Sequence[str], groups: Groups, average: Average) -> str:
    rows = []
    for name in groups(chosen[0][1]):
        for system, scored in chosen:
            found = groups(scored)[name]
            rows.append([name, str(len(found)), system.name, *_figures(average(found), columns)])
    return _table(["group", "n", "system", *columns], rows)


def _repositories_table(chosen: Chosen, columns: Sequence[str]) -> str:
    rows = [[system.name, *_figures(per_repository(scored), columns)] for system, scored in chosen]
    return _table(["system", *columns], rows)


def _ratio_table(chosen: Chosen, columns: Sequence[str], average: Average) -> str:
    ours = average(chosen[0][1])
    rows = []
    for system, scored in chosen[1:]:
        theirs = average(scored)
        ratios = [f"{ours[name] / theirs[name]:.2f} ×" if theirs[name] else "–" for name in columns]
        rows.append([f"{chosen[0][0].name} ÷ {system.name}", *ratios])
    return _table(["", *columns], rows)


def _cycles_table(system: System, kind: str, columns: Sequence[str], average: Average) -> list[str]:
    rows = []
    for number, scored in system.cycles.items():
        found = [row for row in scored if row.task.kind == kind]
        if found:
            rows.append([str(number), str(len(found)), *_figures(average(found), columns)])
    return (
        [
            "\nAfter each cycle (a task that stopped earlier keeps its last ranking):\n",
            _table(["cycle", "n", *columns], rows),
        ]
        if rows
        else []
    )


def _set_line(rows: Sequence[Scored]) -> list[str]:
    found = mean(rows)
    lines = [
        f"\n{title}: " + ", ".join(f"{column} {found[f'{name}_{column}']:.3f}" for column in SET_COLUMNS) + ".\n"
        for name, title in SETS.items()
        if f"{name}_f1" in found
    ]
    bins, error = reliability(rows)
    if not lines or not bins:
        return lines
    table = _table(
        ["stated", "files", "mean stated", "share gold"],
        [[f"{b.low:.1f}–{b.high:.1f}", str(b.files), f"{b.stated:.3f}", f"{b.gold:.3f}"] for b in bins],
    )
    return [*lines, f"Calibration error {error:.3f}.\n", table]


def _running_table(systems: Sequence[System]) -> str:
    rows = []
    for system in systems:
        times = seconds(system.rows)
        figures = [f"{times[name]:.2f}" if times else "–" for name in ("median", "p90", "max")]
        rows.append([system.name, str(len(system.rows)), str(_errors(system.rows)["count"]), *figures])
    return _table(["system", "tasks", "errors", "seconds, median", "p90", "max"], rows)
