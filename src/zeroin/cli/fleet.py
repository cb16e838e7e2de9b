"""`zeroin fleet`: a workspace that the nodes of a Ray cluster hold."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from zeroin.cli import batch as batches
from zeroin.cli.answer import Display, answer
from zeroin.cli.batch_rows import read_tasks
from zeroin.cli.options import (
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
from zeroin.errors import InputError
from zeroin.wording import counted

if TYPE_CHECKING:
    from zeroin.fleet.cluster import Shards
    from zeroin.protocols import Progress
    from zeroin.session import Session
    from zeroin.workspace.members import Member

_INSTALL = "the fleet is an extra: pip install 'zeroin[fleet]'"
PORT = 7392  # beside that of `zeroin mcp --http`
_NOT_KEPT = (
    "no Ray cluster runs on this machine: what is analysed stays in the cache, but no repository is kept open "
    "after this command; to keep them: docs/FLEET.md, On a laptop"
)
_INDEX_S = 86_400.0
_STATUS_S = 10.0

LOOPBACK = "127.0.0.1"
_file = click.Path(dir_okay=False, path_type=Path)
_workspace = click.argument("workspace", type=_file)
_address = click.option(
    "--address",
    metavar="HOST:PORT",
    envvar="RAY_ADDRESS",
    help="The Ray cluster. [the one that runs on this machine, else one that is started for this command]",
)
_jobs = click.option(
    "--jobs", type=click.IntRange(1, 256), default=1, show_default=True, help="Questions at the same time."
)


@click.group()
def fleet() -> None:
    """Ask a workspace that the nodes of a Ray cluster hold; see docs/FLEET.md.

    WORKSPACE is the TOML file of docs/SOURCES.md. Its paths must lead to the same repositories on every node.
    """


@fleet.command()
@_workspace
@_address
@click.option("--shards", type=click.IntRange(1, 10_000), metavar="N", help="Parts. [one a core]")
@click.option("--replicas", type=click.IntRange(1, 16), metavar="N", help="Nodes that hold a part. [2, of several]")
@quiet_option
def index(workspace: Path, address: str | None, shards: int | None, replicas: int | None, quiet: bool) -> int:
    """Analyse WORKSPACE on all nodes, and keep it open there."""
    with _held(workspace, address, shards, replicas, quiet=quiet) as (_, held), LiveView(enabled=not quiet) as view:
        return _shown(held, "refresh", _INDEX_S, view)


@fleet.command()
@_workspace
@_address
def status(workspace: Path, address: str | None) -> int:
    """Show what the nodes hold of WORKSPACE."""
    with _held(workspace, address, start=False) as (_, held):
        return _shown(held, "load", _STATUS_S, None)


@fleet.command()
@_workspace
@_address
def stop(workspace: Path, address: str | None) -> int:
    """Let the nodes forget WORKSPACE as it is now; what is cached stays."""
    with _held(workspace, address, start=False) as (_, held):
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
    """Find the files of WORKSPACE that matter for TASK.

    The answer is that of `zeroin TASK --workspace WORKSPACE`. It is not kept as a run.
    """
    given["keep"] = False
    display = Display.take(given)
    options = options_of(given)
    text = task_text(task)
    with _held(workspace, address) as (members, held):
        from zeroin.fleet.asking import Fleet

        _ready(held, quiet=display.quiet)

        def asked(progress: Progress) -> Session:
            progress(f"asking {counted(len(members), 'repository')}", 0, 0)
            return Fleet(members, held).ask(text, options)

        return answer(asked, display, max_cycles=options.max_cycles)


@fleet.command()
@click.argument("tasks", type=click.Path(path_type=Path, allow_dash=True))
@_workspace
@_address
@_jobs
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
    """Answer each task row of TASKS about all of WORKSPACE.

    Rows are as in `zeroin batch`, without repo, rev and diff.
    """
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
    "--http",
    "place",
    default=str(PORT),
    show_default=True,
    metavar="[HOST:]PORT",
    help="Where to listen. Another host than 127.0.0.1 needs --access and --tls-cert.",
)
@click.option("--tls-cert", type=_file, metavar="FILE", help="Certificate for HTTPS, on the head node.")
@click.option("--tls-key", type=_file, metavar="FILE", help="Its key.")
@click.option(
    "--access",
    type=_file,
    metavar="FILE",
    help="Who may see which repositories; without it, whoever reaches the port sees all.",
)
@_jobs
def serve(workspace: Path, address: str | None, place: str, access: Path | None, jobs: int, **tls: Path | None) -> int:
    """Answer questions about WORKSPACE over HTTP.

    POST /ask, POST /refresh, and MCP at /mcp.
    """
    http = _http(place, tls["tls_cert"], tls["tls_key"], known=access is not None)
    with _held(workspace, address) as (members, held):
        from zeroin.fleet.access import Access
        from zeroin.fleet.service import serve_until_interrupted
        from zeroin.fleet.shard import Setting

        users = Access.read(access, [member.name for member in members]) if access is not None else None
        tools: Any = None
        if find_spec("mcp") is not None:
            from zeroin.mcp.fleet import FleetTools

            tools = FleetTools
        _ready(held)
        scheme = "https" if "ssl_certfile" in http else "http"
        mcp = ", MCP at /mcp" if tools is not None else ""
        place = f"{scheme}://{http['host']}:{http['port']}"
        say(f"zeroin: starting Ray Serve at {place}")
        ready = partial(say, f"zeroin: POST {place}/ask{mcp}; end with Ctrl-C")
        with suppress(KeyboardInterrupt):
            serve_until_interrupted((members, Setting.here(), users, tools), http, jobs, ready)
    return OK


def _http(place: str, cert: Path | None, key: Path | None, *, known: bool) -> dict[str, Any]:
    """Return where to listen, as Ray Serve's HTTP options. Raises `InputError` for an address open to strangers."""
    host, _, port = place.rpartition(":")
    host = host.strip("[]") or LOOPBACK
    host = LOOPBACK if host == "localhost" else host
    if not port.isdecimal() or len(port) > 5 or not 0 < int(port) < 65_536:
        raise InputError(f"--http {place[:60]}: the port is no number between 1 and 65535")
    if (cert is None) != (key is None):
        raise InputError("--tls-cert and --tls-key go together")
    if host != LOOPBACK and (cert is None or not known):
        raise InputError(
            f"--http {place[:60]}: others than this machine are served with --tls-cert, --tls-key and --access"
        )
    tls = {} if cert is None or key is None else _tls(cert, key)
    return {"host": host, "port": int(port), **tls}


