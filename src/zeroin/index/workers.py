"""A pool of worker processes that cannot be hurt: a file that kills or hangs its parser costs that file only.

Plain subprocesses over pipes: no pickle, no fork, works on every system and from any thread. The caller's thread
hands out work and takes results; each worker has a thread that writes to it and one that reads from it, so that a
full pipe never blocks anything else.
"""

from __future__ import annotations

import os
import queue
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import IO, NamedTuple, cast

from zeroin.index.worker import FILE_SECONDS, HELLO, read_frame, request
from zeroin.parsing.analyse import analyse
from zeroin.parsing.facts import Facts

FEW_FILES = 40  # starting a process takes as long as analysing these
FEW_BYTES = 1_000_000
MOST_JOBS = 4
# -P: the current folder, which may be the repository, is not a place to import from.
COMMAND = ("-P", "-m", "zeroin.index.worker")
_IN_FLIGHT = 6  # items a worker has in hand: it never waits for us, and a crash repeats few
_START_SECONDS = 30.0
_MOST_FAILED_STARTS = 3
_TICK = 0.2


class Item(NamedTuple):
    """A file to analyse; `key` is the caller's own."""

    key: tuple[str, str]
    language: str
    data: bytes


class _Event(NamedTuple):
    worker: _Worker
    frame: bytes | None  # None: the worker has ended


@dataclass(frozen=True, slots=True)
class _Work:
    item: Item
    plain: bool = False  # second try, as text: no parser is involved


def jobs_for(jobs: int) -> int:
    """How many workers `jobs` asks for; 0 means as many as there are cores, at most four."""
    if jobs > 0:
        return jobs
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(cores, MOST_JOBS)


def analyse_many(
    items: Iterable[Item],
    *,
    jobs: int = 0,
    deadline: float | None = None,
    isolate: bool = False,
    warnings: list[str] | None = None,
) -> Generator[tuple[tuple[str, str], bytes], None, None]:
    """Encoded facts by key, in the order in which they are ready; ends early at `deadline` (monotonic).

    A few small files are analysed in this process, unless `isolate`. Where no worker can be started, all are.
    """
    source = iter(items)
    few: list[Item] = []
    size = 0
    if not isolate:
        for item in source:
            few.append(item)
            size += len(item.data)
            if len(few) >= FEW_FILES or size >= FEW_BYTES:
                break
            if _is_past(deadline):
                break
        else:
            yield from _here(few, deadline)
            return
    pool = _Pool(jobs_for(jobs), [] if warnings is None else warnings)
    try:
        yield from pool.run(chain(few, source), deadline)
    finally:
        pool.close()


def _here(items: Iterable[Item], deadline: float | None) -> Iterator[tuple[tuple[str, str], bytes]]:
    for item in items:
        if _is_past(deadline):
            return
        yield item.key, analyse(item.data, item.language).encode()


def _is_past(deadline: float | None) -> bool:
    return deadline is not None and time.monotonic() >= deadline


