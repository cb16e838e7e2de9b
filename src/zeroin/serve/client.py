"""Asks the resident process to run a command, where the user has switched it on: `ZEROIN_SERVE=1`.

Whatever goes wrong before the command has begun, the command runs here, as without it.
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

_SECONDS = 2.0  # for a resident process to say that it is ready
# Commands that stay themselves, start processes of their own, or change what is installed.
_ALONE = frozenset("batch cache completion doctor fleet index install mcp serve uninstall".split())
_FORWARDED = ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT")
_LIMITS = ("RLIMIT_AS", "RLIMIT_CPU", "RLIMIT_DATA", "RLIMIT_FSIZE", "RLIMIT_NOFILE", "RLIMIT_STACK")


def run_there(arguments: Sequence[str]) -> int | None:
    """Run a command in the resident process and return its exit code; None where it is to run here.

    Where no resident process is there, one is started for the next command.
    """
    if arguments and arguments[0] in _ALONE:
        return None
    from zeroin.serve import wire

    if not wire.supported():
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


def start() -> None:
    """Start a resident process that outlives this one."""
    import subprocess

    env = {
        name: value for name, value in os.environ.items() if name not in ("ZEROIN_SERVE", "OMP_NUM_THREADS")
    }
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
    """Return what the command needs of this process: arguments, folder, environment, mask and limits."""
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
        "limits": limits,
    }


def _watched(connection: socket.socket) -> int:
    """Let the command begin, hand signals on to it, and end as it does."""
    from zeroin.serve import wire

    connection.settimeout(None)
    pid = 0
    waiting: list[int] = []

    def forward(number: int, _: object) -> None:
        if pid:
            with contextlib.suppress(ProcessLookupError):  # it has just ended
                os.kill(pid, number)
        else:
            waiting.append(number)

    for name in _FORWARDED:
        number = getattr(signal, name)
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, forward)
    try:
        connection.sendall(wire.GO)
        what, code = wire.REPORT.unpack(wire.exactly(connection, wire.REPORT.size))
        if what == wire.PROCESS:
            pid = code
            for number in waiting:
                os.kill(pid, number)
            _, code = wire.REPORT.unpack(wire.exactly(connection, wire.REPORT.size))
    except (OSError, EOFError):
        sys.stderr.write("zeroin: the resident process has ended; ask again\n")
        return 2
    if code >= 0:
        return int(code)
    with contextlib.suppress(OSError):  # the default is all that some have
        signal.signal(-code, signal.SIG_DFL)
    os.kill(os.getpid(), -code)
    return 128 - int(code)
