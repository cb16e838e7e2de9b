"""`zeroin mcp`: the MCP server, for hosts that call tools rather than commands."""

import contextlib
import os
import signal
import socket
import sys
from importlib.util import find_spec

import click

from zeroin.cli.options import FiniteRange
from zeroin.cli.output import OK, complain, say
from zeroin.cli.request import forget_current_folder
from zeroin.errors import InputError

PORT = 7391  # where --http listens without a PORT; fixed, as a host's configuration names it
LOOPBACK = ("127.0.0.1", "localhost", "[::1]")

_SHOWN = 60  # characters of an address in a message
_INSTALL = "the MCP server is an extra: pip install 'zeroin[mcp]'"


@click.command()
@click.option(
    "--root",
    "roots",
    multiple=True,
    type=click.Path(),
    metavar="DIR",
    help="A folder that may be read, with all below it; repeatable. [the repository of the working directory]",
)
@click.option(
    "--http",
    is_flag=False,
    flag_value=str(PORT),
    default=None,
    metavar="[PORT]",
    help=f"Serve streamable HTTP on this machine alone instead of stdio. [{PORT}]",
)
@click.option(
    "--timeout-s",
    type=FiniteRange(1, 3_600),
    metavar="S",
    help="Answer every call within S seconds, with the best so far if need be. [45]",
)
@click.option(
    "--judge",
    metavar="MODEL",
    help="Let a language model grade files, as for zeroin TASK; mcp: the host's own, where it lends it (sampling).",
)
def mcp(roots: tuple[str, ...], http: str | None, timeout_s: float | None, judge: str | None) -> int:
    """Serve find_context, refine_context and explain_terms to an agent's host over stdio, or over HTTP on this machine.

    The working directory is the repository that is asked about unless a call says otherwise.
    """
    here = forget_current_folder()  # a folder `mcp` in it is not the package
    if judge is not None:
        os.environ["ZEROIN_JUDGE"] = judge
    if find_spec("mcp") is None or find_spec("mcp_types") is None:
        return complain(_INSTALL)
    from zeroin.mcp.roots import Roots

    allowed = Roots(roots, here)
    listener = None if http is None else _listening(http)
    with contextlib.suppress(KeyboardInterrupt):  # how a server is ended by hand
        from zeroin.mcp import server
        from zeroin.mcp.schema import DEADLINE_S

        limit = timeout_s or DEADLINE_S
        if listener is None:
            if sys.stdin is None or sys.stdout is None:
                return complain("MCP is spoken on standard input and output, and one of them is closed")
            if sys.stdin.isatty():
                say("zeroin: speaks MCP on standard input, for hosts; end with Ctrl-D (to try it by hand: zeroin TASK)")
            # Python's own handler would wait until a line of standard input is read
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            server.serve_stdio(allowed, limit)
        else:
            with listener:
                server.serve_http(allowed, listener, LOOPBACK, limit)
    return OK


def _listening(address: str) -> socket.socket:
    """Open a socket on the loopback interface. Raises `InputError` for any other host, and when the port is taken."""
    from zeroin.context.rendering.wording import shortened

    host, colon, port = address.rpartition(":")
    host = host if colon else LOOPBACK[0]
    address = shortened(address, _SHOWN)
    if host not in LOOPBACK:
        raise InputError(f"--http {address}: only this machine is served, as {', '.join(LOOPBACK)}")
    if not port.isdecimal() or len(port) > 5 or int(port) > 65_535:
        raise InputError(f"--http {address}: the port is no number between 0 and 65535")
    family = socket.AF_INET6 if host == "[::1]" else socket.AF_INET
    try:
        return socket.create_server(("::1" if host == "[::1]" else "127.0.0.1", int(port)), family=family)
    except OSError as error:
        raise InputError(f"--http {address}: {error.strerror or error}") from error
