"""A `Context` as JSON of the schema `zeroin.context/1`, which `structures` defines."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

import msgspec
from msgspec import UNSET

from zeroin.answer import SECTIONS, Context, Cycle
from zeroin.config import MAX_TASK_CHARS
from zeroin.context.packing.passages import Layout, Passage, Selected
from zeroin.context.packing.select import select_listed
from zeroin.context.packing.texts import Read, Row
from zeroin.context.redaction.quotes import quotes_of
from zeroin.context.rendering import structures
from zeroin.context.rendering.structures import CONTEXT
from zeroin.context.rendering.wording import shortened
from zeroin.context.rendering.written import Json, Structure, dumps, plain, structure_of
from zeroin.context.tokens import estimate, weigh
from zeroin.errors import OptionError
from zeroin.types import Judgment, Span

TOP_OF_CYCLE = 10  # ranked files shown of each cycle
# Figures that differ from run to run: room is left for long ones, so that the same question gets the same code.
_MEASURED, _LONGEST = frozenset({"seconds", "cpu_seconds", "seconds_index", "analysed"}), 10_000 / 7
DETAIL_SHARE = 0.5  # share of the budget for all but the code, as far as leaving out detail achieves it


def render(context: Context, read: Read, *, code: bool = False) -> str:
    """Return the whole context as indented JSON, spans limited to those that fit the budget.

    With `code`, compact JSON that holds the code too and is itself within the budget. Raises `OptionError` for a budget
    that holds no answer of this form.
    """
    if code:
        return dumps(with_code(context, read), compact=True) + "\n"
    return dumps(to_json(context, read), indent=2) + "\n"


def to_json(context: Context, read: Read) -> Json:
    """Return `context` as plain values, with the spans whose text (from `read`) fits the budget."""
    context, quoted = quotes_of(context)
    chosen = {
        selected.judgment.path: [passage.span for passage in selected.passages]
        for selected in select_listed(context, read, context.budget, pack="spans")
    }
    answer = _answer(context, chosen)
    answer.redacted = quoted
    return plain(answer)


def with_code(context: Context, read: Read) -> Json:
    """Return `context` as plain values with the code of its files, all of it within the budget.

    What does not fit is left out in the order of `_trim`, and named. Raises `OptionError`.
    """
    context, quoted = quotes_of(context)
    answer = _answer(context, {})
    answer.pack, answer.redacted, answer.left_out = context.pack, 10**6, list(_NAMES)
    value = plain(answer)
    measured = [
        (place, name, place[name]) for place in (value["stats"], *value["cycles"]) for name in _MEASURED & place.keys()
    ]
    for place, name, _ in measured:
        place[name] = _LONGEST
    most = context.budget - 2  # the end of the line, and rounding
    left_out = _trim(value, int(context.budget * DETAIL_SHARE), most)
    room = most - estimate(dumps(value, compact=True))
    if room < 0:
        raise OptionError(f"JSON with code needs a budget of {context.budget - room} tokens here")
    entries = [entry for section in SECTIONS for entry in value[section]]
    chosen = select_listed(context, read, room, LAYOUT, among={entry["path"] for entry in entries})
    by_path = {selected.judgment.path: selected for selected in chosen}
    for entry in entries:
        if (selected := by_path.get(entry["path"])) is not None:
            entry |= {name: msgspec.to_builtins(part) for name, part in shown_parts(selected).items()}
    value["redacted"] = quoted + sum(selected.hidden for selected in chosen)
    value["left_out"] = left_out
    for place, name, figure in measured:
        place[name] = figure
    return value


def shown_parts(selected: Selected) -> dict[str, Any]:
    """Return what is shown of a file, how, and whether more of it was asked for: fields of a file."""
    parts: dict[str, Any] = {
        "shown": selected.shown,
        "spans": [structure_of(structures.Span, passage.span) for passage in selected.passages],
        "code": blocks_of(selected.passages),
    }
    return {**parts, "fell_back": True} if selected.fell_back else parts


def _answer(context: Context, chosen: Mapping[str, Sequence[Span]]) -> structures.Answer:
    task, diff = context.task, context.task.diff
    text, touched = task.text[:MAX_TASK_CHARS], [f.path for f in diff.files] if diff is not None else None
    reasons = Counter(s.reason for s in context.skipped)
    frequent = sorted(reasons.items(), key=lambda kv: (-kv[1], kv[0]))
    return structure_of(
        structures.Answer,
        context,
        schema=CONTEXT,
        task=structures.Task(text=text, purpose=task.purpose, diff=touched),
        **{name: [_file(j, chosen.get(j.path, ())) for j in getattr(context, name)] for name in SECTIONS},
        cycles=[_cycle(cycle) for cycle in context.cycles],
        skipped=structures.Skipped(files=len(context.skipped), reasons=dict(frequent)),
        pack=UNSET,
    )


def _file(judgment: Judgment, spans: Sequence[Span]) -> structures.File:
    return structure_of(structures.File, judgment, spans=[structure_of(structures.Span, span) for span in spans])


def _cycle(cycle: Cycle) -> structures.Cycle:
    shown = tuple(gap for gap in cycle.gaps if gap.shown)
    return structure_of(
        structures.Cycle,
        replace(cycle, judgments=cycle.judgments[:TOP_OF_CYCLE], gaps=shown),
        candidates=len(cycle.candidates),
        best_candidates=[
            structure_of(structures.Candidate, c, ranks=dict(sorted(c.ranks.items())))
            for c in cycle.candidates[:TOP_OF_CYCLE]
        ],
    )


# --- code ---------------------------------------------------------------------------------------


def blocks_of(passages: Sequence[Passage]) -> list[structures.Block]:
    """Return code as in the file, in blocks of adjacent lines; signatures around a span are marked."""
    blocks: list[structures.Block] = []
    for passage in passages:
        heads = len(passage.heads)
        blocks += [_block(run, enclosing=True) for run in runs(passage.rows[:heads])]
        blocks += [_block(run) for run in runs(passage.rows[heads:])]
        if passage.cut and len(passage.rows) > heads:
            blocks[-1].cut = True
    return blocks


def runs(rows: Sequence[Row]) -> list[list[Row]]:
    """Return rows grouped where nothing is left out between them."""
    grouped = groupby(enumerate(rows), key=lambda item: item[1][0] - item[0])
    return [[row for _, row in group] for _, group in grouped]


def _block(run: Sequence[Row], *, enclosing: bool = False) -> structures.Block:
    text = "\n".join(text for _, text in run)
    return structures.Block(start=run[0][0], end=run[-1][0], text=text, enclosing=enclosing or UNSET)


def _compact(value: Structure) -> str:
    return json.dumps(plain(value), ensure_ascii=False, separators=(",", ":")) + ","


def _row(number: int, text: str) -> float:
    return weigh(json.dumps(text + "\n", ensure_ascii=False)[1:-1])


def _around(passage: Passage) -> float:
    """Return tokens of a passage besides its lines, and besides what every gap costs."""
    numbers = [number for number, _ in passage.rows]
    adjoining = bool(passage.heads) and passage.span.start - 1 in numbers
    return _EMPTY * (2 if adjoining else 1) + _CUT + weigh(_compact(structure_of(structures.Span, passage.span)))


_EMPTY = weigh(_compact(structures.Block(start=999_999, end=999_999, text="", enclosing=True)))
_CUT = weigh(',"cut":true')
LAYOUT = Layout(
    row=_row,
    passage=_around,
    file=lambda judgment: weigh('"shown":"skeleton","spans":[],"code":[],"fell_back":true,'),
    gap=_EMPTY,
)


# --- what is left out to keep within a budget, the least needed first ---------------------------

_REASON, _SHORT_REASON = 300, 120  # characters of a file's reason: as in text, and where little else is left

# What is left out, and how much stays at each place in the answer (keys with dots between them, of all entries of a
# list): so many entries or characters; None for null.
_Steps = tuple[tuple[str, Mapping[str, int | None]], ...]


def _trim(value: Json, wanted: int, most: int) -> list[str]:
    """Leave parts of an answer out until it takes `wanted` tokens; return the names of what was left out.

    Detail goes first. Then the answer itself (files, gaps, terms, patterns) is shortened down to `most` or 1.2 ×
    `wanted`, whichever is less, and emptied only as far as `most` makes it necessary.
    """
    names: list[str] = []
    text = dumps(value, compact=True)
    for steps, limit in ((_DETAIL, wanted), (_ANSWER, min(most, int(1.2 * wanted))), (_LAST, most)):
        for name, places in steps:
            if estimate(text) <= limit:
                break
            for place, kept in places.items():
                _cut(value, place.split("."), kept)
            before, text = text, dumps(value, compact=True)
            if text != before and name not in names:
                names.append(name)
    return names


def _cut(value: Any, place: list[str], kept: int | None) -> None:
    key, *below = place
    if isinstance(value, list):
        for each in value:
            _cut(each, place, kept)
    elif below:
        _cut(value[key], below, kept)
    elif kept is None:
        value[key] = None
    elif isinstance(value[key], dict):
        value[key] = {}
    elif isinstance(value[key], str) and "evidence" in value:  # a reason, which is cut after a word
        value[key] = shortened(value[key], kept)
    else:
        value[key] = value[key][:kept]


def _lists(**most: int) -> _Steps:
    """Return the steps that shorten lists of the answer, in this order, to so many entries each."""
    return tuple((name, {name: count}) for name, count in most.items())


def _reasons(section: str, most: int = _REASON) -> tuple[str, Mapping[str, int | None]]:
    """Return the step that keeps only the first reason of each file, without evidence."""
    reasons = f"{section}.reasons"
    return "reasons", {reasons: 1, f"{reasons}.text": most, f"{reasons}.evidence": 0, f"{section}.missing_context": 0}


_DETAIL: _Steps = (
    ("cycles", {"cycles.best_candidates": 0}),
    *_lists(ranking=0),
    *(("cycles", {f"cycles.{key}": 0}) for key in ("judgments", "asked", "gaps")),
    *_lists(cycles=0),
    ("gaps", {"gaps.evidence": 1, "gaps.search": 0}),
    ("sources", {"terminology.sources": 1, "patterns.evidence": 0}),
    ("stats", {"skipped.reasons": 0, "stats": 0}),
    ("task", {"task.text": 2000}),
    *map(_reasons, ("documents", "tests", "supporting")),
    ("learned", {"learned": None}),
)
_ANSWER: _Steps = (
    ("task", {"task.text": 200}),
    *_lists(gaps=3, patterns=2, terminology=4, documents=1, tests=2, supporting=3, warnings=1),
    _reasons("files"),
)
_LAST: _Steps = (
    *_lists(documents=0, patterns=0, tests=0, supporting=0, gaps=0, terminology=0, warnings=0, files=5),
    *_lists(files=3),
    ("task", {"task.text": 60}),
    ("advice", {"advice": None}),
    _reasons("files", _SHORT_REASON),
    *_lists(files=1),
    *_lists(files=0),
)

_NAMES = tuple(dict.fromkeys(name for name, _ in (*_DETAIL, *_ANSWER, *_LAST)))  # of all that may be left out
