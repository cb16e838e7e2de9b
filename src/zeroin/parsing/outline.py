"""Definitions, imports and text spans of one file, collected while it is read."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from zeroin.tree import Definition, Import


@dataclass(slots=True)
class RawDefinition:
    """A definition while its file is read: `start` and `end` are lines, bytes are offsets into the UTF-8 source."""

    name: str
    kind: str
    start_byte: int
    end_byte: int
    start: int
    end: int
    name_line: int
    name_byte: int
    parent: str = ""
    holder: int = -1  # first byte of the enclosing definition


@dataclass(slots=True)
class Outline:
    """Everything that one pass of a query found; spans are (start byte, end byte, is a comment), sorted."""

    found: list[RawDefinition] = field(default_factory=list)
    imports: list[Import] = field(default_factory=list)
    spans: list[tuple[int, int, bool]] = field(default_factory=list)
    errors: list[tuple[int, int]] = field(default_factory=list)  # bytes that the grammar did not understand

    def definitions(self) -> tuple[Definition, ...]:
        """Return the definitions in order of their first line."""
        return tuple(Definition(f.name, f.kind, f.start, f.end, f.parent) for f in self.found)


def nested(rows: Sequence[tuple[int, int]], last: int) -> list[tuple[int, int]]:
    """Return the last line of each row and the index of the enclosing row, -1 at the top.

    Rows are (line, level) in order; each reaches to the next row of the same or a lower level, or to the line `last`.
    """
    ends = [last] * len(rows)
    around = [-1] * len(rows)
    stack: list[int] = []
    for index, (line, level) in enumerate(rows):
        while stack and rows[stack[-1]][1] >= level:
            ends[stack.pop()] = line - 1
        if stack:
            around[index] = stack[-1]
        stack.append(index)
    return [(max(row[0], end), parent) for row, end, parent in zip(rows, ends, around, strict=True)]
