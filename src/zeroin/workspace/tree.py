"""Join opened trees into one: their files lie below prefixes, and each is read from its own tree."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import groupby
from pathlib import Path

import numpy as np

from zeroin.config import MAX_COMMITS
from zeroin.imports.outward import Outward
from zeroin.index.assembling import configs_of, keep_snapshot
from zeroin.index.edges import outward, with_imports, with_imports_of
from zeroin.index.join import joined_history, joined_snapshot
from zeroin.index.opening import Opened, kept_snapshot
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
        prefix = entry.path.rpartition("/")[0] + "/"
        while prefix not in self._by_prefix:
            prefix = prefix.rstrip("/").rpartition("/")[0]
            prefix = f"{prefix}/" if prefix else ""
            if not prefix:
                return ""
        return prefix


class WorkspaceView(View):
    """A view of several repositories: a path may be given as `NAME:path`."""

    names: Names

    def doc_of(self, path: str) -> int | None:
        return self.numbers.get(self.names.inside(path))


def joined(
    trees: Sequence[Below],
    main: Opened | None = None,
    names: Names | None = None,
    *,
    keep: bool = True,
    contents: Contents | None = None,
) -> Opened:
    """Return several trees as one; root, revision, identity and prefix are those of `main` if given.

    With `keep` the joined snapshot is kept, so that the same trees are joined once. `contents` replace
    those of the trees.
    """
    digest = _digest(trees)
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

    if any(tree.opened.missing for tree in trees):
        keep = False  # after a time limit: the next call has facts of more files
    snapshot, warnings = _kept_or(make, digest) if keep else (make(), [])
    kind = View if names is None else WorkspaceView
    view = kind(snapshot, joined_history(histories, MAX_COMMITS), contents, entries)
    if isinstance(view, WorkspaceView) and names is not None:
        view.names = names
    states = [tree.opened.tree for tree in trees]
    skipped = [Skipped(t.prefix + s.path, s.reason) for t in trees for s in t.opened.skipped]
    opened = [tree.opened for tree in trees]
    return Opened(
        root=main.root if main is not None else _common([one.root for one in opened]),
        view=view,
        tree=TreeState(
            main.tree.commit if main is not None else "",
            digest,
            any(state.dirty for state in states),
            main.tree.rev if main is not None else "",
        ),
        skipped=tuple(sorted(skipped, key=lambda item: item.path)),
        warnings=tuple(dict.fromkeys([*(w for one in opened for w in one.warnings), *warnings])),
        analysed=sum(one.analysed for one in opened),
        missing=sum(one.missing for one in opened),
        late=any(one.late for one in opened),
        seconds=sum(one.seconds for one in opened),
        identity=main.identity if main is not None else JOINED,
        prefix=main.prefix if main is not None else "",
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


def _digest(trees: Sequence[Below]) -> str:
    named = "\0".join(f"{tree.prefix}\0{tree.opened.view.snapshot.tree}" for tree in trees)
    return sha256(named.encode("utf-8", "surrogatepass")).hexdigest()


def _kept_or(make: Callable[[], Snapshot], tree: str) -> tuple[Snapshot, list[str]]:
    """Return the snapshot of that tree from the cache, or make and keep it; and the store's warnings."""
    with Store.open(JOINED) as store:
        snapshot = kept_snapshot(store, tree)
        if snapshot is None:
            snapshot = keep_snapshot(store, make(), _KEPT_JOINED)
        return snapshot, store.warnings


def _common(roots: Sequence[Path]) -> Path:
    common = roots[0]
    while not all(root.is_relative_to(common) for root in roots):
        common = common.parent
    return common
