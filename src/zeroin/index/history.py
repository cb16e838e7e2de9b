"""The repository's own history: who was changed together, and in which words people spoke of it.

Only commits reachable from the source's commit are read, never merges, never authors. What is known of a commit
never changes, so it is kept by commit id, and a history is assembled from ids in a fixed order: reading what is
new and reading everything give the same arrays.
"""

from __future__ import annotations

import os
import re
import secrets
import time
from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zeroin.config import MAX_COMMITS
from zeroin.corpus.git import DIFF_FLAGS, Git, to_bytes, to_str
from zeroin.errors import CacheError, GitError
from zeroin.index import arrays
from zeroin.index.arrays import StringTable
from zeroin.index.commits import Block, Raw, assemble, read_block
from zeroin.index.store import Store
from zeroin.protocols import Source

HISTORY_VERSION = 1
MAX_FILES = 100  # a commit that touches more is a sweep: its words are kept, its files say nothing
_KEPT_FILES = 4  # array files a subtree: the tips last asked about, from which others are mostly assembled
_MAX_MESSAGE_CHARS = 8_000
_K1, _B = 1.0, 0.6  # BM25 over messages: short texts, so lengths count little
_BROAD_FILES, _BROAD_SHARE = (
    15,
    0.5,
)  # a commit that touched more files, and a larger share, is evidence for none
_PLAIN = ("times", "file_ptr", "file_ids", "term_ids", "term_ptr", "term_commits", "term_counts", "lengths")
_TYPES = {
    "times": np.int64,
    "file_ptr": np.int64,
    "file_ids": np.int32,
    "term_ids": np.uint64,
    "term_ptr": np.int64,
    "term_commits": np.int32,
    "term_counts": np.uint16,
    "lengths": np.int32,
}
_TRAILER = re.compile(
    rb"^(?:[A-Za-z]+(?:-[A-Za-z]+)*-by|cc|change-id|commit-queue|auto-submit|reviewed-on|reviewed-at|git-svn-id"
    rb"|cr-commit-position|piperorigin-revid|source-link|origin-rev-id|gitorigin-revid|signed-off)[ \t]*:.*$\n?",
    re.IGNORECASE | re.MULTILINE,
)
# The user's own configuration is read too, for safe.directory's sake: these would change what is listed.
_CONFIG = (("log.showRoot", "true"), ("log.follow", "false"), ("diff.renames", "false"))


@dataclass(frozen=True, slots=True, eq=False)
class History:
    """C commits, newest first by (time, id).

    `times` (C,) int64, seconds since 1970. Files of commit c: `file_ids[file_ptr[c]:file_ptr[c + 1]]`, int32 into
    `paths` (relative to the source's prefix). Messages as postings: `term_ids` (T,) uint64 sorted; rows
    `term_ptr[t]:term_ptr[t + 1]` of `term_commits` int32 (ascending) and `term_counts` uint16; `lengths` (C,)
    int32, terms a message. `complete` is False when the deadline came first; then the newest commits are there.
    """

    commits: StringTable
    times: NDArray[np.int64]
    subjects: StringTable
    paths: StringTable
    file_ptr: NDArray[np.int64]
    file_ids: NDArray[np.int32]
    term_ids: NDArray[np.uint64]
    term_ptr: NDArray[np.int64]
    term_commits: NDArray[np.int32]
    term_counts: NDArray[np.uint16]
    lengths: NDArray[np.int32]
    complete: bool = True

    def __len__(self) -> int:
        return len(self.times)

    def files_of(self, commit: int) -> NDArray[np.int32]:
        """The numbers (into `paths`) of the files that a commit touched."""
        return self.file_ids[int(self.file_ptr[commit]) : int(self.file_ptr[commit + 1])]


