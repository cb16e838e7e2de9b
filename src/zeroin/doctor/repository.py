"""The repository at a path: what it is, what of it is searched, and how far it is indexed."""

from __future__ import annotations

import os
import sqlite3
import time
from collections import Counter
from contextlib import closing
from pathlib import Path

from zeroin.context.clean import line
from zeroin.corpus.folder import PlainFolder
from zeroin.corpus.git import Git
from zeroin.corpus.revision import Revision
from zeroin.corpus.source import open_source
from zeroin.doctor.check import Check
from zeroin.doctor.storage import size_text
from zeroin.errors import GitError, OptionError, RepositoryError
from zeroin.index.database import SUFFIX, Unusable, connect_read_only, file_name, index_dir
from zeroin.index.gather import key_of
from zeroin.protocols import Source
from zeroin.tree import Entry, Skipped

_AREA = "repository"
_MANY = 100_000  # files; more take minutes to analyse the first time
_REASONS = 4  # told, most frequent first


def repository(path: str | Path = ".") -> list[Check]:
    """What is at `path`, what of it is searched, and how far it is indexed; one bad check where it cannot be read."""
    try:
        source = open_source(path)
        began = time.monotonic()
        entries, skipped = source.list()
        seconds = time.monotonic() - began
    except RepositoryError as error:
        return [Check(_AREA, "kind", "bad", str(error), "name a folder or repository: zeroin doctor PATH")]
    except GitError as error:
        advice = "git must read it first: `git -C PATH status` says what is wrong"
        return [Check(_AREA, "kind", "bad", f"{path}: {error}", advice)]
    checks = [_kind(source), *_git(source), _files(entries, skipped, seconds)]
    return [*checks, _index(source, entries, path)]


def _kind(source: Source) -> Check:
    if isinstance(source, PlainFolder):
        if (source.root / ".git").exists():
            told = f"{source.root}: git does not take its .git for a repository; searched as a plain folder"
            return Check(_AREA, "kind", "warn", told, f"git -C '{source.root}' status says what is wrong")
        advice = "no history to learn from; in a git repository answers are better"
        return Check(_AREA, "kind", "ok", f"{source.root}: a plain folder", advice)
    if not source.commit:
        advice = "files are searched; commits will help: history says which files change together"
        return Check(_AREA, "kind", "warn", f"{source.root}: a git repository without a commit", advice)
    what = "a bare repository" if isinstance(source, Revision) else "a git work tree"
    below = f", folder {source.prefix.rstrip('/')}" if source.prefix else ""
    return Check(_AREA, "kind", "ok", f"{source.root}: {what} at {source.commit[:10]}{below}")


def _git(source: Source) -> list[Check]:
    """What of a repository's own state costs quality; empty for a plain folder."""
    if source.git_dir is None or isinstance(source, PlainFolder):
        return []
    git, out = Git(source.git_dir), []
    try:
        if git.run("rev-parse", "--is-shallow-repository").strip() == b"true":
            count = int(git.run("rev-list", "--count", "HEAD").strip() or 0) if source.commit else 0
            told = f"a shallow clone: {count} commit{'' if count == 1 else 's'} of history"
            advice = "git fetch --unshallow (in CI: fetch-depth: 0); history finds files that words do not"
            out.append(Check(_AREA, "history", "warn", told, advice))
        if git.run("config", "--get-regexp", r"^remote\..*\.promisor$", accept=(0, 1)).strip():
            told = "a partial clone: zeroin fetches nothing, objects that are not here are not read"
            advice = "only --rev and --diff suffer; to get all: git fetch --refetch --no-filter"
            out.append(Check(_AREA, "objects", "warn", told, advice))
    except (GitError, ValueError) as error:
        out.append(Check(_AREA, "git", "warn", line(str(error)), "git fsck says what is damaged"))
    out += _ownership(source)
    return out


def _ownership(source: Source) -> list[Check]:
    """Of another user: git refuses such a repository (safe.directory), zeroin runs nothing of it and reads it."""
    assert source.git_dir is not None
    try:
        owner = source.git_dir.stat().st_uid
    except OSError:
        return []
    if not hasattr(os, "geteuid") or owner == os.geteuid():
        return []
    told = (
        f"belongs to user {owner}, you are {os.geteuid()}: zeroin reads it all the same, your git refuses it"
    )
    advice = f"if you trust it: git config --global --add safe.directory '{source.root}'"
    return [Check(_AREA, "owner", "warn", told, advice)]


def _files(entries: tuple[Entry, ...], skipped: tuple[Skipped, ...], seconds: float) -> Check:
    reasons = Counter(line(s.reason) for s in skipped)
    left_out = ", ".join(f"{count:,} {reason}" for reason, count in reasons.most_common(_REASONS))
    more = "" if len(reasons) <= _REASONS else ", …"
    told = f"{len(entries):,} files, listed in {seconds:.1f} s"
    told += f"; {len(skipped):,} not searched: {left_out}{more}" if skipped else ""
    if not entries:
        return Check(
            _AREA, "files", "warn", told, "nothing to search: is it the right folder? is all of it ignored?"
        )
    if len(entries) > _MANY:
        return Check(
            _AREA, "files", "warn", told, "name what to leave out in .zeroinignore, or ask about a folder"
        )
    return Check(_AREA, "files", "ok", told)


def _index(source: Source, entries: tuple[Entry, ...], path: str | Path) -> Check:
    try:
        folder = index_dir()
    except OptionError as error:
        return Check(_AREA, "index", "warn", str(error))
    file = folder / (file_name(source.identity) + SUFFIX)
    build = f"zeroin index {path}"
    if not file.exists():
        return Check(
            _AREA, "index", "ok", "none yet: the first question builds it", f"to have it ahead: {build}"
        )
    try:
        with closing(connect_read_only(file)) as connection:
            if connection.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
                raise Unusable("is damaged", broken=True)
            known = set(connection.execute("SELECT blob, language FROM facts"))
    except (Unusable, sqlite3.Error) as error:
        return _unusable(error, build)
    # A file that git has no blob of is changed or untracked: it is hashed, and analysed if new, when it is asked about.
    asked = [key_of(entry) for entry in entries if entry.blob is not None]
    done, rest = sum(key in known for key in asked), len(entries) - len(asked)
    size = size_text(file.stat().st_size)
    later = f"{rest:,} changed or not committed are looked at when asked"
    told = f"{done:,} of {len(asked):,} files known, {size}" if asked else f"{size}; {later}"
    told += f"; {later}" if asked and rest else ""
    advice = f"the next question does the rest; ahead: {build}" if done < len(asked) else ""
    return Check(_AREA, "index", "ok", told, advice)


def _unusable(error: Exception, build: str) -> Check:
    if isinstance(error, Unusable) and not error.broken:
        if "another version" in str(error):
            told = "of another version of zeroin: an older one is built anew, a newer one is left alone"
            return Check(_AREA, "index", "warn", told, f"{build}; or use the zeroin that made it")
        return Check(_AREA, "index", "warn", f"it {error}", "look at the rights of the cache directory")
    told = f"damaged ({line(str(error))}); the next question sets it aside and starts anew"
    return Check(_AREA, "index", "warn", told, f"nothing is lost: {build}")
