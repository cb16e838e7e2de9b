"""Time a whole command: wall time, processor time and peak memory of it and of the processes it starts.

The command is started by a small process of its own (this file as a program): Linux counts the memory of the process
that starts another one as the other's, too.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

LOOK_S = 0.02  # between two looks at the memory, at least
REST = 50  # a look is followed by a rest of so many times its processor time: looking takes 2 % of one core
PROC = Path("/proc")


@dataclass(frozen=True, slots=True)
class Timed:
    """What one command took; memory in 1,000,000 bytes."""

    wall_s: float
    cpu_s: float
    memory_mb: float
    code: int = 0
    output: bytes = b""


def timed(command: Sequence[str], environment: Mapping[str, str], limit_s: float = 1800) -> Timed:
    """Run a command to its end; it is killed after `limit_s`, and its exit code is then negative."""
    # Installed packages are compiled; without this every command would compile all of it again where a shell says so.
    inherited = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        told, output = Path(folder) / "told.json", Path(folder) / "output"
        with output.open("wb") as stream:
            process = subprocess.Popen(
                [sys.executable, "-S", __file__, str(told), *command],
                env=inherited | dict(environment),
                stdout=stream,
                stderr=subprocess.DEVNULL,
                process_group=0,
            )
            watch = _Watch(process.pid, time.monotonic() + limit_s)
            try:
                process.wait()
            except BaseException:
                _kill(process.pid)
                process.wait()
                raise
            finally:
                watch.end()
        if not told.exists():
            return Timed(limit_s, limit_s, watch.most / 1e6, -signal.SIGKILL)
        wall, cpu, largest, code = json.loads(told.read_bytes())
        # The kernel knows the largest process exactly, the watch all of them together now and then.
        return Timed(wall, cpu, max(largest, watch.most) / 1e6, code, output.read_bytes())


class _Watch(threading.Thread):
    """Look at a process now and then: the most memory of all that it started, and the end of its time."""

    def __init__(self, pid: int, deadline: float) -> None:
        super().__init__(daemon=True)
        self.most = 0
        self._pid, self._deadline, self._ended = pid, deadline, threading.Event()
        self.start()

    def run(self) -> None:
        pause = LOOK_S
        while not self._ended.wait(pause):
            began = time.thread_time()
            if time.monotonic() > self._deadline:
                _kill(self._pid)
            self.most = max(self.most, memory_below(self._pid))
            pause = max(LOOK_S, REST * (time.thread_time() - began))

    def end(self) -> None:
        self._ended.set()
        self.join()


def _kill(group: int) -> None:
    try:
        os.killpg(group, signal.SIGKILL)
    except ProcessLookupError:
        return


def memory_below(pid: int) -> int:
    """Bytes of all processes that a process started, shared pages counted once; 0 where the system does not tell."""
    if not PROC.is_dir():
        return 0
    below: dict[int, list[int]] = defaultdict(list)
    # Younger processes have higher numbers, until the numbers begin anew after some million.
    for other in [int(name) for name in os.listdir(PROC) if name.isdigit() and int(name) > pid]:  # noqa: PTH208 (fast)
        try:
            parent = int((PROC / str(other) / "stat").read_bytes().rpartition(b")")[2].split()[1])
        except (OSError, ValueError, IndexError):  # ended in the meantime
            continue
        below[parent].append(other)
    total, waiting = 0, list(below[pid])
    while waiting:
        one = waiting.pop()
        waiting += below[one]
        total += _figure(one, "smaps_rollup", "Pss:")
    return total


def own_peak() -> int:
    """Bytes that this process has held at most; 0 where the system does not tell."""
    return _figure(os.getpid(), "status", "VmHWM:")


def _figure(pid: int, table: str, name: str) -> int:
    try:
        rows = (PROC / str(pid) / table).read_text().splitlines()
    except OSError:
        return 0
    return next((int(row.split()[1]) * 1024 for row in rows if row.startswith(name)), 0)


def main(told: str, *command: str) -> None:
    """Run a command; writes wall seconds, processor seconds, bytes of its largest process and exit code."""
    began = time.monotonic()
    process = subprocess.Popen(command)
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.monotonic() - began
    code = os.waitstatus_to_exitcode(status)
    figures = [wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024, code]
    Path(told).write_text(json.dumps(figures))


if __name__ == "__main__":
    main(*sys.argv[1:])
