"""Indexes on disk: building them ahead, what they take, removing them, carrying them elsewhere."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

from zeroin.corpus.source import open_source
from zeroin.engine import Repository
from zeroin.index import cache
from zeroin.index.cache import Usage
from zeroin.index.database import file_name
from zeroin.llm_judge.cache import clear as clear_replies
from zeroin.protocols import Progress
from zeroin.sessions import store as sessions
from zeroin.tree import TreeState


@dataclass(frozen=True, slots=True)
class IndexReport:
    """What building an index did; counts of files, wall time in seconds."""

    files: int
    analysed: int
    reused: int
    skipped: int
    seconds: float
    warnings: tuple[str, ...]
    tree: TreeState


def build_index(
    repository: str | Path = ".", *, rev: str | None = None, jobs: int = 0, progress: Progress | None = None
) -> IndexReport:
    """Analyse everything ahead, so that the first question is quick."""
    began = time.monotonic()
    opened = Repository.open(repository, rev=rev, jobs=jobs, progress=progress).opened
    files = len(opened.view.snapshot)
    return IndexReport(
        files=files,
        analysed=opened.analysed,
        reused=files - opened.analysed - opened.missing,
        skipped=len(opened.skipped),
        seconds=time.monotonic() - began,
        warnings=tuple(opened.warnings),
        tree=opened.tree,
    )


def cache_usage(repository: str | Path | None = None) -> list[Usage]:
    """Return what each repository takes in the cache, last used first; of one repository, if it is named."""
    found = cache.usage()
    if repository is None:
        return found
    name = file_name(open_source(repository).identity)
    return [item for item in found if item.name == name]


def clear_cache(repository: str | Path | None = None) -> int:
    """Remove index and kept sessions of a repository, or everything, replies of models too; returns the bytes freed."""
    identity = None if repository is None else open_source(repository).identity
    sessions.forget(identity)
    if identity is None:
        clear_replies()
    return cache.clear(identity=identity)


def prune_cache(max_bytes: int | None = None, max_age_days: float | None = None) -> int:
    """Remove indexes that were not used for long or are too many; returns the bytes freed."""
    return cache.prune(max_bytes, max_age_days)


def export_index(repository: str | Path, file: Path) -> int:
    """Write what is known of a repository to `file`; returns the number of facts. Raises `CacheError`."""
    return cache.export_index(open_source(repository).identity, file)


def import_index(repository: str | Path, file: Path) -> int:
    """Take over what `export_index` wrote elsewhere; returns the number of facts. Raises `CacheError`."""
    return cache.import_index(file, open_source(repository).identity)
