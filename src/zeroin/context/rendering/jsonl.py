"""A `Context` as events, one JSON object a line: they can be written while the cycles run."""

from collections.abc import Iterable, Iterator
from typing import TypeVar

from msgspec import UNSET
from msgspec.structs import replace

from zeroin.answer import SECTIONS, Context, Cycle
from zeroin.config import Options
from zeroin.context.clean import line
from zeroin.context.packing.select import select_listed
from zeroin.context.packing.texts import Read
from zeroin.context.redaction.quotes import quotes_of
from zeroin.context.redaction.redact import redact_quote
from zeroin.context.rendering import events, wording
from zeroin.context.rendering.events import EVENTS, Event
from zeroin.context.rendering.json import LAYOUT, shown_parts
from zeroin.context.rendering.written import dumps, plain, structure_of
from zeroin.context.tokens import estimate
from zeroin.types import Task

CYCLE_SHARE = 0.05  # of the budget: one cycle, at most
PART_SHARE = 0.1  # … and of gaps, terms, patterns and warnings each
FILE_SHARE = 0.4  # … and of the files without their code
TOP_OF_CYCLE, CHANGES_OF_CYCLE = 5, 8
LEAST_END, MOST_END = 75, 200  # tokens kept for the last event

E = TypeVar("E", bound=Event)


def render(context: Context, read: Read) -> str:
    """Return all events of a finished answer: the same lines as if they were streamed."""
    options = Options(budget=context.budget, pack=context.pack, redact=context.redact)
    stream = Stream(context.task, context.repository, options)
    return "".join([stream.start(), *stream.finish(context, read)])


class Stream:
    """The events of one answer, together within its budget: `start`, then each `cycle` that is new, then `finish`."""

    def __init__(self, task: Task, repository: str, options: Options) -> None:
        self._task, self._repository, self._options = task, repository, options
        self._kept = max(LEAST_END, min(MOST_END, options.budget // 8))  # tokens for the last event
        self._left = options.budget - self._kept
        self._cycles: set[int] = set()  # the numbers of those that were written

    def start(self) -> str:
        """Return what was asked, of which repository."""
        text = self._task.text
        least = events.StartEvent(schema=EVENTS, budget=self._options.budget, pack=self._options.pack)
        forms = [
            replace(least, repository=self._repository, purpose=self._task.purpose, task=text[:size])
            for size in (4000, 500, 100)
        ]
        found = self._first([*forms, replace(least, task=text[:60])], self._options.budget // 8)
        if found:
            return found
        self._left -= _cost(least)
        return _line(least)

    def cycle(self, cycle: Cycle) -> str:
        """Return what one cycle did: its best files so far, and how the query changed for it."""
        self._cycles.add(cycle.number)
        best = [structure_of(events.Best, j) for j in cycle.judgments[:TOP_OF_CYCLE]]
        changes = [
            events.BriefChange(
                action=c.action, what=self._quoted(c.what), why=wording.shortened(self._quoted(c.why), 120)
            )
            for c in cycle.changes[:CHANGES_OF_CYCLE]
        ]
        least = events.CycleEvent(
            number=cycle.number, candidates=len(cycle.candidates), gaps=sum(gap.shown for gap in cycle.gaps)
        )
        if cycle.asked:
            least.asked = len(cycle.asked)
            least.closed = sum(gap.outcome == "closed" for gap in cycle.asked)
        forms = [
            replace(least, best=best[:top], changes=changes[:most])
            for top, most in ((TOP_OF_CYCLE, CHANGES_OF_CYCLE), (TOP_OF_CYCLE, 3), (3, 0))
        ]
        return self._first([*forms, least], int(self._options.budget * CYCLE_SHARE))

    def finish(self, context: Context, read: Read) -> Iterator[str]:
        """Yield the cycles that were not written yet, files with their code, all else, and how it ended."""
        yield from (self.cycle(cycle) for cycle in context.cycles if cycle.number not in self._cycles)
        context, quoted = quotes_of(context)
        lists: tuple[Iterable[Event], ...] = (
            (
                structure_of(events.GapEvent, gap, need=wording.gap_of(gap), follow_up=line(gap.follow_up))
                for gap in context.gaps
            ),
            (structure_of(events.TermEvent, t, seen=wording.term_of(t)) for t in context.shown_terms),
            (structure_of(events.PatternEvent, p, text=wording.pattern_of(p)) for p in context.patterns),
            (events.WarningEvent(text=line(w)) for w in context.warnings),
        )
        rest = [event for some in lists for event in self._some(some, int(self._options.budget * PART_SHARE))]
        files = self._files(context)
        chosen = select_listed(context, read, max(0, self._left), LAYOUT, among=files)
        by_path = {selected.judgment.path: selected for selected in chosen}
        for path, event in files.items():
            parts = shown_parts(by_path[path]) if path in by_path else {}
            yield _line(replace(event, **parts))
        yield from map(_line, rest)
        yield _line(self._end(context, len(files), quoted + sum(selected.hidden for selected in chosen)))

    def _files(self, context: Context) -> dict[str, events.FileEvent]:
        """Return events of the files without their code, as many as there is room for."""
        limit = wording.reason_limit(self._options.budget)
        found = (
            structure_of(events.FileEvent, j, listed=section, reason=wording.reason_of(j, limit=limit), spans=UNSET)
            for section in SECTIONS
            for j in getattr(context, section)
        )
        return {event.path: event for event in self._some(found, int(self._options.budget * FILE_SHARE))}

    def _end(self, context: Context, files: int, hidden: int) -> events.EndEvent:
        least = events.EndEvent(
            run=context.run,
            sufficient=context.sufficient,
            stop=context.stop_reason.code,
            cycles=len(context.cycles),
            files_left_out=len(context.listed) - files,
            redacted=hidden,
        )
        advice = line(context.advice.text) if context.advice is not None else ""
        forms = [replace(least, text=line(context.stop_reason.text), advice=advice)]
        if advice:
            forms += [replace(least, advice=wording.shortened(advice, size)) for size in (200, 80)]
        return next((form for form in forms if _cost(form) <= self._kept), least)

    def _quoted(self, text: str) -> str:
        return line(redact_quote(text)[0] if self._options.redact else text)

    def _first(self, forms: Iterable[Event], room: int) -> str:
        """Return the first form that fits, as a line; "" if none does."""
        for form in forms:
            cost = _cost(form)
            if cost <= min(room, self._left):
                self._left -= cost
                return _line(form)
        return ""

    def _some(self, events: Iterable[E], room: int) -> list[E]:
        out: list[E] = []
        room = min(room, self._left)
        for event in events:
            cost = _cost(event)
            if cost > room:
                break
            room -= cost
            self._left -= cost
            out.append(event)
        return out


def _line(event: Event) -> str:
    return dumps(plain(event), compact=True) + "\n"


def _cost(event: Event) -> int:
    return estimate(_line(event))
