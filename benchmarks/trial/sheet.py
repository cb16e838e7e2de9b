"""The labelling sheet: a row for each claim of each answer, labelled by a reader.

A row names its task, what kind of claim it is, and a key under which the same claim of a later answer is known.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from benchmarks.trial.tasks import TrialTask

LABELS: Mapping[str, tuple[str, ...]] = {
    "file": ("right", "related", "wrong"),
    "reason": ("true", "false"),
    "gap": ("useful", "idle", "false"),
    "term": ("right", "related", "wrong"),
    "pattern": ("true", "false"),
    "sufficient": ("true", "false"),
}
SECTIONS = ("files", "supporting", "tests", "documents")
Row = dict[str, Any]
Key = tuple[str, str, str]


def key_of(row: Mapping[str, Any]) -> Key:
    """What tells a claim from all others."""
    return row["task"], row["claim"], row["key"]


def sheet(tasks: Iterable[TrialTask], answers: Mapping[str, Mapping[str, Any]]) -> list[Row]:
    """Every claim of every answer; files that the task names are labelled already."""
    rows: dict[Key, Row] = {}
    for task in tasks:
        if (answer := answers.get(task.id)) is not None and answer["context"] is not None:
            for row in claims(task, answer):
                rows.setdefault(key_of(row), row)  # a claim that is made twice is judged once
    return list(rows.values())


def carried(rows: Iterable[Row], earlier: Iterable[Mapping[str, Any]]) -> list[Row]:
    """The rows with the labels that the same claims had; whether an answer suffices is always judged anew."""
    known = {key_of(row): row["label"] for row in earlier if row["claim"] != "sufficient"}
    return [{**row, "label": row["label"] or known.get(key_of(row), "")} for row in rows]


def claims(task: TrialTask, answer: Mapping[str, Any]) -> Iterator[Row]:
    """The claims of one answer, in the order in which it makes them."""
    context = answer["context"]
    for section, place, file in listed(answer):
        row = _row(task, "file", file["path"], file["path"], _known(task, file["path"]))
        yield row | {"relevance": file["relevance"], "section": section, "place": place}
        if file["reasons"]:
            said = file["reasons"][0]["text"]
            yield _row(task, "reason", f"{file['path']}: {said}", said) | {"path": file["path"]}
    for gap in context["gaps"]:
        if gap.get("outcome") != "closed":
            row = _row(task, "gap", gap["need"], gap["need"])
            yield row | {"kind_of_gap": gap["kind"], "critical": gap["critical"], "ask": gap["follow_up"]}
    for term in context["terminology"]:
        if term.get("certainty") != "guess":
            said = f"{term['task_word']} → {term['code_word']}"
            sources = [f"{s['kind']} {s['where']}: {s['text']}" for s in term["sources"]]
            yield _row(task, "term", said, said) | {"certainty": term.get("certainty"), "sources": sources}
    for pattern in context["patterns"]:
        yield _row(task, "pattern", pattern["text"], pattern["text"]) | {"kind_of_pattern": pattern["kind"]}
    if context["sufficient"]:
        yield _row(task, "sufficient", "", "a careful reader would start the change with this")


def listed(answer: Mapping[str, Any]) -> Iterator[tuple[str, int, Mapping[str, Any]]]:
    """(section, place from 1, file) of what an answer lists, without the files of the change that it was shown."""
    own = set(answer["own"])
    place = 0
    for section in SECTIONS:
        for file in answer["context"].get(section, ()):
            if file["path"] not in own:
                place += 1
                yield section, place, file


def _known(task: TrialTask, path: str) -> str:
    if path in task.right:
        return "right"
    if path in task.related:
        return "related"
    return "wrong" if task.kind == "nonsense" else ""


def _row(task: TrialTask, claim: str, key: str, text: str, label: str = "") -> Row:
    asked = task.task or f"review of {task.diff[:10]}"
    return {"task": task.id, "claim": claim, "key": key, "asked": asked, "text": text, "label": label}
