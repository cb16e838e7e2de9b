"""Make the snapshot of a listing: from a kept snapshot where few files differ, else from facts."""

import time
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from zeroin.corpus.languages import language_of
from zeroin.corpus.roles import role_of
from zeroin.errors import CacheError
from zeroin.heap import trim
from zeroin.imports.graph import is_import_config
from zeroin.imports.tree import Read
from zeroin.index.arrays import StringTable
from zeroin.index.edges import stale_documents, with_imports
from zeroin.index.gather import Effort, Gathered, gather, key_of
from zeroin.index.intake import Intake
from zeroin.index.join import Edit, edit_of, edited
from zeroin.index.path_terms import path_postings, path_vectors
from zeroin.index.postings import Postings
from zeroin.index.snapshot import KEPT, ROLES, Snapshot, file_name
from zeroin.index.store import Key, Store
from zeroin.models.encoder import encoder
from zeroin.protocols import Contents, Source
from zeroin.tree import Entry

_KEPT_SNAPSHOTS = 4  # tree states asked about last; any other is assembled from facts again
_LEAST_SECONDS = 0.5  # of analysis, whatever the limit, so that every call makes progress
_ASSEMBLING = 1.0  # time for assembling, relative to that for analysing the paths
_FEW = 64  # changed files up to which a kept snapshot is edited, whatever its size
_FRACTION = 10  # for larger edits: one in so many files may have changed
# Files; a larger snapshot with few changed files and edges is written only when its tree is asked about again: until
# then, editing the kept one costs less.
_SMALL = 4_000
_EDITED, _MOST_EDITED = "edited", 16  # trees whose snapshots were not written: the name of the list, and its length


def assembled(
    source: Source, store: Store, entries: tuple[Entry, ...], tree: str, effort: Effort
) -> tuple[Snapshot, Gathered[None]]:
    """Return the snapshot of entries, and what was gathered for it. The snapshot is kept if `Gathered.is_final`.

    If few files differ from a kept snapshot, that one is edited. Files that could not be read are tried again.
    """
    near = _nearest(store, entries)
    if near is not None:
        base, edit = near
        added = [entries[new] for new in edit.added.tolist()]
        part, gathered = _of_entries(source, store, added, tree, effort)
        if base.tree == tree and not gathered.facts:
            return base, gathered
        snapshot = edited(edit, base, part, tree)
        if snapshot is not None:
            docs = stale_documents(base, edit, snapshot)
            snapshot = with_imports(snapshot, configs_of(source, entries), base, docs)
            few = docs is not None and max(len(edit), len(docs)) <= _FEW and len(entries) > _SMALL
            if gathered.is_final and (not few or _asked_before(store, tree)):
                snapshot = keep_snapshot(store, snapshot)
            return snapshot, gathered
    started = time.monotonic()
    path_terms = path_postings([entry.path for entry in entries])
    now = time.monotonic()
    effort = replace(effort, deadline=max(effort.deadline - _ASSEMBLING * (now - started), now + _LEAST_SECONDS))
    snapshot, gathered = _of_entries(source, store, entries, tree, effort, path_terms)
    # Not when time ran out: few analysed files have few edges, and resolving them takes tables of all paths.
    if not gathered.missing or time.monotonic() < effort.deadline:
        snapshot = with_imports(snapshot, configs_of(source, entries))
    if gathered.is_final:
        snapshot = keep_snapshot(store, snapshot)
    return snapshot, gathered


def _of_entries(
    source: Source,
    store: Store,
    entries: Sequence[Entry],
    tree: str,
    effort: Effort,
    path_terms: Postings | None = None,
) -> tuple[Snapshot, Gathered[None]]:
    """Return a snapshot of some entries without import edges, and what was gathered for it."""
    docs: dict[Key, list[int]] = {}
    for doc, entry in enumerate(entries):
        docs.setdefault(key_of(entry), []).append(doc)
    intake = Intake(docs, len(entries), store.folder())
    gathered = gather(source, store, entries, effort, intake.take)
    trim()
    return assemble(entries, intake, tree, path_terms), gathered


