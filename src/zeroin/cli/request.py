"""Turn what the caller gives into values: the task's text, a change, `Options`."""

import os
import sys
from pathlib import Path

from zeroin.config import Options
from zeroin.errors import EmptyTaskError, InputError, RepositoryError
from zeroin.tree import Diff

MAX_INPUT_BYTES = 64_000_000  # of a task or diff from a file or stdin; no tool writes more on purpose


def task_text(given: str) -> str:
    """Return the task's text: `-` reads stdin, `@FILE` a file. Raises `InputError`, `EmptyTaskError`."""
    if given == "-":
        text = read_stdin()
    elif given.startswith("@") and len(given) > 1:
        text = read_text(Path(given[1:]))
    else:
        text = given
    if not text.strip():
        raise EmptyTaskError("the task is empty")
    return text


def read_stdin() -> str:
    """Return stdin as text, at most `MAX_INPUT_BYTES`, invalid bytes replaced. Raises `InputError`."""
    if sys.stdin is None:
        raise InputError("there is no standard input")
    return _decoded(sys.stdin.buffer.read(MAX_INPUT_BYTES))


def read_text(path: Path) -> str:
    """Return the text of a file given by the caller. Raises `InputError` when it cannot be read."""
    try:
        with path.open("rb") as file:
            return _decoded(file.read(MAX_INPUT_BYTES))
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from error


def _decoded(raw: bytes) -> str:
    return raw.decode("utf-16" if raw[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig", "replace")


def change(spec: str, repository: str) -> Diff:
    """Return the change that `spec` names: a diff (`-`, a file, or its text), else a revision or range of `repository`.

    The empty spec is the work tree against HEAD. Raises `InputError`.
    """
    from zeroin import engine

    if spec == "-":
        return engine.diff_of(repository, text=read_stdin())
    if "\n" in spec:
        return engine.diff_of(repository, text=spec)
    # `--diff=<(git diff)` is a pipe, so not `isfile`. `os.path` says False to a name that is too long.
    if os.path.exists(spec) and not os.path.isdir(spec):  # noqa: PTH110, PTH112
        return engine.diff_of(repository, text=read_text(Path(spec)))
    try:
        return engine.diff_of(repository, spec)
    except RepositoryError as error:
        advice = "--diff takes a revision, A..B, a file, or - for standard input"
        raise RepositoryError(f"{error} ({advice})") from error


def options_of(values: dict[str, object]) -> Options:
    """Return `Options` from named values; None leaves the default. Raises `OptionError`."""
    return Options(**{name: value for name, value in values.items() if value is not None})  # type: ignore[arg-type]


def forget_current_folder() -> Path:
    """Take the current folder, which may be a stranger's, off `sys.path` (`python -m` adds it); return the folder."""
    here = Path.cwd()
    sys.path[:] = [entry for entry in sys.path if entry and Path(entry).resolve() != here.resolve()]
    return here
