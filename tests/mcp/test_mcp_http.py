"""Streamable HTTP on this machine alone: the same answers, and nothing for names and pages of strangers."""

from __future__ import annotations

import http.client
import json
import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp.client.client import Client

from tests.mcp.conftest import COMMAND

TASK = "Tokens are accepted after they expire"


@pytest.fixture
def port(repo: Path, environment: dict[str, str]) -> Iterator[int]:
    """A server on a free port; it says where on stderr, and nothing on stdout."""
    process = subprocess.Popen(
        [sys.executable, *COMMAND, "--http", "0"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=repo,
        env={**os.environ, **environment},
    )
    with process:
        try:
            assert process.stderr is not None and process.stdout is not None
            said = process.stderr.readline().decode()
            found = re.search(r"http://127\.0\.0\.1:(\d+)/mcp", said)
            assert found, said
            yield int(found[1])
        finally:
            process.terminate()
            process.wait(60)
        assert process.stdout.read() == b""


def post(port: int, headers: dict[str, str], method: str = "POST") -> int:
    """The status of an `initialize` with these headers."""
    params = {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "t", "version": "1"},
    }
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params})
    given = {
        "Host": f"127.0.0.1:{port}",
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
        **headers,
    }
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request(method, "/mcp", body=body if method == "POST" else None, headers=given)
    status = connection.getresponse().status
    connection.close()
    return status


def test_both_eras_are_answered_and_strangers_are_not(port: int) -> None:
    heard: list[str] = []

    async def ask(mode: str) -> Any:
        async def progress(_value: float, _total: float | None, message: str | None) -> None:
            heard.append(message or "")

        async with Client(f"http://127.0.0.1:{port}/mcp", mode=mode) as client:
            first = await client.call_tool("find_context", {"task": TASK}, progress_callback=progress)
            run = first.structured_content["run"]
            return first, await client.call_tool("refine_context", {"run": run})

    for mode in ("auto", "legacy"):
        first, second = anyio.run(ask, mode)
        assert first.structured_content["files"][0]["path"] == "src/auth/token-service.ts"
        assert first.structured_content["context"] == first.content[0].text
        assert not second.is_error
    assert [message for message in heard if message.startswith("cycle 1")]

    # A name of a stranger that points here (DNS rebinding), and pages of other origins, this machine's too.
    assert post(port, {}) == 200
    assert post(port, {"Host": f"localhost:{port}", "Origin": f"http://localhost:{port}"}) == 200
    for host in (
        "evil.example",
        f"evil.example:{port}",
        f"127.0.0.1:{port + 1}",
        f"127.0.0.1.evil.example:{port}",
    ):
        assert post(port, {"Host": host}) == 421
        assert post(port, {"Host": host}, "GET") == 421
    for origin in ("http://evil.example", "http://localhost:3000", "null", f"https://localhost:{port}"):
        assert post(port, {"Origin": origin}) == 403
    assert post(port, {"Content-Type": "text/plain"}) == 400  # what a page may send without asking

    # It listens at this machine's own address alone.
    with pytest.raises(OSError):
        socket.create_connection((_other_address(), port), timeout=2)


def test_it_says_where_it_listens(repo: Path) -> None:
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        pytest.skip("no IPv6 on this machine")
    process = subprocess.Popen(
        [sys.executable, *COMMAND, "--http", "[::1]:0"], stderr=subprocess.PIPE, text=True, cwd=repo
    )
    with process:
        try:
            assert process.stderr is not None
            found = re.fullmatch(r"zeroin: MCP at http://\[::1\]:(\d+)/mcp\n", process.stderr.readline())
            assert found
            socket.create_connection(("::1", int(found[1])), timeout=60).close()
        finally:
            process.terminate()


def _other_address() -> str:
    """An address of this machine that others would use; one that leads nowhere where there is none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # sends nothing
            address = str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.2"
    return address if not address.startswith("127.0.0.1") else "127.0.0.2"
