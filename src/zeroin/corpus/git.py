"""Run git: plumbing commands only, with everything disabled that repository configuration could start.

A repository is data from a stranger. Hooks, the file-system monitor, clean and smudge filters, signature
checks, pagers, credential helpers and lazy fetches from a promisor remote are disabled for every call; callers
that ask for a diff add `DIFF_FLAGS`. Git reads and writes paths as bytes; as `str` they are UTF-8 with surrogateescape.
"""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
import time
from collections import deque
from collections.abc import Generator, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from zeroin.corpus.git_process import GitProcess
from zeroin.errors import GitError
from zeroin.patterns import lazy_pattern

OLDEST_GIT = (2, 31)  # the first that reads GIT_CONFIG_COUNT, on which the safe configuration rests
DIFF_FLAGS = ("--no-ext-diff", "--no-textconv", "--ignore-submodules=all", "--no-renames")

_SAFE_CONFIG = (
    ("core.fsmonitor", "false"),
    ("core.hooksPath", os.devnull),
    ("core.pager", "cat"),
    ("core.quotePath", "false"),
    ("core.sshCommand", ""),
    ("core.askPass", ""),
    ("core.alternateRefsCommand", ""),
    ("core.bigFileThreshold", "16m"),  # a larger blob is streamed, and counts as binary in a diff
    ("credential.helper", ""),
    ("diff.autoRefreshIndex", "false"),  # `git diff` would write the index
    ("diff.orderFile", os.devnull),  # git fails where the file is missing, as in a bare repository
    ("gc.auto", "0"),
    ("i18n.logOutputEncoding", "UTF-8"),
    ("log.showSignature", "false"),
    ("log.mailmap", "false"),
    ("maintenance.auto", "false"),
    ("protocol.allow", "never"),
    ("safe.bareRepository", "all"),
    ("safe.directory", "*"),
    ("submodule.recurse", "false"),
)
# Of the caller's GIT_* variables only these are kept: GIT_DIR or GIT_INDEX_FILE, which git sets in hooks, would
# point us at another repository than the one that was asked about.
_KEPT = ("GIT_CEILING_DIRECTORIES", "GIT_CONFIG_GLOBAL", "GIT_DISCOVERY_ACROSS_FILESYSTEM", "GIT_EXEC_PATH")
_MAX_RECORD = 1 << 20
# Bytes of a blob after its limit that are read and dropped: beyond these, a new process is faster.
_MAX_DISCARDED = 8_000_000
_MAX_RESTARTS = 8


def to_str(path: bytes) -> str:
    """Return a path as git wrote it; undecodable bytes become surrogates."""
    return path.decode("utf-8", "surrogateescape")


def to_bytes(path: str) -> bytes:
    """Return the inverse of `to_str`."""
    return path.encode("utf-8", "surrogateescape")


def blob_id(data: bytes, algorithm: str = "sha1") -> str:
    """Return the id that git gives to a blob of these bytes, in hex. `algorithm` is `sha1` or `sha256`."""
    digest = hashlib.new(algorithm, b"blob %d\0" % len(data), usedforsecurity=False)
    digest.update(data)
    return digest.hexdigest()


def same_blob(data: bytes, blob: str) -> bool:
    """Tell whether these bytes are the blob `blob` (sha1 or sha256 by its length)."""
    return blob_id(data, "sha1" if len(blob) == 40 else "sha256") == blob


def _environment(config: Sequence[tuple[str, str]]) -> dict[str, str]:
    env = {k: v for k, v in os.environ.items() if not k.upper().startswith("GIT_") or k.upper() in _KEPT}
    env.update(
        GIT_ALLOW_PROTOCOL="none",  # no transport at all: a promisor remote could name any command
        GIT_CONFIG_NOSYSTEM="1",
        GIT_NO_LAZY_FETCH="1",
        GIT_NO_REPLACE_OBJECTS="1",
        GIT_OPTIONAL_LOCKS="0",
        GIT_TERMINAL_PROMPT="0",
        LC_ALL="C",
        GIT_CONFIG_COUNT=str(len(config)),
    )
    for at, (key, value) in enumerate(config):
        env[f"GIT_CONFIG_KEY_{at}"] = key
        env[f"GIT_CONFIG_VALUE_{at}"] = value
    return env


