"""Nothing that lies in a repository, and no client that goes, keeps a server or a command at work."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from mcp_types.version import LATEST_HANDSHAKE_VERSION, MODERN_PROTOCOL_VERSIONS

from tests.mcp.conftest import Raw, initialize_params, post, served
from tests.mcp.test_mcp_protocol import children, envelope_of

Start = Callable[..., AbstractContextManager[Raw]]


@pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc")
def test_a_pipe_that_git_would_wait_for_ends_every_way_of_asking(
    raw: Start, repo: Path, environment: dict[str, str]
) -> None:
    os.mkfifo(repo / ".gitignore")
    commands = [
        subprocess.Popen(
            [sys.executable, "-m", "zeroin", *command],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=repo,
            env={**os.environ, **environment},
            text=True,
        )
        for command in (("token expiry", "--timeout-s", "5"), ("doctor",))
    ]
    with raw() as server:
        server.initialize("2025-11-25")
        result = server.call(1, "find_context", task="token expiry")["result"]
        assert result["isError"] and "is there a pipe in place of .gitignore" in result["content"][0]["text"]
        assert not children(server.process.pid)
    asked, doctor = (command.communicate(timeout=120) for command in commands)
    assert commands[0].returncode == 2
    assert asked == ("", asked[1]) and asked[1].count("\n") == 1
    assert asked[1].startswith("zeroin: git ls-files: it does nothing, so it was ended; is there a pipe")
    assert "it does nothing, so it was ended; is there a pipe" in doctor[0]


def introduced(port: int) -> dict[str, str]:
    """The headers of a session with a handshake."""
    version = initialize_params()["protocolVersion"]
    answer = post(port, {"id": 0, "method": "initialize", "params": initialize_params()}, {}).getresponse()
    session = answer.getheader("mcp-session-id")
    answer.read()
    assert session
    headers = {"mcp-session-id": session, "mcp-protocol-version": version}
    post(port, {"method": "notifications/initialized"}, headers).getresponse().read()
    return headers


@pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc")
@pytest.mark.parametrize("era", ["handshake", "modern"])
def test_the_work_of_a_client_that_is_gone_ends(large: Path, environment: dict[str, str], era: str) -> None:
    params: dict[str, Any] = {"name": "find_context", "arguments": {"task": "Messages are sent twice"}}
    with served(large, environment) as (server, url):
        port = urlsplit(url).port
        assert port is not None
        if era == "handshake":
            headers = introduced(port)
        else:
            version = MODERN_PROTOCOL_VERSIONS[-1]
            named = {"mcp-method": "tools/call", "mcp-name": "find_context"}
            headers = {"mcp-protocol-version": version, **named}
            params["_meta"] = envelope_of(version)
        asking = post(port, {"id": 1, "method": "tools/call", "params": params}, headers)
        until = time.monotonic() + 60
        while not children(server.pid):
            assert time.monotonic() < until, "the work does not begin"
            time.sleep(0.05)
        asking.close()
        while children(server.pid):
            assert time.monotonic() < until + 60, "the work goes on"
            time.sleep(0.05)
    indexed = subprocess.run(
        [sys.executable, "-m", "zeroin", "index", "-q", str(large)],
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
        check=True,
        timeout=120,
    )
    left = re.search(r": (\d+) analysed", indexed.stdout)
    assert left and int(left[1]) > 100  # most of it was not done for nobody


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_ctrl_c_ends_a_server_on_standard_input(raw: Start) -> None:
    with raw() as server:
        server.initialize(LATEST_HANDSHAKE_VERSION)
        server.process.send_signal(signal.SIGINT)
        assert server.process.wait(60) == -signal.SIGINT
        assert server.process.stderr.read() == b""
