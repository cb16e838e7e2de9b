"""From a source to a view: list, analyse what is new, assemble or map the snapshot, read history."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from zeroin.errors import CacheError
from zeroin.index.gather import Effort, Gathered, identify, silent
from zeroin.index.read_history import read_history
from zeroin.index.snapshot import Snapshot, file_name
from zeroin.index.store import Store
from zeroin.index.view import View
from zeroin.protocols import Progress, Source
from zeroin.tree import Skipped, TreeState

_HISTORY_SHARE = 0.25  # of the time left that reading history may take when there is a deadline
_HISTORY_SECONDS = 0.3  # and at least this long: what is kept grows with every call


@dataclass(frozen=True, slots=True)
class Opened:
    """A view, and how complete it is.

    `analysed` files were new, `missing` ones have no facts: unreadable, or not reached in time (`late`).
    """

    root: Path
    view: View
    tree: TreeState
    skipped: tuple[Skipped, ...]
    warnings: tuple[str, ...]
    analysed: int
    missing: int
    late: bool
    seconds: float
    identity: str  # of the repository, as the cache knows it
    prefix: str  # of the folder that was opened in its work tree: "" or ending in "/"


def open_index(
    source: Source,
    *,
    jobs: int = 0,
    deadline: float | None = None,
    wanted: Mapping[str, float] | None = None,
    progress: Progress | None = None,
) -> Opened:
    """Return a view of a source.

    With a deadline (monotonic), files with wanted terms, given with weights, are analysed first.
    """
    began = time.monotonic()
    effort = Effort(deadline, jobs, wanted or {}, progress or silent)
    with Store.open(source.identity) as store:
        entries, skipped = identify(source, store, effort)
        tree = source.state(entries)
        snapshot = kept_snapshot(store, tree.tree)
        gathered: Gathered[None] = Gathered({}, 0, 0, 0, 0)
        # First, since it finds files that there is no time to analyse.
        history = read_history(source, store, deadline=_history_deadline(deadline))
        if snapshot is None:
            from zeroin.index.assembling import assembled  # loads every parser and resolver

            snapshot, gathered = assembled(source, store, entries, tree.tree, effort)
        return Opened(
            root=source.root,
            view=View(snapshot, history, source, entries),
            tree=tree,
            skipped=skipped,
            warnings=tuple(store.warnings),
            analysed=gathered.analysed,
            missing=gathered.missing,
            late=gathered.late > 0 and deadline is not None,
            seconds=time.monotonic() - began,
            identity=source.identity,
            prefix=source.prefix,
        )


def _history_deadline(deadline: float | None) -> float | None:
    if deadline is None:
        return None
    now = time.monotonic()
    return now + max(_HISTORY_SHARE * (deadline - now), _HISTORY_SECONDS)


def kept_snapshot(store: Store, tree: str) -> Snapshot | None:
    """Return the snapshot of this very tree from the cache, if it is there, whole, and every file was readable."""
    path = store.path_for(file_name(tree))
    if path is None or not path.exists():
        return None
    try:
        snapshot = Snapshot.load(path)
    except CacheError as error:
        store.warnings.append(f"the index is damaged ({error}); that part is assembled anew")
        return None
    return snapshot if snapshot.tree == tree and snapshot.analysed.all() else None
