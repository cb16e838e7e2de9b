"""Pieces: a file cut where its definitions begin and end, long ones into blocks, so that each can be judged alone."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from zeroin.tree import Definition

SMALL = 20  # lines of a definition that is never cut
BLOCK = 16  # lines of a block of a longer one, at most
_TINY = 8  # a shorter piece joins its neighbour, if both are then SMALL
_NEAR = 3  # lines between them, at most
_COMMENT_LINES = 12  # above a definition that belong to it
_COMMENTS = ("#", "//", "/*", "*", "--", "@", ";;", "%")
_DIRECTIVES = ("#include", "#if", "#define", "#endif")
_BLANK = 999


@dataclass(frozen=True, slots=True)
class SpanCandidate:
    """Lines of a file with the definitions they hold, and those that hold them, innermost last."""

    start: int
    end: int
    inside: tuple[Definition, ...] = ()
    around: tuple[Definition, ...] = ()

    @property
    def size(self) -> int:
        return self.end - self.start + 1


def span_candidates(
    lines: Sequence[str], definitions: Iterable[Definition], wanted: Collection[int]
) -> tuple[list[SpanCandidate], int]:
    """Pieces in line order of the parts that hold a wanted line, and how many pieces the file has, roughly.

    A part that holds none is counted, not cut: most of a long file says nothing of a task. Of one beside a wanted
    part the nearest block is given, since what follows a match is edited as often as the match.
    """
    last = len(lines)
    held = sorted((d for d in definitions if d.start <= last), key=lambda d: (d.start, -d.end))
    numbers = sorted(wanted)
    parts = _joined(_parts(lines, held))
    says = [bisect_left(numbers, start) < bisect_left(numbers, end + 1) for start, end in parts]
    ranges: list[tuple[int, int]] = []
    count = 0
    for i, (start, end) in enumerate(parts):
        if says[i]:
            blocks = [(start, end)] if end - start < SMALL else _blocks(start, end, lines)
            ranges += blocks
            count += len(blocks)
            continue
        count += -(-(end - start + 1) // BLOCK)
        if i and says[i - 1]:
            ranges.append((start, end if end - start < SMALL else start + BLOCK - 1))
        elif i + 1 < len(parts) and says[i + 1]:
            ranges.append((start if end - start < SMALL else end - BLOCK + 1, end))
    return _placed(ranges, held), count


def is_comment(line: str) -> bool:
    """Whether a line reads as a comment or an annotation in any of the usual languages."""
    said = line.lstrip()
    return said.startswith(_COMMENTS) and not said.startswith(_DIRECTIVES)


def _parts(lines: Sequence[str], definitions: Sequence[Definition]) -> list[tuple[int, int]]:
    """The file cut at every definition (its comment belongs to it) that is not inside a small one; no blank ends."""
    last, whole = len(lines), 0
    cuts = {1, last + 1}
    for definition in definitions:
        if definition.end <= whole:
            continue
        cuts.add(top_of(definition, lines, whole + 1))
        cuts.add(min(definition.end, last) + 1)
        if definition.end - definition.start < SMALL:
            whole = definition.end
    places = sorted(cuts)
    out = []
    for start, following in pairwise(places):
        end = following - 1
        while start <= end and not lines[start - 1].strip():
            start += 1
        while end >= start and not lines[end - 1].strip():
            end -= 1
        if start <= end:
            out.append((start, end))
    return out


def top_of(definition: Definition, lines: Sequence[str], first: int = 1) -> int:
    """Where a definition begins with the comment above it, not before line `first`."""
    top = definition.start
    least = max(1, top - _COMMENT_LINES, first)
    while top > least and is_comment(lines[top - 2]):
        top -= 1
    return top


def _joined(parts: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Parts of a few lines joined with their neighbours."""
    out: list[tuple[int, int]] = []
    for start, end in parts:
        if out:
            first, before = out[-1]
            few = end - start + 1 < _TINY or before - first + 1 < _TINY
            if few and end - first + 1 <= SMALL and start - before <= _NEAR:
                out[-1] = (first, end)
                continue
        out.append((start, end))
    return out


def _blocks(start: int, end: int, lines: Sequence[str]) -> list[tuple[int, int]]:
    """A long part in blocks, cut after a blank line or else where a line is indented least."""
    out = []
    while end - start + 1 > BLOCK:
        at = min(range(start + BLOCK // 2, start + BLOCK + 1), key=lambda n: (*_cut_cost(n, lines), -n))
        out.append((start, at - 1))
        start = at
    return [*out, (start, end)]


def _cut_cost(number: int, lines: Sequence[str]) -> tuple[bool, int]:
    line = lines[number - 1]
    inner = line.lstrip()
    return bool(lines[number - 2].strip()), len(line) - len(inner) if inner else _BLANK


def _placed(ranges: Sequence[tuple[int, int]], definitions: Sequence[Definition]) -> list[SpanCandidate]:
    """Ranges with their definitions: one pass over both, in line order."""
    out = []
    open_: list[Definition] = []
    at = 0
    for start, end in ranges:
        inside = []
        while at < len(definitions) and definitions[at].start <= end:
            definition = definitions[at]
            at += 1
            if definition.start >= start and definition.end <= end:
                inside.append(definition)
            else:
                open_.append(definition)
        open_ = [d for d in open_ if d.end >= start]
        out.append(SpanCandidate(start, end, tuple(inside), tuple(open_)))
    return out