def assemble(entries: Sequence[Entry], intake: Intake, tree: str, path_terms: Postings | None = None) -> Snapshot:
    """Return a snapshot without import edges, from entries sorted by path and the facts that `intake` took of them.

    A file without facts is indexed by its path alone. `path_terms` are computed unless given.
    """
    paths = [entry.path for entry in entries]
    languages = [known or language_of(path) for known, path in zip(intake.languages, paths, strict=True)]
    language_names = tuple(sorted(set(languages)))
    number = {name: i for i, name in enumerate(language_names)}
    rows = zip(paths, intake.generated, languages, strict=True)
    roles = [role_of(path, generated=bool(made), language=language) for path, made, language in rows]
    path_terms = path_terms if path_terms is not None else path_postings(paths)
    passage_pointers, passages, vectors = intake.passages(encoder().dimensions)
    return Snapshot(
        paths=StringTable.pack(paths),
        blobs=_blobs(entries),
        language_names=language_names,
        languages=np.array([number[name] for name in languages], np.uint16),
        roles=np.array([ROLES.index(role) for role in roles], np.uint8),
        sizes=np.where(intake.sizes > 0, intake.sizes, [entry.size or 0 for entry in entries]),
        lines=intake.lines,
        analysed=intake.known,
        content=intake.content(),
        path_terms=path_terms,
        names=intake.names(),
        symbols=intake.symbols(),
        written=StringTable.pack(intake.imports),
        import_sources=np.empty(0, np.int32),
        import_targets=np.empty(0, np.int32),
        passage_pointers=passage_pointers,
        passages=passages,
        vectors=vectors,
        path_vectors=path_vectors(path_terms),
        tree=tree,
    )


def _blobs(entries: Sequence[Entry]) -> NDArray[np.uint8]:
    ids = [entry.blob or "" for entry in entries]
    digits = max(map(len, ids), default=0) or 40
    raw = bytes.fromhex("".join(blob.ljust(digits, "0") for blob in ids))
    return np.frombuffer(raw, np.uint8).reshape(-1, digits // 2)


def configs_of(contents: Contents, entries: Sequence[Entry]) -> Read:
    """Return a reader of configuration files. Its first call reads all: a git process for each would cost far more."""

    @cache
    def read() -> dict[str, bytes | None]:
        return {e.path: data for e, data in contents.read([e for e in entries if is_import_config(e.path)])}

    return lambda path: read().get(path)


def _nearest(store: Store, entries: Sequence[Entry]) -> tuple[Snapshot, Edit] | None:
    """Return the last kept snapshot from which few of the entries differ, and the edit that leads to them."""
    for path in store.array_files(KEPT):
        try:
            edit = edit_of(Snapshot.load(path, verify=False), entries)
            if len(edit) <= max(_FEW, len(entries) // _FRACTION):
                return Snapshot.load(path), edit
        except (CacheError, ValueError):  # damaged; the first load verifies no arrays
            continue  # an older one or the facts will do
    return None


def _asked_before(store: Store, tree: str) -> bool:
    """Tell whether a snapshot of this tree was already made and not written; the next call will know of this one."""
    trees = (store.get(_EDITED) or b"").decode("ascii", "replace").split()
    if tree in trees:
        return True
    store.put(_EDITED, " ".join([*trees, tree][-_MOST_EDITED:]).encode())
    return False


def keep_snapshot(store: Store, snapshot: Snapshot, most: int = _KEPT_SNAPSHOTS) -> Snapshot:
    """Write a snapshot, keep the last `most`, and return it mapped into memory: questions read little of it."""
    path = store.path_for(file_name(snapshot.tree))
    if path is None:
        return snapshot
    trim()  # before the vocabulary takes memory beside all columns
    try:
        snapshot.save(path)
        store.trim(KEPT, most)
        return Snapshot.load(path, verify=False)
    except CacheError as error:
        store.not_kept(error)
        return snapshot