class Place(NamedTuple):
    """Where a folder lies with respect to git.

    `git_dir` is that of the work tree, `common_dir` the one shared by all worktrees of the repository; `prefix`
    is the folder below the top of the work tree, "" or ending in "/"; `head` is the commit that HEAD names, "" if
    there is none yet.
    """

    git_dir: Path
    common_dir: Path
    in_work_tree: bool
    in_git_dir: bool
    prefix: str
    head: str


_PLACE: tuple[tuple[str, ...], ...] = (
    ("--is-inside-work-tree",),
    ("--is-inside-git-dir",),
    ("--git-path", "hooks"),  # os.devnull (core.hooksPath), unless git is too old to read our configuration
    ("--absolute-git-dir",),
    ("--git-common-dir",),
    ("--show-prefix",),
    ("--revs-only", "HEAD^{commit}"),  # a line only if there is a commit
)
_COMMIT = lazy_pattern(rb"[0-9a-f]{40,64}")


def discover(folder: Path) -> Place | None:
    """Return the repository that `folder` belongs to, or None.

    Raises `GitError` when there is one but it is broken.
    """
    env = _environment(_SAFE_CONFIG)

    def ask(*options: str) -> bytes | None:
        with GitProcess(["rev-parse", *options], cwd=folder, env=env) as process:
            out = process.read()
            if process.status():
                said = process.stderr()
                if b"not a git repository" in said and b"gitdir" not in said:
                    return None
            process.check()
        return out

    out = ask(*(option for question in _PLACE for option in question))
    if out is None:
        return None
    answers = out.split(b"\n")[:-1]
    has_commit = bool(answers) and _COMMIT.fullmatch(answers[-1]) is not None
    if len(answers) != len(_PLACE) - (not has_commit):  # a newline in a path: ask one by one
        answers = [(ask(*question) or b"\n")[:-1] for question in _PLACE]
        has_commit = True
    if not answers[2].endswith(os.devnull.encode()):
        raise GitError(f"this git is too old; {'.'.join(map(str, OLDEST_GIT))} or later is needed")
    return Place(
        git_dir=Path(os.fsdecode(answers[3])),
        common_dir=(folder / os.fsdecode(answers[4])).resolve(),
        in_work_tree=answers[0] == b"true",
        in_git_dir=answers[1] == b"true",
        prefix=to_str(answers[5]),
        head=answers[6].decode("ascii") if has_commit else "",
    )


