"""`kill -9` at any moment of any command: what the next question is answered, and what is left of the killed one."""

import contextlib
import ctypes
import json
import os
import random
import select
import signal
import struct
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.faults.place import ASK, World, contents, faults_of, gone_within, left_behind, runs
from benchmarks.faults.running import LIMIT_S, Done, Running

INSTALL = ("install", "claude", "codex", "--yes")
_STARTED = 10  # one turn in so many starts its processes instead of forking them
_NEW = "Print the refund ledger twice"  # what `learn` is killed at
_CREATE, _ISDIR, _WATCHED = 0x100, 0x40000000, 0x100 | 0x2 | 0x8 | 0x40 | 0x80 | 0x200  # of inotify(7)
_EVENT = struct.Struct("iIII")


@dataclass(frozen=True)
class Operation:
    """A command that is killed, and the home that it starts in; `worker`: one of its workers is."""

    name: str
    arguments: Sequence[str]
    home: str = "warm"
    worker: bool = False


OPERATIONS = (
    Operation("ask, nothing indexed", ASK, "empty"),
    Operation("index with two workers", ("index", "REPO", "--jobs", "2"), "empty"),
    Operation("ask, indexed", ASK),
    Operation("ask after an edit", ASK, "old"),
    Operation("index --import", ("index", "REPO", "--import", "EXPORT"), "empty"),
    Operation("learn", ("learn", _NEW, "REPO", "--relevant", "README.md")),
    Operation("install", INSTALL),
    Operation("cache --prune", ("cache", "--prune", "--max-mb", "0")),
    Operation("cache --clear", ("cache", "--clear")),
    Operation("index, one of two workers", ("index", "REPO", "--jobs", "2"), "empty", True),
    Operation("ask, one of two workers", (*ASK[:-1], "2"), "empty", True),
)


def kills(world: World, numbers: Iterable[int], seed: int, tell: Callable[[str], None]) -> dict[str, Any]:
    """Kill for every number, by turns of every operation; half at a moment of its time, half at a change of a file."""
    chance = random.Random(seed)
    measured = {operation.name: _measured(world, operation) for operation in OPERATIONS}
    wrong: list[str] = []
    done, ended = Counter[str](), Counter[str]()
    for number in numbers:
        operation = OPERATIONS[number % len(OPERATIONS)]
        seconds, changes = measured[operation.name]
        at_change = bool(changes) and not operation.worker and number // len(OPERATIONS) % 2 == 1
        moment = float(chance.randint(1, changes)) if at_change else chance.uniform(0, seconds)
        how = {"fork": False} if number // len(OPERATIONS) % _STARTED == 0 else {}
        found, late = trial(world, operation, moment, at_change=at_change, **how)
        done[operation.name] += 1
        ended[operation.name] += late
        where = f"{operation.name}, {'change' if at_change else 'second'} {moment:.3g}"
        wrong += [f"{where}: {fault}" for fault in found]
        for fault in found:
            tell(f"{where}: {fault}")
    names = [operation.name for operation in OPERATIONS]
    rows = {n: {"kills": done[n], "ended_before": ended[n], "seconds": round(measured[n][0], 2)} for n in names}
    return {"kills": done.total(), "operations": rows, "faults": wrong}


def trial(
    world: World, operation: Operation, moment: float, *, at_change: bool = False, **how: Any
) -> tuple[list[str], bool]:
    """Kill an operation once, at a second or at a change of a file; returns what is wrong, and whether it had ended."""
    home = world.home(of=operation.home)
    before = runs(home), world.lessons(home), contents(home)
    running = world.start(operation.arguments, home, **how)
    if operation.worker:
        late = _kill_worker(world, running, moment)
        done = running.end()
    else:
        late = _kill_at_change(running, home, int(moment)) if at_change else _kill_at(running, moment)
        done = running.end()
    wrong = [f"process {pid} lives on" for pid in gone_within(world, 1.0)]
    wrong += _lost(world, operation, done, home, before)
    wrong += _after(world, operation, done, home, before[2], late=late)
    return wrong, late


def _lost(
    world: World, operation: Operation, done: Done, home: Path, before: tuple[set[str], set[str], Any]
) -> Iterator[str]:
    """What was kept before, or is said to be kept now, and is not there."""
    kept, learned = set(before[0]), set(before[1])
    if done.out.endswith("\n") and operation.arguments[0] == "learn":
        learned.add(done.out.split(" ")[0])
    if operation.arguments[0] == "find" and isinstance(done.answer, dict):
        kept.add(json.loads(done.out)["run"])
    if operation.name != "cache --clear" and (lost := kept - runs(home)):
        yield f"lost the runs {sorted(lost)}"
    if lost := learned - world.lessons(home):
        yield f"lost the lessons {sorted(lost)}"


