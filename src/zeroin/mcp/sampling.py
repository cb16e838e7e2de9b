"""The host's model in the judge's seat, where the host lends it ("sampling").

Up to version 2025-11-25 of the protocol, the server sends its requests while the call runs. From 2026-07-28 on, the
call ends with the requests, and the host calls again with the replies; usable replies of earlier rounds are in the
cache. The host returns the keys of earlier requests as state, so that no request is sent twice.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import anyio.from_thread
import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp.shared.message import ServerMessageMetadata
from pydantic import ValidationError

from zeroin.config import HOST
from zeroin.context.clean import line
from zeroin.context.rendering.wording import shortened
from zeroin.context.tokens import estimate
from zeroin.errors import JudgeError
from zeroin.llm_judge.contract import Model, Reply, Request
from zeroin.llm_judge.providers import Named, Send, in_turn

MAX_TOKENS = 8_192  # of a reply
_MOST_ROUNDS = 5  # of requests to the host in one call of a tool
_MOST_CHARS = 200  # of a host's error

Context = ServerRequestContext[Any, Any]


class Wanted(Exception):
    """Raised to end a call of a tool with requests, whose replies come with the next call."""

    def __init__(self, requests: Sequence[Request], rounds: int, before: Sequence[str]) -> None:
        super().__init__("the host's model is to be asked")
        asked: dict[str, Any] = {request.key: _message(request) for request in requests}
        state = " ".join((str(rounds), *before, *asked))
        self.result = types.InputRequiredResult(input_requests=asked, request_state=state)


def host_of(context: Context, params: types.CallToolRequestParams) -> Model | None:
    """Return the model of the calling host; None where the host does not support sampling."""
    session = context.session
    if not session.check_client_capability(types.ClientCapabilities(sampling=types.SamplingCapability())):
        return None
    client = session.client_params.client_info.name if session.client_params is not None else ""
    send = _during_call(context) if session.can_send_request else _between_calls(params)
    return Named(HOST, send, f"{HOST} {client}")


def _between_calls(params: types.CallToolRequestParams) -> Send:
    replies: Mapping[str, Any] = params.input_responses or {}
    state, *before = (params.request_state or "").split(" ")
    rounds = int(state) if state.isdecimal() and len(state) == 1 else 0
    read = set[str]()  # keys of replies that were returned

    def send(asked: Sequence[Request], timeout_s: float) -> list[Reply | JudgeError]:
        missing = [one for one in asked if one.key not in replies and one.key not in before]
        if missing and rounds >= _MOST_ROUNDS:
            raise JudgeError("the host was asked often enough")
        if missing:
            raise Wanted(missing, rounds + 1, before)
        keys = {request.key for request in asked}
        if keys <= read:
            raise JudgeError("the host is asked once for each reply")
        read.update(keys)
        return [_reply(replies.get(request.key), request) for request in asked]

    return send


def _during_call(context: Context) -> Send:
    async def send(request: Request, timeout_s: float) -> types.CreateMessageResult:
        return await context.session.send_request(
            _message(request),
            types.CreateMessageResult,
            request_read_timeout_seconds=timeout_s,
            metadata=ServerMessageMetadata(related_request_id=context.request_id),
        )

    def ask(request: Request, left_s: float) -> Reply:
        try:
            return _reply(anyio.from_thread.run(send, request, max(0.1, left_s)), request)
        except (MCPError, ValidationError, RuntimeError) as error:  # refused, invalid, or the call has ended
            why = shortened(line(str(error)), _MOST_CHARS)
            raise JudgeError(f"the host's model did not answer: {why}") from error

    return in_turn(ask)


def _message(request: Request) -> types.CreateMessageRequest:
    text = types.SamplingMessage(role="user", content=types.TextContent(text=request.user))
    return types.CreateMessageRequest(
        params=types.CreateMessageRequestParams(
            messages=[text], system_prompt=request.system, max_tokens=MAX_TOKENS, temperature=0.0
        )
    )


def _reply(said: object, request: Request) -> Reply:
    """Return the reply of a host's model; content that is no text becomes an empty reply."""
    content = getattr(said, "content", None)
    text = content.text if isinstance(content, types.TextContent) else ""
    return Reply(text, estimate(request.system) + estimate(request.user), estimate(text))
