"""What the labels say: the table of the trial, by kind and by language, and what happened to each task."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from benchmarks.scoring import RESAMPLES, resampled_ratio
from benchmarks.trial.sheet import LABELS, SECTIONS, Row, listed
from benchmarks.trial.tasks import TrialTask

GOOD = ("right", "related")
MAIN = ("files", "supporting")  # what is to be read, in the order of its ranking; tests and documents stand apart
ASIDE = ("test", "doc", "generated", "vendored", "data")  # roles that the ranking puts behind all others
NOTHING_FOUND = 1  # the exit code
Answers = Mapping[str, Mapping[str, Any]]


class LabelError(Exception):
    """A label that its claim cannot have, or none where one is needed."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one task: the first file listed, where the best right one stands, how many files are listed.

    `place` and `rank` count from 1 in what is listed and in the ranking; None where it is in neither.
    """

    id: str
    repo: str
    language: str
    kind: str
    first: str
    place: int | None
    rank: int | None
    listed: int
    left_out: tuple[str, ...]
    sufficient: bool
    exit_code: int


@dataclass(frozen=True, slots=True)
class Share:
    """`hits` of `of`, with the 95 % interval of the share by repository."""

    hits: int
    of: int
    low: float
    high: float

    @property
    def share(self) -> float:
        return self.hits / self.of


def outcome(task: TrialTask, answer: Mapping[str, Any]) -> Outcome:
    """What became of a task; an answer that is no JSON lists nothing."""
    context = answer["context"]
    if context is None:
        return Outcome(task.id, task.repo, task.language, task.kind, "", None, None, 0, (), False, answer["exit_code"])
    places = {file["path"]: place for _, place, file in listed(answer)}
    ranks = {path: rank for rank, path in enumerate(_ranked(answer), start=1)}
    return Outcome(
        task.id,
        task.repo,
        task.language,
        task.kind,
        next(iter(places), ""),
        min((places[path] for path in task.right if path in places), default=None),
        min((ranks[path] for path in task.right if path in ranks), default=None),
        len(places),
        better_left_out(answer),
        context["sufficient"],
        answer["exit_code"],
    )


def places(outcomes: Sequence[Outcome]) -> dict[str, float]:
    """How many tasks have a right file first, listed, or ranked among five or ten; the mean reciprocal rank."""
    ranks = [o.rank or 0 for o in outcomes]
    return {
        "tasks": len(outcomes),
        "first": sum(o.place == 1 for o in outcomes),
        "listed": sum(o.place is not None for o in outcomes),
        **{f"among {most}": sum(0 < rank <= most for rank in ranks) for most in (5, 10)},
        "reciprocal rank": round(sum(1 / rank for rank in ranks if rank) / len(outcomes), 3),
    }


def better_left_out(answer: Mapping[str, Any], sections: Sequence[str] = SECTIONS) -> tuple[str, ...]:
    """Files that stand before one of the listed files in the ranking, are more relevant, and are not listed themselves.

    Only listed files of the `sections` are compared. The ranking is cut: a listed file that it does not reach stands
    behind it, and before tests and documents.
    """
    if answer["context"] is None:
        return ()
    ranking = {file["path"]: file for file in answer["context"]["ranking"]}
    ranked = _ranked(answer)
    everywhere = {file["path"] for _, _, file in listed(answer)}
    left_out: set[str] = set()
    for section, _, file in listed(answer):
        if section not in sections:
            continue
        if file["path"] in ranking:
            before = ranked[: ranked.index(file["path"])]
        else:
            before = [path for path in ranked if ranking[path].get("role") not in ASIDE]
        left_out.update(path for path in before if ranking[path]["relevance"] > file["relevance"])
    return tuple(path for path in ranked if path in left_out - everywhere)


def _ranked(answer: Mapping[str, Any]) -> list[str]:
    own = set(answer["own"])
    return [file["path"] for file in answer["context"]["ranking"] if file["path"] not in own]


def measures(tasks: Sequence[TrialTask], answers: Answers, rows: Sequence[Row]) -> dict[str, Share]:
    """Every line of the table that has something to count, in the table's order."""
    repos = {task.id: task.repo for task in tasks}
    outcomes = [outcome(task, answers[task.id]) for task in tasks]
    made: dict[str, Share] = {}

    def count(name: str, pairs: Iterable[tuple[str, bool]]) -> None:
        if (share := _share([(repos[task], hit) for task, hit in pairs])) is not None:
            made[name] = share

    def judged(name: str, claim: str, good: Sequence[str], only: Callable[[Row], bool] = lambda row: True) -> None:
        some = [row for row in rows if row["claim"] == claim and only(row)]
        if all(row["label"] for row in some):  # a share of those that are easy to label would say nothing
            count(name, ((row["task"], row["label"] in good) for row in some))

    answerable = [o for o in outcomes if o.kind != "nonsense"]
    count("right file first", ((o.id, o.place == 1) for o in answerable))
    count("right file listed", ((o.id, o.place is not None) for o in answerable))
    judged("listed files that are right or related", "file", GOOD)
    for low, high in ((0.7, 1.01), (0.5, 0.7), (0.2, 0.5), (0.0, 0.2)):
        name = f"listed files that are right or related, relevance {low:.1f} to {min(high, 1.0):.1f}"
        judged(name, "file", GOOD, lambda row, low=low, high=high: low <= row["relevance"] < high)  # type: ignore[misc]
    for section in SECTIONS:
        name = f"listed files that are right or related, {section}"
        judged(name, "file", GOOD, lambda row, section=section: row["section"] == section)  # type: ignore[misc]
    for name, sections in (("", MAIN), (", tests and documents compared too", SECTIONS)):
        left_out = ((o.id, bool(better_left_out(answers[o.id], sections))) for o in outcomes)
        count(f"answers that leave out a better file{name}", left_out)
    for label, name in (("useful", "true and useful"), ("idle", "true and idle"), ("false", "false")):
        judged(f"gaps that are {name}", "gap", (label,))
    judged("critical gaps that are true and useful", "gap", ("useful",), lambda row: row["critical"])
    judged("terms that are right", "term", ("right",))
    judged("patterns that are true", "pattern", ("true",))
    judged("reasons that are true", "reason", ("true",))
    said = {row["task"]: row["label"] for row in rows if row["claim"] == "sufficient"}
    if all(said.values()):
        wrongly = ((o.id, said.get(o.id) == "false") for o in outcomes)
        count("answers wrongly said to be sufficient", wrongly)
    judged("'sufficient' that is true", "sufficient", ("true",))
    literal = {task.id: task.right[0] for task in tasks if task.kind == "error"}
    count("error texts whose file comes first", ((o.id, o.first == literal[o.id]) for o in outcomes if o.id in literal))
    denied = ((o.id, o.exit_code == NOTHING_FOUND and o.place is not None) for o in answerable)
    count("answers that say nothing was found and list a right file", denied)
    nonsense = [o for o in outcomes if o.kind == "nonsense"]
    count("nonsense that ends with exit code 1", ((o.id, o.exit_code == NOTHING_FOUND) for o in nonsense))
    return made


