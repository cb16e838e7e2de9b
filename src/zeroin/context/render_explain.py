"""What happened in each cycle: the query, what was added and why, what was excluded and why (`--explain`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from zeroin.answer import Change, Context, Cycle
from zeroin.context.clean import line, path_text
from zeroin.context.redact import quotes_of
from zeroin.context.wording import gap_of, gaps_in_order, proofs, shortened
from zeroin.types import Judgment, Query

MAX_WORDS, MAX_FILES = 24, 10

_ACTIONS = {
    "add_keyword": "added word",
    "ask": "asked for",
    "add_pattern": "added pattern",
    "exclude": "excluded",
    "revoke_exclude": "took back the exclusion of",
    "focus": "added focus",
    "must_read": "must read",
    "relevant": "judged relevant",
    "irrelevant": "judged irrelevant",
    "note": "noted",
}


def render(context: Context) -> str:
    """Every cycle, the stop, and what was not searched, as plain lines."""
    context, _ = quotes_of(context)
    rows: list[str] = []
    for cycle in context.cycles:
        rows += [*_cycle(cycle), ""]
    rows.append(f"Stopped: {line(context.stop_reason.text)} ({line(context.stop_reason.code)})")
    dropped = _dropped(context)
    if dropped:
        rows.append("Not relevant, with evidence:")
        rows += [f"  {path_text(j.path)}: {line(j.irrelevant_because)}" for j in dropped[:MAX_FILES]]
    if context.skipped:
        counts = Counter(line(s.reason) for s in context.skipped)
        rows.append(f"Not searched: {len(context.skipped)} files")
        rows += [
            f"  {count} {reason}" for reason, count in sorted(counts.items(), key=lambda kv: (-kv[1], kv[0]))
        ]
    if context.stats:
        rows.append("Figures: " + ", ".join(f"{name} {value:g}" for name, value in context.stats.items()))
    return "\n".join(rows) + "\n"


def _cycle(cycle: Cycle) -> Iterator[str]:
    yield f"Cycle {cycle.number} ({cycle.seconds:.2f} s)"
    yield from _query(cycle.query)
    if cycle.changes:
        yield "  changes"
        for change in cycle.changes:
            yield f"    {_change(change)}"
    yield f"  candidates {len(cycle.candidates)}"
    for judgment in cycle.judgments[:MAX_FILES]:
        new = "  new" if judgment.cycle == cycle.number and cycle.number > 1 else ""
        yield f"    {judgment.relevance:.2f} {path_text(judgment.path)}{new}"
    if cycle.asked:
        closed = [gap for gap in cycle.asked if gap.outcome == "closed"]
        absent = [gap for gap in cycle.asked if gap.outcome == "absent"]
        yield f"  asked {len(cycle.asked)}: {len(closed)} closed, {len(absent)} found nothing"
        for gap in closed:
            yield f"    {gap.kind} {line(gap.follow_up)}: closed by {path_text(gap.closed_by)}"
    gaps = [gap for gap in cycle.gaps if gap.shown]
    if gaps:
        yield "  gaps"
        for gap in gaps_in_order(gaps):
            follow_up = f" → {line(gap.follow_up)}" if gap.follow_up else ""
            yield f"    {'critical' if gap.critical else 'open'} {gap.kind}: {gap_of(gap)}{follow_up}"


def _query(query: Query) -> Iterator[str]:
    words = sorted(query.keywords, key=lambda k: (-k.weight, k.text))
    if words:
        shown = ", ".join(f"{line(k.text)} {k.weight:.2f} ({k.origin})" for k in words[:MAX_WORDS])
        yield f"  words {shown}{_more(words, MAX_WORDS)}"
    if query.symbols:
        names = ", ".join(line(s.name) for s in query.symbols[:MAX_WORDS])
        yield f"  symbols {names}{_more(query.symbols, MAX_WORDS)}"
    if query.paths:
        places = ", ".join(
            path_text(p.path) + (f":{p.line}" if p.line else "") for p in query.paths[:MAX_WORDS]
        )
        yield f"  paths {places}{_more(query.paths, MAX_WORDS)}"
    for label, values in (
        ("patterns", query.patterns),
        ("only in", query.includes),
        ("never in", query.excludes),
        ("focus", query.focus_areas),
        ("must read", query.must_read),
    ):
        if values:
            yield f"  {label} {', '.join(path_text(v) for v in values[:MAX_WORDS])}{_more(values, MAX_WORDS)}"


def _change(change: Change) -> str:
    why = shortened(line(change.why), 300)
    seen = "; ".join(proofs(change.evidence, why))
    action = _ACTIONS.get(change.action, line(change.action).replace("_", " "))
    return f"{action} {path_text(change.what)}: {why}{f' [{seen}]' if seen else ''}"


def _dropped(context: Context) -> list[Judgment]:
    return [j for j in context.ranking if j.irrelevant_because]


def _more(values: Sequence[object], limit: int) -> str:
    return f" and {len(values) - limit} more" if len(values) > limit else ""
