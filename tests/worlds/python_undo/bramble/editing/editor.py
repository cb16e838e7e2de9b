"""Carries out operations and keeps the cursor where people expect it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bramble.editing.operations import Operation
from bramble.journal import JournalEntry, RevertJournal, inverse_of
from bramble.model.node import Node
from bramble.model.outline import Outline


class Editor:
    """The only one who changes an outline while it is open."""

    def __init__(self, outline: Outline, journal_depth: int) -> None:
        self.outline = outline
        self.journal = RevertJournal(depth=journal_depth)
        self.change_count = 0
        first = next(outline.visible_lines(), None)
        self.cursor: int | None = None if first is None else first.id

    def perform(self, operations: Sequence[Operation], cursor: int | None = None) -> None:
        """Applies the operations of one command and writes one entry into the journal.

        Inverses are taken before each operation, since they need what is about to change.
        When an operation fails, those before it are taken back and the error goes on.
        """
        before = self.cursor
        inverses: list[Operation] = []
        for operation in operations:
            inverse = inverse_of(operation, self.outline)
            try:
                operation.apply(self.outline)
            except (KeyError, ValueError):
                self._apply_all(reversed(inverses))
                raise
            inverses.append(inverse)
        self.journal.write(JournalEntry(tuple(reversed(inverses)), cursor=before))
        self.change_count += 1
        if cursor is not None:
            self.cursor = cursor
        self._keep_cursor_inside()

    def revert_last(self) -> bool:
        """Takes back the newest journal entry; false when the journal is empty."""
        entry = self.journal.take()
        if entry is None:
            return False
        self._apply_all(entry.inverses)
        self.cursor = entry.cursor
        self.change_count += 1
        self._keep_cursor_inside()
        return True

    def current(self) -> Node | None:
        return None if self.cursor is None else self.outline.node(self.cursor)

    def _apply_all(self, operations: Iterable[Operation]) -> None:
        for operation in operations:
            operation.apply(self.outline)

    def _keep_cursor_inside(self) -> None:
        lines = list(self.outline.visible_lines())
        if not any(node.id == self.cursor for node in lines):
            self.cursor = lines[0].id if lines else None