class Git:
    """Commands on one repository. Safe to share between threads: holds no process and no mutable state."""

    def __init__(self, git_dir: Path, work_tree: Path | None = None, config: Iterable[tuple[str, str]] = ()) -> None:
        self.git_dir = git_dir
        self.work_tree = work_tree
        self._config = (*_SAFE_CONFIG, *config)
        self._env = _environment(self._config)
        self._where: list[str | bytes | Path] = [b"--git-dir=" + os.fsencode(git_dir)]
        if work_tree is not None:
            self._where.append(b"--work-tree=" + os.fsencode(work_tree))

    def _command(self, args: Sequence[str | bytes]) -> list[str | bytes | Path]:
        # check-ignore takes paths literally in any case, and refuses the option
        literal = () if args[0] == "check-ignore" else ("--literal-pathspecs",)
        return [*self._where, *literal, *args]

    def start(self, *args: str | bytes, until: float | None = None) -> GitProcess:
        """Return a running git; hand it to `finish`, so that several can run at once."""
        return GitProcess(self._command(args), cwd=self.work_tree or self.git_dir, env=self._env, until=until)

    def finish(self, process: GitProcess, *, accept: Sequence[int] = (0,)) -> bytes:
        """Return all that `process` wrote.

        Raises `GitError` with its last line unless its status is in `accept`.
        """
        with process:
            out = process.read()
            process.check(accept)
        return out

    def run(self, *args: str | bytes, accept: Sequence[int] = (0,)) -> bytes:
        """Return the output of git for `args`. Raises `GitError`."""
        return self.finish(self.start(*args), accept=accept)

    def records(self, *args: str | bytes, until: float | None = None) -> Generator[bytes, None, None]:
        """Yield the NUL-separated records of git's output as they come, each cut after about a megabyte.

        At `until` (monotonic) the records end and git is killed. Raises `GitError` where git fails.
        """
        with self.start(*args, until=until) as process:
            rest = b""
            while chunk := process.stdout.read1(1 << 18):
                first, *others = chunk.split(b"\0")
                if len(rest) < _MAX_RECORD:
                    rest += first
                if others:
                    yield rest
                    yield from others[:-1]
                    rest = others[-1]
                if until is not None and time.monotonic() >= until:
                    break
            if until is not None and time.monotonic() >= until:
                return
            if rest:
                yield rest
            process.check()

    def commit_of(self, rev: str) -> str:
        """Return the id of the commit that `rev` names, "" if it names none in this repository."""
        if not rev or rev.startswith("-") or "\0" in rev or "\n" in rev:
            return ""
        try:
            name = to_bytes(rev) + b"^{commit}"
        except UnicodeEncodeError:  # a half of a surrogate pair
            return ""
        out = self.run("rev-parse", "--verify", "--quiet", name, accept=(0, 1, 128))
        found = out.decode("ascii", "replace").strip()
        return found if re.fullmatch(r"[0-9a-f]{40,64}", found) else ""

    def without_filters(self) -> Git:
        """Return the same repository with every configured clean, smudge and process filter emptied.

        `diff-files` compares a file by content when its stat data is racy, and would run the clean filter.
        """
        names = self.run("config", "-z", "--name-only", "--get-regexp", r"^filter\.", accept=(0, 1))
        drivers = {name.rpartition(b".")[0] for name in names.split(b"\0") if name}
        off = [
            (f"{os.fsdecode(driver)}.{key}", value)
            for driver in sorted(drivers)
            for key, value in (("clean", ""), ("smudge", ""), ("process", ""), ("required", "false"))
        ]
        return Git(self.git_dir, self.work_tree, off) if off else self

    def blobs(self, ids: Iterable[str], *, limit: int) -> Iterator[bytes | None]:
        """Yield the contents of blobs in order, each cut after `limit` bytes; None where one is missing or broken.

        Streams `cat-file --batch`: memory holds one blob. After `_MAX_RESTARTS` crashes of git, all others are None.
        Raises `GitError` if git cannot start.
        """
        left = deque(ids)
        died = 0
        while left and died < _MAX_RESTARTS:
            wanted = len(left)
            for data in self._batch(list(left), limit):
                left.popleft()
                yield data
            if len(left) == wanted:
                # Git dies on an object that it cannot read (corrupt; promised, before 2.39.4): that one is None and
                # a new process goes on with the next.
                died += 1
                left.popleft()
                yield None
        yield from (None for _ in left)

    def _batch(self, ids: Sequence[str], limit: int) -> Iterator[bytes | None]:
        """Yield contents as `blobs` gives them, until git dies or a blob is much longer than `limit`."""
        with tempfile.TemporaryFile() as requests:  # a pipe could fill while git waits for us to read
            requests.write("".join(f"{blob}\n" for blob in ids).encode("ascii"))
            requests.seek(0)
            command = [*self._where, "cat-file", "--batch"]
            process = GitProcess(command, cwd=self.git_dir, env=self._env, stdin=requests.fileno())
        with process:
            stdout = process.stdout
            for _ in ids:
                header = stdout.readline()
                if not header.endswith(b"\n"):
                    return
                parts = header.split()  # id, type and size; other words for a missing object
                if len(parts) != 3 or not parts[2].isdigit():
                    yield None
                    continue
                kind, size = parts[1], int(parts[2])
                data = stdout.read(min(size, limit))
                rest = size - len(data) + 1  # the newline after the contents
                is_long = rest > _MAX_DISCARDED
                if len(data) < min(size, limit) or (not is_long and len(stdout.read(rest)) < rest):
                    return
                yield data if kind == b"blob" else None
                if is_long:
                    return
