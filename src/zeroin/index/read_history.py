"""Read the history of a repository from git, and reuse histories that earlier runs have saved.

Only commits reachable from the source's commit are read, no merges and no authors. Commits never change, so saved
histories of other tips are reused: reading only the missing commits and reading all give equal arrays.
"""

import os
import re
import secrets
import time
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from math import inf
from pathlib import Path
from typing import Any

from zeroin.config import MAX_COMMITS
from zeroin.corpus.files import Folder
from zeroin.corpus.git import DIFF_FLAGS, Git, to_bytes, to_str
from zeroin.errors import CacheError, GitError
from zeroin.index.history import HISTORY_VERSION, Commit, History, history_of, merged_history
from zeroin.index.store import Store
from zeroin.patterns import lazy_pattern
from zeroin.protocols import Source

MAX_FILES = 100  # of a commit that touches more only the message is kept: its files are no evidence
# Array files for each subtree, of the tips used last: a new tip mostly consists of their commits.
_KEPT_FILES = 4
_MAX_MESSAGE_CHARS = 8_000
_TIME_DIGITS = 12  # of seconds since 1970: a longer number is no time
_MAX_SHALLOW = 10_000_000  # bytes: names of 200,000 commits
_TRAILER = lazy_pattern(
    rb"^(?:[A-Za-z]+(?:-[A-Za-z]+)*-by|cc|change-id|commit-queue|auto-submit|reviewed-on|reviewed-at|git-svn-id"
    rb"|cr-commit-position|piperorigin-revid|source-link|origin-rev-id|gitorigin-revid|signed-off)[ \t]*:.*$\n?",
    re.IGNORECASE | re.MULTILINE,
)
# The user's configuration is read, for `safe.directory`; these settings of it would change what git lists.
_CONFIG = (("log.showRoot", "true"), ("log.follow", "false"), ("diff.renames", "false"))


def read_history(source: Source, store: Store, *, limit: int = MAX_COMMITS, deadline: float = inf) -> History:
    """Return the history of a source's commit, at most `limit` commits; empty where there is none.

    Stops at `deadline` (monotonic). An error of git becomes a warning of the store and is not raised.
    """
    if source.git_dir is None or not source.commit:
        return merged_history([], [])
    boundary = _shallow_commits(source.git_dir)
    named = "\0".join((source.prefix, *sorted(boundary))).encode("utf-8", "surrogatepass")
    group = f"history-{HISTORY_VERSION}-{sha256(named).hexdigest()[:10]}-"
    path = store.path_for(f"{group}{source.commit[:24]}.bin")
    meta = {"commit": source.commit, "limit": limit}
    kept = _kept(path)
    if kept is None and path is not None and path.exists():
        store.warnings.append(f"the index is damaged ({path.name}); history is read anew")
    if path is not None and kept is not None and kept[0].complete and meta.items() <= kept[1].items():
        with suppress(OSError):  # in a read-only cache the time of last use does not matter
            os.utime(path)
        return kept[0]
    git = Git(source.git_dir, None, _CONFIG)
    order: list[tuple[int, str]] = []
    parts: list[History] = []
    complete = False
    try:
        if deadline < inf or store.array_files(group):
            order, complete = _ids(git, source, limit, deadline)
            parts = _earlier(store, group, {identity for _, identity in order})
            known = {identity for part in parts for identity in part.commits}
            missing = [at for at, (_, identity) in enumerate(order) if identity not in known]
            if complete and missing:
                which = _selection(source, missing[-1] - missing[0] + 1, missing[0])
                fresh, complete = _read(git, source, which, known, boundary, deadline)
                parts.append(fresh)
        else:  # nothing can be reused: ids are read together with the commits
            fresh, complete = _read(git, source, _selection(source, limit, 0), set(), boundary, deadline)
            parts, order = [fresh], [*zip(fresh.times.tolist(), fresh.commits, strict=True)]
    except GitError as error:
        store.warnings.append(f"history is not read to its end: {error}")
        complete = False
    history = merged_history(order, parts, complete=complete)
    if path is not None and len(history) and store.writable:
        try:
            history.save(path, meta)
        except CacheError as error:
            store.not_kept(error)
        store.trim(group, _KEPT_FILES)
    return history


