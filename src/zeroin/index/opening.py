"""From a source to a view: list, analyse what is new, assemble or map the snapshot, read history."""

import os
import time
from collections import OrderedDict
from contextlib import suppress
from dataclasses import dataclass
from math import inf
from pathlib import Path
from threading import Lock

from zeroin.config import facts_of_environment
from zeroin.corpus.files import NESTED
from zeroin.corpus.folder import PlainFolder
from zeroin.errors import CacheError
from zeroin.index.gather import FEW_FILES, NO_LIMIT, Effort, Gathered, identify
from zeroin.index.history import History
from zeroin.index.read_history import read_history
from zeroin.index.snapshot import Snapshot, file_name
from zeroin.index.store import Store
from zeroin.index.view import View
from zeroin.protocols import Source
from zeroin.tree import Skipped, TreeState

_HISTORY_SHARE = 0.25  # of the time left that reading history may take when there is a deadline
_HISTORY_SECONDS = 0.3  # and at least this long: what is kept grows with every call
_NAMED = 5  # nested repositories in a warning
_MOST_VIEWS = 2  # a caller works in one repository, sometimes beside another

_Place = tuple[type[Source], str, str, str]


class KeptViews:
    """The last views of this process, one for each place, so that a question reuses what earlier ones have read.

    A view is kept only while its tree, its commit and its history are as they were, and only with facts of every file.
    Safe to share between threads.
    """

    def __init__(self) -> None:
        self._views: OrderedDict[_Place, tuple[str, str, View]] = OrderedDict()
        self._lock = Lock()

    def get(self, source: Source, tree: str, history: History) -> View | None:
        """Return the kept view of a source; None unless its tree (a digest), commit and history are the same."""
        with self._lock:
            known, commit, view = self._views.get(_place(source), ("", "", None))
            if view is None or (known, commit) != (tree, source.commit):
                return None
            before = view.all_commits
            if not (before.complete and history.complete and len(before) == len(history)):
                return None
            self._views.move_to_end(_place(source))
            return view

    def keep(self, source: Source, tree: str, view: View) -> None:
        """Keep a view instead of the last one of its place; drop the least recently used beyond `_MOST_VIEWS`."""
        if not view.snapshot.analysed.all():
            return
        with self._lock:
            self._views[_place(source)] = tree, source.commit, view
            self._views.move_to_end(_place(source))
            while len(self._views) > _MOST_VIEWS:
                self._views.popitem(last=False)


def _place(source: Source) -> _Place:
    return type(source), source.identity, str(source.root), source.prefix


_views = KeptViews()


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

    def unsearched(self) -> list[str]:
        """Return a warning where no file is there, or some have no facts since time was short."""
        files = len(self.view.snapshot)
        if not files:
            nested = sorted(skipped.path for skipped in self.skipped if skipped.reason == NESTED)
            others = f" but other repositories; name them: {' '.join(nested[:_NAMED])}" if nested else ""
            return [f"there is no file to search in {self.root}{others}"]
        if not self.late:  # of files that cannot be read, who read them warns
            return []
        return [f"{self.missing:,} of {files:,} files were not analysed in time: known by path and history alone"]


def open_index(source: Source, effort: Effort = NO_LIMIT) -> Opened:
    """Return a view of a source, without its submodules."""
    began = time.monotonic()
    with Store.open(source.identity) as store:
        entries, skipped = identify(source, store, effort)
        tree = source.state(entries)
        if isinstance(source, PlainFolder) and source.has_refused_git:
            store.warnings.append(f"git does not take {source.root}/.git for a repository: searched without history")
        gathered: Gathered[None] = Gathered({}, 0, 0, 0, 0)
        compared = 0
        # Before analysing: history finds files, too, that there is no time to analyse.
        until = max(effort.until(_HISTORY_SHARE), time.monotonic() + _HISTORY_SECONDS)
        history = read_history(source, store, deadline=until)
        kept = store.path_for(file_name(tree.tree))
        view = _views.get(source, tree.tree, history) if kept is not None and kept.exists() else None
        if view is None:
            snapshot = kept_snapshot(store, tree.tree)
            if snapshot is None:
                from zeroin.index.assembling import assembled  # loads every parser and resolver

                if place := effort.facts or facts_of_environment():
                    from zeroin.index.sharing import take  # loads the network

                    compared = take(place, source, store, entries, effort, 1 if effort.facts else FEW_FILES)
                snapshot, gathered = assembled(source, store, entries, tree.tree, effort)
            view = View(snapshot, history, source, entries)
            _views.keep(source, tree.tree, view)
        return Opened(
            root=source.root,
            view=view,
            tree=tree,
            skipped=skipped,
            warnings=tuple(store.warnings),
            analysed=gathered.analysed + compared,
            missing=gathered.missing,
            late=gathered.late > 0 and effort.deadline < inf,
            seconds=time.monotonic() - began,
            identity=source.identity,
            prefix=source.prefix,
        )


def kept_snapshot(store: Store, tree: str) -> Snapshot | None:
    """Return the snapshot of this very tree from the cache, if it is there, whole, and every file was readable."""
    path = store.path_for(file_name(tree))
    if path is None or not path.exists():
        return None
    with suppress(OSError):  # read-only: its place in the order of use does not matter then
        os.utime(path)
    try:
        snapshot = Snapshot.load(path)
    except CacheError as error:
        store.warnings.append(f"the index is damaged ({error}); that part is assembled anew")
        return None
    return snapshot if snapshot.tree == tree and snapshot.analysed.all() else None
