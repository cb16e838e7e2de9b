"""Loads and saves outlines; the format follows the ending of the file."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path

from bramble.formats import markdown, opml
from bramble.model.outline import Outline


class UnreadableFile(Exception):
    """The file exists, but it is not an outline."""


Reader = Callable[[str], Outline]
Writer = Callable[[Outline], str]

FORMATS: dict[str, tuple[Reader, Writer]] = {
    ".md": (markdown.read, markdown.write),
    ".markdown": (markdown.read, markdown.write),
    ".opml": (opml.read, opml.write),
}


class FileStore:
    """One file. Writing is atomic: readers see the old file or the new one, never half of one."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._reader, self._writer = FORMATS.get(path.suffix.lower(), FORMATS[".md"])
        self._seen_mtime: float | None = None

    def load(self) -> Outline:
        if not self.path.exists():
            return Outline()
        try:
            text = self.path.read_text(encoding="utf-8")
            outline = self._reader(text)
        except (OSError, UnicodeDecodeError, ValueError) as problem:
            raise UnreadableFile(f"{self.path}: {problem}") from problem
        self._seen_mtime = self.path.stat().st_mtime
        return outline

    def changed_on_disk(self) -> bool:
        """Whether another program has written the file since it was loaded or saved."""
        if self._seen_mtime is None or not self.path.exists():
            return False
        return self.path.stat().st_mtime != self._seen_mtime

    def save(self, outline: Outline) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=self.path.parent, prefix=".bramble-")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(self._writer(outline))
                file.flush()
                os.fsync(file.fileno())
            Path(name).replace(self.path)
        except OSError:
            Path(name).unlink(missing_ok=True)
            raise
        self._seen_mtime = self.path.stat().st_mtime
