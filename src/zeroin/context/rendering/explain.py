"""What happened in each cycle: the query, what was added and why, what was excluded and why (`--explain`)."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from zeroin.answer import Change, Context, Cycle
from zeroin.context.clean import line, path_text
from zeroin.context.redaction.quotes import quotes_of
from zeroin.context.rendering import wording
from zeroin.context.rendering.brief import as_many
from zeroin.patterns import lazy_pattern
from zeroin.types import Gap, Query, figure_of
from zeroin.wording import counted

MOST = 60  # rows, whatever the task
LEAST = 24  # rows kept for the explanation below a long table
_LEAST_WIDTH = 80
_FILES, _GAPS, _DROPPED, _REASONS = 5, 5, 4, 4  # files shown of a cycle; the others of the whole answer
_LEAST_ROWS = 5  # of a cycle: with less room, cycles in the middle are left out
_SAME = 0.005  # a smaller change of relevance counts as none

# In reading order.
_ACTIONS = {
    "relevant": "judged relevant",
    "irrelevant": "judged irrelevant",
    "note": "noted",
    "learn_term": "learned",
    "add_keyword": "added word",
    "ask": "asked for",
    "focus": "added focus",
    "must_read": "must read",
    "add_pattern": "added pattern",
    "exclude": "excluded",
    "revoke_exclude": "took back the exclusion of",
}
_USED = lazy_pattern(r"^\((\S+:\d+)\) is (?=defined in )")  # what follows a name that is left out
FOLLOWING = frozenset({"must_read", "focus"})  # consequences of asking for a gap: not shown besides it
_OUTCOMES = {"closed": "found", "absent": "nothing found", "open": "nothing relevant"}


def render(context: Context, *, most: int = MOST, width: int = 100) -> str:
    """Explain every cycle, the stop and what was not searched, in at most `most` rows of `width` columns."""
    context, _ = quotes_of(context)
    width = max(_LEAST_WIDTH, width)
    asked = {gap.key for cycle in context.cycles for gap in cycle.asked}
    end = [wording.shortened(row, width) for row in _end(context, asked)]
    count, room = len(context.cycles), most - len(end) - 1
    # Index of the first cycle that is shown after cycle 0; the last cycle always is.
    first = max(1, min(count - 1, count + 1 - room // _LEAST_ROWS))
    rows: list[str] = []
    shown: set[str] = set()
    for i, cycle in enumerate(context.cycles):
        if 0 < i < first:
            continue
        if i and i == first > 1:
            rows += [f"… {first - 1} cycles in between …", ""]
        left = count - max(i, first) if i else count - first + 1
        parts = _cycle(cycle, context.cycles[i - 1] if i else None, width)
        rows += [*_fitting(parts, shown, width, max(1, (room - len(rows)) // left - 1)), ""]
    return "\n".join([*rows, *end]) + "\n"


def _fitting(parts: Sequence[Sequence[str]], shown: set[str], width: int, room: int) -> list[str]:
    """Return a cycle's head, changes and files, as rows that fit `room` and were not `shown` before."""
    head, changes, files = (
        [cut for row in part if (cut := wording.shortened(row, width)) not in shown] for part in parts
    )
    files = files[: max(1, min(_FILES, room // 4))]
    left = max(0, room - len(head) - len(files))
    if len(changes) > left:
        changes = [*changes[: left - 1], f"  and {len(changes) - left + 1} more changes"] if left else []
    rows = [*head, *changes, *files][:room]
    shown.update(rows)
    return rows


def _cycle(cycle: Cycle, before: Cycle | None, width: int) -> tuple[list[str], list[str], list[str]]:
    """Return what was asked, what was changed for that, and which files moved."""
    head = f"Cycle {cycle.number} ({cycle.seconds:.2f} s): {len(cycle.candidates)} candidates"
    if cycle.asked:
        closed = sum(gap.outcome == "closed" for gap in cycle.asked)
        absent = sum(gap.outcome == "absent" for gap in cycle.asked)
        irrelevant = len(cycle.asked) - closed - absent
        counts = (closed, "closed"), (irrelevant, "found nothing relevant"), (absent, "found nothing")
        outcomes = ", ".join(f"{count} {what}" for count, what in counts if count)
        head += f"; asked {counted(len(cycle.asked), 'gap')}: {outcomes}"
    changed = {c.what for c in cycle.changes}
    query = _query(cycle.query, changed, before.query if before is not None else None, width)
    return [head, *query], list(_changes(cycle)), list(_moved(cycle, before))


def _query(query: Query, changed: set[str], before: Query | None, width: int) -> Iterator[str]:
    """Yield what a query asks; after the first cycle only what is new and not `changed`."""
    known = _asked_by(before) if before is not None else {}
    for label, asked in _asked_by(query).items():
        new = [text for what, text in asked.items() if what not in known.get(label, {}) and what not in changed]
        if new:
            yield f"  {label} {as_many(new, width - len(label) - 3, ', ')}"


def _asked_by(query: Query) -> dict[str, dict[str, str]]:
    words = sorted(query.keywords, key=lambda k: (-k.weight, k.text))
    plain = {
        "patterns": query.patterns,
        "only in": query.includes,
        "never in": query.excludes,
        "focus": query.focus_areas,
        "must read": query.must_read,
    }
    return {
        "words": {k.text: f"{line(k.text)} {k.weight:.2f} ({k.origin})" for k in words},
        "symbols": {s.name: line(s.name) for s in query.symbols},
        "paths": {p.path: path_text(p.path) + (f":{p.line}" if p.line else "") for p in query.paths},
        **{label: {value: path_text(value) for value in values} for label, values in plain.items()},
    }


def _changes(cycle: Cycle) -> Iterator[str]:
    """Yield each change of the query once, with its first reason."""
    order = {action: place for place, action in enumerate(_ACTIONS)}
    found = {line(gap.follow_up): gap for gap in reversed(cycle.asked) if gap.follow_up}
    first = {(c.action, c.what): c for c in reversed(cycle.changes)}
    asked = {text for c in cycle.changes if c.action == "ask" for text in (c.what, c.why)}
    changes = [
        c
        for c in cycle.changes
        if c is first.pop((c.action, c.what), None)
        and not (c.action in FOLLOWING and (c.what in asked or c.why in asked))
    ]
    for change in sorted(changes, key=lambda c: order.get(c.action, len(order))):
        yield f"  {_change(change, found.get(line(change.what)) if change.action == 'ask' else None)}"


def _change(change: Change, gap: Gap | None) -> str:
    action = _ACTIONS.get(change.action, line(change.action).replace("_", " "))
    came = f" ({_OUTCOMES[gap.outcome]})" if gap is not None and gap.outcome else ""
    head = f"{action} {path_text(change.what)}{came}"
    if gap is not None and not gap.holds:  # searched for, though what it says may not be so
        return head
    why = wording.shortened(line(change.why), 300).removeprefix(f"{line(change.what)} ")
    why = _USED.sub(r"used in \1, ", why)
    seen = "; ".join(wording.proofs(change.evidence, why))
    return f"{head}: {why}{f' [{seen}]' if seen else ''}"


def _moved(cycle: Cycle, before: Cycle | None) -> Iterator[str]:
    """Yield the best files of the first cycle; of a later one those that are new or moved."""
    known = {j.path: j.relevance for j in before.judgments} if before is not None else {}
    for judgment in cycle.judgments:
        was = known.get(judgment.path)
        now, path = figure_of(judgment.relevance), path_text(judgment.path)
        if before is None:
            yield f"    {now} {path}"
        elif was is None:
            yield f"    {now} {path}  new"
        elif abs(judgment.relevance - was) >= _SAME:
            yield f"    {now} {path}  was {figure_of(was)}"


def _end(context: Context, asked: Collection[object]) -> Iterator[str]:
    """Yield why it stopped, the gaps that no cycle asked, what is irrelevant, and what was not searched."""
    yield f"Stopped: {line(context.stop_reason.text)} ({line(context.stop_reason.code)})"
    gaps = [gap for gap in context.gaps if gap.key not in asked]
    if gaps:
        yield "Still missing, and not asked for:"
    for gap in gaps[:_GAPS]:
        follow_up = f" → {line(gap.follow_up)}" if gap.follow_up else ""
        yield f"  {'critical ' if gap.critical else ''}{gap.kind}: {wording.gap_of(gap)}{follow_up}"
    excluded = {c.what for cycle in context.cycles for c in cycle.changes if c.action == "exclude"}
    dropped = [j for j in context.irrelevant if j.path not in excluded]
    if dropped:
        yield "Not relevant, with evidence:"
    for judgment in dropped[:_DROPPED]:
        yield f"  {path_text(judgment.path)}: {line(judgment.irrelevant_because)}"
    if context.skipped:
        counts = Counter(line(s.reason) for s in context.skipped)
        yield f"Not searched: {len(context.skipped)} files"
        most = sorted(counts.items(), key=lambda kv: (-kv[1], kv[0]))[:_REASONS]
        yield from (f"  {count} {reason}" for reason, count in most)
    if context.stats:
        yield "Figures: " + ", ".join(f"{name} {round(value, 2):g}" for name, value in context.stats.items())
