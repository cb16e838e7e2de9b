"""Worker processes of a batch: each answers one row at a time; one that dies costs its row and is replaced."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from typing import Any

from zeroin.cli.batch_rows import Row
from zeroin.errors import ZeroinError

Json = dict[str, Any]

GRACE_S = 120.0  # over the row's time limit before its worker counts as hung

LEAVE_S = 5.0  # for a worker to end by itself when there are no more rows


class WorkerDied(ZeroinError):
    """The worker process ended before it answered."""


class _Worker:
    """One `batch_worker` process; started when first asked."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 (closed in `close`)
        self._lock = threading.Lock()
        self._stopped = False

    def ask(self, request: Json, timeout_s: float | None) -> Json:
        """The answer to one request. Raises `WorkerDied`."""
        with self._lock:
            if self._stopped:
                raise WorkerDied("the batch was stopped")
            process = self._started()
        assert process.stdin is not None and process.stdout is not None
        timer = threading.Timer(timeout_s, process.kill) if timeout_s is not None else None
        if timer is not None:
            timer.daemon = True
            timer.start()
        try:
            with contextlib.suppress(OSError):
                process.stdin.write(json.dumps(request).encode() + b"\n")
                process.stdin.flush()
            line = process.stdout.readline()
        finally:
            if timer is not None:
                timer.cancel()
        if not line.endswith(b"\n"):
            raise WorkerDied(self._obituary(process))
        answer = json.loads(line)
        return answer if isinstance(answer, dict) else {}

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            # A group of its own, so that Ctrl-C reaches the parent alone and no row is lost to it by half.
            windows = os.name == "nt"
            self._process = subprocess.Popen(
                [sys.executable, "-m", "zeroin.cli.batch_worker"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0) if windows else 0,
                process_group=None if windows else 0,
            )
        return self._process

    def _obituary(self, process: subprocess.Popen[bytes]) -> str:
        code = process.wait()
        self._errors.seek(0)
        words = self._errors.read()[-4000:].decode("utf-8", "replace").strip().splitlines()
        self._errors.seek(0)
        self._errors.truncate()
        return f"the worker ended with code {code}" + (f": {words[-1]}" if words else "")

    def stop(self) -> None:
        """Kills the process, from any thread; whoever waits for its answer gets `WorkerDied`."""
        with self._lock:
            self._stopped = True
            if self._process is not None:
                self._process.kill()

    def close(self) -> None:
        """Lets the process end, and frees what it held; called by the thread that asks."""
        if self._process is not None:
            assert self._process.stdin is not None
            try:
                with contextlib.suppress(OSError):
                    self._process.stdin.close()
                self._process.wait(timeout=LEAVE_S)
            except subprocess.TimeoutExpired:
                self.stop()
                self._process.wait()
            for pipe in (self._process.stdin, self._process.stdout):
                if pipe is not None:
                    with contextlib.suppress(OSError):
                        pipe.close()
        self._errors.close()


class Schedule:
    """Rows to do; a worker gets rows of its last repository first, then of one that nobody works on."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self._waiting: dict[str, list[Row]] = {}
        for row in rows:
            self._waiting.setdefault(row.repo, []).append(row)
        for waiting in self._waiting.values():
            waiting.reverse()
        self._busy: dict[str, int] = {}
        self._lock = threading.Lock()

    def take(self, last: str | None) -> Row | None:
        """The next row for a worker whose last row was of repository `last`; None when all are taken."""
        with self._lock:
            if last is not None:
                self._busy[last] -= 1
            if not self._waiting:
                return None
            free = next((repo for repo in self._waiting if not self._busy.get(repo)), None)
            repo = last if last is not None and last in self._waiting else free or next(iter(self._waiting))
            row = self._waiting[repo].pop()
            if not self._waiting[repo]:
                del self._waiting[repo]
            self._busy[repo] = self._busy.get(repo, 0) + 1
            return row


def run_rows(rows: Sequence[Row], settings: Json, jobs: int) -> Iterator[Json]:
    """Result rows in the order in which they are done; closing the iterator ends all workers."""
    count = max(1, min(jobs, len(rows)))
    settings = {**settings, "jobs": max(1, (os.cpu_count() or 1) // count)}
    schedule = Schedule(rows)
    done: queue.Queue[Json] = queue.Queue()
    stopping = threading.Event()
    workers = [_Worker() for _ in range(count)]
    threads = [
        threading.Thread(target=_work, args=(worker, schedule, settings, done, stopping), daemon=True)
        for worker in workers
    ]
    try:
        for thread in threads:
            thread.start()
        for _ in rows:
            yield _next(done, threads)
    finally:
        stopping.set()
        for worker in workers:
            worker.stop()
        for thread in threads:
            thread.join()


def _next(done: queue.Queue[Json], threads: Sequence[threading.Thread]) -> Json:
    while True:
        try:
            return done.get(timeout=0.2)  # a timeout, so that Ctrl-C is seen on every system
        except queue.Empty:
            if not any(thread.is_alive() for thread in threads) and done.empty():
                raise ZeroinError("the batch workers stopped without an answer") from None


def _work(
    worker: _Worker, schedule: Schedule, settings: Json, done: queue.Queue[Json], stopping: threading.Event
) -> None:
    timeout_s = settings["timeout_s"]
    limit = None if timeout_s is None else timeout_s + GRACE_S
    last: str | None = None
    try:
        while not stopping.is_set() and (row := schedule.take(last)) is not None:
            last = row.repo
            if row.error:
                done.put({"id": row.id, "error": row.error})
                continue
            try:
                done.put(worker.ask({"row": dict(row.values or {}), "settings": settings}, limit))
            except WorkerDied as error:
                if not stopping.is_set():
                    done.put({"id": row.id, "error": str(error)})
    finally:
        worker.close()
