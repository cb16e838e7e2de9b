"""A cluster for one command, and what Ray prints."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

ray = pytest.importorskip("ray")

from tests.repositories import repository  # noqa: E402
from zeroin.cli.main import main  # noqa: E402
from zeroin.fleet.cluster import connected  # noqa: E402

LIMIT_S = 240.0

# Runs the command line where Ray finds no cluster; prints where the one that it starts can be reached.
ALONE = """
import socket, sys
import ray
from zeroin.cli.main import main
from zeroin.fleet.cluster import Shards

init, start = ray.init, Shards.start

def init_without_a_cluster(address=None, **given):
    if address == "auto":
        raise ConnectionError("none is found")
    return init(num_cpus=1, object_store_memory=100_000_000, **given)

def start_and_look(*given):
    port = int(ray.get_runtime_context().gcs_address.rpartition(":")[2])
    for host in ("127.0.0.1", sys.argv.pop()):
        with socket.socket() as one:
            print(host, "is open" if one.connect_ex((host, port)) == 0 else "is closed", flush=True)
    return start(*given)

ray.init, Shards.start = init_without_a_cluster, start_and_look
main(sys.argv[1:3] + [sys.argv[3]])
"""


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    repository(tmp_path / "letters", {"core.py": "def deliver_letter(one):\n    return one.stamp\n"}, "Begin")
    file = tmp_path / "team.toml"
    file.write_text('[[repository]]\npath = "letters"\n')
    return file


def test_the_cluster_of_one_command_is_out_of_reach_and_its_end_is_said(workspace: Path) -> None:
    here = ray.util.get_node_ip_address()
    given = [sys.executable, "-c", ALONE, "fleet", "index", str(workspace), here]
    env = {name: value for name, value in os.environ.items() if name != "RAY_ADDRESS"}
    done = subprocess.run(given, capture_output=True, text=True, env=env, timeout=LIMIT_S, check=False)
    assert done.returncode == 0, done.stderr
    assert "127.0.0.1 is open" in done.stdout and "1 repositories, 1 files" in done.stdout
    assert f"{here} is {'open' if here == '127.0.0.1' else 'closed'}" in done.stdout
    assert "no repository is kept open after this command" in done.stderr


@pytest.mark.parametrize("command", ["status", "stop"])
def test_where_no_cluster_runs_none_is_started_to_say_so(
    workspace: Path, command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def init(**_: object) -> None:
        raise ConnectionError

    monkeypatch.setattr(ray, "init", init)
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    with pytest.raises(SystemExit) as ended:
        main(["fleet", command, str(workspace)])
    assert ended.value.code == 2
    assert "no Ray cluster runs on this machine: start one, or name it" in capsys.readouterr().err


def test_what_ray_says_of_workers_that_die_is_not_on_standard_output(
    cluster: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    @ray.remote(max_retries=0)
    def die() -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    with connected(cluster.address):
        with pytest.raises(ray.exceptions.WorkerCrashedError):
            ray.get(die.remote())
        time.sleep(2.0)  # Ray prints it in a thread
    assert capsys.readouterr().out == ""
