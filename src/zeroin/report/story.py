"""How an answer came about, derived from its cycles: how each file moved and why, and what became of each gap."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from zeroin.answer import Context, Cycle
from zeroin.context.clean import line
from zeroin.context.wording import outcome_of
from zeroin.types import LOW, Candidate, Gap, Judgment, Reason

MAX_COURSES = 14  # files whose course is drawn: more than a page can tell apart is no help
_SAME = 0.005  # relevances that print alike did not move
_MAX_WHYS = 3

_JUDGED = frozenset({"exclude", "relevant", "irrelevant"})  # changes that the file's own reasons tell

# What found a file, in words of a reader who does not know the retrievers.
_WAYS = {
    "lexical": "its words",
    "title": "the words of the title",
    "definitions": "the names it defines",
    "path_terms": "its path",
    "re_lexical": "the code's own words",
    "re_title": "the code's own words",
    "re_definitions": "the code's own words for names",
    "re_path_terms": "the code's own words in its path",
    "learned": "learned words",
    "symbols": "names of the task",
    "asked_reference": "names that found files refer to",
    "asked_dependency": "imports of found files",
    "asked_counterpart": "what belongs to found files",
    "asked_terminology": "words that no name says",
    "asked_aspect": "words that no found file is named by",
    "focus": "what to look for",
    "pattern": "the places preferred",
    "paths": "the paths of the task",
    "history": "past commits",
    "graph": "imports",
    "cochange": "files changed together with it",
    "meaning": "meaning",
}


@dataclass(frozen=True, slots=True)
class Step:
    """What one cycle made of a file: its relevance then (None: not judged yet) and why it changed."""

    cycle: int
    relevance: float | None
    moved: float
    whys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Course:
    """One file through all cycles; `listed` if the answer shows it."""

    path: str
    steps: tuple[Step, ...]
    listed: bool

    @property
    def last(self) -> float:
        """The relevance that the file ended with."""
        return next((s.relevance for s in reversed(self.steps) if s.relevance is not None), 0.0)


@dataclass(frozen=True, slots=True)
class GapLife:
    """One gap through all cycles: `critical`, `open`, `closed` or `` (not known yet), one state a cycle.

    `end` is what the answer makes of it: still `open` or `critical`, `closed`, or `aside` where it is not told.
    """

    gap: Gap
    states: tuple[str, ...]
    end: str
    why: str = ""


def courses(context: Context) -> tuple[Course, ...]:
    """The files worth following, the best at the end first: those listed, and those that ever reached 0.2."""
    listed = [j.path for j in context.listed]
    ever = {j.path for c in context.cycles for j in c.judgments if j.relevance >= LOW}
    last = context.cycles[-1].judgments if context.cycles else ()
    ranked = [j.path for j in last if j.path in ever and j.path not in set(listed)]
    chosen = [*listed, *ranked][:MAX_COURSES]
    judged = [{j.path: j for j in c.judgments} for c in context.cycles]
    found = [{c.path: c for c in cycle.candidates} for cycle in context.cycles]
    made = [Course(path, _steps(path, context.cycles, judged, found), path in set(listed)) for path in chosen]
    return tuple(sorted(made, key=lambda course: (-course.last, course.path)))


def _steps(
    path: str,
    cycles: Sequence[Cycle],
    judged: Sequence[Mapping[str, Judgment]],
    found: Sequence[Mapping[str, Candidate]],
) -> tuple[Step, ...]:
    steps: list[Step] = []
    for i, cycle in enumerate(cycles):
        now, before = judged[i].get(path), judged[i - 1].get(path) if i else None
        if now is None:
            steps.append(Step(cycle.number, None, 0.0, ()))
            continue
        moved = now.relevance - before.relevance if before is not None else 0.0
        whys: tuple[str, ...] = ()
        if i == 0 or before is None or abs(moved) >= _SAME:
            whys = _whys(path, cycle, now, before, found[i].get(path), found[i - 1].get(path) if i else None)
        elif path not in found[i]:
            whys = ("not found again: it keeps its judgment",)
        steps.append(Step(cycle.number, now.relevance, moved if abs(moved) >= _SAME else 0.0, whys))
    return tuple(steps)


def _whys(
    path: str,
    cycle: Cycle,
    now: Judgment,
    before: Judgment | None,
    found: Candidate | None,
    found_before: Candidate | None,
) -> tuple[str, ...]:
    """What is new of a file in this cycle: what asked for it, what it shows now, what found it besides."""
    new = {change.why for change in cycle.changes if change.action == "ask"}
    asked = [c.why for c in cycle.changes if c.action not in _JUDGED and c.what == path]
    for gap in found.asked_by if found is not None else ():
        if gap.need in new and path in gap.search.paths:
            asked.append(gap.need)
    known = {r.text for r in before.reasons} if before is not None else set()
    shown = [r.text for r in _fresh(now.reasons, known)]
    gone = [now.irrelevant_because] if now.irrelevant_because else []
    also = []
    if found is not None and before is not None:
        had = set(found_before.ranks) if found_before is not None else set()
        ways = dict.fromkeys(_WAYS.get(name, line(name)) for name in sorted(set(found.ranks) - had))
        also = [f"found by {' and '.join(list(ways)[:_MAX_WHYS])} as well"] if ways else []
    whys = list(dict.fromkeys([*gone, *asked, *shown, *also]))
    if not whys and before is not None:
        whys = ["judged again, with what the longer question asks"]
    return tuple(whys[:_MAX_WHYS])


def _fresh(reasons: Sequence[Reason], known: set[str]) -> list[Reason]:
    return [r for r in reasons if r.text not in known]


def gap_lives(context: Context) -> tuple[GapLife, ...]:
    """Every gap that any cycle told, in the order of appearance; the same need in two cycles is one gap."""
    first: dict[tuple[str, str], Gap] = {}
    for cycle in context.cycles:
        for gap in cycle.gaps:
            if gap.shown:
                first.setdefault(_key(gap), gap)
    asked = {_key(gap): gap for cycle in context.cycles for gap in cycle.asked}
    open_in = [{_key(g): g for g in reversed(cycle.gaps)} for cycle in context.cycles]
    lives = []
    for key, gap in first.items():
        states: list[str] = []
        for known in open_in:
            same = known.get(key)
            if same is not None:
                states.append("critical" if same.critical else "open")
            else:
                states.append("closed" if any(states) else "")
        end, why = _end(gap, states, context, asked.get(key, gap))
        lives.append(GapLife(gap, tuple(states), end, why))
    return tuple(lives)


def _end(gap: Gap, states: Sequence[str], context: Context, asked: Gap) -> tuple[str, str]:
    """What the answer makes of a gap, and why: what came of it where it was `asked` for."""
    told = next((g for g in context.gaps if _key(g) == _key(gap) or gap.follow_up in g.search.symbols), None)
    if told is not None:
        return "critical" if told.critical else "open", outcome_of(asked)
    wanted = dict.fromkeys([*gap.search.paths, *(e.path for e in gap.evidence[1:] if e.path)])
    listed = {j.path for j in context.listed}
    held = [path for path in wanted if path in listed]
    if held:
        return "closed", f"{held[0]} is in the answer"
    return "closed" if states[-1] == "closed" else "aside", outcome_of(asked)


def _key(gap: Gap) -> tuple[str, str]:
    return gap.kind, gap.follow_up or gap.need
