"""Where output goes: data to stdout or atomically to a file, messages for people to stderr; exit codes."""

import contextlib
import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from zeroin.cli.terminal import is_terminal
from zeroin.context.clean import line
from zeroin.patterns import lazy_pattern
from zeroin.replacing import replacing

_OWN = lazy_pattern(r"/dev/(?:std(?P<name>out|err)|fd/(?P<number>\d+))|/proc/self/fd/(?P<same>\d+)")

OK, NOT_FOUND, USAGE, PARTIAL = 0, 1, 2, 3


def complain(message: str, *, code: int = USAGE) -> int:
    """Print one line on stderr and return `code`."""
    say(f"zeroin: {message}")
    return code


def warn(warnings: Iterable[str], *, quiet: bool) -> None:
    """Print warnings on stderr, a line each, unless `quiet`."""
    for warning in () if quiet else warnings:
        say(f"warning: {warning}")


def say(message: str) -> None:
    """Print one line for people on stderr; never fails."""
    if sys.stderr is None:  # it was closed before we began
        return
    with contextlib.suppress(OSError, ValueError):
        sys.stderr.write(line(message) + "\n")
        sys.stderr.flush()


def write(data: str | bytes, target: Path | None) -> None:
    """Write `data` to stdout, or replace the file `target` in one step; `-` is stdout, open files are written to.

    A closed pipe is no error. Raises `click.ClickException` where nothing can be written.
    """
    raw = data.encode("utf-8", "backslashreplace") if isinstance(data, str) else data
    number = None if target is None else _own_stream(target)
    if target is not None and number != 1:
        replace_file(target, raw) if number is None else _write_on(number, raw, target)
        return
    if sys.stdout is None:
        raise click.ClickException("cannot write to standard output: it is closed")
    with _writing_stdout():
        if is_terminal(sys.stdout) and isinstance(data, str):
            sys.stdout.write(data)
        else:
            sys.stdout.buffer.write(raw)
        sys.stdout.flush()


@contextlib.contextmanager
def _writing_stdout() -> Iterator[None]:
    """Silence stdout where it cannot be written: a closed pipe is no error. Raises `click.ClickException`."""
    try:
        yield
    except OSError as error:
        # Redirected to the null device, so that the interpreter's flush at exit does not fail.
        with contextlib.suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):
            raise click.ClickException(f"cannot write to standard output: {error.strerror}") from error


def _own_stream(target: Path) -> int | None:
    """Return the file descriptor that `-`, /dev/stdout, /dev/fd/N and the like mean; None for any other path.

    Such a file is written to, not replaced: others may have written to it before.
    """
    if str(target) == "-":
        return 1
    found = _OWN.fullmatch(str(target))
    if found is None:
        return None
    return {"out": 1, "err": 2}.get(found["name"]) or int(found["number"] or found["same"])


def _write_on(number: int, raw: bytes, target: Path) -> None:
    try:
        with os.fdopen(os.dup(number), "wb") as file:
            file.write(raw)
    except OSError as error:
        raise click.ClickException(f"cannot write {target}: {error.strerror or error}") from error


def check_target(target: Path) -> None:
    """Raise `click.ClickException` if `target` cannot be written, before the work for it is done."""
    if _own_stream(target) is not None:
        return
    folder = _followed(target).parent
    if not folder.is_dir():
        raise click.ClickException(f"cannot write {target}: its folder does not exist")
    if not target.exists() and not os.access(folder, os.W_OK):
        raise click.ClickException(f"cannot write {target}: its folder is read-only")


def replace_file(target: Path, raw: bytes) -> None:
    """Replace `target` in one step; its permissions are kept. Raises `click.ClickException`."""
    try:
        if target.exists() and not target.is_file():  # a pipe, a device: nothing to replace
            target.write_bytes(raw)
            return
        final = _followed(target)
        mode = final.stat().st_mode & 0o777 if final.exists() else None
        with replacing(final, mode=mode, sync=True) as file:
            file.write(raw)
    except OSError as error:
        raise click.ClickException(f"cannot write {target}: {error.strerror or error}") from error


def _followed(target: Path) -> Path:
    """Return `target` with its links followed. Raises `click.ClickException`."""
    try:
        return target.resolve()
    except RuntimeError as error:
        raise click.ClickException(f"cannot write {target}: its links lead in a circle") from error


def finish_stdout(code: int, *, has_failed: bool = False) -> int:
    """Flush stdout and return the exit code: `code`, or that of a write error; a closed pipe is no error.

    With `has_failed`, the command has printed its own error, and this one is not printed.
    """
    try:
        with _writing_stdout():
            if sys.stdout is not None:
                sys.stdout.flush()
    except click.ClickException as error:
        return code if has_failed else complain(error.message)
    return code
