"""Commands of zeroin in processes: started, or forked from this one, which has loaded what they need, and is as good.

A forked command spends no time on loading, so that a thousand trials are a matter of minutes, and moments at random
fall into its work. One of some trials is started all the same.
"""

import fcntl
import gc
import json
import os
import pkgutil
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

_PIPE_BYTES = 1 << 20
LIMIT_S = 300.0  # no command of a small tree takes as long, on a busy machine either: one that does hangs
_OWN_WORK = {"seconds", "seconds_index", "analysed", "run", "at", "digest"}  # differ between equal answers


@dataclass
class Done:
    """What a command said, and how it ended (None: killed after `LIMIT_S`)."""

    code: int | None
    out: str
    err: str

    @property
    def answer(self) -> Any:
        """The answer without what differs between equal ones; the text itself where it is no JSON."""
        try:
            return _plain(json.loads(self.out))
        except ValueError:
            return self.out

    @property
    def said(self) -> list[str]:
        """The lines on stderr."""
        return self.err.splitlines()


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _plain(item) for name, item in value.items() if name not in _OWN_WORK}
    return [_plain(item) for item in value] if isinstance(value, list) else value


class Running:
    """A command that runs; what it says goes to wide pipes, so that nobody has to read for it to get on.

    `before` is called in the process before the command, `prefix` is the command that starts it.
    """

    def __init__(
        self,
        arguments: Sequence[str],
        cwd: Path,
        env: Mapping[str, str],
        *,
        before: Callable[[], None] | None = None,
        prefix: Sequence[str] = (),
        fork: bool = False,
    ) -> None:
        pipes = [os.pipe(), os.pipe()]
        self._ends = [own for own, _ in pipes]
        for own, theirs in pipes:
            os.set_blocking(own, False)
            fcntl.fcntl(theirs, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)
        out, err = (theirs for _, theirs in pipes)
        self.process: subprocess.Popen[bytes] | _Forked
        if fork and not prefix:
            self.process = _Forked(lambda: _command(arguments, cwd, env, before, (out, err)))
        else:
            command = [*prefix, sys.executable, "-m", "zeroin", *arguments]
            nothing = subprocess.DEVNULL
            self.process = subprocess.Popen(  # nothing here has threads, so `before` is safe
                command, stdin=nothing, stdout=out, stderr=err, env=env, cwd=cwd, preexec_fn=before
            )
        for theirs in (out, err):
            os.close(theirs)

    def sleep(self, seconds: float) -> None:
        """Wait for so long, or for its end."""
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(seconds)

    def end(self, limit_s: float = LIMIT_S) -> Done:
        """Wait for its end."""
        self.sleep(limit_s)
        code = self.process.poll()
        if code is None:
            self.process.kill()
            self.process.wait(limit_s)
        return Done(code, *map(_read, self._ends))


def _read(end: int) -> str:
    """What is in a pipe, which is closed."""
    parts = []
    with suppress(BlockingIOError):  # somebody else has it open still
        while part := os.read(end, _PIPE_BYTES):
            parts.append(part)
    os.close(end)
    return b"".join(parts).decode("utf-8", "replace")


class _Forked:
    """A process of this one's memory, handled like a `Popen`."""

    def __init__(self, work: Callable[[], None]) -> None:
        self._code: int | None = None
        sys.stdout.flush()
        sys.stderr.flush()
        self.pid = os.fork()
        if not self.pid:
            try:
                work()
            finally:
                os._exit(1)

    def poll(self) -> int | None:
        if self._code is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            self._code = os.waitstatus_to_exitcode(status) if pid else None
        return self._code

    def wait(self, timeout: float) -> int:
        until, pause = time.monotonic() + timeout, 0.0005
        while (code := self.poll()) is None:
            left = until - time.monotonic()
            if left <= 0:
                raise subprocess.TimeoutExpired("zeroin", timeout)
            time.sleep(min(pause, left))
            pause = min(2 * pause, 0.02)
        return code

    def kill(self) -> None:
        if self.poll() is None:
            os.kill(self.pid, signal.SIGKILL)


def _command(
    arguments: Sequence[str],
    cwd: Path,
    env: Mapping[str, str],
    before: Callable[[], None] | None,
    streams: Sequence[int],
) -> None:
    """Become the command; never returns."""
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    for number, stream in enumerate(streams, 1):
        os.dup2(stream, number)
    os.closerange(3, 256)
    sys.stdout, sys.stderr = (open(n, "w", encoding="utf-8") for n in (1, 2))  # noqa: PTH123, SIM115
    if before is not None:
        before()
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(env)
    code = 1
    try:
        import_module("zeroin.cli.main").main(list(arguments))
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 0
    except BaseException:  # noqa: BLE001 - as the interpreter would
        traceback.print_exc()
    with suppress(OSError, ValueError):
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(code)


def load(ask: Callable[[], object]) -> None:
    """Import what the commands need and ask once, so that a forked process has it all, models too."""
    for module in pkgutil.walk_packages(import_module("zeroin").__path__, "zeroin."):
        if not module.name.endswith("__main__"):
            with suppress(ImportError):  # of an extra that is not installed
                import_module(module.name)
    ask()
    gc.collect()
    gc.freeze()  # else every process looks through all of it again when it ends
