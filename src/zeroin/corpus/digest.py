"""A digest of a whole tree, the same for the same files however they are stored."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from zeroin.tree import Entry


def tree_digest(entries: Iterable[Entry]) -> str:
    """SHA-256, in hex, over the path and blob of every entry in order."""
    lines = [f"{entry.blob or '-'} {entry.path}\0" for entry in entries]
    return hashlib.sha256("".join(lines).encode("utf-8", "surrogateescape")).hexdigest()
