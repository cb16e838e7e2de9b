"""A file's skeleton: the signatures of what it defines, with their docstrings or leading doc comments."""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from itertools import accumulate, islice

from zeroin.context.packing.texts import ShownFile
from zeroin.patterns import lazy_pattern
from zeroin.tree import Definition
from zeroin.types import Span

DOC_LINES = 6  # of a docstring or comment at most: its first paragraph is what counts
SHAPE_LINES = 12  # of a type that is shown with its fields
MOST_RULES = 40  # lines of a comment among which its first words are looked for
SHORT = 3  # characters of a line that is shown rather than left out between two others
_CALLABLE = frozenset({"function", "method", "constructor", "getter", "setter", "macro"})
_SHAPES = frozenset({"interface", "struct", "type", "enum", "record", "union", "typedef"})
_COMMENT = lazy_pattern(r"\s*(?:///?|/\*\*?|\*(?!/\w)|#(?!\[|include|define|if|endif|pragma)|--|;;|%%|\"\"\"|''')")
_DOCSTRING = lazy_pattern(r"\s*(?:[rRuUbB]{0,2})(\"\"\"|'''|@(?:module|type)?doc\b|\")")
_RULE = lazy_pattern(r"[\s/*#;%=-]*$")  # a comment line without words


def skeletons(file: ShownFile, spans: Sequence[Span]) -> list[list[int]]:
    """Return skeletons as line numbers, from the most detail to the least: each is shorter than the one before.

    With whole docs, with their first lines, without docs, and then only what is at the top or overlaps `spans`. Empty
    for a file that defines nothing.
    """
    definitions = outer(file.outline)
    starts = [d.start for d in definitions]
    reached = list(accumulate((d.end for d in definitions), max, initial=0))  # by the first n of them
    near = [
        d
        for d in definitions
        if reached[bisect_left(starts, d.start)] < d.end or any(s.start <= d.end and s.end >= d.start for s in spans)
    ]
    tops = _comment_tops(file.plain)
    out: list[list[int]] = []
    for some, docs in ((definitions, DOC_LINES), (definitions, 1), (definitions, 0), (near, 0)):
        lines = _lines(file, some, docs, tops)
        if lines and (not out or len(lines) < len(out[-1])):
            out.append(lines)
    return out


def outer(outline: Sequence[Definition]) -> list[Definition]:
    """Return definitions that are not local to a function or method, in the order of their lines."""
    out: list[Definition] = []
    closed = 0  # the last line of the function that we are in
    for definition in sorted(outline, key=lambda d: (d.start, -d.end)):
        if definition.start <= closed and definition.end <= closed:
            continue
        out.append(definition)
        if definition.kind in _CALLABLE and definition.end > definition.start:
            closed = definition.end
    return out


def _lines(file: ShownFile, definitions: Sequence[Definition], docs: int, tops: Sequence[int]) -> list[int]:
    lines: set[int] = set()
    for definition in definitions:
        signature = file.signature(definition)
        lines.update(signature)
        if docs and definition.kind in _SHAPES and definition.end - definition.start < SHAPE_LINES:
            lines.update(range(definition.start, min(definition.end, len(file)) + 1))
        if docs:
            lines.update(_comment_above(file, tops[definition.start - 1], definition.start, docs))
            lines.update(_docstring_below(file, signature.stop, definition.end, docs))
    for number in sorted(lines):  # a line as short as the mark for left-out lines is shown
        if number + 2 in lines and len(file.plain[number].strip()) <= SHORT:
            lines.add(number + 1)
    return sorted(lines)


def _comment_tops(rows: Sequence[str]) -> list[int]:
    """Return for each line the first line of the comment that ends just above it, or the line itself."""
    tops: list[int] = []
    for number, above in enumerate(("", *rows[:-1]), 1):
        tops.append(tops[-1] if above.strip() and _COMMENT.match(above) else number)
    return tops


def _comment_above(file: ShownFile, top: int, start: int, most: int) -> list[int]:
    """Return the first lines of the comment from line `top` to the one before `start`."""
    lines: Iterable[int] = range(top, start)
    if most == 1:
        lines = (n for n in range(top, start)[:MOST_RULES] if not _RULE.fullmatch(file.plain[n - 1]))
    return list(islice(lines, most))


def _docstring_below(file: ShownFile, first: int, end: int, most: int) -> list[int]:
    """Return the first lines of a docstring that begins at line `first`, the next after the signature."""
    if first > min(end, len(file.plain)):
        return []
    match = _DOCSTRING.match(file.plain[first - 1])
    if match is None:
        return []
    listed_lines: list[int] = []
    quote = match[1] if match[1] in ('"""', "'''") else ""
    for number in range(first, min(end, len(file.plain), first + most - 1) + 1):
        text = file.plain[number - 1]
        if listed_lines and not text.strip():
            break
        listed_lines.append(number)
        closed = text.count(quote) >= (2 if number == first else 1) if quote else '"""' not in text
        if closed:
            break
    return listed_lines
