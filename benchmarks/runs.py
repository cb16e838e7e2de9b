"""Runs: what a system answered, one JSON object a line, as ``zeroin batch`` writes it."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Answer:
    """One system's answer to one task.

    ``ranking``: paths, best first, no repeats; ``relevance``: what the system says of each path, 0–1, where it says so;
    ``files``: what it hands to the reader (None when the system hands over no set); ``by_cycle``: the ranking after
    each cycle, ``seconds_by_cycle`` the seconds that each took (empty where the row does not say). ``cpu_seconds`` are
    processor seconds of the question, without indexing, ``cpu_by_cycle`` those of its cycles.
    """

    id: str
    ranking: tuple[str, ...] = ()
    relevance: Mapping[str, float] | None = None
    files: tuple[str, ...] | None = None
    by_cycle: tuple[tuple[str, ...], ...] = ()
    cycles: int | None = None
    stop_reason: str = ""
    seconds: float | None = None
    error: str = ""
    seconds_by_cycle: tuple[float, ...] = ()
    cpu_seconds: float | None = None
    cpu_by_cycle: tuple[float, ...] = ()


class RunError(Exception):
    """A run file holds something that is not a result row."""


def read_run(path: Path) -> dict[str, Answer]:
    """Answers of a run file by task id; raises RunError naming the line that is not a result row."""
    answers: dict[str, Answer] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), start=1):
        if not line.strip():
            continue
        try:
            answer = answer_of(json.loads(line))
        except (json.JSONDecodeError, KeyError, TypeError, ValueError) as error:
            raise RunError(f"{path.name} line {number}: {error!r}") from error
        answers[answer.id] = answer
    return answers


def answer_of(row: Mapping[str, Any]) -> Answer:
    """One result row as an Answer."""
    entries = row.get("ranking") or []
    files = row.get("files")
    return Answer(
        id=row["id"],
        ranking=_paths(entries),
        relevance=_relevance(entries),
        files=None if files is None else _paths(files),
        by_cycle=tuple(_paths(entries) for entries in row.get("rankings_by_cycle") or ()),
        cycles=_count(row.get("cycles")),
        stop_reason=str(row.get("stop_reason") or ""),
        seconds=row.get("seconds"),
        error=str(row.get("error") or ""),
        seconds_by_cycle=tuple(float(seconds) for seconds in row.get("seconds_by_cycle") or ()),
        cpu_seconds=row.get("cpu_seconds"),
        cpu_by_cycle=tuple(float(seconds) for seconds in row.get("cpu_by_cycle") or ()),
    )


def after_cycle(number: int, answer: Answer) -> tuple[str, ...]:
    """The ranking after a cycle (from 1): a loop that stopped earlier keeps its last one."""
    return answer.by_cycle[min(number, len(answer.by_cycle)) - 1] if answer.by_cycle else answer.ranking


def _paths(entries: Iterable[Any]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(e if isinstance(e, str) else str(e["path"]) for e in entries))


def _relevance(entries: Iterable[Any]) -> dict[str, float] | None:
    given = {e["path"]: float(e["relevance"]) for e in entries if isinstance(e, dict) and "relevance" in e}
    return given or None


def _count(cycles: Any) -> int | None:
    """The number of cycles, whether a row holds the number or the cycles themselves."""
    return len(cycles) if isinstance(cycles, list) else cycles


def write_rows(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """Write rows as JSON lines."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8") as stream:
        for row in rows:
            stream.write(json.dumps(row, ensure_ascii=False) + "\n")