def _share(pairs: Sequence[tuple[str, bool]]) -> Share | None:
    if not pairs:
        return None
    hits: dict[str, int] = defaultdict(int)
    counts: dict[str, int] = defaultdict(int)
    for repo, hit in pairs:
        hits[repo] += hit
        counts[repo] += 1
    sums, sizes = np.array([float(hits[r]) for r in counts]), np.array([float(n) for n in counts.values()])
    low, high = resampled_ratio(sums, sizes, RESAMPLES)
    return Share(sum(hits.values()), len(pairs), low, high)


def check_labels(rows: Iterable[Row], *, partial: bool = False) -> int:
    """The number of claims without a label; raises LabelError for a label that is none, and for none if not partial."""
    open_claims = 0
    for row in rows:
        if row["label"] == "":
            open_claims += 1
        elif row["label"] not in LABELS[row["claim"]]:
            raise LabelError(f"{row['task']}: a {row['claim']} is none of {LABELS[row['claim']]}: {row['label']!r}")
    if open_claims and not partial:
        raise LabelError(f"{open_claims} claims have no label")
    return open_claims


def scored(tasks: Sequence[TrialTask], answers: Answers, rows: Sequence[Row]) -> dict[str, Any]:
    """Everything that a result file holds beside its provenance. Tasks without an answer are named, not counted."""
    asked = [task for task in tasks if task.id in answers]
    return {
        "tasks": len(asked),
        "repositories": len({task.repo for task in asked}),
        "unanswered": [task.id for task in tasks if task.id not in answers],
        "unlabelled": sum(row["label"] == "" for row in rows),
        "measures": _plain(measures(asked, answers, rows)),
        "by_kind": _parts(asked, answers, rows, lambda task: task.kind),
        "by_language": _parts(asked, answers, rows, lambda task: task.language),
        "outcomes": [asdict(outcome(task, answers[task.id])) for task in asked],
    }


def _parts(
    tasks: Sequence[TrialTask], answers: Answers, rows: Sequence[Row], part: Callable[[TrialTask], str]
) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name in sorted({part(task) for task in tasks}):
        some = [task for task in tasks if part(task) == name]
        ids = {task.id for task in some}
        found[name] = _plain(measures(some, answers, [row for row in rows if row["task"] in ids]))
    return found


def _plain(shares: Mapping[str, Share]) -> dict[str, Any]:
    return {
        name: {"hits": s.hits, "of": s.of, "share": round(s.share, 4), "low": round(s.low, 4), "high": round(s.high, 4)}
        for name, s in shares.items()
    }


PARTS = ("right file first", "right file listed", "listed files that are right or related")


def table(result: Mapping[str, Any]) -> str:
    """Markdown: all measures, then kinds and languages, then the tasks whose right file is not first."""
    lines = ["| what | share | count | 95 % by repository |", "|---|---:|---:|---|"]
    for name, s in result["measures"].items():
        interval = f"{100 * s['low']:.0f}–{100 * s['high']:.0f} %"
        lines.append(f"| {name} | {100 * s['share']:.0f} % | {s['hits']} of {s['of']} | {interval} |")
    for part in ("by_kind", "by_language"):
        lines += ["", f"| {part.removeprefix('by_')} | " + " | ".join(PARTS) + " |", "|---|---:|---:|---:|"]
        for name, found in result[part].items():
            cells = [f"{s['hits']} of {s['of']}" if (s := found.get(p)) else "–" for p in PARTS]
            lines.append(f"| {name} | " + " | ".join(cells) + " |")
    lines += [
        "",
        "| task | repository | kind | first | right one listed at | ranked at |",
        "|---|---|---|---|---:|---:|",
    ]
    for o in result["outcomes"]:
        if o["place"] != 1 and o["kind"] != "nonsense":
            cells = [o["id"], o["repo"], o["kind"], o["first"] or "–", o["place"] or "–", o["rank"] or "–"]
            lines.append("| " + " | ".join(map(str, cells)) + " |")
    if result["unlabelled"]:
        lines += ["", f"{result['unlabelled']} claims have no label; lines that need them are left out."]
    return "\n".join(lines)
