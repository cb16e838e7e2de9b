"""The resident process: it has loaded all that commands need, and forks a process for each command.

A forked process has its own memory, streams, folder and environment, like a started one, so an answer does not depend
on earlier commands.
"""

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

_PATIENCE_S = 2.0  # to wait for each message of a client
_LOADING_S = 30.0  # to wait for a resident process that does not listen yet
_MOST_WAIT_S = 86_400.0  # in one select(), which takes no infinite number
_PACKAGE = Path(__file__).parents[1]
_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)

Request = dict[str, Any]


def serve(
    load: Callable[[], None], run: Callable[[list[str]], int], *, idle_s: float, report: Callable[[str], None]
) -> None:
    """Run the commands of clients until none has come for `idle_s` seconds. Raises `ServeError`.

    `load` imports what commands need; `run` unblocks signals, runs a command line and returns its exit code.
    """
    resident = _Resident(idle_s)
    load()
    if threading.active_count() > 1:
        raise ServeError("a process with threads cannot be forked")
    resident.listen()
    report("zeroin: ready; where ZEROIN_SERVE=1 is set, commands are run here. Ctrl-C ends it.")
    gc.collect()
    gc.freeze()  # garbage collection in forked processes then skips all present objects
    try:
        request = resident.run()
    except KeyboardInterrupt:
        request = None
    if request is not None:
        os._exit(_ran(run, request))
    with contextlib.suppress(KeyboardInterrupt):  # a second Ctrl-C
        resident.end()


def stop() -> bool:
    """End the resident process, also one that still loads; False where none runs."""
    until = time.monotonic() + _LOADING_S
    while not _ended():
        if not _is_loading() or time.monotonic() > until:
            return False
        time.sleep(0.05)
    return True


def _is_loading() -> bool:
    """Whether a process holds the lock of the resident process; asked where none answers."""
    import fcntl

    try:
        lock = os.open(f"{wire.place()}.lock", os.O_RDONLY | os.O_NOFOLLOW)
    except OSError:
        return False
    try:
        fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(lock)
    return False


def _ended() -> bool:
    """Tell the resident process to end; False where none answers."""
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
    """Accepts the requests of clients and forks for each."""

    def __init__(self, idle_s: float) -> None:
        import fcntl

        self._idle_s = idle_s
        self._version = _version()
        self._done = False
        self._commands: dict[int, socket.socket] = {}  # process that runs a command → its client
        self._left: set[int] = set()  # processes that got SIGTERM, since their client is gone
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
        """Bind the socket; clients can connect from now on. Raises `ServeError`."""
        try:
            Path(self._path).unlink(missing_ok=True)  # left by a resident process that was killed
            self._listener.bind(self._path)
            self._listener.listen(64)
        except OSError as error:
            raise ServeError(f"there can be no resident process: {error}") from error

    def run(self) -> Request | None:
        """Serve until idle too long or the package has changed, then return None; in a forked process the request."""
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
        """Release socket and lock for another resident process, and wait for the running commands."""
        Path(self._path).unlink(missing_ok=True)
        self._listener.close()
        os.close(self._lock)
        while self._commands:
            self._look_after((), None)

    def _look_after(self, others: Sequence[int], seconds: float | None) -> bool:
        """Wait until a command ends, a client disconnects or one of `others` is ready; whether one of `others` is."""
        clients = {c.fileno(): pid for pid, c in self._commands.items() if pid not in self._left}
        ready = set(select.select([*others, self._child_ended, *clients], (), (), seconds)[0])
        if self._child_ended in ready:
            os.read(self._child_ended, 4096)
        self._report_ends()
        for number, pid in clients.items():  # clients send nothing more, so a readable socket is a closed one
            if number in ready and pid in self._commands:
                self._left.add(pid)
                os.kill(pid, signal.SIGTERM)
        return not ready.isdisjoint(others)

    def _report_ends(self) -> None:
        """Send the exit codes of ended processes to their clients."""
        for pid in list(self._commands):
            done, status = os.waitpid(pid, os.WNOHANG)
            if done:
                self._left.discard(pid)
                with self._commands.pop(pid) as client, contextlib.suppress(OSError):
                    client.sendall(wire.REPORT.pack(wire.CODE, os.waitstatus_to_exitcode(status)))

    def _take(self) -> Request | None:
        """Accept one connection and fork for its request; return the request in the forked process, else None."""
        client, _ = self._listener.accept()
        client.settimeout(_PATIENCE_S)
        streams: list[int] = []
        try:
            if not wire.peer_is_ours(client):
                raise PermissionError
            request, streams = wire.receive(client)
            # The loaded package is outdated, or this process has tighter limits than its client: end for a new one.
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
        """Fork once the client has answered `GO`; return whether this is the forked process."""
        client.sendall(wire.READY)
        if wire.exactly(client, 1) != wire.GO:
            raise ValueError
        client.settimeout(None)
        # In the forked process until its command handles them.
        signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
        pid = -1
        try:
            pid = os.fork()
        finally:  # also if fork() fails, in which case the client runs its command itself
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
        with contextlib.suppress(OSError):  # the resident process notices that the client is gone
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
    """Take over the client's working directory, arguments, environment, umask, priority, limits and streams."""
    import resource
    import tempfile

    os.chdir(request["folder"])
    sys.argv[1:] = request["arguments"]
    os.environ.clear()
    os.environ.update(request["env"])
    time.tzset()
    tempfile.tempdir = None  # cached by `tempfile`; the client's may differ
    os.umask(request["mask"])
    with contextlib.suppress(PermissionError):  # the client has a higher priority than this process may take
        os.setpriority(os.PRIO_PROCESS, 0, request["nice"])
    for name, (soft, hard) in request["limits"].items():
        with contextlib.suppress(OSError, ValueError):  # no process may raise a hard limit
            resource.setrlimit(getattr(resource, name), (soft, hard))
    # New streams: a terminal is line-buffered, a file is not.
    encoding = sys.stdout.encoding
    sys.stdin = io.TextIOWrapper(io.FileIO(0, closefd=False), encoding=sys.stdin.encoding)
    for name, number, errors in (("stdout", 1, sys.stdout.errors), ("stderr", 2, "backslashreplace")):
        stream = io.BufferedWriter(io.FileIO(number, "wb", closefd=False))
        lines = number == 2 or os.isatty(number)
        setattr(sys, name, io.TextIOWrapper(stream, encoding, errors, line_buffering=lines))


def _can_become(request: Request) -> bool:
    """Whether a forked process can take the client's priority and limits: only root can raise its own."""
    import resource

    if not os.geteuid():
        return True
    endless = resource.RLIM_INFINITY
    limits = ((hard, resource.getrlimit(getattr(resource, name))[1]) for name, (_, hard) in request["limits"].items())
    return os.getpriority(os.PRIO_PROCESS, 0) <= request["nice"] and all(
        own == endless or (hard != endless and hard <= own) for hard, own in limits
    )


def _version() -> int:
    """Return when a file of the package was changed last, in nanoseconds."""
    # Files only: a folder changes when Python writes bytecode into it.
    files = (path for path in _PACKAGE.rglob("*") if path.suffix != ".pyc" and path.is_file())
    return max(path.stat().st_mtime_ns for path in files)
