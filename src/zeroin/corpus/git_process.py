"""One running git, whose output is read in bounded pieces, and which is killed when it makes no progress.

A hostile repository can make git hang or exhaust memory: opening a pipe in place of `.gitignore` never returns, an
object of some kilobytes unpacks to gigabytes. So memory, output and time without progress are limited.
"""

from __future__ import annotations

import io
import os
import select
import shutil
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from functools import lru_cache
from pathlib import Path
from typing import IO, cast

from zeroin.errors import GitError

IDLE_S = 10.0  # without output and without any work: git is blocked
SILENT_S = 120.0  # without output, working or not: only Linux shows whether git works
MAX_OUTPUT = 128_000_000  # bytes of an answer that is held whole: over a million files
MAX_MEMORY = 1 << 30  # bytes that git may allocate; files that it maps, such as packs, do not count
MAX_ALLOCATION = 1 << 29  # bytes of one allocation, such as an object

_TICK_S = 0.5
_CHUNK = 1 << 18
_LAST_WORDS = 4_096  # bytes of one read of stderr; the last two reads are kept
_PIPE = "is there a pipe in place of .gitignore, .gitattributes or a file in .git, or a pattern of many **?"


class GitProcess(AbstractContextManager["GitProcess", None]):
    """A running git. Use as a context manager: leaving it kills the process, even if output is left.

    `stdout` ends at `until` (monotonic) at the latest, and raises `GitError` where git makes no progress.
    """

    def __init__(
        self,
        args: Sequence[str | bytes | Path],
        *,
        cwd: Path | None,
        env: Mapping[str, str],
        stdin: int = subprocess.DEVNULL,
        until: float | None = None,
    ) -> None:
        self.name = next((a for a in args if isinstance(a, str) and not a.startswith("--")), "git")
        try:
            self._process = subprocess.Popen(
                [_program(os.environ.get("PATH", os.defpath)), "--no-pager", *args],
                cwd=cwd,
                env={**env, "GIT_ALLOC_LIMIT": str(MAX_ALLOCATION)},
                stdin=stdin,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
            )
        except FileNotFoundError as error:
            if cwd is not None and not cwd.is_dir():
                raise GitError(f"{cwd} is not there any more") from error
            raise GitError("git is not installed or not on PATH") from error
        except OSError as error:
            raise GitError(f"git could not be started: {error}") from error
        _limit_memory(self._process.pid)
        self._last_words: deque[bytes] = deque(maxlen=2)
        self._listener = threading.Thread(target=self._listen, daemon=True)
        try:
            self._listener.start()  # stderr is read, or git would wait once the pipe is full
        except RuntimeError as error:
            self._process.kill()
            raise GitError(f"git could not be started: {error}") from error
        self.stdout = io.BufferedReader(_Output(self._process, self.name, until), 1 << 16)

    def __exit__(self, *raised: object) -> None:
        self.end()

    def end(self) -> None:
        """Kill the process if it still runs, and close its pipes. May be called again."""
        self._process.kill()
        self._process.wait()
        self._listener.join(_TICK_S)
        for pipe in (self._process.stdout, self._process.stderr):
            cast(IO[bytes], pipe).close()

    def read(self) -> bytes:
        """Return the rest of its output. Raises `GitError` beyond `MAX_OUTPUT` bytes."""
        parts: list[bytes] = []
        size = 0
        while chunk := self.stdout.read1(_CHUNK):
            parts.append(chunk)
            size += len(chunk)
            if size > MAX_OUTPUT:
                raise GitError(f"git {self.name}: it says more than {MAX_OUTPUT // 10**6} MB, so it was ended")
        return b"".join(parts)

    def status(self) -> int:
        """Wait for the process to end, and return its exit status. Read all output first."""
        return self._process.wait()

    def check(self, accept: Sequence[int] = (0,)) -> None:
        """Wait for the process to end. Read all output first. Raises `GitError` unless its status is in `accept`."""
        code = self.status()
        if code not in accept:
            lines = [line for line in self.stderr().decode("utf-8", "replace").splitlines() if line.strip()]
            raise GitError(f"git {self.name}: {lines[-1].strip() if lines else f'exit status {code}'}")

    def stderr(self) -> bytes:
        """Return the end of what it wrote to stderr; waits until stderr is closed."""
        self._listener.join()
        return b"".join(self._last_words)

    def _listen(self) -> None:
        with suppress(OSError, ValueError):  # closed
            while words := os.read(cast(IO[bytes], self._process.stderr).fileno(), _LAST_WORDS):
                self._last_words.append(words)