def _tls(cert: Path, key: Path) -> dict[str, str]:
    """Return a certificate and its key as Ray Serve's options. Raises `InputError` for what would not serve.

    Ray Serve says nothing of such files, and waits.
    """
    from ssl import PROTOCOL_TLS_SERVER, SSLContext, SSLError

    try:
        for file in (cert, key):
            file.open("rb").close()
        SSLContext(PROTOCOL_TLS_SERVER).load_cert_chain(cert, key, password="")
    except (SSLError, ValueError) as error:
        raise InputError(
            f"--tls-cert {cert}, --tls-key {key}: no certificate and its key in PEM, without a password"
        ) from error
    except OSError as error:
        raise InputError(f"cannot read {error.filename}: {error.strerror}") from error
    return {"ssl_certfile": str(cert.resolve()), "ssl_keyfile": str(key.resolve())}


@contextmanager
def _held(
    workspace: Path,
    address: str | None,
    shards: int | None = None,
    replicas: int | None = None,
    *,
    start: bool = True,
    quiet: bool = True,
) -> Iterator[tuple[tuple[Member, ...], Shards]]:
    """Connect to the cluster and yield the members of a workspace with the shards that hold them.

    Unless `start`, only shards that are there count: raises `InputError` where none holds the workspace. Unless
    `quiet`, warns where the cluster ends with this command.
    """
    from zeroin.workspace.members import read_workspace

    members = read_workspace(workspace.resolve())
    forget_current_folder()  # a folder `ray` in it is not the package
    if find_spec("ray") is None:
        raise click.ClickException(_INSTALL)
    from zeroin.fleet.cluster import Shards, connected

    with connected(address, start=start) as ends:
        # Ray has set a handler that prints a stack; a service is mostly ended in this way.
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        warn([_NOT_KEPT] if ends else (), quiet=quiet)
        held = Shards.start(members, shards, replicas) if start else Shards.held(members)
        if held is None:
            raise InputError(f"no node holds {workspace} as it is now; `zeroin fleet index` analyses it")
        yield members, held


def _ready(held: Shards, *, quiet: bool = False) -> None:
    """Wait until shards that were just started have opened their repositories: a question's time would not do."""
    if held.started:
        with LiveView(enabled=not quiet) as view:
            for count, _ in enumerate(held.every("load", limit_s=_INDEX_S), 1):
                view("shards", count, len(held.layout.shards) * held.layout.replicas)


def _shown(held: Shards, method: str, limit_s: float, progress: Progress | None) -> int:
    """Ask every replica what it holds, print it and which replicas do not answer; return the exit code."""
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
            f"shard {at + 1} of {count}, replica {replica + 1} on {load.host}: {counted(load.members, 'repository')}, "
            f"{counted(load.files, 'file')}, {load.analysed:,} analysed in {load.seconds:.1f} s, "
            f"{decimal(load.memory)}\n",
            None,
        )
    warn(sorted(silent), quiet=False)
    return PARTIAL if silent else OK
