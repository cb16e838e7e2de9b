"""Worker processes: bytes in, bytes out. A task that crashes or hangs its process costs that task alone.

These are subprocesses over pipes and not `multiprocessing`: callers need no `__main__` guard, any thread may start
them, and a process that dies takes no other task with it (`docs/DEPENDENCIES.md` weighs the libraries).
Each process has a thread that writes one request and reads one answer at a time; the caller's thread hands out tasks,
takes answers and ends processes that exceed the time limit. A frame is its length (u32, little-endian) and its bytes;
the first byte of an answer says whether it is a result or an error.
"""

from __future__ import annotations

import faulthandler
import gc
import os
import queue
import signal
import struct
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from pathlib import Path
from pkgutil import resolve_name
from typing import IO, Any, BinaryIO, NamedTuple, cast

from zeroin.heap import trim

START_S = 30.0  # for a process to import what it needs
MOST_FAILED_STARTS = 3  # then tasks are done in this process
_TICK_S = 0.2  # between looks at the time limit; also how fast Ctrl-C is noticed on Windows
# New containers before garbage is collected: Python's 700 took up to a twelfth of an analysis and freed nothing.
_COLLECT_AFTER = 100_000
_TRIM_EVERY = 16  # tasks after which a process gives free memory back
_ORPHAN_FACTOR = 3  # a process ends itself after so many time limits, if its parent is gone
_LENGTH = struct.Struct("<I")
_DONE, _ERROR = b"\0", b"\1"
_FAULTS = {getattr(signal, name, None) for name in ("SIGSEGV", "SIGABRT", "SIGBUS", "SIGILL", "SIGFPE")}


class Task(NamedTuple):
    """A request; `key` is the caller's own."""

    key: Any
    request: bytes


class Outcome(NamedTuple):
    """The result of a task: `answer`, or `error` with the reason why there is none.

    `outside` says that the reason may not lie in the task: somebody ended the process, or memory was short.
    """

    task: Task
    answer: bytes
    error: str = ""
    outside: bool = False


# The last task of a process → its next one; None: no more for now.
Take = Callable[[Task | None], Task | None]


@dataclass(frozen=True, slots=True)
class Work:
    """The work of the processes: `function` ("module:name", bytes → bytes) of a module whose `VERSION` is `version`.

    `limit_s` bounds a task, `memory` the address space of a process in bytes (0: unlimited, as on Windows and macOS).
    """

    function: str
    version: str
    limit_s: float | None = None
    memory: int = 0


