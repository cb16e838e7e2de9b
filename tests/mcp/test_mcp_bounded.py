"""Nothing that lies in a repository, and no client that goes, keeps a server or a command at work."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from tests.mcp.conftest import Raw
from tests.mcp.test_mcp_protocol import children

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
