"""What git replaces when a ref moves, seen without starting git: a hint to look, never the answer."""

from __future__ import annotations

from pathlib import Path

from zeroin.corpus.files import Folder, leads_out
from zeroin.patterns import lazy_pattern

Stamp = tuple[object, ...]
_MAX_HEAD = 4_096
_WHOLE_ID = lazy_pattern(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_EXPRESSION = lazy_pattern(r"[~^:@]")  # what may follow a name in a revision
# Where git looks a name up; gitrevisions(7).
_RULES = ("{}", "refs/{}", "refs/tags/{}", "refs/heads/{}", "refs/remotes/{}", "refs/remotes/{}/HEAD")
_TOGETHER = ("packed-refs", "reftable/tables.list")


def stamp_of(place: Path, rev: str | None) -> Stamp:
    """Return what differs once a push, a commit or a fetch has moved the revision at `place`; None means HEAD.

    It is empty where this cannot be told: below the top of a work tree, in a linked one, for a whole commit id. What
    moves through two symbolic refs, and files that are edited, are not seen.
    """
    if rev is not None and _WHOLE_ID.fullmatch(rev):
        return ()
    for folder in (place / ".git", place):
        head = Folder(folder).read("HEAD", _MAX_HEAD)
        if head is None:
            continue
        # A work tree differs, too, after `git add` and `git checkout`.
        shared = (*_TOGETHER, "index") if rev is None else _TOGETHER
        name = "HEAD" if rev is None else _EXPRESSION.split(rev, maxsplit=1)[0] or "HEAD"
        if name == "HEAD":
            refs = [head.removeprefix(b"ref:").strip().decode("utf-8", "surrogateescape")]
        else:
            refs = [rule.format(name) for rule in _RULES]
        return head, *(_state_of(folder, path) for path in (*refs, *shared))
    return ()


def _state_of(folder: Path, path: str) -> Stamp | None:
    """Return what differs after a file was replaced; None where there is none. Nothing of it is read."""
    if leads_out(path):
        return None
    try:
        found = (folder / path).lstat()
    except (OSError, ValueError):
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino
