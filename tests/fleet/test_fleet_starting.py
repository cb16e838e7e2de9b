"""Starting and ending: a cluster for one command, and the service."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ray = pytest.importorskip("ray")

from tests.ready_process import ReadyProcess  # noqa: E402
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
    return init(address, num_cpus=1, object_store_memory=100_000_000, **given)

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
    assert "127.0.0.1 is open" in done.stdout and "1 repository, 1 file," in done.stdout
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


@pytest.fixture
def taken() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as one:
        yield one.getsockname()[1]


def test_a_service_that_cannot_listen_leaves_nothing_and_sigterm_ends_one(
    cluster: Any, workspace: Path, taken: int, ready: ReadyProcess
) -> None:
    given = ["fleet", "serve", str(workspace), "--address", cluster.address, "--http"]
    done = ready.run([*given, str(taken)], cwd=workspace.parent, env=dict(os.environ), fresh=True)
    said = done.stderr.decode().splitlines()
    assert done.returncode == 2 and f"Ray Serve cannot listen at 127.0.0.1:{taken}: " in said[-1]
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "zeroin", *given, f"localhost:{port}"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as served:
        assert served.stderr is not None and served.stdout is not None
        said = []
        for line in served.stderr:
            said.append(line)
            if "end with Ctrl-C" in line:
                break
        assert said[-1].startswith(f"zeroin: POST http://127.0.0.1:{port}/ask"), said
        socket.create_connection(("127.0.0.1", port)).close()
        served.send_signal(signal.SIGTERM)
        assert served.wait(LIMIT_S) == 0
        assert (served.stdout.read(), served.stderr.read()) == ("", "")


@pytest.mark.parametrize(
    ("cert", "said"), [(None, "cannot read "), ("not a certificate", "no certificate and its key in PEM")]
)
def test_files_of_tls_that_would_not_serve_are_refused(
    tmp_path: Path, ready: ReadyProcess, cert: str | None, said: str
) -> None:
    if cert is not None:
        (tmp_path / "cert.pem").write_text(cert)
    given = ["fleet", "serve", "w.toml", "--tls-cert", "cert.pem", "--tls-key", "cert.pem"]
    done = ready.run(given, cwd=tmp_path, env=dict(os.environ))
    assert done.returncode == 2 and said in done.stderr.decode()
