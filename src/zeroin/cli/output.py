"""Where output goes: data to stdout or atomically to a file, words for people to stderr; exit codes."""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from pathlib import Path

import click

from zeroin.cli.terminal import fitting, is_terminal
from zeroin.context.clean import line

OK, NOT_FOUND, USAGE, PARTIAL = 0, 1, 2, 3


def complain(message: str, *, code: int = USAGE) -> int:
    """Prints one line on stderr and returns `code`."""
    say(f"zeroin: {message}")
    return code


def say(message: str) -> None:
    """One line for people on stderr; never fails."""
    with contextlib.suppress(OSError, ValueError):
        sys.stderr.write(fitting(line(message), sys.stderr) + "\n")
        sys.stderr.flush()


def write(data: str | bytes, target: Path | None) -> None:
    """Writes `data` to stdout, or to `target` so that a reader sees all of it or the old file.

    A reader that went away is no error. Raises `click.ClickException` when `target` cannot be written.
    """
    raw = data.encode("utf-8", "backslashreplace") if isinstance(data, str) else data
    if target is not None:
        replace_file(target, raw)
        return
    try:
        _to_stdout(data, raw)
    except BrokenPipeError:
        _silence_stdout()
    except OSError as error:
        raise click.ClickException(f"cannot write to standard output: {error.strerror}") from error


def check_target(target: Path) -> None:
    """Raises `click.ClickException` where a file could not be made, before the work for it is done."""
    if not target.resolve().parent.is_dir():
        raise click.ClickException(f"cannot write {target}: its folder does not exist")
    if not target.exists() and not os.access(target.resolve().parent, os.W_OK):
        raise click.ClickException(f"cannot write {target}: its folder is read-only")


def replace_file(target: Path, raw: bytes) -> None:
    """`target` replaced in one step; its permissions are kept. Raises `click.ClickException`."""
    name = ""
    try:
        if target.exists() and not target.is_file():  # /dev/stdout, a pipe: nothing to replace
            target.write_bytes(raw)
            return
        folder = target.resolve().parent
        handle, name = tempfile.mkstemp(dir=folder, prefix=f".{target.name[:80]}.", suffix=".tmp")
        with os.fdopen(handle, "wb") as file:
            file.write(raw)
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask())
        Path(name).replace(target.resolve())
    except OSError as error:
        if name:
            with contextlib.suppress(OSError):
                Path(name).unlink()
        raise click.ClickException(f"cannot write {target}: {error.strerror or error}") from error


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _to_stdout(data: str | bytes, raw: bytes) -> None:
    stream = sys.stdout
    if is_terminal(stream) and isinstance(data, str):
        stream.write(fitting(data, stream))
    else:
        stream.flush()
        stream.buffer.write(raw)
    stream.flush()


def finish_stdout() -> None:
    """Flushes stdout; a reader that went away is no error."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        _silence_stdout()


def _silence_stdout() -> None:
    """Points stdout at nothing, so that the interpreter's own flush at exit stays quiet."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
