"""How many of the words that answers show are right, by how certain they are said to be.

    python -m benchmarks.terms --judged --repos FOLDER [--half tuned|untouched] [--out FILE]

Tasks in plain words and their labels stand in `benchmarks/judged_terms.jsonl`, a line a task: `half` says whether the
thresholds of `zeroin.refine.evidence` were read off it (`tuned`) or it was only measured (`untouched`); `labels` says
of "task word > code word" whether the codebase calls it that (`right`), calls something near it so (`related`), or
neither (`wrong`), decided by reading the code. Every task is asked of the whole product, since the files of an answer
decide too; words that nobody labelled are listed and count as wrong.
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.provenance import provenance
from benchmarks.repositories import find_repositories, locate
from zeroin.config import Options
from zeroin.engine import Repository

TASKS = Path(__file__).parent / "judged_terms.jsonl"
RESULTS = Path(__file__).parent / "results" / "judged_terms.json"
HALVES = ("tuned", "untouched")


@dataclass(frozen=True, slots=True)
class Shown:
    """One word that an answer shows: how certain it is said to be, and how it is labelled ("" if nobody did)."""

    task: str
    half: str
    pair: str
    certainty: str
    label: str


def measure(repos: Path, halves: Sequence[str] = HALVES) -> list[Shown]:
    """Every word that the answers to the tasks of some halves show."""
    found = find_repositories(repos)
    rows = [json.loads(line) for line in TASKS.read_text(encoding="utf-8").splitlines()]
    out: list[Shown] = []
    opened: dict[tuple[str, str], Repository] = {}
    for row in (row for row in rows if row["half"] in halves):
        key = (row["repo"], row["commit"])
        if key not in opened:
            opened = {key: Repository.open(locate(row["repo"], found, {})[0], rev=row["commit"], jobs=1)}
        out += _shown(row, opened[key])
    return out


def _shown(row: Mapping[str, Any], repository: Repository) -> Iterable[Shown]:
    for term in repository.ask(row["task"], Options()).run().shown_terms:
        pair = f"{term.task_word} > {term.code_word}"
        yield Shown(row["task"], row["half"], pair, term.certainty, row["labels"].get(pair, ""))


def summary(shown: Sequence[Shown]) -> dict[str, Any]:
    """Counts and shares by half and certainty."""
    out: dict[str, Any] = {}
    for half in HALVES:
        for certainty in ("sure", "likely", "all"):
            labels = [s.label for s in shown if s.half == half and certainty in (s.certainty, "all")]
            if labels:
                counts = Counter(labels)
                out[f"{half} {certainty}"] = {
                    "shown": len(labels),
                    "right": round(counts["right"] / len(labels), 3),
                    "right or related": round((counts["right"] + counts["related"]) / len(labels), 3),
                    "unlabelled": counts[""],
                }
    return out


def run(repos: Path, out: Path | None, arguments: Sequence[str]) -> int:
    """Measures, prints and writes."""
    shown = measure(repos)
    result = summary(shown)
    print(json.dumps(result, indent=1))
    for word in shown:
        if not word.label:
            print(f"not labelled: {word.task}: {word.pair} ({word.certainty})")
    body = {"what": "judged terms", "provenance": provenance("benchmarks.terms", arguments), **result}
    rows = [[s.half, s.task, s.pair, s.certainty, s.label] for s in shown]
    text = json.dumps(body, indent=1, ensure_ascii=False)[:-2]
    listed = ",\n".join(f"  {json.dumps(row, ensure_ascii=False)}" for row in rows)
    (out or RESULTS).write_text(f'{text},\n "words": [\n{listed}\n ]\n}}\n', encoding="utf-8")
    return 0
