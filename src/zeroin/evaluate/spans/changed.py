"""Spans and reason of a file that the diff changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from zeroin.tree import Definition, DiffFile
from zeroin.types import Evidence, Judgment, Reason, Span

_MARGIN = 3  # lines around a changed line
_MAX_SPANS = 6


def as_given(
    judgment: Judgment, changed: DiffFile, definitions: Sequence[Definition], last_line: int
) -> Judgment:
    """A changed file as the change gives it: surely relevant, with its changed lines as spans, in line order."""
    spans: list[Span] = []
    for start, end in changed.spans:
        low, high = max(1, start - _MARGIN), min(last_line, end + _MARGIN)
        if high < low:
            continue  # the tree that is asked about is not the one that the diff leads to
        # The line before a removed one belongs to the span and may lie outside: the last line decides.
        holder = min(
            (d for d in definitions if d.start <= end <= d.end), key=lambda d: d.end - d.start, default=None
        )
        name = "" if holder is None else f"{holder.parent}.{holder.name}" if holder.parent else holder.name
        if spans and low <= spans[-1].end + 1:
            before = spans.pop()
            low, name = before.start, ", ".join(dict.fromkeys(n for n in (before.symbol, name) if n))
        spans.append(Span(low, max(high, low), name, "changed", 1.0))
    lines = ", ".join(str(a) if a == b else f"{a}–{b}" for a, b in changed.spans[:3])
    text = "the change touches it" + (f", lines {lines}" if lines else "")
    more = "" if len(changed.spans) <= 3 else " …"
    evidence = Evidence(judgment.path, changed.spans[0][0] if changed.spans else None)
    return replace(
        judgment,
        relevance=1.0,
        reasons=(Reason("change", text + more, (evidence,)),),
        spans=tuple(spans[:_MAX_SPANS]),
        irrelevant_because="",
    )
