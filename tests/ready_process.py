"""`python -m zeroin` without the wait: processes forked from one that has imported what the commands need.

Loading Python, numpy, the parsers and the models takes longer than most commands that the tests run on small
repositories. A forked process has its own memory, environment, folder and streams, like one that is started; but the
seed of its hashes is that of the others, so tests of what must not depend on it, or of the start itself, ask for a
fresh one.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import json
import os
import pkgutil
import runpy
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
TIMEOUT_S = 120.0
# How the variables begin that an interpreter reads before the first line runs: where they differ, one is started.
_READ_AT_THE_START = ("PYTHON", "LC_", "LANG")
_PACKAGES = ("zeroin", "numpy.ma")

Done = subprocess.CompletedProcess[bytes]


# Asks for a process with this one's streams, and ends as it does; started without the modules of an environment.
_CLIENT = """
import json, os, socket, sys
connection = socket.socket(socket.AF_UNIX)
connection.connect(sys.argv[1])
socket.send_fds(connection, [b"\\n"], [0, 1, 2])
request = {"arguments": sys.argv[2:], "cwd": os.getcwd(), "env": dict(os.environ)}
connection.sendall(json.dumps(request).encode() + b"\\n")
os.closerange(0, 3)
os._exit(int(connection.makefile().readlines()[-1]))
"""


class ReadyProcess:
    """Runs `python -m zeroin`; the process that it forks from is started at the first command."""

    def __init__(self) -> None:
        self._server: subprocess.Popen[bytes] | None = None
        # The name of a socket has at most 107 characters, and the tests may run far down.
        self._folder = tempfile.TemporaryDirectory(dir="/tmp" if sys.platform.startswith("linux") else None)
        self._socket = os.path.join(self._folder.name, "socket")  # noqa: PTH118
        self._env = dict(os.environ)

    def __enter__(self) -> ReadyProcess:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._server is not None:
            assert self._server.stdin is not None
            self._server.stdin.close()
            self._server.wait(TIMEOUT_S)
        self._folder.cleanup()

    def command(self, *arguments: str) -> tuple[str, list[str]]:
        """Return a program and its arguments, for a client that starts a server: they run it as a forked process."""
        if not sys.platform.startswith("linux"):
            return sys.executable, ["-m", "zeroin", *arguments]
        self._start()
        return sys.executable, ["-S", "-c", _CLIENT, self._socket, *arguments]

    def run(
        self, arguments: Sequence[str], *, cwd: Path, env: Mapping[str, str], stdin: bytes = b"", fresh: bool = False
    ) -> Done:
        """Runs the command line in `cwd`: forked where that is the same, in a process that is started if `fresh`."""
        command = [sys.executable, "-m", "zeroin", *arguments]
        same = sys.platform.startswith("linux") and _read_at_the_start(env) == _read_at_the_start(self._env)
        if fresh or not same:
            return subprocess.run(
                command, input=stdin, capture_output=True, env=env, cwd=cwd, timeout=TIMEOUT_S, check=False
            )
        self._start()
        with contextlib.ExitStack() as files:
            connection = files.enter_context(socket.socket(socket.AF_UNIX))
            connection.settimeout(TIMEOUT_S)
            connection.connect(self._socket)
            streams = [files.enter_context(tempfile.TemporaryFile()) for _ in range(3)]
            streams[0].write(stdin)
            streams[0].seek(0)
            request = json.dumps({"arguments": list(arguments), "cwd": str(cwd), "env": dict(env)})
            socket.send_fds(connection, [b"\n"], [stream.fileno() for stream in streams])
            connection.sendall(request.encode() + b"\n")
            pid = int(_line(connection))
            try:
                code = int(_line(connection))
            except TimeoutError:
                os.kill(pid, signal.SIGKILL)
                _line(connection)
                raise subprocess.TimeoutExpired(command, TIMEOUT_S) from None
            for stream in streams[1:]:
                stream.seek(0)
            return subprocess.CompletedProcess(command, code, streams[1].read(), streams[2].read())

    def _start(self) -> None:
        if self._server is not None:
            return
        self._server = subprocess.Popen(
            [sys.executable, "-m", "tests.ready_process", self._socket],
            cwd=ROOT,
            env={**self._env, "OPENBLAS_NUM_THREADS": "1"},  # what is forked has one thread only
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        assert self._server.stdout is not None
        if self._server.stdout.readline() != b"ready\n":
            raise EOFError("the process to fork from has ended")


def _read_at_the_start(env: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in env.items() if name.startswith(_READ_AT_THE_START)}


def _line(connection: socket.socket) -> bytes:
    """One line, read byte by byte: what follows it is of the next one."""
    line = bytearray()
    while not line.endswith(b"\n"):
        byte = connection.recv(1)
        if not byte:
            raise EOFError("the process to fork from has ended")
        line += byte
    return bytes(line)


def _import_all() -> None:
    for package in _PACKAGES:
        for module in pkgutil.walk_packages(import_module(package).__path__, f"{package}."):
            if not module.name.endswith("__main__") and ".tests" not in module.name:
                with contextlib.suppress(ImportError):  # of an extra that is not installed
                    import_module(module.name)
    _ask_once()
    gc.collect()
    gc.freeze()  # else every process looks through all of it again when it ends


def _ask_once() -> None:
    """Answer a question: models are read and patterns compiled once for all commands."""
    from zeroin.context.rendering import render
    from zeroin.engine import open_session

    with tempfile.TemporaryDirectory() as place:
        os.environ["ZEROIN_CACHE_DIR"] = os.environ["ZEROIN_DATA_DIR"] = place
        session = open_session("rate limit", ROOT / "examples/rate-limiting", jobs=1)
        context = session.run()
        for form in ("json", "table"):
            render(context, session.read, form)


def _forked(listener: socket.socket) -> dict[str, Any] | None:
    """Forks for every connection and says how each ends; returns what to run in a forked process, None at the end."""
    asked: dict[int, socket.socket] = {}  # by the id of a process
    ended, wake = os.pipe()
    waited_for = (sys.stdin.fileno(), listener.fileno(), ended)
    os.set_blocking(wake, False)
    handler = signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake)
    while True:
        ready, _, _ = select.select(waited_for, (), ())
        if ended in ready:
            os.read(ended, 4096)
            for pid in list(asked):
                done, status = os.waitpid(pid, os.WNOHANG)
                if done:
                    with asked.pop(pid) as connection, contextlib.suppress(BrokenPipeError):
                        connection.sendall(b"%d\n" % os.waitstatus_to_exitcode(status))
        if listener.fileno() in ready:
            connection = listener.accept()[0]
            _, streams, _, _ = socket.recv_fds(connection, 1, 3)
            request: dict[str, Any] = json.loads(_line(connection))
            pid = os.fork()
            if pid == 0:
                signal.set_wakeup_fd(-1)
                signal.signal(signal.SIGCHLD, handler)
                for one in (listener, connection, *asked.values()):
                    one.close()
                os.close(ended)
                os.close(wake)
                for number, stream in enumerate(streams):
                    os.dup2(stream, number)
                    os.close(stream)
                return request
            for stream in streams:
                os.close(stream)
            connection.sendall(b"%d\n" % pid)
            asked[pid] = connection
        if sys.stdin.fileno() in ready:
            return None


def _main() -> None:
    request = None
    # Pytest, which waits for this, is interrupted too and says so
    with contextlib.suppress(KeyboardInterrupt), socket.socket(socket.AF_UNIX) as listener:
        _import_all()
        listener.bind(sys.argv[1])
        listener.listen()
        os.write(1, b"ready\n")
        request = _forked(listener)
    if request is None:
        return
    os.chdir(request["cwd"])
    os.environ.clear()
    os.environ.update(request["env"])
    sys.argv[1:] = request["arguments"]
    sys.path[0] = request["cwd"]
    try:
        runpy.run_module("zeroin", run_name="__main__", alter_sys=True)
    except SystemExit as end:
        if isinstance(end.code, int):
            _end(end.code)
        raise


def _end(code: int) -> None:
    """End as Python does, without taking everything apart first: that is half of what most commands take here."""
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    _main()
