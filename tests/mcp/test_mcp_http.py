"""Streamable HTTP on this machine alone: the same answers, and nothing for names and pages of strangers."""

import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import anyio
import pytest
from mcp.client.client import Client

from tests.mcp.conftest import initialize_params, post, served

TASK = "Tokens are accepted after they expire"


@pytest.fixture
def port(repo: Path, environment: dict[str, str]) -> Iterator[int]:
    """That of a server on this machine."""
    with served(repo, environment) as (_, url):
        yield urlsplit(url).port or 0


def status(port: int, headers: dict[str, str], method: str = "POST") -> int:
    """What an `initialize` with these headers gets."""
    message = {"id": 1, "method": "initialize", "params": initialize_params()}
    connection = post(port, message, headers, method)
    found = connection.getresponse().status
    connection.close()
    return found


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
    assert status(port, {}) == 200
    assert status(port, {"Host": f"localhost:{port}", "Origin": f"http://localhost:{port}"}) == 200
    for host in ("evil.example", f"evil.example:{port}", f"127.0.0.1:{port + 1}", f"127.0.0.1.evil.example:{port}"):
        assert status(port, {"Host": host}) == 421
        assert status(port, {"Host": host}, "GET") == 421
    for origin in ("http://evil.example", "http://localhost:3000", "null", f"https://localhost:{port}"):
        assert status(port, {"Origin": origin}) == 403
    assert status(port, {"Content-Type": "text/plain"}) == 400  # what a page may send without asking

    # It listens at this machine's own address alone.
    with pytest.raises(OSError):
        socket.create_connection((_other_address(), port), timeout=2)


def test_it_says_where_it_listens(repo: Path, environment: dict[str, str]) -> None:
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        pytest.skip("no IPv6 on this machine")
    with served(repo, environment, "[::1]:0") as (_, url):
        assert url.startswith("http://[::1]:")
        socket.create_connection(("::1", urlsplit(url).port), timeout=60).close()


def _other_address() -> str:
    """An address of this machine that others would use; one that leads nowhere where there is none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # sends nothing
            address = str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.2"
    return address if not address.startswith("127.0.0.1") else "127.0.0.2"
