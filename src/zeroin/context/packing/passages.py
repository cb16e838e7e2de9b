"""Lines to show of a file, with their numbers, and what they cost on a page."""

from collections.abc import Callable
from itertools import pairwise
from typing import Literal, NamedTuple

from zeroin.context.packing.texts import Row
from zeroin.context.tokens import weigh
from zeroin.types import Judgment, Span

Shown = Literal["spans", "skeleton", "whole"]

GAP = "..."  # stands, without a number, where lines are left out


class Passage(NamedTuple):
    """Lines of one file in order; `cut` if they are only a part of the span that was wanted.

    Rows before the `span` are signatures of the definitions that enclose it. Lines are left out where the numbers of
    the rows jump.
    """

    span: Span
    rows: tuple[Row, ...]
    cut: bool = False

    @property
    def text(self) -> str:
        """The rows of the span itself, without numbers and signatures."""
        return "\n".join(text for number, text in self.rows if number >= self.span.start)

    @property
    def heads(self) -> tuple[Row, ...]:
        """The signatures of the definitions that enclose the span."""
        return tuple(row for row in self.rows if row[0] < self.span.start)

    @property
    def numbered(self) -> str:
        """All rows with right-aligned numbers, `...` where lines are left out."""
        width = len(str(self.rows[-1][0])) if self.rows else 1
        out: list[str] = []
        before = 0
        for number, text in self.rows:
            if before and number > before + 1:
                out.append(f"{'':>{width}}  {GAP}")
            out.append(numbered_row(number, text, width))
            before = number
        return "\n".join(out)


class Selected(NamedTuple):
    """One file of the selection with its passages in line order.

    `tokens` is what they were charged, `hidden` how many secrets were replaced in them; `fell_back` if the whole file
    was asked for and does not fit.
    """

    judgment: Judgment
    passages: tuple[Passage, ...]
    shown: Shown
    tokens: float
    hidden: int = 0
    fell_back: bool = False


class Layout(NamedTuple):
    """What a renderer writes, in tokens: for a row of code, around a passage, and around a file."""

    row: Callable[[int, str], float]
    passage: Callable[[Passage], float]
    file: Callable[[Judgment], float]
    gap: float  # the mark where lines are left out

    def cost(self, passage: Passage) -> float:
        """Return tokens of a passage with everything around it."""
        rows = sum(self.row(number, text) for number, text in passage.rows)
        gaps = sum(after > before + 1 for (before, _), (after, _) in pairwise(passage.rows))
        return rows + gaps * self.gap + self.passage(passage)


def numbered_row(number: int, text: str, width: int) -> str:
    """Return a line with its number before it."""
    return f"{number:>{width}}  {text}".rstrip()


def numbered_layout(
    passage: Callable[[Passage], float], file: Callable[[Judgment], float], escape: Callable[[str], str] = str
) -> Layout:
    """Return a layout of numbered rows, escaped by `escape`."""
    return Layout(
        row=lambda number, text: weigh(escape(f"\n{numbered_row(number, text, 2)}")),
        passage=passage,
        file=file,
        gap=weigh(f"\n   {GAP}"),
    )


PLAIN = numbered_layout(lambda p: weigh(p.span.symbol) + 24, lambda j: weigh(j.path) + 24)
