"""Writes the outline now and then while it is being edited."""

from __future__ import annotations

import time
from collections.abc import Callable

from bramble.model.outline import Outline
from bramble.storage.file_store import FileStore


class Autosave:
    """Saves when something has changed and the last write was long enough ago.

    There is no thread: the main loop asks after each key. Whoever types nothing has nothing to lose.
    """

    def __init__(
        self, store: FileStore, every_seconds: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._store = store
        self._every = every_seconds
        self._clock = clock
        self._saved_at = clock()
        self._saved_changes = 0

    def consider(self, outline: Outline, change_count: int) -> bool:
        """Saves if it is time to; says whether it did."""
        if self._every <= 0 or change_count == self._saved_changes:
            return False
        if self._clock() - self._saved_at < self._every:
            return False
        if self._store.changed_on_disk():
            # Somebody else wrote the file. The merge decides, not we.
            return False
        self._store.save(outline)
        self._saved_at = self._clock()
        self._saved_changes = change_count
        return True
