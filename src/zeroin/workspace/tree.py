"""Join opened trees into one: their files lie below prefixes, and each is read from its own tree."""

import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from itertools import groupby
from pathlib import Path

import numpy as np

from zeroin.config import MAX_COMMITS
from zeroin.imports.tree import Outward
from zeroin.index.assembling import configs_of, keep_snapshot
from zeroin.index.edges import outward, with_imports, with_imports_of
from zeroin.index.join import joined_history, joined_snapshot
from zeroin.index.opening import Opened, kept_snapshot
from zeroin.index.overview import Overview, joined_overview
from zeroin.index.snapshot import Snapshot
from zeroin.index.store import Store
from zeroin.index.view import View
from zeroin.protocols import Contents
from zeroin.tree import Entry, Skipped, TreeState
from zeroin.workspace.names import Names

JOINED = "workspace"  # identity, in the cache, of a join of several trees
_KEPT_JOINED = 6  # joined snapshots in the cache


@dataclass(frozen=True, slots=True)
class Below:
    """A tree that was opened, and the prefix of its paths in the whole: "" or ending in "/"."""

    prefix: str
    opened: Opened


class JoinedContents:
    """The contents of several trees (`protocols.Contents`)."""

    def __init__(self, trees: Sequence[Below]) -> None:
        self._by_prefix: Mapping[str, Contents] = {tree.prefix: tree.opened.view.contents for tree in trees}

    def read(self, entries: Iterable[Entry]) -> Iterator[tuple[Entry, bytes | None]]:
        """Yield contents in order; entries of one tree that follow each other are read at once."""
        for prefix, group in groupby(entries, self._prefix_of):
            whole = list(group)
            own = [entry._replace(path=entry.path[len(prefix) :]) for entry in whole]
            for entry, (_, data) in zip(whole, self._by_prefix[prefix].read(own), strict=True):
                yield entry, data

    def _prefix_of(self, entry: Entry) -> str:
        """Return the longest prefix of a tree that the path lies below."""
        end = entry.path.rfind("/") + 1
        while end and entry.path[:end] not in self._by_prefix:
            end = entry.path.rfind("/", 0, end - 1) + 1
        return entry.path[:end]


@dataclass(frozen=True, slots=True)
class ContentsBelow:
    """The contents of one tree, read from those of the whole (`protocols.Contents`)."""

    whole: Contents
    prefix: str

    def read(self, entries: Iterable[Entry]) -> Iterator[tuple[Entry, bytes | None]]:
        """Yield contents in order."""
        own = list(entries)
        read = self.whole.read([entry._replace(path=self.prefix + entry.path) for entry in own])
        yield from ((entry, data) for entry, (_, data) in zip(own, read, strict=True))


class WorkspaceView(View):
    """A view of several repositories: a path may be given as `NAME:path`.

    Each has components and a map of its own: as one tree the largest would be all of it.
    """

    names: Names
    trees: Sequence[Below]

    def doc_of(self, path: str) -> int | None:
        return self.numbers.get(self.names.inside(path))

    @cached_property
    def components(self) -> dict[str, str]:
        """The component of every path, by the folders of its repository."""
        out = dict.fromkeys(self.paths, "")
        for tree in self.trees:
            for path, part in tree.opened.view.components.items():
                out[tree.prefix + path] = part and tree.prefix + part
        return out

    @cached_property
    def overview(self) -> Overview:
        """The maps of all repositories."""
        maps = []
        for tree in self.trees:
            view = tree.opened.view
            maps.append((tree.prefix, self.docs_of(tree.prefix + path for path in view.paths), view.overview))
        return joined_overview(maps, self.degrees[0])


def joined(
    trees: Sequence[Below], names: Names | None = None, *, keep: bool = True, contents: Contents | None = None
) -> Opened:
    """Return several trees as one.

    With `keep` the joined snapshot is kept, so that the same trees are joined once. `contents` replace
    those of the trees.
    """
    opened = [tree.opened for tree in trees]
    named = "\0".join(f"{tree.prefix}\0{tree.opened.view.snapshot.tree}" for tree in trees)
    digest = sha256(named.encode("utf-8", "surrogatepass")).hexdigest()
    snapshots = [(tree.prefix, tree.opened.view.snapshot) for tree in trees]
    histories = [(tree.prefix, tree.opened.view.all_commits) for tree in trees]
    entries = [Entry(t.prefix + e.path, e.blob, e.size, e.stat) for t in trees for e in t.opened.view.entries]
    entries.sort(key=lambda entry: entry.path)
    contents = JoinedContents(trees) if contents is None else contents

    def make() -> Snapshot:  # import edges are made last, as some lead from one tree to another
        whole = joined_snapshot(snapshots, digest)
        if names is None:  # submodules: one program
            return with_imports(whole, configs_of(contents, entries))
        return with_imports_of(whole, [(t.prefix, t.opened.view.snapshot, outward_of(t)) for t in trees])

    warnings: list[str] = []
    if not keep or any(one.missing for one in opened):  # after a time limit: the next call has facts of more files
        snapshot = make()
    else:
        with Store.open(JOINED) as store:
            kept = kept_snapshot(store, digest)
            snapshot = kept if kept is not None else keep_snapshot(store, make(), _KEPT_JOINED)
            warnings = store.warnings
    kind = View if names is None else WorkspaceView
    view = kind(snapshot, joined_history(histories, MAX_COMMITS), contents, entries)
    if isinstance(view, WorkspaceView) and names is not None:
        view.names, view.trees = names, trees
        view.members = [tree.prefix[:-1] for tree in trees]
    skipped = [Skipped(t.prefix + s.path, s.reason) for t in trees for s in t.opened.skipped]
    return Opened(
        root=Path(os.path.commonpath([one.root for one in opened])),
        view=view,
        tree=TreeState("", digest, any(one.tree.dirty for one in opened)),
        skipped=tuple(sorted(skipped, key=lambda item: item.path)),
        warnings=tuple(dict.fromkeys([*(w for one in opened for w in one.warnings), *warnings])),
        analysed=sum(one.analysed for one in opened),
        missing=sum(one.missing for one in opened),
        late=any(one.late for one in opened),
        seconds=sum(one.seconds for one in opened),
        identity=JOINED,
        prefix="",
    )


def outward_of(tree: Below) -> Outward:
    """Return the names that a tree offers to and wants from others, cached in its view."""
    view = tree.opened.view
    if view.outward is None:
        view.outward = outward(view.snapshot, configs_of(view.contents, view.entries))
    return view.outward


def linked(whole: Snapshot, companions: Collection[str]) -> set[str]:
    """Return the names of the `companions` that an import of the joined tree connects with one that is none."""
    paths = whole.paths.tolist()
    ends = np.stack([whole.import_sources, whole.import_targets], axis=1).tolist()
    pairs = {(paths[a].partition("/")[0], paths[b].partition("/")[0]) for a, b in ends}
    return {one for pair in pairs for one, other in (pair, pair[::-1]) if one in companions and other not in companions}
