"""The server: tools over stdio or streamable HTTP on this machine, for every protocol version that the SDK speaks.

Only this module, `sampling` and `fleet` import the package `mcp`. The low-level server is used, since it returns our
tool list unchanged.
"""

import os
import socket
import sys
from collections.abc import AsyncIterable, Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from io import TextIOWrapper
from typing import Any

import anyio
import anyio.to_thread
import mcp_types as types
from anyio.streams.memory import MemoryObjectSendStream
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.server.transport_security import TransportSecuritySettings
from mcp.shared.exceptions import MCPError
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

from zeroin import __version__
from zeroin.context.clean import line
from zeroin.context.rendering.wording import shortened
from zeroin.errors import ZeroinError
from zeroin.mcp.answer import Answer
from zeroin.mcp.roots import Roots
from zeroin.mcp.sampling import Wanted, host_of
from zeroin.mcp.schema import DEADLINE_S, INSTRUCTIONS, listed
from zeroin.mcp.tools import call
from zeroin.mcp.work import Stopped, Work
from zeroin.patterns import lazy_pattern

PATH = "/mcp"
# Name of the tool, its arguments, the call, and its HTTP request (None over stdio) → answer.
Answering = Callable[[str, Mapping[str, Any] | None, Work, Any], Answer]

_TICK_S = 0.25  # between two looks for new progress
_SILENCE_S = 5.0  # until the last progress is repeated: some hosts wait longer for a call that reports
_LATE = (
    "no answer within {seconds:.0f} s; what was analysed until now is kept: call again, it goes on from there "
    "(or name a folder in path to ask about a part)"
)

_MOST_REFUSAL = 300  # characters of an error of the system
# In JSON: what is whole (group 1: a backslash, a pair of surrogates), or half of such a pair.
_ESCAPE = lazy_pattern(
    r"(\\\\|\\u[Dd][89ABab][0-9A-Fa-f]{2}\\u[Dd][C-Fc-f][0-9A-Fa-f]{2})|\\u[Dd][89A-Fa-f][0-9A-Fa-f]{2}"
)


def create(answer: Answering, tools: Mapping[str, Any], deadline_s: float = DEADLINE_S) -> Server[Any]:
    """Return a server for `tools` (as tools/list returns them) that answers a call within `deadline_s`."""

    async def list_tools(
        _context: ServerRequestContext[Any, Any], _params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[types.Tool.model_validate(tool) for tool in tools.values()])

    async def call_tool(
        context: ServerRequestContext[Any, Any], params: types.CallToolRequestParams
    ) -> types.CallToolResult | types.InputRequiredResult:
        if params.name not in tools:
            raise MCPError(types.INVALID_PARAMS, f"Unknown tool; there are {', '.join(tools)}")
        work = Work(deadline_s, host_of(context, params))
        return await _called(partial(answer, params.name, params.arguments, work, context.request), work, context)

    server: Server[Any] = Server(
        "zeroin",
        version=__version__,
        title="zeroin",
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )
    server.middleware.clear()  # telemetry, which an exporter in the environment would send
    return server


async def _called(
    answer: Callable[[], Answer], work: Work, context: ServerRequestContext[Any, Any]
) -> types.CallToolResult | types.InputRequiredResult:
    """Run a tool in a thread until it answers, its deadline passes, or its caller cancels or disconnects."""
    result: types.CallToolResult | types.InputRequiredResult | None = None
    try:
        with anyio.move_on_after(work.left_s):
            async with anyio.create_task_group() as group:
                group.start_soon(_report, work, context)
                group.start_soon(_until_gone, context.request, group.cancel_scope)
                outcome = await anyio.to_thread.run_sync(partial(_run, answer), abandon_on_cancel=True)
                for message in work.news():
                    await context.session.report_progress(work.elapsed_s, None, message)
                result = outcome
                group.cancel_scope.cancel()
    finally:
        work.stop()  # an abandoned thread ends at its next step
    return result or _failed(_LATE.format(seconds=work.elapsed_s))


def _run(answer: Callable[[], Answer]) -> types.CallToolResult | types.InputRequiredResult:
    try:
        found = answer()
        return types.CallToolResult(content=[types.TextContent(text=found.text)], structured_content=found.structured)
    except Wanted as wanted:
        return wanted.result
    except ZeroinError as error:
        return _failed(line(str(error)))
    except OSError as error:  # a disk that is full, a folder that went away meanwhile
        return _failed(shortened(line(f"the system refused: {error}"), _MOST_REFUSAL))
    except Stopped:
        return _failed("cancelled")


