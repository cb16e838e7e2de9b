"""Code in JSON: blocks of lines that follow one another, as they stand in the file."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from zeroin.context.packing.passages import Layout, Passage
from zeroin.context.packing.texts import Row
from zeroin.context.tokens import weigh
from zeroin.types import Span


def code_json(passages: Sequence[Passage]) -> list[dict[str, Any]]:
    """Blocks in line order: `start`, `end`, `text`; `enclosing` for signatures around a span, `cut` if it goes on."""
    blocks: list[dict[str, Any]] = []
    for passage in passages:
        for run in runs(passage.heads):
            blocks.append({**_block(run), "enclosing": True})
        own = [row for row in passage.rows if row[0] >= passage.span.start]
        blocks += [_block(run) for run in runs(own)]
        if passage.cut and own:
            blocks[-1]["cut"] = True
    return blocks


def runs(rows: Sequence[Row]) -> list[list[Row]]:
    """Rows grouped where nothing is left out between them."""
    out: list[list[Row]] = []
    for row in rows:
        if out and row[0] == out[-1][-1][0] + 1:
            out[-1].append(row)
        else:
            out.append([row])
    return out


def _block(run: Sequence[Row]) -> dict[str, Any]:
    return {"start": run[0][0], "end": run[-1][0], "text": "\n".join(text for _, text in run)}


def _text(text: str) -> float:
    return weigh(json.dumps(text, ensure_ascii=False)[1:-1])


def _span(span: Span) -> float:
    shown = {"start": span.start, "end": span.end, "symbol": span.symbol, "why": span.why}
    return weigh(_compact(shown) + ",")


def _around(passage: Passage) -> float:
    """Tokens of a passage besides its lines, and besides what every gap costs."""
    numbers = [number for number, _ in passage.rows]
    adjoining = bool(passage.heads) and passage.span.start - 1 in numbers
    return _EMPTY * (2 if adjoining else 1) + _CUT + _span(passage.span)


def _compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


_EMPTY = weigh(_compact({"start": 999_999, "end": 999_999, "text": "", "enclosing": True}) + ",")
_CUT = weigh(',"cut":true')
LAYOUT = Layout(
    row=lambda number, text: _text(text + "\n"),
    passage=_around,
    file=lambda judgment: weigh('"shown":"skeleton","spans":[],"code":[],"fell_back":true,'),
    gap=_EMPTY,
)
