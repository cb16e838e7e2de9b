"""`zeroin fleet`: a workspace that the nodes of a Ray cluster hold."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from zeroin.cli.answer import Display, answer
from zeroin.cli.options import (
    all_of,
    answer_options,
    batch_options,
    judge_options,
    loop_options,
    question_options,
    quiet_option,
)
from zeroin.cli.output import OK, PARTIAL, say, warn, write
from zeroin.cli.progress import LiveView
from zeroin.cli.request import forget_current_folder, options_of, task_text

if TYPE_CHECKING:
    from zeroin.fleet.cluster import Shards
    from zeroin.protocols import Progress
    from zeroin.session import Session
    from zeroin.workspace.members import Member

_INSTALL = "the fleet is an extra: pip install 'zeroin[fleet]'"
PORT = 7392  # beside that of `zeroin mcp --http`
_INDEX_S = 86_400.0
_STATUS_S = 10.0

_workspace = click.argument("workspace", type=click.Path(dir_okay=False, path_type=Path))
_address = click.option(
    "--address",
    metavar="HOST:PORT",
    envvar="RAY_ADDRESS",
    help="The Ray cluster. [the one that runs on this machine, else one that is started for this command]",
)
_cut = all_of(
    click.option("--shards", type=click.IntRange(1, 10_000), metavar="N", help="Parts. [one a core]"),
    click.option(
        "--replicas", type=click.IntRange(1, 16), metavar="N", help="Nodes that hold a part. [2, of several]"
    ),
)


@click.group()
def fleet() -> None:
    """Ask a workspace that the nodes of a Ray cluster hold; see docs/FLEET.md.

    WORKSPACE is the TOML file of docs/SOURCES.md. Its paths must lead to the same repositories on every node.
    """


@fleet.command()
@_workspace
@_address
@_cut
@quiet_option
def index(workspace: Path, address: str | None, shards: int | None, replicas: int | None, quiet: bool) -> int:
    """Analyse the repositories of WORKSPACE on all nodes, and keep them open there."""
    with _held(workspace, address, shards, replicas) as (_, held), LiveView(enabled=not quiet) as view:
        return _shown(held, "refresh", _INDEX_S, view)


@fleet.command()
@_workspace
@_address
def status(workspace: Path, address: str | None) -> int:
    """Show what the nodes hold of WORKSPACE."""
    with _held(workspace, address) as (_, held):
        return _shown(held, "load", _STATUS_S, None)


@fleet.command()
@_workspace
@_address
def stop(workspace: Path, address: str | None) -> int:
    """Let the nodes forget WORKSPACE; what is cached stays."""
    with _held(workspace, address) as (_, held):
        held.stop()
    return OK


@fleet.command()
@click.argument("task")
@_workspace
@_address
@question_options
@loop_options
@judge_options
@answer_options
def ask(task: str, workspace: Path, address: str | None, **given: Any) -> int:
    """Find the files that matter for TASK in the repositories of WORKSPACE.

    The answer is that of `zeroin TASK --workspace WORKSPACE`. It is not kept as a run.
    """
    display = Display.take(given)
    options = options_of(given)
    text = task_text(task)
    with _held(workspace, address) as (members, held):
        from zeroin.fleet.asking import Fleet

        _ready(held, quiet=display.quiet)

        def asked(progress: Progress) -> Session:
            progress(f"asking {len(members):,} repositories", 0, 0)
            return Fleet(members, held).ask(text, options)

        return answer(asked, display, max_cycles=options.max_cycles)


@fleet.command()
@click.argument("tasks", type=click.Path(path_type=Path, allow_dash=True))
@_workspace
@_address
@click.option(
    "--jobs", type=click.IntRange(1, 256), default=1, show_default=True, help="Questions at the same time."
)
@batch_options
def batch(
    tasks: Path,
    workspace: Path,
    address: str | None,
    out: Path,
    jobs: int,
    retry_errors: bool,
    quiet: bool,
    **given: Any,
) -> int:
    """Answer each task row of TASKS about all of WORKSPACE; rows as in `zeroin batch`, without repo, rev and diff."""
    from zeroin.cli import batch as batches
    from zeroin.cli.batch_rows import read_tasks

    options = options_of(given)
    rows, notes = read_tasks(tasks, out, str(workspace))
    with _held(workspace, address) as (members, held):
        from zeroin.cli.fleet_batch import answered

        _ready(held, quiet=quiet)

        results = partial(answered, members=members, options=options, jobs=jobs)
        return batches.run(rows, notes, results, out, retry_errors=retry_errors, quiet=quiet)


@fleet.command()
@_workspace
@_address
@click.option(
    "--http", "port", type=click.IntRange(1, 65_535), default=PORT, show_default=True, help="The port."
)
@click.option(
    "--access",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Who may see which repositories; without it, whoever reaches the port sees all.",
)
@click.option(
    "--jobs", type=click.IntRange(1, 256), default=1, show_default=True, help="Questions at the same time."
)
def serve(workspace: Path, address: str | None, port: int, access: Path | None, jobs: int) -> int:
    """Answer questions about WORKSPACE over HTTP on the loopback interface: POST /ask, POST /refresh."""
    with _held(workspace, address) as (members, held):
        from zeroin.fleet.access import Access
        from zeroin.fleet.service import serve_until_interrupted
        from zeroin.fleet.shard import Setting

        users = Access.read(access, [member.name for member in members]) if access is not None else None
        _ready(held)
        say(f"zeroin: POST http://127.0.0.1:{port}/ask; end with Ctrl-C")
        with suppress(KeyboardInterrupt):
            serve_until_interrupted(members, Setting.here(), users, port, jobs)
    return OK


@contextmanager
def _held(
    workspace: Path, address: str | None, shards: int | None = None, replicas: int | None = None
) -> Iterator[tuple[tuple[Member, ...], Shards]]:
    """Connect to the cluster and yield the members of a workspace with the shards that hold them."""
    from zeroin.workspace.members import read_workspace

    members = read_workspace(workspace.resolve())
    forget_current_folder()  # a folder `ray` in it is not the package
    if find_spec("ray") is None:
        raise click.ClickException(_INSTALL)
    from zeroin.fleet.cluster import Shards, connected

    with connected(address):
        yield members, Shards.start(members, shards, replicas)


def _ready(held: Shards, *, quiet: bool = False) -> None:
    """Wait until shards that were just started have opened their repositories: no question has time for it."""
    if held.started:
        with LiveView(enabled=not quiet) as view:
            for count, _ in enumerate(held.every("load", limit_s=_INDEX_S), 1):
                view("shards", count, len(held.layout.shards) * held.layout.replicas)


def _shown(held: Shards, method: str, limit_s: float, progress: Progress | None) -> int:
    """Ask every replica what it holds, print it, and say which ones do not answer; the exit code."""
    from rich.filesize import decimal

    loads, silent = {}, []
    count = len(held.layout.shards)
    total = count * held.layout.replicas
    for at, replica, load in held.every(method, limit_s=limit_s):
        if load is None:
            silent.append(f"replica {replica + 1} of shard {at + 1} of {count} did not answer")
        else:
            loads[at, replica] = load
        if progress is not None:
            progress("shards", len(loads) + len(silent), total)
    for (at, replica), load in sorted(loads.items()):
        write(
            f"shard {at + 1} of {count}, replica {replica + 1} on {load.host}: {load.members:,} repositories, "
            f"{load.files:,} files, {load.analysed:,} analysed in {load.seconds:.1f} s, {decimal(load.memory)}\n",
            None,
        )
    warn(sorted(silent), quiet=False)
    return PARTIAL if silent else OK