def _kept(path: Path | None) -> tuple[History, dict[str, Any]] | None:
    """Return the history that was saved at `path`; None if there is none or it is damaged."""
    try:
        return History.load(path) if path is not None and path.exists() else None
    except CacheError:
        return None  # history is read anew


def _earlier(store: Store, group: str, wanted: set[str]) -> list[History]:
    """Return saved histories of other tips that hold commits still missing, the last used first."""
    out: list[History] = []
    missing = set(wanted)
    for path in store.array_files(group)[:_KEPT_FILES]:
        kept = _kept(path) if missing else None
        if kept is not None and not missing.isdisjoint(kept[0].commits):
            out.append(kept[0])
            missing.difference_update(kept[0].commits)
    return out


def _ids(git: Git, source: Source, limit: int, deadline: float) -> tuple[list[tuple[int, str]], bool]:
    """Return (time, id) of the commits in git's order, and whether all were read before the deadline."""
    records = git.records("log", "-z", "--format=%ct %H", *_selection(source, limit, 0), until=deadline)
    parts = (record.partition(b" ") for record in records)
    out = [(_time_of(seconds), identity.decode("ascii")) for seconds, _, identity in parts]
    return out, time.monotonic() < deadline


def _selection(source: Source, count: int, skip: int) -> list[str | bytes]:
    """Return arguments that select commits; git's order depends on them alone, so ranges of it can be read."""
    out: list[str | bytes] = ["--no-merges", f"--max-count={count}", f"--skip={skip}", source.commit]
    if source.prefix:
        # Without --full-history git would leave out branches that a merge made no difference to.
        out += ["--full-history", "--", to_bytes(source.prefix)]
    return out


def _read(
    git: Git,
    source: Source,
    selection: list[str | bytes],
    known: set[str],
    boundary: frozenset[str],
    deadline: float,
) -> tuple[History, bool]:
    """Return the selected commits that are not `known`, and whether all were read before the deadline."""
    mark = b"\1" + secrets.token_hex(8).encode()  # random, so that no message or path can look like a header
    flags = ("-z", "--name-only", "--no-color", "--no-notes", *DIFF_FLAGS)
    form = f"--format=%x01{mark[1:].decode()}%H%x00%ct%x00%B%x00"
    records = git.records("log", *flags, form, *selection, until=deadline)
    commits = [commit for commit in _commits(records, mark, to_bytes(source.prefix)) if commit.id not in known]
    for commit in commits:
        # A boundary commit seems to add every file.
        if len(commit.files) > MAX_FILES or commit.id in boundary:
            commit.files.clear()
    late = time.monotonic() >= deadline
    if late and commits:
        commits.pop()  # its files may be cut short
    return history_of(commits), not late


def _commits(records: Iterator[bytes], mark: bytes, prefix: bytes) -> list[Commit]:
    """Parse `log -z --name-only`: header, time, message, "", then paths, the first after a newline."""
    out: list[Commit] = []
    for record in records:
        if record.startswith(mark):
            seconds, message = next(records, b"0"), next(records, b"")
            body = _TRAILER.sub(b"", message.replace(b"\r\n", b"\n")).strip()
            text = body.decode("utf-8", "replace")[:_MAX_MESSAGE_CHARS]
            out.append(Commit(record[len(mark) :].decode("ascii"), _time_of(seconds), text, []))
            next(records, b"")  # empty: separates message and paths
            first = True
        elif out:
            name = record[1:] if first and record.startswith(b"\n") else record
            first = False
            if name.startswith(prefix) and len(out[-1].files) <= MAX_FILES:
                out[-1].files.append(to_str(name[len(prefix) :]))
    return out


def _time_of(seconds: bytes) -> int:
    """Parse the time of a commit; 0 for a malformed one."""
    return int(seconds) if len(seconds) <= _TIME_DIGITS and seconds.isdigit() else 0


def _shallow_commits(git_dir: Path) -> frozenset[str]:
    """Return commits at which a shallow clone was cut off: git shows them as if they had no parents."""
    to_common = Folder(git_dir).read("commondir", _MAX_SHALLOW)  # of a linked worktree
    common = git_dir / os.fsdecode(to_common.strip()) if to_common else git_dir
    shallow = Folder(common).read("shallow", _MAX_SHALLOW) or b""
    return frozenset(shallow.decode("ascii", "replace").split())