class Pool(AbstractContextManager["Pool", None]):
    """At most `jobs` processes, started when needed; with 0 jobs, or where none starts, tasks run in this process.

    Use as a context manager: leaving it ends all processes. `in_process` says where tasks run.
    """

    def __init__(self, work: Work, jobs: int, *, ahead: int = 1) -> None:
        self.in_process = not jobs or not sys.executable  # no executable: embedded in another program
        self._work = work
        self._jobs = jobs
        self._ahead = ahead  # tasks that a process is given at once, so that it need not wait for us
        self._workers: list[_Worker] = []
        self._events: queue.SimpleQueue[tuple[_Worker, bytes | None]] = queue.SimpleQueue()
        self._again: deque[Task] = deque()  # tasks of processes that ended before they began them
        self._failed_starts = 0

    def __exit__(self, *_: object) -> None:
        self._stop()

    def _stop(self) -> None:
        for worker in self._workers:
            worker.process.kill()
        for worker in self._workers:
            worker.close()
            self._again.extend(worker.tasks)
        self._workers = []

    def start(self) -> None:
        """Start every process now: they import what they need while the caller finds the first task."""
        while not self.in_process and len(self._workers) < self._jobs and self._start():
            pass

    def _start(self) -> bool:
        """Start one process; returns False where none is to be had."""
        try:
            self._workers.append(_Worker(self._work, self._events))
        except (OSError, RuntimeError):  # no process, or no thread
            self._failed_start()
            return False
        return True

    def run(self, take: Take, deadline: float | None = None) -> Iterator[Outcome]:
        """Yield the outcomes of the tasks that `take` gives, as they come; ends early at `deadline` (monotonic)."""
        while deadline is None or time.monotonic() < deadline:
            if self.in_process:
                task = self._next(take)
                if task is None:
                    return
                yield _outcome(task, _answered(resolve_name(self._work.function), task.request))
                continue
            self._assign(take)
            if not self._again and not any(worker.tasks for worker in self._workers):
                return
            yield from self._collect(deadline)

    def _next(self, take: Take, last: Task | None = None) -> Task | None:
        return self._again.popleft() if self._again else take(last)

    def _assign(self, take: Take) -> None:
        """Give every process its tasks, and start one more while all are busy."""
        for count in range(self._ahead):
            for worker in self._workers:
                if len(worker.tasks) <= count:
                    task = self._next(take, worker.last)
                    if task is None:
                        return
                    worker.give(task)
            while len(self._workers) < self._jobs and (task := self._next(take)) is not None:
                if not self._start():
                    self._again.appendleft(task)
                    return
                self._workers[-1].give(task)

    def _failed_start(self) -> None:
        self._failed_starts += 1
        if self._failed_starts >= MOST_FAILED_STARTS:
            self.in_process = True
            self._stop()

    def _collect(self, deadline: float | None) -> Iterator[Outcome]:
        """Yield the outcomes that are ready, after a moment's wait for the first."""
        wait = _TICK_S if deadline is None else max(0.0, min(_TICK_S, deadline - time.monotonic()))
        with suppress(queue.Empty):
            event = self._events.get(timeout=wait)
            while True:
                outcome = self._handled(*event)
                if outcome is not None:
                    yield outcome
                event = self._events.get_nowait()
        # After the answers are taken: one that waited for us is no sign of a process that hangs.
        now = time.monotonic()
        for worker in self._workers:
            limit = self._work.limit_s if worker.ready else START_S
            if limit is not None and worker.tasks and now - worker.since > limit:
                worker.late = True
                worker.process.kill()  # its thread reports the end

    def _handled(self, worker: _Worker, frame: bytes | None) -> Outcome | None:
        if worker not in self._workers:
            return None
        if frame is None:
            return self._ended(worker)
        worker.since = time.monotonic()
        if not worker.ready:
            worker.ready = True
            return None
        worker.last = worker.tasks.popleft()
        return _outcome(worker.last, frame)

    def _ended(self, worker: _Worker) -> Outcome | None:
        """Take the first task of a process that ended as failed; hand the others out again."""
        self._workers.remove(worker)
        code = worker.close()
        culprit = worker.tasks.popleft() if worker.ready and worker.tasks else None
        self._again.extendleft(reversed(worker.tasks))
        if not worker.ready:
            self._failed_start()
        if culprit is None:
            return None
        if worker.late:
            return Outcome(culprit, b"", f"it took more than {self._work.limit_s} s")
        return Outcome(culprit, b"", f"its process ended with code {code}", code < 0 and -code not in _FAULTS)


