"""A `Context` as events, one JSON object a line: they can be written while the cycles run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from zeroin.answer import SECTIONS, Context, Cycle
from zeroin.config import Options
from zeroin.context.clean import line
from zeroin.context.packing.passages import Selected
from zeroin.context.packing.select import select_listed
from zeroin.context.packing.texts import Read
from zeroin.context.redaction.quotes import quotes_of
from zeroin.context.redaction.redact import redact_line
from zeroin.context.rendering.code_json import LAYOUT as CODE
from zeroin.context.rendering.code_json import code_json
from zeroin.context.rendering.json import dumps, path_json, span_json
from zeroin.context.rendering.wording import (
    gap_of,
    gaps_in_order,
    pattern_of,
    reason_limit,
    reason_of,
    shortened,
    term_of,
)
from zeroin.context.tokens import estimate
from zeroin.types import Gap, Judgment, Task

SCHEMA = "zeroin.events/1"
CYCLE_SHARE = 0.05  # of the budget: what is told of one cycle, at most
PART_SHARE = 0.1  # … and of gaps, terms, patterns and warnings each
FILE_SHARE = 0.4  # … and of the files without their code
TOP_OF_CYCLE, CHANGES_OF_CYCLE = 5, 8
LEAST_END, MOST_END = 75, 200  # tokens kept for the last event

Json = dict[str, Any]


def render(context: Context, read: Read) -> str:
    """All events of an answer that is there already: the same lines as those of an answer under way."""
    options = Options(budget=context.budget, pack=context.pack, redact=context.redact)
    stream = Stream(context.task, context.repository, options)
    return "".join(
        [stream.start(), *(stream.cycle(cycle) for cycle in context.cycles), *stream.finish(context, read)]
    )


class Stream:
    """The events of one answer, together within its budget: `start`, then each `cycle`, then `finish`."""

    def __init__(self, task: Task, repository: str, options: Options) -> None:
        self._task = task
        self._repository = repository
        self._budget = options.budget
        self._pack = options.pack
        self._redact = options.redact
        self._kept = max(LEAST_END, min(MOST_END, options.budget // 8))  # tokens for the last event
        self._left = options.budget - self._kept

    def start(self) -> str:
        """What was asked, of which repository."""
        common = {"event": "start", "schema": SCHEMA, "budget": self._budget, "pack": self._pack}
        text, room = self._task.text, self._budget // 8
        forms: list[Json] = [
            {**common, "repository": self._repository, "purpose": self._task.purpose, "task": text[:size]}
            for size in (4000, 500, 100)
        ]
        return self._first([*forms, {**common, "task": text[:60]}, common], room) or self._forced(common)

    def cycle(self, cycle: Cycle) -> str:
        """What one cycle did: its best files so far, and how the query changed for it."""
        best = [{**path_json(j.path), "relevance": round(j.relevance, 4)} for j in cycle.judgments]
        changes = [
            {"action": c.action, "what": self._said(c.what), "why": shortened(self._said(c.why), 120)}
            for c in cycle.changes
        ]
        head = {"event": "cycle", "number": cycle.number}
        counts = {"candidates": len(cycle.candidates), "gaps": sum(gap.shown for gap in cycle.gaps)}
        if cycle.asked:
            closed = sum(gap.outcome == "closed" for gap in cycle.asked)
            counts |= {"asked": len(cycle.asked), "closed": closed}
        forms: list[Json] = [
            {**head, **counts, "best": best[:top], "changes": changes[:most]}
            for top, most in ((TOP_OF_CYCLE, CHANGES_OF_CYCLE), (TOP_OF_CYCLE, 3), (3, 0))
        ]
        return self._first([*forms, {**head, **counts}], int(self._budget * CYCLE_SHARE))

    def finish(self, context: Context, read: Read) -> Iterator[str]:
        """Files with their code, gaps, terms, patterns, warnings, and how it ended."""
        context, quoted = quotes_of(context)
        part = int(self._budget * PART_SHARE)
        told = [
            *self._some((_gap(g) for g in gaps_in_order(context.gaps)), part),
            *self._some(
                (
                    {"event": "term", "task_word": t.task_word, "code_word": t.code_word, "seen": term_of(t)}
                    for t in context.shown_terms
                ),
                part,
            ),
            *self._some(
                (
                    {"event": "pattern", "kind": p.kind, "text": pattern_of(p), "glob": p.glob}
                    for p in context.patterns
                ),
                part,
            ),
            *self._some(({"event": "warning", "text": line(w)} for w in context.warnings), part),
        ]
        files = self._files(context)
        chosen = select_listed(context, read, max(0, self._left), CODE, among=files)
        by_path = {selected.judgment.path: selected for selected in chosen}
        for path, event in files.items():
            yield _line({**event, **_shown(by_path.get(path))})
        yield from map(_line, told)
        yield _line(self._end(context, len(files), quoted + sum(selected.hidden for selected in chosen)))

    def _files(self, context: Context) -> dict[str, Json]:
        """Events of the files without their code, as many as may be told."""
        limit = reason_limit(self._budget)
        room = min(self._left, int(self._budget * FILE_SHARE))
        out: dict[str, Json] = {}
        for place in SECTIONS:
            for judgment in getattr(context, place):
                event = _file(judgment, place, limit)
                cost = _cost(event)
                if cost > room:
                    return out
                room -= cost
                self._left -= cost
                out[judgment.path] = event
        return out

    def _end(self, context: Context, told: int, hidden: int) -> Json:
        head: Json = {
            "event": "end",
            "run": context.run,
            "sufficient": context.sufficient,
            "stop": context.stop_reason.code,
            "cycles": len(context.cycles),
            "files_left_out": len(context.listed) - told,
            "redacted": hidden,
        }
        advice = line(context.advice.text) if context.advice is not None else ""
        forms: list[Json] = [{**head, "text": line(context.stop_reason.text), "advice": advice}]
        forms += [{**head, "advice": shortened(advice, size)} for size in (200, 80) if advice]
        return next((form for form in forms if _cost(form) <= self._kept), head)

    def _said(self, text: str) -> str:
        return line(redact_line("", text)[0] if self._redact else text)

    def _first(self, forms: Iterable[Json], room: int) -> str:
        """The first form that fits, as a line; "" if none does."""
        for form in forms:
            cost = _cost(form)
            if cost <= min(room, self._left):
                self._left -= cost
                return _line(form)
        return ""

    def _forced(self, form: Json) -> str:
        self._left -= _cost(form)
        return _line(form)

    def _some(self, events: Iterable[Json], room: int) -> list[Json]:
        """As many events as fit."""
        out: list[Json] = []
        room = min(room, self._left)
        for event in events:
            cost = _cost(event)
            if cost > room:
                break
            room -= cost
            self._left -= cost
            out.append(event)
        return out


def _file(judgment: Judgment, place: str, limit: int) -> Json:
    return {
        "event": "file",
        **path_json(judgment.path),
        "relevance": round(judgment.relevance, 4),
        "band": judgment.band,
        "listed": place,
        "reason": reason_of(judgment, limit=limit),
    }


def _shown(selected: Selected | None) -> Json:
    if selected is None:
        return {}
    shown: Json = {
        "shown": selected.shown,
        "spans": [span_json(passage.span) for passage in selected.passages],
        "code": code_json(selected.passages),
    }
    return {**shown, "fell_back": True} if selected.fell_back and not selected.whole else shown


def _gap(gap: Gap) -> Json:
    return {
        "event": "gap",
        "kind": gap.kind,
        "need": gap_of(gap),
        "critical": gap.critical,
        "follow_up": line(gap.follow_up),
        **({"outcome": gap.outcome} if gap.outcome else {}),
    }


def _line(event: Json) -> str:
    return dumps(event, compact=True) + "\n"


def _cost(event: Json) -> int:
    return estimate(_line(event))
