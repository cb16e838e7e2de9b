"""The files of an answer as they may be shown: cleaned, without secrets, and with their definitions."""

import re
from collections.abc import Callable, Sequence

from zeroin.context.clean import clean
from zeroin.context.redaction.redact import Redaction
from zeroin.evaluate.spans.candidates import is_comment, label_of
from zeroin.index.view import View
from zeroin.patterns import lazy_pattern
from zeroin.tree import Definition

Read = Callable[[str], str]  # path → text; "" where it cannot be read
Row = tuple[int, str]  # a line's number, and the line

SIGNATURE_LINES = 8  # of a signature at most
MAX_ENCLOSING = 4  # signatures around a span: the innermost

_DECORATION = lazy_pattern(r"\s*(?:@|#\[|\[\w+.*\]\s*$)")


class Texts:
    """A `Read` from the index, which knows the definitions of its files too."""

    def __init__(self, view: View) -> None:
        self._view = view

    def __call__(self, path: str) -> str:
        doc = self._view.doc_of(path)
        return self._view.text(doc) if doc is not None else ""

    def outline(self, path: str) -> Sequence[Definition]:
        """Return the definitions of a file in the order of its lines; none where it is not known."""
        doc = self._view.doc_of(path)
        return tuple(self._view.snapshot.symbols.of_document(doc)) if doc is not None else ()


class ShownFile:
    """One file, read once: its lines cleaned, redacted when they are asked for."""

    def __init__(self, path: str, read: Read, *, redacted: bool = True) -> None:
        self.plain = lines_of(read(path))
        outline = getattr(read, "outline", lambda _: ())  # of `Texts`; a plain function knows none
        self.outline: tuple[Definition, ...] = tuple(d for d in outline(path) if 1 <= d.start <= len(self.plain))
        self._shown = Redaction(path, self.plain).line if redacted else lambda number: (self.plain[number - 1], 0)

    def __len__(self) -> int:
        return len(self.plain)

    def row(self, number: int) -> Row:
        """Return line `number` as it may be shown."""
        return number, self._shown(number)[0]

    def hidden(self, number: int) -> int:
        """Return how many values of line `number` are not shown."""
        return self._shown(number)[1]

    def enclosing(self, start: int, end: int) -> list[int]:
        """Return the lines before `start` with signatures of definitions that enclose lines `start` to `end`."""
        # The line of a package says nothing of what it holds
        around = [d for d in self.outline if d.start < start and d.end >= end and d.kind != "package"]
        lines: set[int] = set()
        for definition in sorted(around, key=lambda d: (d.start, -d.end))[-MAX_ENCLOSING:]:
            lines.update(self.signature(definition))
        return sorted(n for n in lines if n < start)

    def within(self, symbols: str, start: int, end: int) -> str:
        """Return `symbols` without those of definitions that end before `start`, or begin after `end` with comments."""
        named = symbols.split(", ")
        within: dict[str, bool] = {}
        for definition in self.outline:
            if (label := label_of(definition)) in named:
                between = self.plain[end - 1 : definition.start - 1]  # from the last line that is shown
                here = definition.end >= start and all(map(is_comment, between))
                within[label] = within.get(label, False) or here
        return ", ".join(symbol for symbol in named if within.get(symbol, True))

    def signature(self, definition: Definition) -> range:
        """Return the lines of a definition that say its name and parameters, without decorators and body."""
        last = min(max(definition.start, definition.end), len(self.plain))
        name = re.split(r"[.:#/]+", definition.name)[-1] or definition.name
        first = next(
            (
                n
                for n in range(definition.start, min(last, definition.start + 2 * SIGNATURE_LINES) + 1)
                if name in self.plain[n - 1] and not _DECORATION.match(self.plain[n - 1])
            ),
            definition.start,
        )
        depth = 0
        for number in range(first, min(last, first + SIGNATURE_LINES - 1) + 1):
            text = self.plain[number - 1]
            depth += text.count("(") + text.count("[") - text.count(")") - text.count("]")
            if depth <= 0:
                return range(first, number + 1)
        return range(first, first + 1)


def lines_of(text: str) -> list[str]:
    """Return the lines of `text` as parsers count them (LF, CRLF), each cleaned."""
    text = text.replace("\r\n", "\n")
    rows = text.split("\n")
    if rows and not rows[-1]:
        rows.pop()
    # Nearly every text is clean: one search, not three for each line.
    return rows if clean(text) == text else [clean(row) for row in rows]
