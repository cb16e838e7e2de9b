"""A command under watch: what its processes take together, what they start and open, and what they leave running."""

import os
import re
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

LIMIT_S = 1_500.0  # a command that takes longer is ended
LIMIT_BYTES = 4_000_000_000  # one that takes more, too
_TICK_S = 0.02
_PAGE = os.sysconf("SC_PAGE_SIZE")
_CALLS = ("strace", "-f", "-q", "-y", "-s", "4096", "-e", "trace=execve,open,openat,openat2", "-o")
_STARTED = re.compile(r'execve\("((?:[^"\\]|\\.)*)".*\) += 0$')
_UNFINISHED, _RESUMED = " <unfinished ...>", re.compile(r"<\.\.\. \w+ resumed>")
_OPENED = re.compile(r"open(?:at2?)?\(.*\) += \d+<(.*)>$")


@dataclass(frozen=True, slots=True)
class Watched:
    """What a command did: processor time, `peak` bytes of all its processes at once, `left` of them after its end.

    `opened` are files by their true paths and `started` programs, where calls were traced.
    """

    status: int
    out: bytes
    err: bytes
    processor_s: float
    peak: int
    left: int
    opened: frozenset[str] = frozenset()
    started: frozenset[str] = frozenset()
    of_git: frozenset[str] = frozenset()

    def by_git(self, path: str) -> bool:
        """Whether git, not zeroin, opened a file."""
        return path in self.of_git


def watch(
    command: Sequence[str | bytes], cwd: Path, env: Mapping[str, str], *, traced: bool = False, stdin: bytes = b""
) -> Watched:
    """Run a command to its end, or to a limit (then its status is −9)."""
    with (
        tempfile.TemporaryFile() as out,
        tempfile.TemporaryFile() as err,
        tempfile.TemporaryFile() as given,
        tempfile.NamedTemporaryFile() as calls,
    ):
        given.write(stdin)
        given.seek(0)
        began, used = time.monotonic(), _used()
        process = subprocess.Popen(
            [*((*_CALLS, calls.name) if traced else ()), *command],
            cwd=cwd,
            env=env,
            stdin=given,
            stdout=out,
            stderr=err,
            start_new_session=True,
        )
        peak = 0
        while process.poll() is None:
            peak = max(peak, memory_of(process.pid))
            if time.monotonic() - began > LIMIT_S or peak > LIMIT_BYTES:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
                break
            time.sleep(_TICK_S)
        left = len(list(session(process.pid)))
        for stream in (out, err):
            stream.seek(0)
        said = calls.read().decode("utf-8", "replace").splitlines() if traced else []
        return Watched(process.returncode, out.read(), err.read(), _used() - used, peak, left, *calls_of(said))


def calls_of(rows: Sequence[str]) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """The files that were opened, the programs that were started, and the files that git opened."""
    opened, started, of_git, git = set(), set(), set(), set()
    for row in _whole(rows):
        pid = row.partition(" ")[0]
        if found := _STARTED.search(row):
            started.add(found[1])
            if found[1].endswith("/git"):
                git.add(pid)
        elif found := _OPENED.search(row):
            (of_git if pid in git else opened).add(found[1])
    return frozenset(opened | of_git), frozenset(started), frozenset(of_git - opened)


def _whole(rows: Sequence[str]) -> Iterator[str]:
    """Calls that another process's call interrupts in the trace, put together: a row and what it ends with."""
    begun: dict[str, str] = {}
    for row in rows:
        pid = row.partition(" ")[0]
        if row.endswith(_UNFINISHED):
            begun[pid] = row.removesuffix(_UNFINISHED)
        elif found := _RESUMED.search(row):
            yield begun.pop(pid, "") + row[found.end() :]
        else:
            yield row


def memory_of(pid: int) -> int:
    """Resident bytes of a process and of all below it; pages that they share count for each."""
    return sum(_resident(one) for one in (pid, *below(pid)))


def below(pid: int) -> Iterator[int]:
    """The processes that a process started, that these started, and so on."""
    try:
        tasks = list(Path(f"/proc/{pid}/task").iterdir())
    except OSError:
        return
    for task in tasks:
        try:
            children = (task / "children").read_text().split()
        except OSError:
            continue
        for child in map(int, children):
            yield child
            yield from below(child)


def session(leader: int) -> Iterator[int]:
    """The processes of a session that still run."""
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text("utf-8", "replace").rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == leader and fields[0] != "Z":
            yield int(stat.parent.name)


def _used() -> float:
    times = os.times()
    return times.children_user + times.children_system


def _resident(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * _PAGE
    except (OSError, IndexError):
        return 0
