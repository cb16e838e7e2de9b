"""What is collected of one file while it is read."""

from __future__ import annotations

from dataclasses import dataclass, field

from zeroin.tree import Definition, Import


@dataclass(slots=True)
class Found:
    """A definition while its file is read: bytes are offsets into the UTF-8 source, `line` is the name's."""

    name: str
    kind: str
    first: int
    last: int
    start: int
    end: int
    line: int
    at: int
    parent: str = ""
    holder: int = -1  # first byte of the enclosing definition


@dataclass(slots=True)
class Outline:
    """Everything that one pass of a query found; spans are (start byte, end byte, is a comment), sorted."""

    found: list[Found] = field(default_factory=list)
    imports: list[Import] = field(default_factory=list)
    spans: list[tuple[int, int, bool]] = field(default_factory=list)
    errors: list[tuple[int, int]] = field(default_factory=list)  # bytes that the grammar did not understand

    def definitions(self) -> tuple[Definition, ...]:
        """The definitions in order of their first line."""
        return tuple(Definition(f.name, f.kind, f.start, f.end, f.parent) for f in self.found)
