"""From a listing to facts: ids for files that git does not know, then facts for every blob that has none yet.

No file is read whose facts are in the store; new facts are stored in small batches, so that a kill, an
interrupt or a deadline loses little.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from typing import TYPE_CHECKING, Generic, TypeVar

from zeroin.corpus.git import blob_id, same_blob
from zeroin.corpus.languages import HEAD_BYTES, by_bytes, language_of, named_language
from zeroin.errors import OptionError
from zeroin.index.store import Key, Stat, Store, whole
from zeroin.index.turns import turn
from zeroin.parsing.facts import Facts
from zeroin.protocols import Progress, Source
from zeroin.tree import Entry, Skipped

if TYPE_CHECKING:
    from zeroin.index.analysing import Item

T = TypeVar("T")
FEW_FILES = 40  # starting a process takes as long as analysing these
_RACY_NS = 2_000_000_000  # the coarsest clock of a file system (FAT): younger files may change unseen
_BATCH_FILES = 256
_BATCH_SECONDS = 1.0
_HASHING_SHARE = 0.4  # of the time left: facts need an id, and an id without facts is of little use
_CHECK_EVERY = 64
_READING_SHARE = 0.5  # of the time left that reading stored facts may take: assembling them takes as long
_WAITING_SHARE = 0.5  # of the time left that waiting for another process, which analyses, may take
_SEARCHING_SHARE = 0.35  # of the time left that choosing the files to analyse first may take
_SHORT_SECONDS = 1.0  # left: processes would start too late to analyse anything
_LEAST_SECONDS = 0.25  # of analysing, however late it is, so that every call makes progress
# Named value: set while this process itself analyses files; it stays if the process dies or a worker was killed.
_ANALYSING = "analysing"


@dataclass(frozen=True, slots=True)
class Gathered(Generic[T]):
    """What `keep` made of facts, by `key_of` an entry, with counts.

    `analysed` facts are new; `missing` entries have none, `late` ones of them for lack of time: the others cannot be
    read. `doubtful` facts are not stored: the processes that analysed these files were killed or short of memory.
    """

    facts: dict[Key, T]
    analysed: int
    missing: int
    late: int
    doubtful: int

    @property
    def is_final(self) -> bool:
        """Whether the next call would get the same, unless unreadable files become readable."""
        return not self.late and not self.doubtful


def key_of(entry: Entry) -> Key:
    """Return the key of an entry's facts: blob id and language, or a mark of `named_language`."""
    return entry.blob or "", named_language(entry.path)


def silent(what: str, done: int, total: int) -> None:
    """A `Progress` that ignores what it is called with."""


@dataclass(frozen=True, slots=True)
class Effort:
    """Limits of opening: a deadline (monotonic), a number of processes, what comes first, and what belongs to it.

    `jobs` 0 means as many as there are cores, at most four; 1 means none but this process. `wanted` are terms of the
    task with weights: where there is a deadline, files with them come first. `facts` is a place of shared facts;
    without it, that of the environment is used where at least `FEW_FILES` files need facts.
    """

    deadline: float = inf
    jobs: int = 0
    wanted: Mapping[str, float] = field(default_factory=dict)
    progress: Progress = silent
    submodules: bool = True
    facts: str = ""

    def __post_init__(self) -> None:
        if not callable(self.progress):
            raise OptionError(f"progress must be a function of (what, done, total), not {self.progress!r}")

    def until(self, share: float) -> float:
        """Return when (monotonic) a share of the time left is used up."""
        now = time.monotonic()
        return now + share * (self.deadline - now)


NO_LIMIT = Effort()