def bm25_commits(
    history: History, terms: Mapping[int, float], limit: int
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """The `limit` commits whose messages score best for weighted term ids, with their BM25 scores.

    Best first, newer first among equals. Scores are comparable within one call only.
    """
    count = len(history)
    scores = np.zeros(count, np.float32)
    if not count:
        return np.empty(0, np.int64), scores
    average = max(float(history.lengths.mean()), 1.0)
    norm = _K1 * (1 - _B + _B * history.lengths / average)
    for term, weight in terms.items():
        at = int(np.searchsorted(history.term_ids, np.uint64(term)))
        if at == len(history.term_ids) or int(history.term_ids[at]) != term:
            continue
        rows = slice(int(history.term_ptr[at]), int(history.term_ptr[at + 1]))
        commits = history.term_commits[rows]
        df = len(commits)
        idf = np.log1p((count - df + 0.5) / (df + 0.5))
        tf = history.term_counts[rows].astype(np.float32)
        scores[commits] += (weight * idf * (_K1 + 1)) * tf / (tf + norm[commits])
    found = np.flatnonzero(scores > 0)
    order = found[np.lexsort((found, -scores[found]))][:limit]
    return order, scores[order]


def without_broad_commits(history: History, docs: NDArray[np.int32], documents: int) -> History:
    """The history without the files of commits that touched most documents: an import, a formatter.

    `docs` is the document of each path of the history, -1 for a deleted one; `documents` is their number.
    """
    ends = np.concatenate(([0], np.cumsum(docs[history.file_ids] >= 0)))
    touched = ends[history.file_ptr[1:]] - ends[history.file_ptr[:-1]]
    broad = touched > max(_BROAD_FILES, _BROAD_SHARE * documents)
    if not broad.any():
        return history
    sizes = np.diff(history.file_ptr)
    kept = ~np.repeat(broad, sizes)
    pointers = np.concatenate(([0], np.cumsum(np.where(broad, 0, sizes)))).astype(history.file_ptr.dtype)
    return replace(history, file_ids=history.file_ids[kept], file_ptr=pointers)


def read_history(
    source: Source, store: Store, *, limit: int = MAX_COMMITS, deadline: float | None = None
) -> History:
    """The history of a source's commit, at most `limit` commits; empty where there is none.

    Stops at `deadline` (monotonic). What git refuses is said in `store.warnings`, never raised.
    """
    if source.git_dir is None or not source.commit:
        return _history(assemble([], []), complete=True)
    boundary = _shallow_commits(source.git_dir)
    group = f"history-{HISTORY_VERSION}-{_digest(source.prefix, *sorted(boundary))}-"
    path = store.path_for(f"{group}{source.commit[:24]}.bin")
    asked = {"kind": "history", "version": HISTORY_VERSION, "commit": source.commit, "limit": limit}
    if path is not None and path.exists():
        try:
            found, meta = _load(path)
        except CacheError:
            found, meta = None, {}  # read anew: nothing is lost
        if (
            found is not None
            and all(meta.get(key) == value for key, value in asked.items())
            and found.complete
        ):
            _touch(path)
            return found
    git = Git(source.git_dir, None, _CONFIG)
    order: list[tuple[int, str]] = []
    blocks: list[Block] = []
    complete = False
    try:
        order, complete = _ids(git, source, limit, deadline)
        blocks = _known_blocks(store, group, {identity for _, identity in order})
        if complete:
            fresh, complete = _read(git, source, [i for _, i in order], blocks, boundary, deadline)
            blocks.append(fresh)
    except GitError as error:
        store.warnings.append(f"history is not read to its end: {error}")
        complete = False
    history = _history(assemble(order, blocks), complete=complete)
    if path is not None and len(history):
        _keep(store, group, path, history, asked)
    return history


def _ids(git: Git, source: Source, limit: int, deadline: float | None) -> tuple[list[tuple[int, str]], bool]:
    """(time, id) of the commits in git's order, and whether the deadline left time for all."""
    out: list[tuple[int, str]] = []
    records = git.records("log", "-z", "--format=%ct %H", *_selection(source, limit, 0))
    for record in _until(records, deadline):
        seconds, _, identity = record.partition(b" ")
        out.append((int(seconds or 0), identity.decode("ascii")))
    return out, not _is_past(deadline)


def _selection(source: Source, count: int, skip: int) -> list[str | bytes]:
    """Arguments that select commits; with the same ones git gives the same order, so ranges of it can be read."""
    out: list[str | bytes] = ["--no-merges", f"--max-count={count}", f"--skip={skip}", source.commit]
    if source.prefix:
        # Without --full-history git would leave out branches that a merge made no difference to.
        out += ["--full-history", "--", to_bytes(source.prefix)]
    return out


def _read(
    git: Git,
    source: Source,
    ids: list[str],
    blocks: list[Block],
    boundary: frozenset[str],
    deadline: float | None,
) -> tuple[Block, bool]:
    """The commits among `ids` (in git's order) that no block holds."""
    known = {identity for block in blocks for identity in block.rows}
    missing = [at for at, identity in enumerate(ids) if identity not in known]
    if not missing:
        return read_block([]), True
    first, last = missing[0], missing[-1]
    mark = b"\1" + secrets.token_hex(8).encode()  # a message or a path that looks like a header is no header
    flags = ("-z", "--name-only", "--encoding=UTF-8", "--no-color", "--no-notes", *DIFF_FLAGS)
    form = f"--format=%x01{mark[1:].decode()}%H%x00%ct%x00%B%x00"
    records = git.records("log", *flags, form, *_selection(source, last - first + 1, first))
    commits = [
        raw
        for raw in _commits(_until(records, deadline), mark, to_bytes(source.prefix))
        if raw.id not in known
    ]
    for raw in commits:
        if len(raw.files) > MAX_FILES or raw.id in boundary:  # a boundary commit seems to add every file
            raw.files.clear()
    late = _is_past(deadline)
    if late and commits:
        commits.pop()  # its files may be cut short
    return read_block(commits), not late


def _commits(records: Iterator[bytes], mark: bytes, prefix: bytes) -> Iterator[Raw]:
    """Commits from `log -z --name-only`: header, time, message, "", then paths, the first after a newline."""
    current: Raw | None = None
    for record in records:
        if record.startswith(mark):
            if current is not None:
                yield current
            seconds, message = next(records, b"0"), next(records, b"")
            body = _TRAILER.sub(b"", message.replace(b"\r\n", b"\n")).strip()
            text = body.decode("utf-8", "replace")[:_MAX_MESSAGE_CHARS]
            current = Raw(record[len(mark) :].decode("ascii"), int(seconds or 0), text, [])
            next(records, b"")  # what separates message and paths
            first = True
        elif current is not None:
            name = record[1:] if first and record.startswith(b"\n") else record
            first = False
            if name.startswith(prefix) and len(current.files) <= MAX_FILES:
                current.files.append(to_str(name[len(prefix) :]))
    if current is not None:
        yield current


def _until(records: Generator[bytes, None, None], deadline: float | None) -> Iterator[bytes]:
    """Records until the deadline; git is stopped then."""
    try:
        for count, record in enumerate(records):
            if not count & 0xFF and _is_past(deadline):
                return
            yield record
    finally:
        records.close()


def _is_past(deadline: float | None) -> bool:
    return deadline is not None and time.monotonic() >= deadline


def _known_blocks(store: Store, group: str, wanted: set[str]) -> list[Block]:
    """Histories of other tips, the last used first, as long as they hold commits that are still missing."""
    out: list[Block] = []
    missing = set(wanted)
    for path in store.array_files(group)[:_KEPT_FILES]:
        if not missing:
            break
        try:
            history, _ = _load(path)
        except CacheError:
            continue
        block = _block(history)
        if not missing.isdisjoint(block.rows):
            out.append(block)
            missing.difference_update(block.rows)
    return out


def _block(history: History) -> Block:
    """A history as a source of commits."""
    return Block(
        rows={identity: row for row, identity in enumerate(history.commits)},
        times=history.times,
        subjects=history.subjects.tolist(),
        paths=history.paths.tolist(),
        file_rows=np.repeat(np.arange(len(history), dtype=np.int32), np.diff(history.file_ptr)),
        file_ids=history.file_ids,
        term_rows=history.term_commits,
        terms=np.repeat(history.term_ids, np.diff(history.term_ptr)),
        counts=history.term_counts,
        lengths=history.lengths,
    )


def _history(block: Block, *, complete: bool) -> History:
    """The arrays of an assembled block: rows are in order, files by (row, path), terms by (term, row)."""
    size = len(block.times)
    starts = np.flatnonzero(np.r_[True, block.terms[1:] != block.terms[:-1]][: len(block.terms)])
    return History(
        commits=StringTable.pack(list(block.rows)),
        times=block.times,
        subjects=StringTable.pack(block.subjects),
        paths=StringTable.pack(block.paths),
        file_ptr=np.searchsorted(block.file_rows, np.arange(size + 1)).astype(np.int64),
        file_ids=block.file_ids,
        term_ids=block.terms[starts],
        term_ptr=np.r_[starts, len(block.terms)].astype(np.int64),
        term_commits=block.term_rows,
        term_counts=block.counts,
        lengths=block.lengths,
        complete=complete,
    )


def _keep(store: Store, group: str, path: Path, history: History, asked: dict[str, Any]) -> None:
    if store.in_memory:
        return  # the store has said so already
    columns: dict[str, NDArray[Any]] = {name: getattr(history, name) for name in _PLAIN}
    for name in ("commits", "subjects", "paths"):
        columns.update(getattr(history, name).arrays(name))
    try:
        arrays.save(path, columns, {**asked, "complete": history.complete})
    except CacheError as error:
        store.warnings.append(f"history is not cached: {error}")
    store.trim(group, _KEPT_FILES)


def _load(path: Path) -> tuple[History, dict[str, Any]]:
    """A history that `_keep` wrote. Raises `CacheError` unless all its parts fit together."""
    columns, meta = arrays.load(path)
    if meta.get("kind") != "history" or meta.get("version") != HISTORY_VERSION:
        raise CacheError(f"{path.name} is no history of this version")
    parts: dict[str, Any] = {
        name: StringTable.take(columns, name) for name in ("commits", "subjects", "paths")
    }
    try:
        plain: dict[str, Any] = {name: columns[name] for name in _PLAIN}
    except KeyError as error:
        raise CacheError(f"{path.name} lacks {error}") from error
    if any(plain[name].dtype != kind or plain[name].ndim != 1 for name, kind in _TYPES.items()):
        raise CacheError(f"{path.name} is damaged")
    history = History(**parts, **plain, complete=bool(meta.get("complete")))
    size = len(history)
    fits = (
        len(history.commits) == len(history.subjects) == len(history.lengths) == size
        and _points(history.file_ptr, size, len(history.file_ids))
        and _points(history.term_ptr, len(history.term_ids), len(history.term_commits))
        and len(history.term_counts) == len(history.term_commits)
        and _within(history.file_ids, len(history.paths))
        and _within(history.term_commits, size)
    )
    if not fits:
        raise CacheError(f"{path.name} is damaged")
    return history, meta


def _points(pointers: NDArray[np.int64], rows: int, end: int) -> bool:
    fits = len(pointers) == rows + 1 and int(pointers[0]) == 0 and int(pointers[-1]) == end
    return fits and not bool((np.diff(pointers) < 0).any())


def _within(ids: NDArray[np.int32], size: int) -> bool:
    return not len(ids) or (int(ids.min()) >= 0 and int(ids.max()) < size)


def _shallow_commits(git_dir: Path) -> frozenset[str]:
    """Commits at which a shallow clone was cut off: git shows them as if they had no parents."""
    common = git_dir
    try:
        common = git_dir / (git_dir / "commondir").read_text().strip()
    except OSError:  # not a linked worktree
        common = git_dir
    try:
        return frozenset((common / "shallow").read_text("ascii", "replace").split())
    except OSError:  # not shallow
        return frozenset()


def _digest(*parts: str) -> str:
    return sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:10]


def _touch(path: Path) -> None:
    try:
        os.utime(path)
    except OSError:  # read-only: its place in the order of use does not matter then
        return