class _Output(io.RawIOBase):
    """The output of a process as a stream that raises `GitError` when the process makes no progress."""

    def __init__(self, process: subprocess.Popen[bytes], name: str, until: float | None) -> None:
        self._process, self._name, self._until = process, name, until
        self._raw = cast(io.FileIO, process.stdout)
        self._poll = None
        if hasattr(select, "poll"):  # not on Windows, where folders hold no named pipes
            self._poll = select.poll()
            self._poll.register(self._raw, select.POLLIN)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object, /) -> int | None:
        if self._poll is not None and not self._poll.poll(self._wait_s() * 1000):
            self._wait(self._poll)
        return self._raw.readinto(cast(bytearray, buffer))

    def _wait(self, poll: select.poll) -> None:
        """Wait for output. Counts polls, not seconds: a time in which this process was stopped must not count."""
        looks = idle = 0
        work = _work_of(self._process.pid)
        while not poll.poll(self._wait_s() * 1000):
            looks += 1
            before, work = work, _work_of(self._process.pid)
            idle = idle + 1 if work == before and work is not None else 0
            if self._until is not None and time.monotonic() >= self._until:
                self._process.kill()  # its output ends here
                return
            if idle * _TICK_S >= IDLE_S or looks * _TICK_S >= SILENT_S:
                self._process.kill()
                raise GitError(f"git {self._name}: it does nothing, so it was ended; {_PIPE}")

    def _wait_s(self) -> float:
        return _TICK_S if self._until is None else max(0.0, min(_TICK_S, self._until - time.monotonic()))


def _work_of(pid: int) -> tuple[str, ...] | None:
    """Return the processor time and context switches, which change whenever a process works; None if unknown."""
    try:
        times = Path(f"/proc/{pid}/stat").read_text("ascii", "replace").rpartition(")")[2].split()[11:13]
        states = [task.joinpath("status").read_text("ascii", "replace") for task in Path(f"/proc/{pid}/task").iterdir()]
    except OSError:  # not Linux, or the process has ended
        return None
    resumed = [row for state in states for row in state.splitlines() if "ctxt_switches" in row]
    return (*times, *resumed) if resumed else None


def _limit_memory(pid: int) -> None:
    if sys.platform != "linux":
        return
    import resource  # not on Windows

    with suppress(OSError, ValueError):  # it has ended, or has a lower limit
        resource.prlimit(pid, resource.RLIMIT_DATA, (MAX_MEMORY, MAX_MEMORY))


def find_program(name: str, search: str | None = None) -> str | None:
    """Return the path of a program on a search path, PATH by default; None if it is not found.

    Folders of the path that are not absolute (`.`, or empty) are left out, and so is the current folder, where Windows
    looks first: it may be a stranger's repository.
    """
    found = os.environ.get("PATH", os.defpath) if search is None else search
    folders = [folder for folder in found.split(os.pathsep) if Path(folder).is_absolute()]
    os.environ.setdefault("NoDefaultCurrentDirectoryInExePath", "1")
    path = shutil.which(name, path=os.pathsep.join(folders))
    return path if path and Path(path).is_absolute() else None  # Python 3.11 searches there anyway


@lru_cache(maxsize=4)
def _program(search: str) -> str:
    found = find_program("git", search)
    if found is None:
        raise GitError("git is not installed or not on PATH")
    return found
