"""A question leaves no trace: no process of it opens a connection, nothing is written into the repository."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.repositories import commit, repository
from zeroin.index.gather import FEW_FILES

ROOT = Path(__file__).resolve().parents[2]
# Records every audit event of sockets. Python imports it wherever it starts: in the command, and in its workers.
RECORDER = """
import os, sys
folder = os.environ["RECORD"]
with open(os.path.join(folder, f"started-{os.getpid()}"), "w") as file:
    file.write(" ".join(sys.orig_argv))
def hook(event, args):
    if event.startswith(("socket.", "urllib.", "http.", "ftplib.", "smtplib.")):
        with open(os.path.join(folder, f"network-{os.getpid()}"), "a") as file:
            file.write(event + "\\n")
sys.addaudithook(hook)
"""


def _run(record: Path, *command: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    env = {**os.environ, "RECORD": str(record), "PYTHONPATH": str(record / "site"), **environment}
    return subprocess.run([sys.executable, *command], env=env, capture_output=True, timeout=120, check=False)


def _recorder(folder: Path) -> Path:
    (folder / "site").mkdir(parents=True)
    (folder / "site" / "sitecustomize.py").write_text(RECORDER)
    return folder


def test_no_process_opens_a_connection(tmp_path: Path) -> None:
    record = _recorder(tmp_path / "record")
    tree = tmp_path / "tree"
    shutil.copytree(ROOT / "examples" / "token-expiry", tree)
    for number in range(FEW_FILES):  # so many that workers are used
        (tree / f"module{number}.py").write_text(f"def expiry_{number}(token):\n    return token\n")
    done = _run(
        record, "-m", "zeroin", "Fix the token expiry bug", str(tree), "--jobs", "2",
        ZEROIN_CACHE_DIR=str(tmp_path / "cache"),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr.decode()
    started = [path.read_text() for path in record.glob("started-*")]
    assert any("zeroin.workers" in command for command in started), started
    assert [path.read_text() for path in record.glob("network-*")] == []


def test_the_recorder_works(tmp_path: Path) -> None:
    record = _recorder(tmp_path)
    _run(record, "-c", "import socket; socket.socket().close()")
    assert list(record.glob("network-*"))


def test_a_repository_is_left_as_it_was(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    shutil.copytree(ROOT / "examples" / "token-expiry", tree)
    commit(repository(tree), {}, "Sign in")
    file = tree / "src" / "app.ts"
    file.write_text(file.read_text() + "\n")  # dirty, so that git would like to refresh its index

    def state() -> dict[str, tuple[int, bytes]]:
        paths = [path for path in tree.rglob("*") if path.is_file()]
        return {str(path): (path.stat().st_mtime_ns, path.read_bytes()) for path in paths}

    before = state()
    for more in ((), ("--rev", "HEAD"), ("--diff",)):
        command = ("-m", "zeroin", "Fix the token expiry bug", str(tree), *more)
        done = _run(tmp_path, *command, ZEROIN_CACHE_DIR=str(tmp_path / "cache"))
        assert done.returncode == 0, done.stderr.decode()
    assert state() == before
