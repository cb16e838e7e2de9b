"""The tool `find_context` over a fleet, for `zeroin fleet serve`: one HTTP request a call, no sessions."""

import asyncio
from collections.abc import Callable, Mapping, MutableMapping, Sequence
from typing import Any

from mcp.server.transport_security import TransportSecuritySettings

from zeroin.config import Options
from zeroin.errors import OptionError
from zeroin.mcp.answer import Answer, found
from zeroin.mcp.arguments import Arguments
from zeroin.mcp.schema import listed
from zeroin.mcp.server import PATH, create
from zeroin.mcp.work import Work
from zeroin.session import Session

Ask = Callable[[str, Options, Mapping[str, str]], Session]  # task, options, headers of the request
_TOOL = "find_context"
_NOT_HERE = ("path", "paths", "diff")  # arguments that only make sense on one machine
_DESCRIPTION = (
    "Which few files of the team's repositories matter for a task: each with relevance 0-1, reason and code, then the "
    "codebase's own words, its conventions, and gaps (what is still missing). Paths are NAME:path, by repository. Use "
    "it FIRST when you do not know where the code lives. Relevance >= 0.7: read these; 0.5-0.7: supporting."
)


class FleetTools:
    """Answer requests to `/mcp`, all in one event loop."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask
        self._app = create(self._answer, {_TOOL: _tool()}).streamable_http_app(
            streamable_http_path=PATH,
            json_response=True,
            stateless_http=True,
            # Not needed: the service has checked that the caller has a token or is on this machine.
            transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
        )
        self._running: asyncio.Task[None] | None = None

    async def __call__(
        self, scope: MutableMapping[str, Any], body: bytes
    ) -> tuple[int, Sequence[tuple[bytes, bytes]], bytes]:
        """Return status, headers and body for a POST with this body."""
        if self._running is None:
            ready = asyncio.Event()
            self._running = asyncio.create_task(self._run(ready))
            await ready.wait()
        given = [{"type": "http.request", "body": body, "more_body": False}]
        sent: list[MutableMapping[str, Any]] = []

        async def receive() -> MutableMapping[str, Any]:
            if not given:
                await asyncio.Event().wait()  # the client does not disconnect before the answer
            return given.pop()

        async def send(message: MutableMapping[str, Any]) -> None:
            sent.append(message)

        await self._app(scope, receive, send)
        return sent[0]["status"], sent[0]["headers"], b"".join(part.get("body", b"") for part in sent[1:])

    async def _run(self, ready: asyncio.Event) -> None:
        async with self._app.router.lifespan_context(self._app):
            ready.set()
            await asyncio.Event().wait()

    def _answer(self, name: str, given: Mapping[str, Any] | None, work: Work, request: Any) -> Answer:
        if wrong := [name for name in _NOT_HERE if (given or {}).get(name)]:
            raise OptionError(f"{wrong[0]} is of one machine; here all repositories are asked: leave it out")
        arguments = Arguments(name, given)
        task, options = arguments.text("task", 'task="Sessions expire too early"'), arguments.options()
        session = self._ask(task, Options(**options, timeout_s=work.timeout_s), request.headers)
        return found(session.context(), session.read, options["budget"])


def _tool() -> dict[str, Any]:
    tool = listed()[_TOOL]
    schema = tool["inputSchema"]
    properties = {name: one for name, one in schema["properties"].items() if name not in _NOT_HERE}
    properties["task"] = {"type": "string", "description": "The whole issue or question, in its own words; traces too"}
    return {
        **tool,
        "description": _DESCRIPTION,
        "inputSchema": {**schema, "properties": properties, "required": ["task"]},
    }
