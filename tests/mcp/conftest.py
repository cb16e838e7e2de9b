"""A real repository, and the real server as a process of its own: the official client, or JSON-RPC line by line."""

import http.client
import json
import os
import re
import select
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest

from tests.cli.conftest import FILES
from tests.ready_process import ReadyProcess
from tests.repositories import copy, repository

pytest.importorskip("mcp")

from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from zeroin.mcp.roots import Roots
from zeroin.mcp.tools import call
from zeroin.mcp.work import Work

COMMAND = ("-m", "zeroin", "mcp")
Talk = Callable[[Client], Awaitable[Any]]


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `repo` is a copy of."""
    return repository(tmp_path_factory.mktemp("built") / "repo", FILES)


@pytest.fixture
def repo(built: Path, tmp_path: Path) -> Path:
    """A small git repository in TypeScript: sign-in, sessions, coupons."""
    return copy(built, tmp_path / "repo")


@pytest.fixture(scope="session")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository that takes some seconds to analyse; nobody writes into it."""
    return repository(tmp_path_factory.mktemp("many") / "large", many_files(500))


def ask(folder: Path, tool: str, work: Work | None = None, **arguments: Any) -> str:
    """The text that a tool answers, called in this process with `folder` as the root."""
    return call(tool, arguments, Roots((folder,), folder), work or Work()).text


def many_files(count: int) -> dict[str, str]:
    """Python files that take a while to analyse, each of its own."""
    body = "\n\n".join(
        f"def step_{{n}}_{i}(queue, retries={i}):\n"
        f'    """Send a message of the queue again after {i} seconds."""\n'
        f"    if queue.closed:\n        raise ValueError('closed {i}')\n    return queue.send(retries * {i})"
        for i in range(60)
    )
    return {f"src/part{n % 40}/module_{n}.py": body.replace("{n}", str(n)) for n in range(count)}


@contextmanager
def served(cwd: Path, environment: dict[str, str], address: str = "0") -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server over HTTP, and where it says that it listens; nothing comes on standard output."""
    process = subprocess.Popen(
        [sys.executable, *COMMAND, "--http", address],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=cwd,
        env={**os.environ, **environment},
        text=True,
    )
    with process:
        try:
            assert process.stderr is not None and process.stdout is not None
            said = process.stderr.readline()
            found = re.fullmatch(r"zeroin: MCP at (http://\S+:\d+/mcp)\n", said)
            assert found, said
            yield process, found[1]
        finally:
            process.terminate()
            process.wait(60)
        assert process.stdout.read() == ""


def initialize_params(version: str = "2025-11-25") -> dict[str, Any]:
    """What a client of a version with a handshake says first."""
    client = {"name": "test", "version": "1"}
    return {"protocolVersion": version, "capabilities": {}, "clientInfo": client}


def post(
    port: int, message: dict[str, Any], headers: dict[str, str], method: str = "POST"
) -> http.client.HTTPConnection:
    """Sends a message; the connection is the caller's to read and to close."""
    given = {
        "Host": f"127.0.0.1:{port}",
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
        **headers,
    }
    body = json.dumps({"jsonrpc": "2.0", **message}) if method == "POST" else None
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request(method, "/mcp", body, given)
    return connection


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """The server's directories, and the zeroin that the tests run with, where the path names it."""
    own = {"ZEROIN_CACHE_DIR": str(tmp_path / "cache"), "ZEROIN_DATA_DIR": str(tmp_path / "data")}
    return {**own, **{name: os.environ[name] for name in ("PYTHONPATH",) if name in os.environ}}


@pytest.fixture
def session(repo: Path, environment: dict[str, str], ready: ReadyProcess) -> Callable[..., Any]:
    """Runs `talk(client)` with the official client against a server started in `cwd`, in either era."""

    def run(talk: Talk, *options: str, cwd: Path = repo, mode: str = "auto") -> Any:
        program, arguments = ready.command(*COMMAND[2:], *options)
        server = StdioServerParameters(command=program, args=arguments, cwd=cwd, env=environment)

        async def main() -> Any:
            async with Client(stdio_client(server), mode=mode) as client:
                return await talk(client)

        return anyio.run(main)

    return run


@pytest.fixture
def tools(session: Callable[..., Any]) -> Callable[..., list[Any]]:
    """Calls tools one after another, each a name with its arguments; their results."""

    def run(*calls: tuple[str, dict[str, Any]], options: tuple[str, ...] = (), **how: Any) -> list[Any]:
        async def talk(client: Client) -> list[Any]:
            return [await client.call_tool(name, arguments) for name, arguments in calls]

        results: list[Any] = session(talk, *options, **how)
        return results

    return run


class Raw:
    """The server as a process, spoken to in lines of JSON."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self.lines: list[bytes] = []
        self._rest = b""

    def send(self, message: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self.process.stdin.flush()

    def next(self, timeout_s: float = 60.0) -> dict[str, Any]:
        """The next line; every line must be JSON, for stdout is the protocol's alone."""
        assert self.process.stdout is not None
        until = time.monotonic() + timeout_s
        while b"\n" not in self._rest:
            ready, _, _ = select.select([self.process.stdout], [], [], max(0.0, until - time.monotonic()))
            assert ready, "the server is silent"
            more = os.read(self.process.stdout.fileno(), 1 << 16)
            assert more, "the server has ended"
            self._rest += more
        found, _, self._rest = self._rest.partition(b"\n")
        self.lines.append(found)
        message: dict[str, Any] = json.loads(found)
        return message

    def answer(self, identity: int, timeout_s: float = 60.0) -> dict[str, Any]:
        """The answer to a request; what comes before it is skipped."""
        until = time.monotonic() + timeout_s
        while True:
            message = self.next(until - time.monotonic())
            if message.get("id") == identity:
                return message

    def ask(self, identity: int, method: str, params: dict[str, Any]) -> dict[str, Any]:
        self.send({"id": identity, "method": method, "params": params})
        return self.answer(identity)

    def initialize(self, version: str) -> dict[str, Any]:
        answer = self.ask(0, "initialize", initialize_params(version))
        self.send({"method": "notifications/initialized"})
        return answer

    def call(self, identity: int, tool: str, **arguments: Any) -> dict[str, Any]:
        return self.ask(identity, "tools/call", {"name": tool, "arguments": arguments})


@pytest.fixture
def raw(repo: Path, environment: dict[str, str]) -> Callable[..., Any]:
    """Starts a server in `cwd` for the `with` block; its stdout must end without a stray byte."""

    @contextmanager
    def start(*options: str, cwd: Path = repo) -> Iterator[Raw]:
        process = subprocess.Popen(
            [sys.executable, *COMMAND, *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=cwd,
            env={**os.environ, **environment},
        )
        with process:
            try:
                yield Raw(process)
            finally:
                assert process.stdin is not None
                process.stdin.close()
                try:
                    process.wait(60)
                finally:
                    process.kill()

    return start
