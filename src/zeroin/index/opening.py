"""From a source to a view: list, analyse what is new, assemble or map the snapshot, read history."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from zeroin.corpus.languages import language_of
from zeroin.errors import CacheError
from zeroin.index.gather import Effort, gather, identify, key_of, silent
from zeroin.index.path_terms import path_postings
from zeroin.index.postings import Postings
from zeroin.index.read_history import read_history
from zeroin.index.snapshot import SNAPSHOT_VERSION, Snapshot, assemble
from zeroin.index.store import Store
from zeroin.index.view import View
from zeroin.parsing.facts import Facts
from zeroin.protocols import Progress, Source
from zeroin.tree import Entry, Skipped, TreeState

_KEPT_SNAPSHOTS = 4  # tree states last asked about; any other is assembled from facts again
_HISTORY_SHARE = 0.25  # of the time left that reading history may take when there is a deadline
_HISTORY_SECONDS = 0.3  # and at least this long: what is kept grows with every call
_LEAST_SECONDS = 0.5  # of analysis, whatever the limit: every call gets on, or the next would be no wiser
_ASSEMBLING = 1.0  # time that assembling takes beside analysing the paths


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
        snapshot = _mapped(store, tree.tree)
        analysed = missing = 0
        # First, since it finds files that there is no time to analyse.
        history = read_history(source, store, deadline=_history_deadline(deadline))
        if snapshot is None:
            started = time.monotonic()
            path_terms = path_postings([entry.path for entry in entries])
            if deadline is not None:
                now = time.monotonic()
                late = max(deadline - _ASSEMBLING * (now - started), now + _LEAST_SECONDS)
                effort = replace(effort, deadline=late)
            gathered = gather(source, store, entries, effort)
            analysed, missing = gathered.analysed, gathered.missing
            snapshot = _assembled(source, entries, gathered.facts, tree.tree, path_terms, effort.deadline)
            if not missing:
                _keep(store, snapshot)
        return Opened(
            root=source.root,
            view=View(snapshot, history, source, entries),
            tree=tree,
            skipped=skipped,
            warnings=tuple(store.warnings),
            analysed=analysed,
            missing=missing,
            late=deadline is not None and missing > 0,
            seconds=time.monotonic() - began,
            identity=source.identity,
            prefix=source.prefix,
        )


def _history_deadline(deadline: float | None) -> float | None:
    if deadline is None:
        return None
    now = time.monotonic()
    return now + max(_HISTORY_SHARE * (deadline - now), _HISTORY_SECONDS)


def _assembled(
    source: Source,
    entries: Sequence[Entry],
    facts: dict[tuple[str, str], Facts],
    tree: str,
    path_terms: Postings,
    deadline: float | None,
) -> Snapshot:
    from zeroin.imports.graph import ImportGraph, is_import_config, resolve_imports  # loads every resolver

    of_entry = [facts.get(key_of(entry)) for entry in entries]
    # The shebang may decide where the name does not.
    languages = [
        known.language if known is not None else language_of(entry.path)
        for entry, known in zip(entries, of_entry, strict=True)
    ]
    # Read at once: one process a configuration file would cost more than resolving everything.
    configs = {
        entry.path: data for entry, data in source.read([e for e in entries if is_import_config(e.path)])
    }

    def resolve(paths: Sequence[str], names: Sequence[str], known: Sequence[Facts]) -> ImportGraph:
        if deadline is not None and len(facts) < len(entries) and time.monotonic() >= deadline:
            return ImportGraph()  # of a few files it has few edges, and its tables are made of all paths
        return resolve_imports(
            paths,
            names,
            [f.imports for f in known],
            [f.definitions for f in known],
            configs.get,
            [f.names for f in known],
        )

    return assemble(entries, languages, of_entry, resolve, tree, path_terms)


def _name(tree: str) -> str:
    return f"snapshot-{SNAPSHOT_VERSION}-{tree[:24]}.bin"


def _mapped(store: Store, tree: str) -> Snapshot | None:
    """Return the snapshot of this very tree from the cache, if it is there and whole."""
    path = store.path_for(_name(tree))
    if path is None or not path.exists():
        return None
    try:
        snapshot = Snapshot.load(path)
    except CacheError:
        return None  # rebuilt from facts: nothing is lost
    return snapshot if snapshot.tree == tree else None


def _keep(store: Store, snapshot: Snapshot) -> None:
    path = store.path_for(_name(snapshot.tree))
    if path is None:
        return
    try:
        snapshot.save(path)
        store.trim("snapshot-", _KEPT_SNAPSHOTS)
    except CacheError as error:
        store.warnings.append(f"the snapshot is not cached: {error}")
