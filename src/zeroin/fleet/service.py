"""A fleet behind HTTP: a deployment of Ray Serve that answers `POST /ask` and `POST /refresh`.

This module and `cluster` alone import Ray.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from typing import Any

import msgspec
from ray import serve
from starlette.requests import Request
from starlette.responses import Response

from zeroin.answer import StopCode
from zeroin.config import Options
from zeroin.context.clean import line
from zeroin.context.rendering import FORMATS, render
from zeroin.context.rendering.wording import weak
from zeroin.errors import InputError, ZeroinError
from zeroin.fleet.access import Access
from zeroin.fleet.asking import Fleet
from zeroin.fleet.cluster import Shards
from zeroin.fleet.shard import Setting
from zeroin.workspace.members import Member

LOOPBACK = "127.0.0.1"
_MAX_BODY = 1_000_000
_REFRESH_S = 600.0
_TYPES = {"json": "application/json", "jsonl": "application/x-ndjson", "xml": "application/xml"}


class Asked(msgspec.Struct, forbid_unknown_fields=True):
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
        """Return them as options. Raises `InputError`."""
        if self.format not in FORMATS:
            raise InputError(f"format {self.format!r} is none of {', '.join(FORMATS)}")
        values = {
            name: getattr(self, name) for name in self.__struct_fields__ if name not in ("task", "format")
        }
        return Options(**values)


class Service:
    """Answers one question at a time; Serve runs several of them."""

    def __init__(self, members: Sequence[Member], setting: Setting, access: Access | None) -> None:
        setting.take()
        self._shards = Shards.start(members)
        self._fleet = Fleet(members, self._shards)
        self._access = access

    async def __call__(self, request: Request) -> Response:
        """Answer a request: 200 with an answer, and its exit code of the command line in `Zeroin-Exit-Code`."""
        allowed = None
        if self._access is not None:
            allowed = self._access.of(request.headers.get("authorization", ""))
            if allowed is None:
                return _said(401, "no user has this token")
        if allowed is not None and not allowed:
            return _said(403, "this user may see no repository")
        if request.method != "POST" or request.url.path not in ("/ask", "/refresh"):
            return _said(404, "POST /ask or /refresh")
        body = bytearray()
        async for part in request.stream():
            body += part
            if len(body) > _MAX_BODY:
                return _said(413, f"more than {_MAX_BODY:,} bytes")
        try:
            if request.url.path == "/refresh":
                return await asyncio.to_thread(self._refreshed)
            asked = msgspec.json.decode(bytes(body), type=Asked)
            return await asyncio.to_thread(self._answered, asked, allowed)
        except (msgspec.DecodeError, InputError) as error:
            return _said(400, str(error))
        except ZeroinError as error:
            return _said(503, str(error))

    def _answered(self, asked: Asked, allowed: frozenset[str] | None) -> Response:
        session = self._fleet.ask(asked.task, asked.options(), allowed=allowed)
        context = session.context()
        data = render(context, session.read, asked.format, top=asked.top)
        partial = session.workspace is not None and session.workspace.partial
        late = context.stop_reason.code in (StopCode.DEADLINE, StopCode.INTERRUPTED)
        code = 3 if partial or late else 1 if weak(context) else 0
        kind = _TYPES.get(asked.format, "text/plain; charset=utf-8")
        return Response(data, headers={"Zeroin-Exit-Code": str(code)}, media_type=kind)

    def _refreshed(self) -> Response:
        silent = [at for at, _, load in self._shards.every("refresh", limit_s=_REFRESH_S) if load is None]
        return _said(503, f"{len(silent)} replicas did not answer") if silent else _said(200, "done")


def _said(status: int, message: str) -> Response:
    data = msgspec.json.encode({"error" if status >= 400 else "status": line(message)})
    return Response(data, status, media_type="application/json")


def serve_until_interrupted(
    members: Sequence[Member], setting: Setting, access: Access | None, port: int, askers: int
) -> None:
    """Serve on the loopback interface of the head node until an interrupt."""
    serve.start(proxy_location="HeadOnly", http_options={"host": LOOPBACK, "port": port})
    options = {"num_replicas": askers, "max_ongoing_requests": 1, "ray_actor_options": {"num_cpus": 0}}
    deployment: Any = serve.deployment(Service).options(name="zeroin", **options)
    serve.run(deployment.bind(members, setting, access), name="zeroin", route_prefix="/")
    try:
        while True:
            time.sleep(3600)
    finally:
        serve.shutdown()
