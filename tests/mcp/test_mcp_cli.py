"""`zeroin mcp` before it serves: what it refuses, and what it says without the extra."""

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.mcp.conftest import served


def started(*options: str, cwd: Path, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "zeroin", "mcp", *options],
        cwd=cwd,
        env={**os.environ, **env},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.mark.parametrize("address", ["0.0.0.0:8000", "[::]:0", ":8000", "x" * 5_000 + ":80"])
def test_other_hosts_are_refused(tmp_path: Path, address: str) -> None:
    done = started("--http", address, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "only this machine is served" in done.stderr and done.stderr.count("\n") == 1
    assert len(done.stderr) < 200


def test_a_taken_port_and_what_is_none_are_one_line(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        for port in (str(taken.getsockname()[1]), "http", "9" * 5_000):
            done = started("--http", port, cwd=tmp_path)
            assert done.returncode == 2 and done.stderr.startswith(f"zeroin: --http {port[:20]}")
            assert done.stderr.count("\n") == 1 and len(done.stderr) < 200


def test_without_the_extra_it_says_how_to_install(tmp_path: Path) -> None:
    code = (
        "import sys, importlib.abc\n"
        "class Missing(importlib.abc.MetaPathFinder):\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name.split('.')[0] in ('mcp', 'mcp_types'):\n"
        "            raise ModuleNotFoundError(name)\n"
        "import importlib.util\n"
        "found = importlib.util.find_spec\n"
        "importlib.util.find_spec = lambda name, *rest: (\n"
        "    None if name.split('.')[0] in ('mcp', 'mcp_types') else found(name, *rest))\n"
        "sys.meta_path.insert(0, Missing())\n"
        "from zeroin.cli.main import main\n"
        "main(['mcp'])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 2
    assert done.stderr == "zeroin: the MCP server is an extra: pip install 'zeroin[mcp]'\n"
    assert done.stdout == ""


def test_a_package_in_the_working_directory_is_not_imported(tmp_path: Path) -> None:
    (tmp_path / "mcp").mkdir()
    for name in ("mcp/__init__.py", "anyio.py", "uvicorn.py", "mcp_types.py"):
        (tmp_path / name).write_text("open('was-run', 'w').close()\n")
    done = started(cwd=tmp_path, ZEROIN_CACHE_DIR=str(tmp_path / "cache"))
    assert done.returncode == 0, done.stderr  # standard input is at its end
    assert done.stdout == ""
    assert not (tmp_path / "was-run").exists()


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_ctrl_c_ends_a_server_without_a_word(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    with served(tmp_path, {}) as (process, _):
        process.send_signal(signal.SIGINT)
        assert process.stderr is not None
        said = process.stderr.read()  # nothing, or a warning of the server's library that was about to begin
        assert process.wait(60) == 0 and "Traceback (most recent" not in said and "zeroin:" not in said