def identify(source: Source, store: Store, effort: Effort = NO_LIMIT) -> tuple[tuple[Entry, ...], tuple[Skipped, ...]]:
    """Return the listing with blob ids filled in; files that cannot be read are skipped. Raises `GitError`.

    Ids of files outside git's knowledge are kept by size, time and inode (`files.key_of`). After a share of the time
    the remaining ids stay None.
    """
    entries, skipped = source.list()
    unknown = [entry for entry in entries if entry.blob is None]
    if not unknown:
        return entries, skipped
    root = str(source.root)
    known = store.stats(root)
    blobs = {e.path: known[e.path][1] for e in unknown if e.path in known and known[e.path][0] == e.stat}
    todo = _ordered([entry for entry in unknown if entry.path not in blobs], effort)
    algorithm = "sha256" if any(entry.blob and len(entry.blob) == 64 for entry in entries) else "sha1"
    put: dict[str, tuple[Stat, str]] = {}
    unreadable: set[str] = set()
    try:
        for entry, blob, is_safe in _hashed(source, todo, algorithm, effort):
            if blob is None:
                unreadable.add(entry.path)
                continue
            blobs[entry.path] = blob
            if entry.stat is not None and is_safe:
                put[entry.path] = (entry.stat, blob)
    finally:
        # Of this root only: other rows belong to other worktrees and subtrees.
        store.put_stats(root, put, known.keys() - {entry.path for entry in unknown})
    filled = (entry if entry.blob else entry._replace(blob=blobs.get(entry.path)) for entry in entries)
    left_out = tuple(Skipped(path, "unreadable") for path in sorted(unreadable))
    return tuple(entry for entry in filled if entry.path not in unreadable), skipped + left_out


def _hashed(
    source: Source, entries: Sequence[Entry], algorithm: str, effort: Effort
) -> Iterator[tuple[Entry, str | None, bool]]:
    """Yield entries with blob ids (None: unreadable), and whether any later change would show in the file's times."""
    until = effort.until(_HASHING_SHARE)
    for at in range(0, len(entries), _CHECK_EVERY):
        effort.progress("hashing", at, len(entries))
        before_ns = time.time_ns()
        for entry, data in source.read(entries[at : at + _CHECK_EVERY]):
            is_safe = entry.stat is not None and entry.stat[1] < before_ns - _RACY_NS
            yield entry, None if data is None else blob_id(data, algorithm), is_safe
        if time.monotonic() >= until:
            return


def gather(
    source: Source,
    store: Store,
    entries: Sequence[Entry],
    effort: Effort = NO_LIMIT,
    keep: Callable[[Key, Facts], T] = whole,
) -> Gathered[T]:
    """Return what `keep` makes of the facts of `entries` (from `identify`): of stored ones, and of new ones.

    New facts are made within the limits of `effort`.
    """
    keys = [key_of(entry) if entry.blob else None for entry in entries]
    first: dict[Key, Entry] = {}
    for key, entry in zip(keys, entries, strict=True):
        if key is not None:
            first.setdefault(key, entry)
    known = store.known(first)
    stored = _ordered([entry for key, entry in first.items() if key in known], effort)
    facts = store.facts(map(key_of, stored), keep, until=effort.until(_READING_SHARE))
    read = len(facts)
    # Stored facts that were not read in time are left to the next call. Damaged rows have been removed.
    unread = facts.keys() if effort.deadline == inf or len(facts) == len(stored) else store.known(first)
    todo = {key: entry for key, entry in first.items() if key not in unread}
    doubtful, unreadable = 0, set[Key]()

    def put(key: Key, encoded: bytes) -> None:
        facts[key] = keep(key, Facts.decode(encoded))

    if todo:
        with turn(store.folder(), effort.until(_WAITING_SHARE), lambda: len(store.known(todo))) as waited:
            others = store.facts(todo, keep) if waited else {}
            facts.update(others)
            read += len(others)
            rest = [entry for key, entry in todo.items() if key not in others]
            doubtful, unreadable = _analyse(source, store, rest, put, effort) if rest else (0, unreadable)
    missing = [key for key in keys if key is None or key not in facts]
    late = sum(key not in unreadable for key in missing)
    return Gathered(facts, len(facts) - read, len(missing), late, doubtful)


