"""The resident process: forks one process for every command, from one that has loaded all that commands need.

A forked process has its own memory, streams, folder and environment, like one that is started, so an answer does not
depend on the commands before it.
"""

from __future__ import annotations

import contextlib
import gc
import io
import os
import select
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from zeroin.errors import ServeError
from zeroin.serve import wire

_PATIENCE_S = 2.0  # with a client that does not go on
_MOST_WAIT_S = 86_400.0  # for anything to happen; select() takes no number without end
_PACKAGE = Path(__file__).parents[1]
_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)

Request = dict[str, Any]


def serve(
    load: Callable[[], None], run: Callable[[list[str]], int], *, idle_s: float, report: Callable[[str], None]
) -> None:
    """Run the commands of clients until none has come for `idle_s` seconds. Raises `ServeError`.

    `load` loads what commands need; `run` lets signals come, runs a command line and returns its exit code.
    """
    resident = _Resident(idle_s)
    load()
    if threading.active_count() > 1:
        raise ServeError("a process with threads cannot be forked")
    resident.listen()
    report("zeroin: ready; where ZEROIN_SERVE=1 is set, commands are run here. Ctrl-C ends it.")
    gc.collect()
    gc.freeze()  # no forked process looks through all that is there when it collects garbage
    try:
        request = resident.run()
    except KeyboardInterrupt:
        request = None
    if request is not None:
        os._exit(_ran(run, request))
    with contextlib.suppress(KeyboardInterrupt):  # the second one
        resident.end()