class _Worker:
    """One process, the two threads at its pipes, and what it has in hand (touched by the caller's thread only)."""

    def __init__(self, events: queue.SimpleQueue[_Event]) -> None:
        self.in_hand: deque[_Work] = deque()
        self.greeted = False
        self.since = time.monotonic()  # when it began with the first item in hand, or was started
        self._events = events
        self._requests: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self.process = subprocess.Popen(
            [sys.executable, *COMMAND],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=_environment(),
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
        self._threads = [threading.Thread(target=run, daemon=True) for run in (self._write, self._read)]
        for thread in self._threads:
            thread.start()

    def send(self, work: _Work) -> None:
        if not self.in_hand:
            self.since = time.monotonic()
        self.in_hand.append(work)
        self._requests.put(request("text" if work.plain else work.item.language, work.item.data))

    def is_stuck(self, now: float) -> bool:
        """Whether it has taken too long for the first file in hand, or to start."""
        allowed = FILE_SECONDS if self.greeted else _START_SECONDS
        return bool(self.in_hand or not self.greeted) and now - self.since > allowed

    def kill(self) -> None:
        self.process.kill()

    def close(self) -> None:
        """End the process and its threads. It holds nothing that is worth waiting for."""
        self.process.kill()
        self._requests.put(None)
        for thread in self._threads:
            thread.join()
        self.process.wait()

    def _write(self) -> None:
        pipe = cast(IO[bytes], self.process.stdin)
        with suppress(OSError), pipe:  # the worker is gone: the reading thread says so
            while (frame := self._requests.get()) is not None:
                pipe.write(frame)
                pipe.flush()

    def _read(self) -> None:
        with cast(IO[bytes], self.process.stdout) as pipe:
            while (frame := read_frame(pipe)) is not None:  # type: ignore[arg-type]
                self._events.put(_Event(self, frame))
        self._events.put(_Event(self, None))


class _Pool:
    def __init__(self, jobs: int, warnings: list[str]) -> None:
        self._jobs = jobs
        self._warnings = warnings
        self._events: queue.SimpleQueue[_Event] = queue.SimpleQueue()
        self._workers: list[_Worker] = []
        self._again: deque[_Work] = deque()
        self._failed_starts = 0

    def run(self, items: Iterator[Item], deadline: float | None) -> Iterator[tuple[tuple[str, str], bytes]]:
        work = map(_Work, items)
        exhausted = False
        while not _is_past(deadline):
            if self._failed_starts < _MOST_FAILED_STARTS and (not exhausted or self._again):
                self._staff()
            if not self._workers:
                self._warnings.append("no analysis process could be started: files are analysed in this one")
                yield from _here((w.item for w in chain(self._again, work)), deadline)
                return
            while (worker := self._free()) is not None and not _is_past(deadline):
                following = self._again.popleft() if self._again else next(work, None)
                if following is None:
                    exhausted = True
                    break
                worker.send(following)
                if not self._events.empty():
                    break  # answers first: reading the next file may take a while
            if exhausted and not self._again and not any(w.in_hand for w in self._workers):
                return
            yield from self._take(deadline)

    def _take(self, deadline: float | None) -> Iterator[tuple[tuple[str, str], bytes]]:
        """Results that are ready, waiting a moment for the first."""
        wait = _TICK if deadline is None else max(0.0, min(_TICK, deadline - time.monotonic()))
        try:
            event = self._events.get(timeout=wait)
        except queue.Empty:
            self._end_stuck()
            return
        while True:
            result = self._handled(event)
            if result is not None:
                yield result
            try:
                event = self._events.get_nowait()
            except queue.Empty:
                self._end_stuck()  # only now: answers that we were slow to take are no sign of being stuck
                return

    def _end_stuck(self) -> None:
        now = time.monotonic()
        for worker in self._workers:
            if worker.is_stuck(now):
                worker.kill()  # its reading thread reports the end

    def _handled(self, event: _Event) -> tuple[tuple[str, str], bytes] | None:
        worker, frame = event
        if worker not in self._workers:
            return None
        if frame is None:
            return self._lost(worker)
        if not worker.greeted:
            worker.greeted = frame == HELLO
            worker.since = time.monotonic()
            if not worker.greeted:  # another version of ourselves answers: nothing it says can be used
                worker.kill()
            return None
        work = worker.in_hand.popleft()
        worker.since = time.monotonic()
        if not work.plain:
            return work.item.key, frame
        facts = Facts.decode(frame)
        generic = replace(facts, language=work.item.language, parser="generic")
        return work.item.key, generic.encode()

    def _lost(self, worker: _Worker) -> tuple[tuple[str, str], bytes] | None:
        """A worker has ended: the file it was at is tried once more as text, the others are handed out again."""
        self._workers.remove(worker)
        worker.close()
        if not worker.greeted:
            self._failed_starts += 1
            self._again.extend(worker.in_hand)
            return None
        if not worker.in_hand:
            return None
        culprit = worker.in_hand.popleft()
        self._again.extendleft(reversed(worker.in_hand))
        if not culprit.plain:
            self._again.appendleft(replace(culprit, plain=True))
            return None
        item = culprit.item
        return item.key, Facts(
            item.language, len(item.data), 0, "text", skipped="its analysis crashed"
        ).encode()

    def _staff(self) -> None:
        while len(self._workers) < self._jobs and self._failed_starts < _MOST_FAILED_STARTS:
            if not sys.executable:  # an interpreter inside another program
                self._failed_starts = _MOST_FAILED_STARTS
                return
            try:
                self._workers.append(_Worker(self._events))
            except (OSError, RuntimeError):  # no process, or no thread, to be had
                self._failed_starts += 1

    def _free(self) -> _Worker | None:
        """The worker with least in hand, if it can take more."""
        worker = min(self._workers, key=lambda w: len(w.in_hand), default=None)
        return worker if worker is not None and len(worker.in_hand) < _IN_FLIGHT else None

    def close(self) -> None:
        for worker in self._workers:
            worker.kill()
        for worker in self._workers:
            worker.close()
        self._workers = []


def _environment() -> dict[str, str]:
    """Ours, with the package we run from importable, relative places to import from left out, and one thread each."""
    env = dict(os.environ)
    given = [p for p in env.get("PYTHONPATH", "").split(os.pathsep) if p and Path(p).is_absolute()]
    env["PYTHONPATH"] = os.pathsep.join([str(Path(__file__).resolve().parents[2]), *given])
    env["OPENBLAS_NUM_THREADS"] = env["OMP_NUM_THREADS"] = "1"
    return env
