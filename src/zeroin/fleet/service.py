"""A fleet behind HTTP: a deployment of Ray Serve that answers `POST /ask`, `/refresh` and, for hosts, `/mcp`.

This module and `cluster` alone import Ray.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from threading import Lock
from typing import Any

import msgspec
from ray import serve
from ray.exceptions import RayError
from starlette.requests import Request
from starlette.responses import Response

from zeroin.answer import StopCode
from zeroin.config import Options
from zeroin.context.clean import line
from zeroin.context.rendering import FORMATS, render
from zeroin.context.rendering.wording import weak
from zeroin.errors import FleetError, InputError, ZeroinError
from zeroin.fleet.access import Access, is_of_this_machine
from zeroin.fleet.asking import Fleet
from zeroin.fleet.cluster import Shards
from zeroin.fleet.shard import Setting
from zeroin.session import Session
from zeroin.workspace.members import Member

# Makes the tools of MCP (`mcp.fleet.FleetTools`) from a function that asks.
Tools = Callable[[Callable[[str, Options, Mapping[str, str]], Session]], Any]
_MAX_BODY = 1_000_000
_REFRESH_S = 600.0
_TYPES = {"json": "application/json", "jsonl": "application/x-ndjson", "xml": "application/xml"}


class AskRequest(msgspec.Struct, forbid_unknown_fields=True):
    """The body of `POST /ask`: the task, and options of the command line by their names in Python."""

    task: str
    format: str = "json"
    purpose: str | None = None
    budget: int = 8_000
    pack: str = "spans"
    max_cycles: int = 3
    timeout_s: float | None = None
    keywords: tuple[str, ...] = ()
    includes: tuple[str, ...] = ()
    excludes: tuple[str, ...] = ()
    focus: tuple[str, ...] = ()
    always_loop: bool = False
    top: int = 0

    def options(self) -> Options:
        """Return the fields as options. Raises `InputError`."""
        if self.format not in FORMATS:
            raise InputError(f"format {self.format!r} is none of {', '.join(FORMATS)}")
        values = msgspec.structs.asdict(self)
        return Options(**{name: value for name, value in values.items() if name not in ("task", "format")})


class RefreshRequest(msgspec.Struct, forbid_unknown_fields=True):
    """The body of `POST /refresh`, which may be left out: names of repositories, None for all."""

    repositories: tuple[str, ...] | None = None


class Service:
    """A replica of the deployment. It answers one question at a time; Ray Serve runs several replicas."""

    def __init__(self, members: Sequence[Member], setting: Setting, access: Access | None, tools: Tools | None) -> None:
        setting.apply()
        self._members = members
        self._fleet = Fleet(members, Shards.start(members))
        self._access = access
        self._turn = Lock()
        self._tools = tools(self._asked) if tools is not None else None

    async def __call__(self, request: Request) -> Response:
        """Answer a request; `Zeroin-Exit-Code` of a 200 is the exit code that the command line would have."""
        if (refused := self._refusal(request)) is not None:
            return refused
        body = bytearray()
        async for part in request.stream():
            body += part
            if len(body) > _MAX_BODY:
                return _said(413, f"more than {_MAX_BODY:,} bytes")
        try:
            if request.url.path == "/refresh":
                wanted = msgspec.json.decode(bytes(body) or b"{}", type=RefreshRequest)
                return await asyncio.to_thread(self._refreshed, wanted, request.headers)
            if request.url.path == "/mcp":
                return await self._called(request, bytes(body))
            if not body:
                raise InputError('the body is empty; send JSON, as in {"task": "Sessions expire too early"}')
            asked = msgspec.json.decode(bytes(body), type=AskRequest)
            return await asyncio.to_thread(self._answered, asked, request.headers)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, InputError) as error:
            return _said(400, str(error))
        except ZeroinError as error:
            return _said(503, str(error))

    def _refusal(self, request: Request) -> Response | None:
        """Return the response to a request that is refused by host, token, path or method; None if it is not."""
        if self._access is None:
            # Not `request.url`: Starlette puts the server's address in the place of a missing or malformed host.
            if not is_of_this_machine(request.headers.get("host", ""), request.headers.get("origin")):
                return _said(403, "only this machine is served")
        elif (allowed := self._allowed(request.headers)) is None:
            return _said(401, "no user has this token")
        elif not allowed:
            return _said(403, "this user may see no repository")
        if request.url.path not in ("/ask", "/refresh", "/mcp"):
            return _said(404, "POST /ask, /refresh or /mcp")
        return None if request.method == "POST" else _said(405, "POST only: there are no sessions")

    def _allowed(self, headers: Mapping[str, str]) -> frozenset[str] | None:
        return self._access.of(headers.get("authorization", "")) if self._access is not None else None

    def _asked(self, task: str, options: Options, headers: Mapping[str, str]) -> Session:
        allowed = self._allowed(headers)
        with self._turn:  # a cancelled call over MCP may still be running
            try:
                return self._fleet.ask(task, options, allowed=allowed)
            except FleetError:
                if not self._found_anew():
                    raise
                return self._fleet.ask(task, options, allowed=allowed)

    def _found_anew(self) -> bool:
        """Tell whether other actors hold the workspace now, since `fleet index` or `fleet stop` ended the old ones."""
        shards = Shards.start(self._members)
        if shards.ids == self._fleet.shards.ids:
            return False
        self._fleet = Fleet(self._members, shards)
        return True

    async def _called(self, request: Request, body: bytes) -> Response:
        if self._tools is None:
            return _said(404, "MCP is an extra: pip install 'zeroin[mcp]'")
        status, headers, data = await self._tools(request.scope, body)
        answer = Response(data, status)
        answer.raw_headers = list(headers)
        return answer

    def _answered(self, asked: AskRequest, headers: Mapping[str, str]) -> Response:
        session = self._asked(asked.task, asked.options(), headers)
        context = session.context()
        data = render(context, session.read, asked.format, top=asked.top)
        partial = session.workspace is not None and session.workspace.partial
        late = context.stop_reason.code in (StopCode.DEADLINE, StopCode.INTERRUPTED)
        code = 3 if partial or late else 1 if weak(context) else 0
        kind = _TYPES.get(asked.format, "text/plain; charset=utf-8")
        return Response(data, headers={"Zeroin-Exit-Code": str(code)}, media_type=kind)

    def _refreshed(self, wanted: RefreshRequest, headers: Mapping[str, str]) -> Response:
        """Reopen repositories that changed. Raises `InputError` for one that is unknown or hidden from the user."""
        allowed, place = self._allowed(headers), self._fleet.place
        names = wanted.repositories
        for name in names or ():
            if name not in place or (allowed is not None and name not in allowed):
                raise InputError(f"{name!r} is no repository of the workspace")
        silent = self._silent(names)
        if silent and self._found_anew():
            silent = self._silent(names)
        return _said(503, f"{silent} replicas did not answer") if silent else _said(200, "done")

    def _silent(self, names: Sequence[str] | None) -> int:
        """Reopen repositories that changed; return how many replicas did not answer."""
        only = None if names is None else {self._fleet.place[name] for name in names}
        loads = self._fleet.shards.every("refresh", names, limit_s=_REFRESH_S, only=only)
        return sum(load is None for _, _, load in loads)


def _said(status: int, message: str) -> Response:
    data = msgspec.json.encode({"error" if status >= 400 else "status": line(message)})
    return Response(data, status, media_type="application/json")


def serve_until_interrupted(
    deployed: tuple[Any, ...], http: Mapping[str, Any], askers: int, ready: Callable[[], None]
) -> None:
    """Serve on the head node until an interrupt: a `Service` of `deployed`, with options of Serve's HTTP proxy.

    `ready` is called once it listens. Raises `FleetError` where it cannot, and where Serve runs already: it would go on
    to listen as it does, perhaps to strangers.
    """
    if serve.status().proxies:
        raise FleetError(
            "Ray Serve runs on this cluster already, and has one place where it listens; to end it: serve shutdown"
        )
    logging.getLogger("ray.serve").setLevel(logging.ERROR)
    options = {"num_replicas": askers, "max_ongoing_requests": 1, "ray_actor_options": {"num_cpus": 0}}
    deployment: Any = serve.deployment(Service).options(name="zeroin", **options)
    try:
        serve.start(proxy_location="HeadOnly", http_options=dict(http))
        serve.run(deployment.bind(*deployed), name="zeroin", route_prefix="/")
        ready()
        while True:
            time.sleep(3600)
    except (RayError, RuntimeError) as error:
        why = str(error).strip().rpartition("\n")[2]
        raise FleetError(f"Ray Serve cannot listen at {http['host']}:{http['port']}: {why}") from error
    finally:
        serve.shutdown()
