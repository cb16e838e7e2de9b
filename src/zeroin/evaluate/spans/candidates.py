"""Cut a file into candidates for spans: where definitions begin and end, and long parts into blocks."""

from bisect import bisect_left
from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from zeroin.patterns import lazy_pattern
from zeroin.tree import Definition

SMALL = 20  # lines of a definition up to which it is never cut
BLOCK = 16  # lines at most of a block of a longer one
_TINY = 8  # lines; a shorter part joins its neighbour if both have at most SMALL together …
_NEAR = 3  # … and at most this distance
_COMMENT_LINES = 12  # at most, directly above a definition, that belong to it
# A line that reads as a comment or an annotation in any of the usual languages; directives of C are code.
COMMENT_LINE = lazy_pattern(r"\s*(?!#(?:include|if|define|endif))(?:[#*@%]|//|/\*|--|;;)")
_BLANK = 999  # indent of a blank line

Lines = tuple[int, int]  # first and last


class SpanCandidate(NamedTuple):
    """A stretch of lines, the definitions `inside` it, and those `around` it, innermost last."""

    start: int
    end: int
    inside: tuple[Definition, ...] = ()
    around: tuple[Definition, ...] = ()

    @property
    def size(self) -> int:
        return self.end - self.start + 1


def span_candidates(
    lines: Sequence[str], definitions: Iterable[Definition], matched: Collection[int]
) -> tuple[list[SpanCandidate], int]:
    """Return the candidates in line order, and about how many the whole file would have.

    A part with a matched line is cut into candidates. Of a part beside it only the nearest block is a candidate: the
    lines after a match are edited as often as the match. All other parts are only counted.
    """
    ordered = sorted((d for d in definitions if d.start <= len(lines)), key=lambda d: (d.start, -d.end))
    numbers = sorted(matched)
    parts = _joined(_parts(lines, ordered))
    hits = [bisect_left(numbers, start) < bisect_left(numbers, end + 1) for start, end in parts]
    out: list[Lines] = []
    count = 0
    for i, (start, end) in enumerate(parts):
        small = end - start < SMALL
        if hits[i]:
            blocks = [(start, end)] if small else _blocks(start, end, lines)
            out += blocks
            count += len(blocks)
            continue
        count += -(-(end - start + 1) // BLOCK)
        if i and hits[i - 1]:
            out.append((start, end if small else start + BLOCK - 1))
        elif i + 1 < len(parts) and hits[i + 1]:
            out.append((start if small else end - BLOCK + 1, end))
    return _with_definitions(out, ordered), count


def is_comment(line: str) -> bool:
    """Tell whether a line reads as a comment or an annotation."""
    return COMMENT_LINE.match(line) is not None


def top_of(definition: Definition, lines: Sequence[str], first: int = 1) -> int:
    """Find the first line of the comment directly above a definition, else its own; not before line `first`."""
    top = definition.start
    least = max(1, top - _COMMENT_LINES, first)
    while top > least and is_comment(lines[top - 2]):
        top -= 1
    return top


def label_of(definition: Definition | None) -> str:
    """Name a definition with its parent; "" for none."""
    if definition is None:
        return ""
    between = " " if definition.kind == "selector" else "."
    return f"{definition.parent}{between}{definition.name}" if definition.parent else definition.name


def filled(lines: Sequence[str], start: int, end: int) -> Lines:
    """Leave out blank lines at both ends of a stretch, and lines past the last; of none the end is before the start."""
    end = min(end, len(lines))
    while start <= end and not lines[start - 1].strip():
        start += 1
    while start <= end and not lines[end - 1].strip():
        end -= 1
    return start, end


def _parts(lines: Sequence[str], definitions: Sequence[Definition]) -> list[Lines]:
    """Cut the file around every definition and its comment, except inside small ones; trim blank lines at both ends."""
    last, whole = len(lines), 0
    cuts = {1, last + 1}
    for definition in definitions:
        if definition.end <= whole:
            continue
        cuts.add(top_of(definition, lines, whole + 1))
        cuts.add(min(definition.end, last) + 1)
        if definition.end - definition.start < SMALL:
            whole = definition.end
    out = []
    for first, following in pairwise(sorted(cuts)):
        start, end = filled(lines, first, following - 1)
        if start <= end:
            out.append((start, end))
    return out


def _joined(parts: Iterable[Lines]) -> list[Lines]:
    """Join a part of a few lines with the one before or after it."""
    out: list[Lines] = []
    for start, end in parts:
        if out:
            first, before = out[-1]
            tiny = end - start + 1 < _TINY or before - first + 1 < _TINY
            if tiny and end - first + 1 <= SMALL and start - before <= _NEAR:
                out[-1] = (first, end)
                continue
        out.append((start, end))
    return out


def _blocks(start: int, end: int, lines: Sequence[str]) -> list[Lines]:
    """Cut a long part after a blank line, else where a line is indented least."""

    def cost(number: int) -> tuple[bool, int, int]:
        line = lines[number - 1]
        inner = line.lstrip()
        return bool(lines[number - 2].strip()), len(line) - len(inner) if inner else _BLANK, -number

    out = []
    while end - start + 1 > BLOCK:
        cut = min(range(start + BLOCK // 2, start + BLOCK + 1), key=cost)
        out.append((start, cut - 1))
        start = cut
    return [*out, (start, end)]


def _with_definitions(ranges: Iterable[Lines], definitions: Sequence[Definition]) -> list[SpanCandidate]:
    """Give each range of lines the definitions inside and around it; both are in line order."""
    out = []
    around: list[Definition] = []
    at = 0
    for start, end in ranges:
        inside: list[Definition] = []
        while at < len(definitions) and definitions[at].start <= end:
            definition = definitions[at]
            at += 1
            (inside if start <= definition.start and definition.end <= end else around).append(definition)
        around = [d for d in around if d.end >= start]
        out.append(SpanCandidate(start, end, tuple(inside), tuple(around)))
    return out
