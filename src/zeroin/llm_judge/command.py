"""Run a program as the model: the request on its standard input, the reply on its standard output, no shell."""

import json
import os
import shlex
import signal
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from io import BufferedReader
from pathlib import Path
from typing import IO

from zeroin.context.clean import line as one_line
from zeroin.context.tokens import estimate
from zeroin.corpus.git_process import find_program
from zeroin.errors import JudgeError, OptionError
from zeroin.llm_judge.contract import Reply, Request

MOST_OUTPUT = 1 << 20  # bytes of a reply
_OURS = "OPENBLAS_NUM_THREADS"  # set by our command for itself: a model may want every core
_TICK_S = 0.2  # between checks of the time limit; also how fast Ctrl-C is noticed on Windows
_CHUNK, _LAST = 1 << 16, 1 << 12  # bytes read at once; last bytes of stderr that are kept
_MOST_CHARS = 200  # characters of the last line of stderr in an error


def command_of(text: str) -> tuple[str, ...]:
    """Split a command into words and find its program: in PATH or by an absolute path. Raises `OptionError`."""
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise OptionError(f"command: cannot be split into words: {error}") from None
    if not words:
        raise OptionError("command: names no program")
    program = os.path.expanduser(words[0])  # noqa: PTH111 - a name stays a name
    if Path(program).name != program and not Path(program).is_absolute():
        raise OptionError(f"command: give {one_line(program)} by an absolute path, or a name found in PATH")
    found = find_program(program)
    if found is None:
        raise OptionError(f"command: no program {one_line(program)} is to be found")
    return (found, *words[1:])


def run(command: tuple[str, ...], request: Request, timeout_s: float) -> Reply:
    """Run the program once, in an empty folder. Raises `JudgeError` where it fails, is too slow or writes too much."""
    given = json.dumps({"system": request.system, "user": request.user, "schema": request.schema}).encode()
    name = Path(command[0]).name
    with tempfile.TemporaryDirectory(prefix="zeroin-judge-", ignore_cleanup_errors=True) as folder:
        try:
            process = subprocess.Popen(
                command,
                cwd=folder,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env={name: value for name, value in os.environ.items() if name != _OURS},
                start_new_session=True,  # a group of its own, to be ended with its children
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
        except OSError as error:
            raise JudgeError(f"{name} cannot be started: {error.strerror}") from None
        try:
            text = _said(process, given, timeout_s, name)
        finally:
            _end(process)
    return Reply(text, estimate(request.system) + estimate(request.user), estimate(text))


def _said(process: subprocess.Popen[bytes], given: bytes, timeout_s: float, name: str) -> str:
    until = time.monotonic() + timeout_s
    late = JudgeError(f"{name} did not answer within {round(timeout_s, 1):g} s")
    out, complaints = bytearray(), bytearray()
    threading.Thread(target=_feed, args=(process.stdin, given), daemon=True).start()
    reader = threading.Thread(target=_read, args=(process.stdout, out), daemon=True)
    complained = threading.Thread(target=_read, args=(process.stderr, complaints, _LAST), daemon=True)
    reader.start()
    complained.start()
    while reader.is_alive():
        if time.monotonic() >= until:
            raise late
        reader.join(_TICK_S)
    if len(out) > MOST_OUTPUT:
        raise JudgeError(f"{name} said more than {MOST_OUTPUT >> 20} MB")
    try:
        code = process.wait(max(_TICK_S, until - time.monotonic()))
    except subprocess.TimeoutExpired:
        raise late from None
    if code:
        complained.join(_TICK_S)
        lines = list(filter(None, map(one_line, complaints.decode("utf-8", "replace").splitlines())))
        last = f": {lines[-1][:_MOST_CHARS]}" if lines else ""
        raise JudgeError(f"{name} ended with code {code}{last}")
    return out.decode("utf-8", "replace")


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill a process that has not ended, with all processes of its group."""
    if process.returncode is not None:
        return
    if sys.platform == "win32":
        subprocess.run(["taskkill", "/F", "/T", "/PID", str(process.pid)], capture_output=True, check=False)
    else:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.wait()


# A thread for each pipe, which it closes: a program may reply before it has read the whole request.


def _feed(pipe: IO[bytes], given: bytes) -> None:
    with suppress(OSError), pipe:
        pipe.write(given)


def _read(pipe: BufferedReader, into: bytearray, last: int = MOST_OUTPUT + 1) -> None:
    """Read at most `MOST_OUTPUT` bytes and a bit; or, if `last` is less, to the end, keeping the last bytes."""
    with suppress(OSError), pipe:
        while len(into) <= MOST_OUTPUT and (chunk := pipe.read1(_CHUNK)):
            into += chunk
            del into[:-last]
