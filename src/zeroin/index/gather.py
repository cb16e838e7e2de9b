"""From a listing to facts: ids for files that git does not know, then facts for every blob that has none yet.

Nothing is read whose facts are in the store; what is analysed is stored in small batches, so that a kill, an
interrupt or a deadline loses little.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, replace

from zeroin.corpus.git import blob_id
from zeroin.corpus.languages import language_of
from zeroin.index.analysing import Item, analyse_many
from zeroin.index.store import Key, Stat, Store
from zeroin.parsing.facts import Facts
from zeroin.protocols import Progress, Source
from zeroin.tree import Entry, Skipped

FEW_FILES = 40  # starting a process takes as long as analysing these
_RACY_NS = 2_000_000_000  # the coarsest clock of a file system (FAT): younger files may change unseen
_BATCH_FILES = 256
_BATCH_SECONDS = 1.0
_HEAD_BYTES = 256  # what a shebang may be in
_HASHING_SHARE = 0.4  # of the time left: an id without facts is worth less than facts
_CHECK_EVERY = 64
_READING_SHARE = 0.5  # of the time left that reading stored facts may take: assembling them takes as long
_ANALYSING = "analysing"  # named value: there while this process, unprotected, analyses a few files


@dataclass(frozen=True, slots=True)
class Gathered:
    """Facts by `key_of` an entry. `analysed` were new; `missing` entries have none: no time, or unreadable."""

    facts: dict[Key, Facts]
    analysed: int
    missing: int


def key_of(entry: Entry) -> Key:
    """What facts of an entry depend on: blob id and language, "" where the bytes decide the language."""
    language = language_of(entry.path)
    if language == "text" and language_of(entry.path, b"#!/bin/sh") != "text":
        language = ""
    return entry.blob or "", language


def identify(
    source: Source,
    store: Store,
    *,
    prefer: Callable[[Sequence[Entry]], Sequence[Entry]] | None = None,
    deadline: float | None = None,
    progress: Progress | None = None,
) -> tuple[tuple[Entry, ...], tuple[Skipped, ...]]:
    """The listing with blob ids filled in; files that cannot be read are skipped. Raises `GitError`.

    Ids of files outside git's knowledge are kept by size, mtime and inode. After its share of the time until
    `deadline` (monotonic) the remaining ids stay None; `prefer` orders what is to be hashed.
    """
    entries, skipped = source.list()
    if all(entry.blob for entry in entries):
        return entries, skipped
    root = str(source.root)
    known = store.stats(root)
    blobs: dict[str, str] = {}
    unknown: list[Entry] = []
    for entry in entries:
        if entry.blob is None:
            found = known.get(entry.path)
            if found is not None and entry.stat is not None and found[0] == entry.stat:
                blobs[entry.path] = found[1]
            else:
                unknown.append(entry)
    order: Sequence[Entry] = prefer(unknown) if prefer is not None else unknown
    until = None if deadline is None else time.monotonic() + _HASHING_SHARE * (deadline - time.monotonic())
    algorithm = "sha256" if any(entry.blob and len(entry.blob) == 64 for entry in entries) else "sha1"
    put: dict[str, tuple[Stat, str]] = {}
    unreadable: set[str] = set()
    try:
        for at, (entry, data, before_ns) in enumerate(_timed(source, order)):
            if data is None:
                unreadable.add(entry.path)
            else:
                blobs[entry.path] = blob_id(data, algorithm)
                if entry.stat is not None and entry.stat[1] < before_ns - _RACY_NS:
                    put[entry.path] = (entry.stat, blobs[entry.path])
            if at % _CHECK_EVERY == 0:
                if progress is not None:
                    progress("hashing", at, len(unknown))
                if until is not None and time.monotonic() >= until:
                    break
    finally:
        # Of this root only: the rows of other worktrees and subtrees are theirs.
        store.put_stats(root, put, known.keys() - {entry.path for entry in entries if entry.blob is None})
    filled = tuple(
        entry if entry.blob else replace(entry, blob=blobs.get(entry.path))
        for entry in entries
        if entry.path not in unreadable
    )
    left_out = tuple(Skipped(path, "unreadable") for path in sorted(unreadable))
    return filled, skipped + left_out


def _timed(source: Source, entries: Sequence[Entry]) -> Iterator[tuple[Entry, bytes | None, int]]:
    """Contents with a time that is surely before they were read."""
    for at in range(0, len(entries), _CHECK_EVERY):
        before_ns = time.time_ns()
        for entry, data in source.read(entries[at : at + _CHECK_EVERY]):
            yield entry, data, before_ns


def gather(
    source: Source,
    store: Store,
    entries: Sequence[Entry],
    *,
    prefer: Callable[[Sequence[Entry]], Sequence[Entry]] | None = None,
    deadline: float | None = None,
    jobs: int = 0,
    progress: Progress | None = None,
) -> Gathered:
    """Facts of `entries` (from `identify`): stored ones, and new ones until `deadline` (monotonic).

    `prefer` orders what is to be analysed. `jobs` processes, 0 for as many as there are cores, at most four.
    """
    first: dict[Key, Entry] = {}
    keys: list[Key | None] = []
    for entry in entries:
        key = key_of(entry) if entry.blob else None
        keys.append(key)
        if key is not None:
            first.setdefault(key, entry)
    known = store.known(first)
    todo: Sequence[Entry] = [entry for key, entry in first.items() if key not in known]
    stored: Sequence[Entry] = [entry for key, entry in first.items() if key in known]
    until = None
    if deadline is not None:
        stored = prefer(stored) if prefer is not None else stored
        until = time.monotonic() + _READING_SHARE * (deadline - time.monotonic())
    facts = store.facts(map(key_of, stored), until=until)
    if until is None:  # with one, rows that are damaged are left to the next call
        todo = [entry for key, entry in first.items() if key not in facts]
    analysed = 0
    if todo:
        analysed = len(facts)
        _analyse(source, store, prefer(todo) if prefer is not None else todo, facts, deadline, jobs, progress)
        analysed = len(facts) - analysed
    missing = sum(key is None or key not in facts for key in keys)
    return Gathered(facts, analysed, missing)


def _analyse(
    source: Source,
    store: Store,
    todo: Sequence[Entry],
    facts: dict[Key, Facts],
    deadline: float | None,
    jobs: int,
    progress: Progress | None,
) -> None:
    """Put facts of `todo` into `facts` and, in batches, into the store."""
    batch: dict[Key, bytes] = {}
    stored_at = time.monotonic()
    unreadable: list[str] = []
    items = _items(source, todo, unreadable)
    # A mark that is still there: the last process that analysed without protection did not survive it.
    marked = store.get(_ANALYSING) is not None
    in_process = (len(todo) < FEW_FILES or jobs == 1) and not marked
    if in_process:
        store.put(_ANALYSING, b"1")
    results = analyse_many(
        items, jobs=jobs, deadline=deadline, in_process=in_process, warnings=store.warnings
    )
    try:
        for done, (key, encoded) in enumerate(results, 1):
            facts[key] = Facts.decode(encoded)
            batch[key] = encoded
            now = time.monotonic()
            if len(batch) >= _BATCH_FILES or now - stored_at >= _BATCH_SECONDS:
                store.put_facts(batch)
                batch, stored_at = {}, now
            if progress is not None and done % _CHECK_EVERY == 0:
                progress("analysing", done, len(todo))
    finally:
        results.close()
        items.close()
        if batch:
            store.put_facts(batch)
        if in_process or marked:
            store.put(_ANALYSING, None)
    if unreadable:
        store.warnings.append(f"{len(unreadable):,} files could not be read, {unreadable[0]} among them")


def _items(source: Source, todo: Sequence[Entry], unreadable: list[str]) -> Generator[Item, None, None]:
    for entry, data in source.read(todo):
        if data is None:
            unreadable.append(entry.path)
            continue
        if entry.stat is not None and not _is_still(data, entry.blob or ""):
            unreadable.append(entry.path)  # edited since it was listed: these facts are not that blob's
            continue
        key = key_of(entry)
        yield Item(key, key[1] or language_of(entry.path, data[:_HEAD_BYTES]), data)


def _is_still(data: bytes, blob: str) -> bool:
    return blob_id(data, "sha256" if len(blob) == 64 else "sha1") == blob
