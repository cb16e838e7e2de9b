"""Which lines of a file matter: matched windows grown to the definitions that hold them."""

from __future__ import annotations

from dataclasses import replace

from zeroin.evaluate.passages import Passages
from zeroin.index.locate import locate
from zeroin.index.view import View
from zeroin.types import Definition, Query, Span

_MAX_DEFINITION_LINES = 120  # a larger one is a whole file's worth: the window says it better
_MARGIN = 3
_MAX_SPANS = 6
_LEAST_LINES = 3
_TIE = 1e-6  # keeps the order of windows that match the same
_NAMED_SCORE = 1.5  # a definition that the task names outranks any window
_FRAME_SCORE = 1.4


def spans_of(query: Query, doc: int, passages: Passages, view: View) -> tuple[Span, ...]:
    """Spans of a document, best first, none inside another."""
    definitions = tuple(view.snapshot.symbols.of_document(doc))
    lines = int(view.snapshot.lines[doc]) or 1
    found: list[Span] = []
    named = {m.name.rpartition(".")[2].rpartition("::")[2].strip("()") for m in query.symbols}
    for definition in definitions:
        if definition.name in named:
            end = min(definition.end, definition.start + _MAX_DEFINITION_LINES - 1)
            found.append(Span(definition.start, end, _label(definition), "named by the task", _NAMED_SCORE))
    for mention in query.paths:
        if mention.line and any(d == doc for d, _ in locate(view, mention)):
            found.append(
                _around(mention.line, mention.line, definitions, lines, "in the trace", _FRAME_SCORE)
            )
    for place, window in enumerate(passages.windows):
        why = "matches " + ", ".join(window.words[:5])
        found.append(
            _around(
                window.peak,
                window.peak,
                definitions,
                lines,
                why,
                window.share - place * _TIE,
                window.start,
                window.end,
            )
        )
    return _distinct(found)


def _around(
    first: int,
    last: int,
    definitions: tuple[Definition, ...],
    lines: int,
    why: str,
    score: float,
    start: int | None = None,
    end: int | None = None,
) -> Span:
    """The smallest definition that holds the lines if it is of a readable size, else the lines with a margin."""
    holders = [d for d in definitions if d.start <= first and last <= d.end]
    holder = min(holders, key=lambda d: d.end - d.start, default=None)
    if holder and 3 <= holder.end - holder.start + 1 <= _MAX_DEFINITION_LINES:
        return Span(holder.start, min(holder.end, lines), _label(holder), why, score)
    low = max(1, (start or first) - _MARGIN)
    high = min(lines, (end or last) + _MARGIN)
    return Span(low, max(low, high), _label(holder) if holder else "", why, score)


def _label(definition: Definition) -> str:
    return f"{definition.parent}.{definition.name}" if definition.parent else definition.name


def _distinct(spans: list[Span]) -> tuple[Span, ...]:
    """Spans best first; a later one that overlaps an earlier one is cut down to what is new, if that is a few lines."""
    out: list[Span] = []
    for span in sorted(spans, key=lambda s: (-s.score, s.start, s.end)):
        start, end = span.start, span.end
        for held in out:
            if held.start <= start <= held.end:
                start = held.end + 1
            if held.start <= end <= held.end:
                end = held.start - 1
        inside = any(start <= held.start and held.end <= end for held in out)
        if end - start + 1 >= min(_LEAST_LINES, span.end - span.start + 1) and not inside:
            out.append(replace(span, start=start, end=end))
        if len(out) == _MAX_SPANS:
            break
    return tuple(out)