class _Worker:
    """One process and the thread that talks to it; touched by the caller's thread only, but for the inbox."""

    def __init__(self, work: Work, events: queue.SimpleQueue[tuple[_Worker, bytes | None]]) -> None:
        self.tasks: deque[Task] = deque()  # given and not answered
        self.last: Task | None = None
        self.ready = self.late = False
        self.since = time.monotonic()  # when it began its first task, or was started
        self._events = events
        self._inbox: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        # -P: the current folder, which may be the repository, is not a place to import from.
        command = [sys.executable, "-P", "-m", __name__, work.function, work.version]
        self.process = subprocess.Popen(
            [*command, str(work.limit_s or 0), str(work.memory)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=_environment(),
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
        self._thread = threading.Thread(target=self._talk, daemon=True)
        self._thread.start()

    def give(self, task: Task) -> None:
        if not self.tasks and self.ready:
            self.since = time.monotonic()
        self.tasks.append(task)
        self._inbox.put(task.request)

    def close(self) -> int:
        """End the process and its thread; returns the exit code. What it was doing is not worth waiting for."""
        self.process.kill()
        self._inbox.put(None)
        self._thread.join()
        return self.process.wait()

    def _talk(self) -> None:
        stdin, stdout = cast(IO[bytes], self.process.stdin), cast(BinaryIO, self.process.stdout)
        with suppress(OSError), stdin, stdout:  # a pipe breaks where the process has ended
            frame = _read(stdout)
            while frame is not None:
                self._events.put((self, frame))
                request = self._inbox.get()
                if request is None:
                    break
                stdin.write(_LENGTH.pack(len(request)))
                stdin.write(request)
                stdin.flush()
                frame = _read(stdout)
        self._events.put((self, None))


def jobs_for(jobs: int, most: int) -> int:
    """Return how many processes `jobs` asks for; 0 means as many as there are cores, at most `most`."""
    if jobs > 0:
        return jobs
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(cores, most)


def _environment() -> dict[str, str]:
    """Copy our environment: this package importable, no relative import paths, one thread of linear algebra."""
    env = dict(os.environ)
    given = [p for p in env.get("PYTHONPATH", "").split(os.pathsep) if p and Path(p).is_absolute()]
    env["PYTHONPATH"] = os.pathsep.join([str(Path(__file__).resolve().parents[1]), *given])
    env["OPENBLAS_NUM_THREADS"] = env["OMP_NUM_THREADS"] = "1"
    return env


def _outcome(task: Task, frame: bytes) -> Outcome:
    if frame[:1] == _DONE:
        return Outcome(task, frame[1:])
    error = frame[1:].decode("utf-8", "replace")
    return Outcome(task, b"", error, error.startswith(MemoryError.__name__))


# --- inside a process -------------------------------------------------------------------------------


def _answered(function: Callable[[bytes], bytes], request: bytes) -> bytes:
    try:
        return _DONE + function(request)
    except Exception as error:  # noqa: BLE001 - the edge of the process: one task must not cost the next
        return _ERROR + f"{type(error).__name__}: {error}".encode("utf-8", "replace")


def _read(pipe: BinaryIO) -> bytes | None:
    """Return the next frame; None at the end of the pipe, a torn last frame included."""
    head = pipe.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    size = _LENGTH.unpack(head)[0]
    body = pipe.read(size)
    return body if len(body) == size else None


def main(function: str, version: str, limit_s: float, memory: int) -> None:
    """Answer requests from stdin on stdout until stdin ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group: the parent decides
    if memory:
        _limit_memory(memory)
    # Answers get a descriptor of their own: what a library prints must not land between frames.
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    _end_with_parent(loading=True)
    answer = resolve_name(function)
    _end_with_parent(loading=False)
    if sys.modules[answer.__module__].__dict__.get("VERSION") != version:
        sys.exit(1)  # the package was replaced since the parent was started
    gc.freeze()  # what was loaded stays
    gc.set_threshold(_COLLECT_AFTER)
    with suppress(BrokenPipeError), open(os.devnull, "w") as nowhere, out:  # noqa: PTH123 - a device, not a path
        frame: bytes | None = b""
        answered, tasks = b"", 0
        while frame is not None:
            out.write(_LENGTH.pack(len(answered)) + answered)
            out.flush()
            frame = _read(sys.stdin.buffer)
            if frame is not None:
                if limit_s:  # this timer needs no interpreter: it ends a process that hangs without a parent
                    faulthandler.dump_traceback_later(_ORPHAN_FACTOR * limit_s, exit=True, file=nowhere)
                answered = _answered(answer, frame)
                tasks += 1
                if tasks % _TRIM_EVERY == 0:
                    trim()
                faulthandler.cancel_dump_traceback_later()


def _end_with_parent(*, loading: bool) -> None:
    """End this process at once when its parent ends (on Linux): while it loads, it does not read from its pipe."""
    if sys.platform == "win32":
        return
    import fcntl  # not on Windows
    import select

    flags = fcntl.fcntl(0, fcntl.F_GETFL)
    fcntl.fcntl(0, fcntl.F_SETOWN, os.getpid())  # who gets SIGIO, which ends a process
    fcntl.fcntl(0, fcntl.F_SETFL, flags | os.O_ASYNC if loading else flags & ~os.O_ASYNC)
    if loading and select.select([0], [], [], 0)[0]:  # nothing is sent before this process is ready
        sys.exit(1)


def _limit_memory(memory: int) -> None:
    if sys.platform == "win32":
        return
    import resource  # not on Windows

    with suppress(ValueError, OSError):  # macOS refuses; a lower limit may already stand
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        limit = memory if hard == resource.RLIM_INFINITY else min(memory, hard)
        resource.setrlimit(resource.RLIMIT_AS, (limit, hard))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], float(sys.argv[3]), int(sys.argv[4]))
