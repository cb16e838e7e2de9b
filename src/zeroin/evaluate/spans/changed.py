"""Spans and reason of a file that the diff changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from zeroin.evaluate.spans.candidates import label_of
from zeroin.tree import Definition, DiffFile
from zeroin.types import Evidence, Judgment, Reason, Span

_MARGIN = 3  # lines around a changed line
_MAX_SPANS = 6
_LISTED = 3  # ranges of lines in the reason


def as_given(
    judgment: Judgment, changed: DiffFile, definitions: Sequence[Definition], last_line: int
) -> Judgment:
    """Judge a changed file relevant, with its changed lines as spans, in line order.

    Lines that the file does not have are left out: the tree may not be the one that the diff leads to.
    """
    there = [(start, min(end, last_line)) for start, end in changed.spans if start <= last_line]
    spans: list[Span] = []
    for start, end in there:
        low, high = max(1, start - _MARGIN), min(last_line, end + _MARGIN)
        # The line before a removed one belongs to the span and may lie outside: the last line decides.
        holders = [d for d in definitions if d.start <= end <= d.end]
        name = label_of(min(holders, key=lambda d: d.end - d.start, default=None))
        if spans and low <= spans[-1].end + 1:
            before = spans.pop()
            low, name = before.start, ", ".join(dict.fromkeys(n for n in (before.symbol, name) if n))
        spans.append(Span(low, high, name, "changed", 1.0))
    lines = ", ".join(str(a) if a == b else f"{a}–{b}" for a, b in there[:_LISTED])
    text = "the change touches it" + (f", lines {lines}" if lines else "")
    more = " …" if len(there) > _LISTED else ""
    evidence = Evidence(judgment.path, there[0][0] if there else None)
    return replace(
        judgment,
        relevance=1.0,
        reasons=(Reason("change", text + more, (evidence,)),),
        spans=tuple(spans[:_MAX_SPANS]),
        irrelevant_because="",
    )
