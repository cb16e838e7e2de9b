"""The revert journal: for each change that was made, how to get back to the state before."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bramble.editing.operations import Operation


@dataclass(frozen=True)
class JournalEntry:
    """Inverses of the operations of one command, in the order in which they have to be applied."""

    inverses: tuple[Operation, ...]
    cursor: int | None

    def is_empty(self) -> bool:
        return not self.inverses


class RevertJournal:
    """A bounded pile of entries, the newest on top.

    When the journal is full, the oldest entry falls out. Entries of commands that changed nothing
    are not written, so that reverting always has a visible effect.
    """

    def __init__(self, depth: int) -> None:
        if depth < 1:
            raise ValueError("a journal needs room for at least one entry")
        self._entries: deque[JournalEntry] = deque(maxlen=depth)

    def __len__(self) -> int:
        return len(self._entries)

    @property
    def depth(self) -> int:
        return self._entries.maxlen or 0

    def write(self, entry: JournalEntry) -> None:
        if not entry.is_empty():
            self._entries.append(entry)

    def take(self) -> JournalEntry | None:
        """The newest entry, which leaves the journal; None when there is none."""
        return self._entries.pop() if self._entries else None

    def clear(self) -> None:
        """After a merge, node ids in old entries mean nothing any more."""
        self._entries.clear()