def _after(
    world: World, operation: Operation, done: Done, home: Path, before: dict[str, bytes], *, late: bool
) -> Iterator[str]:
    """What the command itself, and what is done after it, get wrong."""
    if late or operation.worker:
        clean = world.clean if operation.arguments[0] == "find" else None
        yield from (f"itself: {f}" for f in faults_of(done, clean, may_warn=operation.name == "install"))
    elif "Traceback" in done.err:
        yield "itself: a traceback"
    if operation.name == "install":
        yield from _half_installed(world, home, before)
    if operation.arguments[0] == "learn":  # only who learns needs its journal again
        yield from (f"again: {fault}" for fault in faults_of(world.run(operation.arguments, home)))
    yield from faults_of(world.ask(home), world.clean)
    if left := left_behind(home):
        yield f"left {left}"


def _half_installed(world: World, home: Path, before: dict[str, bytes]) -> Iterator[str]:
    """A file of a host is as it was or as it shall be; a second call ends what the first began."""
    whole = world.place / "states" / "installed"
    if not whole.exists():
        world.run(INSTALL, world.home("installed", of="empty"))
    wanted = contents(whole)
    for name, data in contents(home).items():
        own = name.startswith(("cache/", "data/")) or Path(name).name.startswith(".")
        if not own and data not in (before.get(name), wanted.get(name)):
            yield f"{name} is half written"
    again = world.run(INSTALL, home)
    yield from (f"again: {fault}" for fault in faults_of(again, may_warn=True))
    now = contents(home)
    for name, data in wanted.items():
        if now.get(name) != data and not name.startswith("cache/") and not name.endswith(".zeroin-backup"):
            yield f"{name} is not what one call makes of it"


def _measured(world: World, operation: Operation) -> tuple[float, int]:
    """Seconds and changes of files of an operation that is left alone: the most of two runs."""
    seconds, changes = 0.0, 0
    for _ in range(2):
        home = world.home(of=operation.home)
        began = time.perf_counter()
        with Changes(home) as seen:
            running = world.start(operation.arguments, home)
            changes = max(changes, sum(1 for _ in seen.until(running)))
        done = running.end()
        seconds = max(seconds, time.perf_counter() - began)
        if done.code != 0:
            raise RuntimeError(f"{operation.name}: {done}")
    return seconds, changes


def _kill_at(running: Running, seconds: float) -> bool:
    running.sleep(seconds)
    return _killed(running)


def _killed(running: Running) -> bool:
    """Kill a process; tells whether it had ended before."""
    late = running.process.poll() is not None
    running.process.kill()
    return late


def _kill_at_change(running: Running, home: Path, count: int) -> bool:
    with Changes(home) as seen:
        for number, _ in enumerate(seen.until(running), 1):
            if number >= count:
                break
    return _killed(running)


def _kill_worker(world: World, running: Running, seconds: float) -> bool:
    """Kill one of the processes that a command has started, at a second or as soon as there is one."""
    running.sleep(seconds)
    while running.process.poll() is None:
        for pid in world.processes():
            if pid != running.process.pid and _is_worker(pid):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
                    return False
        time.sleep(0.005)
    return True


def _is_worker(pid: int) -> bool:
    try:
        return b"zeroin.workers" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False


class Changes:
    """Changes of files below a folder, as inotify tells them: none where there is no inotify."""

    def __init__(self, home: Path) -> None:
        self._libc = ctypes.CDLL(None, use_errno=True)
        self._folders: dict[int, Path] = {}
        self._handle = self._libc.inotify_init1(os.O_NONBLOCK) if hasattr(self._libc, "inotify_init1") else -1
        self._watch(home)

    def __enter__(self) -> "Changes":
        return self

    def __exit__(self, *_: object) -> None:
        if self._handle >= 0:
            os.close(self._handle)

    def _watch(self, folder: Path) -> None:
        if self._handle < 0:
            return
        self._folders[self._libc.inotify_add_watch(self._handle, os.fsencode(folder), _WATCHED)] = folder
        with contextlib.suppress(OSError):
            for path in folder.iterdir():
                if path.is_dir() and not path.is_symlink():
                    self._watch(path)

    def until(self, running: Running) -> Iterator[str]:
        """Yield the name of a file at each change, until the process has ended."""
        until = time.monotonic() + LIMIT_S
        while running.process.poll() is None and time.monotonic() < until:
            if self._handle < 0 or not select.select([self._handle], [], [], 0.02)[0]:
                continue
            data = os.read(self._handle, 1 << 16)
            while data:
                watch, mask, _, size = _EVENT.unpack_from(data)
                name = os.fsdecode(data[_EVENT.size : _EVENT.size + size].rstrip(b"\0"))
                data = data[_EVENT.size + size :]
                if mask & _CREATE and mask & _ISDIR and watch in self._folders:
                    self._watch(self._folders[watch] / name)
                yield name
