"""`python -m zeroin` without the wait: processes forked from one that has imported what the commands need.

Loading Python, numpy, the parsers and the models takes longer than most commands that the tests run on small
repositories. A forked process has its own memory, environment, folder and streams, like one that is started; but the
seed of its hashes is that of the others, so tests of what must not depend on it, or of the start itself, ask for a
fresh one.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import pkgutil
import runpy
import signal
import socket
import subprocess
import sys
import tempfile
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


class ReadyProcess:
    """Runs `python -m zeroin`; the process that it forks from is started at the first command."""

    def __init__(self) -> None:
        self._server: subprocess.Popen[bytes] | None = None
        self._connection: socket.socket | None = None
        self._env = dict(os.environ)

    def __enter__(self) -> ReadyProcess:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._connection is not None:
            self._connection.close()
        if self._server is not None:
            self._server.wait(TIMEOUT_S)

    def run(
        self,
        arguments: Sequence[str],
        *,
        cwd: Path,
        env: Mapping[str, str],
        stdin: bytes = b"",
        fresh: bool = False,
    ) -> Done:
        """Runs the command line in `cwd`: forked where that is the same, in a process that is started if `fresh`."""
        command = [sys.executable, "-m", "zeroin", *arguments]
        same = sys.platform.startswith("linux") and _read_at_the_start(env) == _read_at_the_start(self._env)
        if fresh or not same:
            return subprocess.run(
                command, input=stdin, capture_output=True, env=env, cwd=cwd, timeout=TIMEOUT_S, check=False
            )
        if self._connection is None:
            self._start()
        assert self._connection is not None
        with contextlib.ExitStack() as files:
            streams = [files.enter_context(tempfile.TemporaryFile()) for _ in range(3)]
            streams[0].write(stdin)
            streams[0].seek(0)
            request = json.dumps({"arguments": list(arguments), "cwd": str(cwd), "env": dict(env)})
            socket.send_fds(self._connection, [b"\n"], [stream.fileno() for stream in streams])
            self._connection.sendall(request.encode() + b"\n")
            pid = int(_line(self._connection))
            try:
                code = int(_line(self._connection))
            except TimeoutError:
                os.kill(pid, signal.SIGKILL)
                _line(self._connection)
                raise subprocess.TimeoutExpired(command, TIMEOUT_S) from None
            for stream in streams[1:]:
                stream.seek(0)
            return subprocess.CompletedProcess(command, code, streams[1].read(), streams[2].read())

    def _start(self) -> None:
        self._connection, theirs = socket.socketpair()
        self._connection.settimeout(TIMEOUT_S)
        with theirs:
            self._server = subprocess.Popen(
                [sys.executable, "-m", "tests.ready_process", str(theirs.fileno())],
                cwd=ROOT,
                env={**self._env, "OPENBLAS_NUM_THREADS": "1"},  # what is forked has one thread only
                stdin=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
            )


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


def _forked(connection: socket.socket) -> dict[str, Any] | None:
    """Forks for every command and waits for its end; returns what to run in the forked process, None at the end."""
    while True:
        begin, streams, _, _ = socket.recv_fds(connection, 1, 3)
        if not begin:
            return None
        request: dict[str, Any] = json.loads(_line(connection))
        pid = os.fork()
        if pid == 0:
            connection.close()
            for number, stream in enumerate(streams):
                os.dup2(stream, number)
                os.close(stream)
            return request
        for stream in streams:
            os.close(stream)
        connection.sendall(b"%d\n" % pid)
        _, status = os.waitpid(pid, 0)
        connection.sendall(b"%d\n" % os.waitstatus_to_exitcode(status))


def _main() -> None:
    request = None
    # Pytest, which waits for this, is interrupted too and says so
    with contextlib.suppress(KeyboardInterrupt):
        _import_all()
        request = _forked(socket.socket(fileno=int(sys.argv[1])))
    if request is None:
        return
    os.chdir(request["cwd"])
    os.environ.clear()
    os.environ.update(request["env"])
    sys.argv[1:] = request["arguments"]
    sys.path[0] = request["cwd"]
    runpy.run_module("zeroin", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    _main()
