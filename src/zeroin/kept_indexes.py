"""Build, measure, remove and share indexes on disk."""

import time
from dataclasses import dataclass
from functools import cache as once
from pathlib import Path

from zeroin.corpus.source import open_source
from zeroin.errors import GitError, RepositoryError
from zeroin.index import cache
from zeroin.index.cache import Usage
from zeroin.index.database import file_name
from zeroin.index.gather import Effort, identify, silent
from zeroin.index.store import Store
from zeroin.llm_judge.cache import clear as clear_replies
from zeroin.protocols import Progress, Source
from zeroin.sessions import store as sessions
from zeroin.tree import TreeState
from zeroin.workspace.repository import open_tree, submodules_of
from zeroin.workspace.tree import JOINED


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
    repository: str | Path = ".",
    *,
    rev: str | None = None,
    jobs: int = 0,
    progress: Progress | None = None,
    facts: str = "",
) -> IndexReport:
    """Analyse all files ahead, so that the first question is quick; facts that the place `facts` has are taken."""
    began = time.monotonic()
    opened = open_tree(open_source(repository, rev), Effort(jobs=jobs, progress=progress or silent, facts=facts))
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
    """Remove index and kept sessions of a repository, or everything, replies of models too; returns the bytes freed.

    With a repository go its submodules, all joined trees, and sessions that are about it and others.
    """
    if repository is None:
        sessions.forget()
        clear_replies()
        return cache.clear()
    sources = _with_submodules(open_source(repository))
    roots, identities = {source.root for source in sources}, {source.identity for source in sources}

    @once
    def is_of(folder: Path) -> bool:
        try:
            return folder in roots or open_source(folder).identity in identities
        except (GitError, RepositoryError):  # it is gone
            return False

    for identity in identities:
        sessions.forget(identity, is_of)
    return sum(cache.clear(identity) for identity in (*identities, JOINED))


def _with_submodules(source: Source) -> list[Source]:
    """Return a repository with the submodules that are checked out in it, and with theirs."""
    try:
        _, skipped = source.list()
    except GitError:  # the cache of a damaged repository can still be removed
        return [source]
    found = [inside for _, inside in submodules_of(source, skipped)]
    return [source, *(each for inside in found for each in _with_submodules(inside))]


def export_facts(repository: str | Path, place: str, *, rev: str | None = None) -> int:
    """Add the facts of a repository and its submodules to a place, for others with the same files.

    Returns how many facts were new there. Raises `CacheError`, `InputError`.
    """
    from zeroin.index.sharing import give  # imports network libraries

    count = 0
    for source in _with_submodules(open_source(repository, rev)):
        with Store.open(source.identity) as store:
            count += give(place, source, store, identify(source, store)[0])
    return count