def _urgent(source: Source, todo: Sequence[Entry], effort: Effort) -> Sequence[Entry]:
    """Order files that are to be analysed: those that the task needs most first, where there is a deadline."""
    ordered = _ordered(todo, effort)
    until = effort.until(_SEARCHING_SHARE)
    if until == inf:
        return ordered
    from zeroin.index.urgency import by_content

    return by_content(source, ordered, effort.wanted, until)


def _ordered(entries: Sequence[Entry], effort: Effort) -> Sequence[Entry]:
    """Order files by the terms of the task in their paths; not without a deadline, as all are read then."""
    if effort.deadline == inf:
        return entries
    from zeroin.index.urgency import by_path  # a command whose index is fresh needs none of it

    return by_path(entries, effort.wanted)


def _analyse(
    source: Source, store: Store, todo: Sequence[Entry], put: Callable[[Key, bytes], None], effort: Effort
) -> tuple[int, set[Key]]:
    """Hand encoded facts of `todo` to `put` and, in batches, to the store.

    Returns how many facts are doubtful, and the keys of files that cannot be read.
    """
    from zeroin.index.analysing import analyse_many  # loads every parser

    batch: dict[Key, bytes] = {}
    stored_at = time.monotonic()
    unreadable: dict[str, Key] = {}  # by path
    doubtful = 0
    short = effort.deadline - time.monotonic() < _SHORT_SECONDS
    if short:
        todo = _urgent(source, todo, effort)
        effort = replace(effort, deadline=max(effort.deadline, time.monotonic() + _LEAST_SECONDS))
    # Ordered only when the first item is asked for: the processes start meanwhile.
    items = items_of(source, lambda: todo if short else _urgent(source, todo, effort), unreadable)
    # A mark that is still there: the last analysis ended with its process or a worker killed.
    marked = store.get(_ANALYSING) is not None
    in_process = (len(todo) < FEW_FILES or effort.jobs == 1 or short) and not marked
    if in_process:
        store.put(_ANALYSING, b"1")
    results = analyse_many(
        items, jobs=effort.jobs, deadline=effort.deadline, in_process=in_process, warnings=store.warnings
    )
    try:
        for done, (key, encoded, is_doubtful) in enumerate(results, 1):
            put(key, encoded)
            if is_doubtful:
                doubtful += 1
            else:
                batch[key] = encoded
            now = time.monotonic()
            if len(batch) >= _BATCH_FILES or now - stored_at >= _BATCH_SECONDS:
                store.put_facts(batch)
                batch, stored_at = {}, now
            if done % _CHECK_EVERY == 0:
                effort.progress("analysing", done, len(todo))
    finally:
        results.close()
        items.close()
        if batch:
            store.put_facts(batch)
        if in_process or marked or doubtful:
            store.put(_ANALYSING, b"1" if doubtful else None)
    store.warnings += _warnings(list(unreadable), doubtful)
    return doubtful, set(unreadable.values())


def _warnings(unreadable: Sequence[str], doubtful: int) -> Iterator[str]:
    if unreadable:
        first, *others = unreadable
        files, among = (f"{len(unreadable):,} files", f", {first} among them") if others else (first, "")
        yield f"{files} could not be read{among}: known by path and history alone"
    if doubtful:
        why = "the processes that analysed them were ended, or memory was short"
        yield f"{doubtful:,} files are known by their words alone for now: {why}"


def items_of(
    source: Source, ordered: Callable[[], Sequence[Entry]], unreadable: dict[str, Key]
) -> Generator[Item, None, None]:
    """Yield the items to analyse; entries that cannot be read, or were edited since, go to `unreadable`."""
    from zeroin.index.analysing import Item

    for entry, data in source.read(ordered()):
        key = key_of(entry)
        # Edited since it was listed: its bytes are no longer the listed blob.
        if data is None or (entry.stat is not None and not same_blob(data, entry.blob or "")):
            unreadable[entry.path] = key
            continue
        yield Item(key, language_of(entry.path, data[:HEAD_BYTES]) if by_bytes(key[1]) else key[1], data)
