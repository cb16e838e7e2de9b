"""Which spans of which files fit a token budget: best first, several of a good one before many mediocre."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from zeroin.context.clean import clean
from zeroin.context.tokens import estimate
from zeroin.types import HIGH, LOW, Judgment, Span

Read = Callable[[str], str]  # path → text; "" where it cannot be read
Charge = Callable[[str], int]  # text → tokens; counts what a renderer's escaping adds

WHOLE_TOKENS = 400  # a relevant file up to this size is shown whole …
WHOLE_FACTOR = 1.3  # … and a larger one when its spans are nearly all of it anyway
DECAY = (
    0.88  # value of each further span of a file: the eighth of a 0.9 file still beats the first of a 0.5 file
)
SPAN_SHARE = (
    3  # one span takes at most this part of the budget (1/3), so that one long class is not all there is
)
HEAD_LINES = 40  # shown of a file without spans
MIN_CUT_LINES = 5  # a span that does not fit is cut to its head, but not to less than this
FILE_TOKENS = 24  # what a renderer writes around a file, besides its path
SPAN_TOKENS = 24  # … and around a span
LINE_TOKENS = 5  # … and before a line: its number


@dataclass(frozen=True, slots=True)
class Passage:
    """Lines to show of one file; `text` is cleaned and starts at line `span.start`; `cut` if it goes on."""

    span: Span
    text: str
    cut: bool = False

    @property
    def numbered(self) -> str:
        """The text with right-aligned line numbers."""
        rows = self.text.split("\n")
        width = len(str(self.span.start + len(rows) - 1))
        return "\n".join(f"{self.span.start + i:>{width}}  {row}".rstrip() for i, row in enumerate(rows))


@dataclass(frozen=True, slots=True)
class Selected:
    """One file of the selection with its passages in line order; `tokens` is what they were charged."""

    judgment: Judgment
    passages: tuple[Passage, ...]
    whole: bool
    tokens: int


def lines_of(text: str) -> list[str]:
    """The lines of `text` as parsers count them (LF, CRLF), each cleaned."""
    rows = text.replace("\r\n", "\n").split("\n")
    if rows and not rows[-1]:
        rows.pop()
    return [clean(row) for row in rows]


def select(
    judgments: Sequence[Judgment], read: Read, budget: int, charge: Charge = estimate
) -> tuple[Selected, ...]:
    """Passages of `judgments` worth showing within `budget` tokens, files in the order given.

    A greedy choice by value: relevance squared, times `DECAY` for each earlier span of the same file. Files
    under 0.2 give nothing unless no file reaches it. Overlapping and touching spans are joined.
    """
    wanted = [j for j in judgments if j.relevance >= LOW] or list(judgments[:3])
    texts: dict[int, list[str]] = {}
    plans: dict[int, tuple[Span, ...]] = {}
    heap: list[tuple[float, int, int]] = [(-_value(j, 0), i, 0) for i, j in enumerate(wanted)]
    heapq.heapify(heap)
    chosen: dict[int, list[Passage]] = {}
    charged: dict[int, int] = {}
    left = budget
    share = max(WHOLE_TOKENS, budget // SPAN_SHARE)
    while heap and left > FILE_TOKENS:
        _, i, rank = heapq.heappop(heap)
        judgment = wanted[i]
        if i not in plans:
            texts[i] = lines_of(read(judgment.path))
            plans[i] = _plan(judgment, texts[i], share, charge)
        if rank >= len(plans[i]):
            continue
        fixed = 0 if i in chosen else FILE_TOKENS + charge(judgment.path)
        passage = _fit(plans[i][rank], texts[i], min(left - fixed, share), charge)
        if passage is not None:
            cost = fixed + cost_of(passage, charge)
            chosen.setdefault(i, []).append(passage)
            charged[i] = charged.get(i, 0) + cost
            left -= cost
        heapq.heappush(heap, (-_value(judgment, rank + 1), i, rank + 1))
    return tuple(
        Selected(
            wanted[i],
            tuple(sorted(chosen[i], key=lambda p: p.span.start)),
            _is_whole(chosen[i], texts[i]),
            charged[i],
        )
        for i in sorted(chosen)
    )


def cost_of(passage: Passage, charge: Charge = estimate) -> int:
    """Tokens that a passage is charged: its text, its line numbers and what stands around it."""
    rows = passage.text.count("\n") + 1
    label = charge(passage.span.symbol) + charge(passage.span.why)
    return charge(passage.text) + rows * LINE_TOKENS + label + SPAN_TOKENS


def _value(judgment: Judgment, rank: int) -> float:
    return max(judgment.relevance, 0.01) ** 2 * float(DECAY**rank)


def _plan(judgment: Judgment, rows: list[str], share: int, charge: Charge) -> tuple[Span, ...]:
    """The spans to offer of one file, best first: all if that is cheap, else its spans, else its head."""
    if not rows:
        return ()
    spans = joined([s for s in judgment.spans if s.start <= len(rows)], len(rows))
    whole = sum(charge(row) + LINE_TOKENS for row in rows)
    inside = sum(charge(rows[n - 1]) + LINE_TOKENS for s in spans for n in range(s.start, s.end + 1))
    mostly = bool(spans) and judgment.relevance >= HIGH and whole <= WHOLE_FACTOR * inside
    if whole <= WHOLE_TOKENS or (mostly and whole <= share):
        best = spans[0] if spans else Span(1, len(rows))
        return (Span(1, len(rows), best.symbol if len(spans) == 1 else "", "whole file", best.score),)
    return spans or (Span(1, min(HEAD_LINES, len(rows)), "", "head of file"),)


def joined(spans: Sequence[Span], last_line: int) -> tuple[Span, ...]:
    """Spans clipped to the file, those that overlap or touch made one, best score first (ties: by line)."""
    merged: list[Span] = []
    for span in sorted(spans, key=lambda s: (s.start, s.end)):
        start, end = max(1, span.start), min(last_line, max(span.start, span.end))
        if merged and start <= merged[-1].end + 1:
            before = merged.pop()
            best, other = (before, span) if before.score >= span.score else (span, before)
            symbols = ", ".join(dict.fromkeys(s for s in (before.symbol, span.symbol) if s))
            merged.append(
                Span(
                    before.start,
                    max(before.end, end),
                    symbols,
                    best.why or other.why,
                    max(best.score, other.score),
                )
            )
        else:
            merged.append(Span(start, end, span.symbol, span.why, span.score))
    return tuple(sorted(merged, key=lambda s: (-s.score, s.start)))


def _fit(span: Span, rows: list[str], left: int, charge: Charge) -> Passage | None:
    """The span as a passage, cut to its head if `left` tokens hold no more; None if not even that fits."""
    used = SPAN_TOKENS + charge(span.symbol) + charge(span.why)
    end = span.start - 1
    for number in range(span.start, span.end + 1):
        used += charge(rows[number - 1] + "\n") + LINE_TOKENS
        if used > left:
            break
        end = number
    if end < span.end and end - span.start + 1 < MIN_CUT_LINES:
        return None
    text = "\n".join(rows[span.start - 1 : end])
    return Passage(Span(span.start, end, span.symbol, span.why, span.score), text, cut=end < span.end)


def _is_whole(passages: list[Passage], rows: list[str]) -> bool:
    return len(passages) == 1 and passages[0].span.start == 1 and passages[0].span.end == len(rows)
