"""Stamps of the files that git replaces when a ref moves: a hint that a revision has moved, without running git."""

from pathlib import Path

from zeroin.corpus.files import Folder, leads_out
from zeroin.patterns import lazy_pattern

Stamp = tuple[object, ...]
_MAX_HEAD = 4_096
_WHOLE_ID = lazy_pattern(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_EXPRESSION = lazy_pattern(r"[~^:@]")  # what may follow a name in a revision
# Where git looks a name up; gitrevisions(7).
_RULES = ("{}", "refs/{}", "refs/tags/{}", "refs/heads/{}", "refs/remotes/{}", "refs/remotes/{}/HEAD")
_TOGETHER = ("packed-refs", "reftable/tables.list")  # hold many refs


def stamp_of(place: Path, rev: str | None) -> Stamp:
    """Return a value that changes when a push, a commit or a fetch moves `rev` (None: HEAD) at `place`.

    It is empty where no move can be seen: below the top of a work tree, in a linked one, for a whole commit id. Moves
    behind two symbolic refs, and edited files, do not change it.
    """
    if rev is not None and _WHOLE_ID.fullmatch(rev):
        return ()
    for folder in (place / ".git", place):
        head = Folder(folder).read("HEAD", _MAX_HEAD)
        if head is None:
            continue
        # A work tree changes with `git add` and `git checkout`, too: both write `index`.
        shared = (*_TOGETHER, "index") if rev is None else _TOGETHER
        name = "HEAD" if rev is None else _EXPRESSION.split(rev, maxsplit=1)[0] or "HEAD"
        if name == "HEAD":
            refs = [head.removeprefix(b"ref:").strip().decode("utf-8", "surrogateescape")]
        else:
            refs = [rule.format(name) for rule in _RULES]
        return head, *(_state_of(folder, path) for path in (*refs, *shared))
    return ()


def _state_of(folder: Path, path: str) -> Stamp | None:
    """Return time, size and inode of a file, which differ once it is replaced; None where there is none."""
    if leads_out(path):
        return None
    try:
        found = (folder / path).lstat()
    except (OSError, ValueError):
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino
