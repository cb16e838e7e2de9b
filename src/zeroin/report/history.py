"""The history of each file's relevance and of each gap's state over the cycles of a loop."""

from collections.abc import Sequence
from dataclasses import dataclass

from zeroin.answer import Context, Cycle
from zeroin.context.rendering.wording import outcome_of
from zeroin.types import LOW, Candidate, Gap, Judgment, figure_of

MAX_FILES, MAX_REASONS = 14, 3  # files that are followed; reasons of one step
_SAME = 0.005  # a smaller change of the figures is rounding
_OF_FILE = frozenset({"exclude", "relevant", "irrelevant"})  # changes that the file's own reasons report


@dataclass(frozen=True, slots=True)
class Step:
    """A file in one cycle: its relevance (None: not judged yet), its change since the cycle before, and why."""

    cycle: int
    relevance: float | None
    moved: float
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FileHistory:
    """One file through all cycles."""

    path: str
    steps: tuple[Step, ...]

    @property
    def last(self) -> float:
        """The relevance that the file ended with."""
        return next((s.relevance for s in reversed(self.steps) if s.relevance is not None), 0.0)

    @property
    def movement(self) -> str:
        """A phrase on the change of relevance over the cycles, such as `up from 0.31`; "" where there was none."""
        first = next((s for s in self.steps if s.relevance is not None), None)
        if first is None or first.relevance is None or len(self.steps) < 2:
            return ""
        if first is not self.steps[0]:
            return f"first seen in cycle {first.cycle}"
        moved = _moved(first.relevance, self.last)
        if not moved:
            return ""
        return f"{'up' if moved > 0 else 'down'} from {figure_of(first.relevance)}"


@dataclass(frozen=True, slots=True)
class GapHistory:
    """One gap through all cycles, a state each: `critical`, `open`, `closed`, or `` before it was found.

    `end` is its state in the answer; `hidden` where the answer does not list it. `outcome` says why.
    """

    gap: Gap
    states: tuple[str, ...]
    end: str
    outcome: str = ""


def file_histories(context: Context, limit: int = MAX_FILES) -> tuple[FileHistory, ...]:
    """Follow the listed files, and others that once reached 0.2, through the cycles; best final relevance first."""
    listed = [j.path for j in context.listed]
    ever = {j.path for c in context.cycles for j in c.judgments if j.relevance >= LOW}
    last = context.cycles[-1].judgments if context.cycles else ()
    chosen = dict.fromkeys([*listed, *(j.path for j in last if j.path in ever)])
    made = [FileHistory(path, _steps(path, context.cycles)) for path in [*chosen][:limit]]
    return tuple(sorted(made, key=lambda history: (-history.last, history.path)))


def _steps(path: str, cycles: Sequence[Cycle]) -> tuple[Step, ...]:
    steps: list[Step] = []
    before: Judgment | None = None
    for cycle in cycles:
        now = next((j for j in cycle.judgments if j.path == path), None)
        found = next((c for c in cycle.candidates if c.path == path), None)
        moved = _moved(before.relevance, now.relevance) if now is not None and before is not None else 0.0
        reasons: tuple[str, ...] = ()
        if now is not None and (before is None or moved):
            reasons = _reasons(cycle, now, before, found)
        elif now is not None and found is None:
            reasons = ("not found again: it keeps its judgment",)
        relevance = now.relevance if now is not None else None
        steps.append(Step(cycle.number, relevance, moved, reasons))
        before = now
    return tuple(steps)


def _moved(before: float, now: float) -> float:
    """Return the change between two figures as they are shown, so that the page adds up."""
    moved = float(figure_of(now)) - float(figure_of(before))
    return moved if abs(moved) >= _SAME else 0.0


def _reasons(cycle: Cycle, now: Judgment, before: Judgment | None, found: Candidate | None) -> tuple[str, ...]:
    """Return what is new for a file in this cycle: the gaps that asked for it, and new reasons."""
    asked = [c.why for c in cycle.changes if c.action not in _OF_FILE and c.what == now.path]
    needs = {c.why for c in cycle.changes if c.action == "ask"}
    gaps = found.asked_by if found is not None else ()
    asked += [gap.need for gap in gaps if gap.need in needs and now.path in gap.search.paths]
    known = {r.text for r in before.reasons} if before is not None else set()
    raised = before is not None and now.relevance > before.relevance
    reasons = ["" if raised else now.irrelevant_because, *asked, *(r.text for r in now.reasons if r.text not in known)]
    distinct = [reason for reason in dict.fromkeys(reasons) if reason]
    if not distinct and before is not None:
        return ("judged again, with what the longer query asks",)
    return tuple(distinct[:MAX_REASONS])


def gap_histories(context: Context) -> tuple[GapHistory, ...]:
    """Follow every gap that a cycle showed, in order of appearance; the same need in two cycles is one gap."""
    first: dict[tuple[str, str], Gap] = {}
    for gap in (gap for cycle in context.cycles for gap in cycle.gaps if gap.shown):
        first.setdefault(_key(gap), gap)
    asked = {_key(gap): gap for cycle in context.cycles for gap in cycle.asked}
    open_gaps = [{_key(g): g for g in reversed(cycle.gaps)} for cycle in context.cycles]
    histories = []
    for key, gap in first.items():
        states: list[str] = []
        for gaps in open_gaps:
            before = "closed" if any(states) else ""
            states.append(("critical" if gaps[key].critical else "open") if key in gaps else before)
        end, outcome = _end(gap, states[-1], context, asked.get(key, gap))
        histories.append(GapHistory(gap, tuple(states), end, outcome))
    return tuple(histories)


def _end(gap: Gap, state: str, context: Context, asked: Gap) -> tuple[str, str]:
    """Return the state of a gap in the answer, and the outcome of the search for it (`asked`)."""
    listed = next((g for g in context.gaps if _key(g) == _key(gap) or gap.follow_up in g.search.symbols), None)
    if listed is not None:
        return "critical" if listed.critical else "open", outcome_of(asked)
    wanted = dict.fromkeys([*gap.search.paths, *(e.path for e in gap.evidence[1:] if e.path)])
    found = next((path for path in wanted if path in {j.path for j in context.listed}), "")
    if found:
        return "closed", f"{found} is in the answer"
    return "closed" if state == "closed" else "hidden", outcome_of(asked)


def _key(gap: Gap) -> tuple[str, str]:
    return gap.kind, gap.follow_up or gap.need