def stop() -> bool:
    """End the resident process; False where none runs."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(_PATIENCE_S)
        try:
            connection.connect(wire.place())
            wire.send(connection, {"stop": True})
            wire.exactly(connection, 1)
        except (OSError, EOFError):
            return False
    return True


class _Resident:
    """Takes requests and forks for them."""

    def __init__(self, idle_s: float) -> None:
        import fcntl

        self._idle_s = idle_s
        self._version = _version()
        self._done = False
        self._commands: dict[int, socket.socket] = {}  # clients by the process that runs their command
        self._left: set[int] = set()  # processes that were told to end, since their client is gone
        self._listener = socket.socket(socket.AF_UNIX)
        self._child_ended, wake = os.pipe()
        try:
            self._path = wire.place()
            self._lock = os.open(f"{self._path}.lock", os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ServeError("a resident process runs already") from None
        except OSError as error:
            raise ServeError(f"there can be no resident process: {error}") from error
        os.set_blocking(wake, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(wake)

    def listen(self) -> None:
        """From now on there are clients. Raises `ServeError`."""
        try:
            Path(self._path).unlink(missing_ok=True)  # of one that was killed
            self._listener.bind(self._path)
            self._listener.listen(64)
        except OSError as error:
            raise ServeError(f"there can be no resident process: {error}") from error

    def run(self) -> Request | None:
        """Serve until nobody has asked for long, or the package has changed; the request, in a forked process."""
        last = time.monotonic()
        while not self._done:
            left = self._idle_s - (time.monotonic() - last)
            if left <= 0 and not self._commands:
                break
            if self._look_after((self._listener.fileno(),), min(max(left, 1.0), _MOST_WAIT_S)):
                request = self._take()
                if request is not None:
                    return request
                last = time.monotonic()
        return None

    def end(self) -> None:
        """Make room for another resident process, and stay until the commands that are running have ended."""
        Path(self._path).unlink(missing_ok=True)
        self._listener.close()
        os.close(self._lock)
        while self._commands:
            self._look_after((), None)

    def _look_after(self, others: Sequence[int], seconds: float | None) -> bool:
        """Wait for commands that end, clients that go, or `others`; whether one of these is ready."""
        clients = {c.fileno(): pid for pid, c in self._commands.items() if pid not in self._left}
        ready = set(select.select([*others, self._child_ended, *clients], (), (), seconds)[0])
        if self._child_ended in ready:
            os.read(self._child_ended, 4096)
        self._report_ends()
        for number, pid in clients.items():  # a client says nothing more: it is gone
            if number in ready and pid in self._commands:
                self._left.add(pid)
                os.kill(pid, signal.SIGTERM)
        return not ready.isdisjoint(others)

    def _report_ends(self) -> None:
        """Tell the clients of processes that have ended how they did."""
        for pid in list(self._commands):
            done, status = os.waitpid(pid, os.WNOHANG)
            if done:
                self._left.discard(pid)
                with self._commands.pop(pid) as client, contextlib.suppress(OSError):
                    client.sendall(wire.REPORT.pack(wire.CODE, os.waitstatus_to_exitcode(status)))

    def _take(self) -> Request | None:
        """Take one connection, and fork for its request; the request, in the forked process."""
        client, _ = self._listener.accept()
        client.settimeout(_PATIENCE_S)
        streams: list[int] = []
        try:
            if not wire.peer_is_ours(client):
                raise PermissionError
            request, streams = wire.receive(client)
            # What is loaded is of another time, or this process is bound more than its client: the next one serves.
            if request.get("stop") or self._version != _version() or not _can_become(request):
                self._done = True
            if self._done or request["key"] != wire.key() or len(streams) != len(wire.STREAMS):
                client.sendall(wire.NO)
                client.close()
                return None
            return request if self._fork(client, streams) else None
        except (OSError, EOFError, ValueError, KeyError):
            client.close()
            return None
        finally:
            for stream in streams:
                os.close(stream)

    def _fork(self, client: socket.socket, streams: Sequence[int]) -> bool:
        """Fork once the client has said that it waits; whether this is the forked process."""
        client.sendall(wire.READY)
        if wire.exactly(client, 1) != wire.GO:
            raise ValueError
        client.settimeout(None)
        signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)  # until there is a command to take them
        pid = -1
        try:
            pid = os.fork()
        finally:  # a command runs by itself where there is no room for a process
            if pid:
                signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)
        if pid:
            self._commands[pid] = client
            return False
        signal.set_wakeup_fd(-1)
        for caught in (signal.SIGCHLD, *_SIGNALS):
            signal.signal(caught, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        os.setsid()
        with contextlib.suppress(OSError):  # the first process sees that the client is gone
            client.sendall(wire.REPORT.pack(wire.PROCESS, os.getpid()))
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
        for own in (client, self._listener, *self._commands.values()):
            own.close()
        os.close(self._lock)
        return True


def _ran(run: Callable[[list[str]], int], request: Request) -> int:
    """Run the command of a forked process and return its exit code."""
    _become(request)
    code = run(request["arguments"])
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    return code


def _become(request: Request) -> None:
    """Take over folder, arguments, environment, mask, priority, limits and streams of the client."""
    import resource
    import tempfile

    os.chdir(request["folder"])
    sys.argv[1:] = request["arguments"]
    os.environ.clear()
    os.environ.update(request["env"])
    time.tzset()
    tempfile.tempdir = None  # looked for anew: the client may have another
    os.umask(request["mask"])
    with contextlib.suppress(PermissionError):  # of a client that was given more than this process
        os.setpriority(os.PRIO_PROCESS, 0, request["nice"])
    for name, (soft, hard) in request["limits"].items():
        with contextlib.suppress(OSError, ValueError):  # no process may raise a hard limit
            resource.setrlimit(getattr(resource, name), (soft, hard))
    # Made anew: what a terminal shows at once, a file gets in blocks.
    encoding = sys.stdout.encoding
    sys.stdin = io.TextIOWrapper(io.FileIO(0, closefd=False), encoding=sys.stdin.encoding)
    for name, number, errors in (("stdout", 1, sys.stdout.errors), ("stderr", 2, "backslashreplace")):
        stream = io.BufferedWriter(io.FileIO(number, "wb", closefd=False))
        lines = number == 2 or os.isatty(number)
        setattr(sys, name, io.TextIOWrapper(stream, encoding, errors, line_buffering=lines))


def _can_become(request: Request) -> bool:
    """Whether a forked process can have the priority and limits of the client: all but root can only lower them."""
    import resource

    if not os.geteuid():
        return True
    endless = resource.RLIM_INFINITY
    limits = (
        (hard, resource.getrlimit(getattr(resource, name))[1])
        for name, (_, hard) in request["limits"].items()
    )
    return os.getpriority(os.PRIO_PROCESS, 0) <= request["nice"] and all(
        own == endless or (hard != endless and hard <= own) for hard, own in limits
    )


def _version() -> int:
    """Return when a file of the package was changed last, in nanoseconds."""
    # Folders change when Python keeps what it has compiled.
    files = (path for path in _PACKAGE.rglob("*") if path.suffix != ".pyc" and path.is_file())
    return max(path.stat().st_mtime_ns for path in files)