def _failed(message: str) -> types.CallToolResult:
    """Return an error as the result of the tool, so that the model reads it."""
    return types.CallToolResult(content=[types.TextContent(text=message)], is_error=True)


async def _report(work: Work, context: ServerRequestContext[Any, Any]) -> None:
    """Report progress while the call runs: the seconds so far, without a total, which is unknown."""
    last, at = "working", 0.0
    while True:
        await anyio.sleep(_TICK_S)
        news = work.news()
        if not news and work.elapsed_s - at >= _SILENCE_S:
            news = [last]
        for message in news:
            last, at = message, work.elapsed_s
            await context.session.report_progress(work.elapsed_s, None, message)


async def _until_gone(request: Any, call: anyio.CancelScope) -> None:
    """Cancel a call over HTTP whose connection has ended, since no other connection can fetch its answer."""
    while request is not None:
        await anyio.sleep(_TICK_S)
        if await request.is_disconnected():
            call.cancel()


def _below(roots: Roots) -> Answering:
    return lambda name, given, work, _: call(name, given, roots, work)


class _Lines(TextIOWrapper):
    """Lines of JSON without halves of surrogate pairs, over which the SDK drops a request: its caller would wait.

    Hosts make such halves where they cut a text within an emoji.
    """

    def readline(self, size: int = -1, /) -> str:  # type: ignore[override]  # as in typeshed
        return _ESCAPE.sub(lambda match: match[1] or r"\ufffd", super().readline(size))


async def _refuse_unreadable(
    incoming: AsyncIterable[SessionMessage | Exception],
    readable: MemoryObjectSendStream[SessionMessage | Exception],
    answer: Callable[[SessionMessage], Awaitable[None]],
) -> None:
    """Hand on what a client sends; answer a line that is no JSON with an error, since the SDK drops it."""
    async with readable:
        async for message in incoming:
            wrong = message.errors()[0] if isinstance(message, ValidationError) else None
            if wrong is None or wrong["type"] != "json_invalid":
                await readable.send(message)
            elif wrong["input"].strip():
                error = types.ErrorData(code=types.PARSE_ERROR, message="Parse error: this line is no JSON")
                await answer(SessionMessage(types.JSONRPCError(jsonrpc="2.0", id=None, error=error)))


def serve_stdio(roots: Roots, deadline_s: float = DEADLINE_S) -> None:
    """Serve the process that started this one until it closes standard input."""

    async def serve() -> None:
        server = create(_below(roots), listed(), deadline_s)
        # A duplicate: a thread that reads it may outlast this.
        lines = _Lines(os.fdopen(os.dup(0), "rb", closefd=False), encoding="utf-8", errors="replace")
        async with stdio_server(anyio.wrap_file(lines)) as (incoming, outgoing), anyio.create_task_group() as group:
            readable, messages = anyio.create_memory_object_stream[SessionMessage | Exception]()
            group.start_soon(_refuse_unreadable, incoming, readable, outgoing.send)
            await server.run(messages, outgoing, server.create_initialization_options())

    anyio.run(serve)


def serve_http(roots: Roots, listener: socket.socket, hosts: Sequence[str], deadline_s: float = DEADLINE_S) -> None:
    """Serve streamable HTTP at a listening socket of this machine, whose names are `hosts` ("127.0.0.1", …).

    The Host header must be one of them with the port, and an Origin header must match: a foreign name that resolves to
    this machine is refused (DNS rebinding).
    """
    import uvicorn

    address, port = listener.getsockname()[:2]
    here = [f"{host}:{port}" for host in hosts]
    app = create(_below(roots), listed(), deadline_s).streamable_http_app(
        streamable_http_path=PATH,
        transport_security=TransportSecuritySettings(
            enable_dns_rebinding_protection=True,
            allowed_hosts=here,
            allowed_origins=[f"http://{name}" for name in here],
        ),
    )
    config = uvicorn.Config(
        app, log_level="warning", access_log=False, server_header=False, timeout_graceful_shutdown=2
    )
    shown = f"[{address}]" if listener.family == socket.AF_INET6 else address
    sys.stderr.write(f"zeroin: MCP at http://{shown}:{port}{PATH}\n")
    sys.stderr.flush()
    with suppress(KeyboardInterrupt):
        uvicorn.Server(config).run(sockets=[listener])
