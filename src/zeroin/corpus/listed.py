"""Common parts of all sources: their place, a listing made once, and the digest of a tree."""

import hashlib
import threading
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from operator import attrgetter
from pathlib import Path

from zeroin.corpus.files import leads_out
from zeroin.corpus.ignore import Ignores
from zeroin.tree import Entry, Skipped

SUBMODULE = "submodule"  # the reason for leaving out a submodule's folder


class Listed(ABC):
    """A source (`protocols.Source`) without its contents; safe to share between threads."""

    def __init__(
        self, root: Path, *, identity: str, git_dir: Path | None = None, prefix: str = "", commit: str = ""
    ) -> None:
        self.root = root
        self.identity = identity
        self.git_dir = git_dir
        self.prefix = prefix
        self.commit = commit
        self._lock = threading.Lock()
        self._listed: tuple[tuple[Entry, ...], tuple[Skipped, ...]] | None = None

    def list(self) -> tuple[tuple[Entry, ...], tuple[Skipped, ...]]:
        """Return all documents sorted by path, and what is left out. Listed once. Raises `GitError`."""
        with self._lock:
            if self._listed is None:
                found = sorted(map(_in_the_tree, self._find()), key=attrgetter("path"))
                entries = tuple(item for item in found if isinstance(item, Entry))
                self._listed = entries, tuple(item for item in found if isinstance(item, Skipped))
            return self._listed

    @abstractmethod
    def _find(self) -> Iterable[Entry | Skipped]:
        """Return every file of the source, in any order."""


def _in_the_tree(item: Entry | Skipped) -> Entry | Skipped:
    """Return the item, as `Skipped` where its path leads out of the tree."""
    elsewhere = isinstance(item, Entry) and leads_out(item.path)
    return Skipped(item.path, "name outside the tree") if elsewhere else item


def without_ignored(found: Iterable[Entry | Skipped], ignores: Ignores, prefix: str) -> Iterator[Entry | Skipped]:
    """Yield the items; those that an ignore file leaves out become `Skipped`."""
    if not ignores:
        yield from found
        return
    for item in found:
        asked = isinstance(item, Entry) or item.reason == SUBMODULE
        reason = ignores.decide(prefix + item.path) if asked else None
        yield Skipped(item.path, reason) if reason else item


def tree_digest(entries: Iterable[Entry]) -> str:
    """SHA-256, in hex, over the path and blob of every entry in order: the same however the files are stored."""
    lines = [f"{entry.blob or '-'} {entry.path}\0" for entry in entries]
    return hashlib.sha256("".join(lines).encode("utf-8", "surrogateescape")).hexdigest()
