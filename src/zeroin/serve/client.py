"""Ask the resident process to run a command, where the user has enabled it by `ZEROIN_SERVE=1`.

If anything fails before the command has begun, this process runs it.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import socket
    from collections.abc import Sequence

# In arguments, as shells write `<(command)`: only this process has them.
_OPEN_FILES = ("/dev/fd/", "/proc/self/")
_SECONDS = 2.0  # for a resident process to say that it is ready
# Commands that keep running, start processes of their own, or change the installation.
_ALONE = frozenset("batch cache completion doctor fleet index install mcp serve uninstall".split())
_FORWARDED = ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT")
_LIMITS = ("RLIMIT_AS", "RLIMIT_CPU", "RLIMIT_DATA", "RLIMIT_FSIZE", "RLIMIT_NOFILE", "RLIMIT_STACK")


def run_there(arguments: Sequence[str]) -> int | None:
    """Run a command in the resident process and return its exit code; None where this process must run it.

    Where no resident process is there, one is started for the next command.
    """
    if arguments and arguments[0] in _ALONE:
        return None
    if any(name in argument for argument in arguments for name in _OPEN_FILES):
        return None
    from zeroin.serve import wire

    if not wire.supported() or not _has_streams():
        return None
    import socket

    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(_SECONDS)
        try:
            path = wire.place()
            try:
                connection.connect(path)
            except (FileNotFoundError, ConnectionRefusedError):
                start()
                return None
            if not wire.peer_is_ours(connection):
                return None
            wire.send(connection, _request(arguments, wire.key()), wire.STREAMS)
            if wire.exactly(connection, 1) != wire.READY:
                return None
        except (OSError, EOFError, ValueError):
            return None
        return _watched(connection)


def _has_streams() -> bool:
    """Tell whether all three standard streams are open: a socket would get the number of a closed one."""
    from zeroin.serve import wire

    try:
        for stream in wire.STREAMS:
            os.fstat(stream)
    except OSError:
        return False
    return True


def start() -> None:
    """Start a resident process that outlives this one."""
    import subprocess

    env = {name: value for name, value in os.environ.items() if name not in ("ZEROIN_SERVE", "OMP_NUM_THREADS")}
    subprocess.Popen(
        [sys.executable, "-P", "-m", "zeroin", "serve", "--quiet"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd="/",
        env=env,
        start_new_session=True,
    )


def _request(arguments: Sequence[str], key: str) -> dict[str, Any]:
    """Return the arguments and this process's folder, environment, mask, priority and limits for the command."""
    import resource

    mask = os.umask(0o077)
    os.umask(mask)
    limits = {name: resource.getrlimit(getattr(resource, name)) for name in _LIMITS}
    return {
        "arguments": list(arguments),
        "folder": os.getcwd(),  # noqa: PTH109
        "env": {name: value for name, value in os.environ.items() if name != "ZEROIN_SERVE"},
        "key": key,
        "mask": mask,
        "nice": os.getpriority(os.PRIO_PROCESS, 0),
        "limits": limits,
    }


def _watched(connection: socket.socket) -> int | None:
    """Start the command, forward signals to it, and end as it does; None where it could not start."""
    from zeroin.serve import wire

    connection.settimeout(None)
    signals = _Signals()
    try:
        connection.sendall(wire.GO)
        what, code = signals.report_from(connection)
        if what == wire.PROCESS:
            signals.hand_on(code)
            _, code = signals.report_from(connection)
    except (OSError, EOFError):
        if signals.process:
            sys.stderr.write("zeroin: the resident process has ended; ask again\n")
            return 2
        signals.keep()
        return None
    if code >= 0:
        return code
    with contextlib.suppress(OSError):  # SIGKILL and SIGSTOP accept no handler
        signal.signal(-code, signal.SIG_DFL)
    os.kill(os.getpid(), -code)
    return 128 - code


class _Signals:
    """Forwards this process's signals to the `process` that runs its command; holds them until that is known."""

    def __init__(self) -> None:
        self.process = 0
        self._waiting: list[int] = []
        self._wake, wake = os.pipe()
        os.set_blocking(wake, False)
        signal.set_wakeup_fd(wake)
        numbers = [getattr(signal, name) for name in _FORWARDED]
        self._own = {number: signal.getsignal(number) for number in numbers}
        for number, handler in self._own.items():
            if handler is not signal.SIG_IGN:
                signal.signal(number, self._take)

    def _take(self, number: int, _: object) -> None:
        if not self.process:
            self._waiting.append(number)
            return
        with contextlib.suppress(ProcessLookupError):  # it has just ended
            os.kill(self.process, number)

    def report_from(self, connection: socket.socket) -> tuple[bytes, int]:
        """Return the next report, and take every signal until it comes.

        A signal just before recv() would not interrupt it, and would be held until the command ends.
        """
        import select

        from zeroin.serve import wire

        while connection.fileno() not in select.select([connection.fileno(), self._wake], (), ())[0]:
            os.read(self._wake, 4096)
        return wire.report(connection)

    def hand_on(self, process: int) -> None:
        """Send the signals held so far to a process, and later ones at once."""
        self.process = process
        for number in self._waiting:
            os.kill(process, number)

    def keep(self) -> None:
        """Restore the handlers and raise the signals held so far: the command runs in this process."""
        os.close(signal.set_wakeup_fd(-1))
        os.close(self._wake)
        for number, handler in self._own.items():
            signal.signal(number, handler)
        for number in self._waiting:
            os.kill(os.getpid(), number)
