"""A resident process: the same answers, streams, signals and exit codes as without, and none when it is not there."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

import zeroin
from tests.repositories import repository
from zeroin.serve import wire

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="Linux only")

NOT_SERVED = 99
# A command that says so where it would have run by itself.
CLIENT = (
    "import sys; from zeroin.serve import client; client._SECONDS = 60.0\n"  # a busy machine is no failure
    f"code = client.run_there(sys.argv[1:]); sys.exit({NOT_SERVED} if code is None else code)"
)
SERVER = "from zeroin.serve import process; process._PATIENCE_S = 60.0; from zeroin.__main__ import run; run()"
FILES = {
    "shop/cart.py": "def total(prices):\n    return sum(prices)\n",
    "shop/tax.py": "RATE = 0.2\n\n\ndef tax(price):\n    return price * RATE\n",
    "README.md": "# Shop\n",
}
ASKED = ("the total of the cart is wrong", "--no-run", "--format", "markdown")
Start = Callable[..., "subprocess.Popen[bytes]"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return repository(tmp_path_factory.mktemp("served") / "shop", FILES)


@pytest.fixture(scope="module")
def shared(folder: Path) -> Iterator[dict[str, str]]:
    with tempfile.TemporaryDirectory(dir="/tmp") as place:  # the name of a socket is short
        own = {"XDG_RUNTIME_DIR": place, "ZEROIN_CACHE_DIR": str(folder.parent / "cache"), "ZEROIN_SERVE": "1"}
        yield {**os.environ, **own}


@pytest.fixture
def env(shared: dict[str, str]) -> Iterator[dict[str, str]]:
    """The environment of a user who has no resident process yet."""
    with tempfile.TemporaryDirectory(dir="/tmp") as place:
        yield {**shared, "XDG_RUNTIME_DIR": place}


@pytest.fixture(scope="module")
def resident(shared: dict[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    with serving(shared) as process:
        yield process


@contextmanager
def serving(env: dict[str, str], *program: str, idle_s: str = "60") -> Iterator[subprocess.Popen[bytes]]:
    """A resident process that is ready."""
    command = [*(program or ("-c", SERVER)), "serve", "--idle-s", idle_s]
    with started(command, env, Path("/"), stderr=subprocess.PIPE) as process:
        try:
            assert process.stderr is not None
            assert b"ready" in process.stderr.readline()
            yield process
        finally:  # it would serve on, and be waited for
            process.terminate()
            process.wait(60)


def test_it_may_stay_for_good(env: dict[str, str], folder: Path) -> None:
    with serving(env, idle_s="1e300") as process:
        assert ask(folder, env, *ASKED).returncode == 0
        assert process.poll() is None


def test_one_that_still_loads_is_stopped(env: dict[str, str], folder: Path) -> None:
    with started(["-c", SERVER, "serve"], env, Path("/"), stderr=subprocess.PIPE) as process:
        try:
            wait_for(lambda: list(Path(env["XDG_RUNTIME_DIR"]).glob("zeroin/*.lock")) != [])
            stopped = ask(folder, env, "serve", "--stop", alone=True)
            assert (stopped.returncode, stopped.stderr) == (0, b"")
            assert process.wait(60) == 0
        finally:
            process.kill()


def started(arguments: Sequence[str], env: dict[str, str], cwd: Path, **streams: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, *arguments], env=env, cwd=cwd, **streams)  # type: ignore[call-overload]


def ask(
    cwd: Path, env: dict[str, str], *arguments: str, stdin: bytes = b"", alone: bool = False
) -> subprocess.CompletedProcess[bytes]:
    program = ["-m", "zeroin"] if alone else ["-c", CLIENT]
    own = {**env, "ZEROIN_SERVE": "0"} if alone else env
    command = [sys.executable, *program, *arguments]
    return subprocess.run(command, cwd=cwd, env=own, input=stdin, capture_output=True, timeout=60, check=False)


def children(pid: int) -> set[int]:
    """The processes that a process has started, and theirs."""
    found: set[int] = set()
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in task.read_text().split():
            found |= {int(child)} | children(int(child))
    return found


def wait_for(holds: Callable[[], object]) -> None:
    until = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < until
        time.sleep(0.02)


@pytest.mark.parametrize(
    ("arguments", "stdin"),
    [(ASKED, b""), (("total", "missing-folder"), b""), (("-", "--no-run", "-f", "paths"), b"the total of the cart")],
)
@pytest.mark.usefixtures("resident")
def test_a_command_does_what_it_does_alone(
    folder: Path, shared: dict[str, str], arguments: Sequence[str], stdin: bytes
) -> None:
    alone = ask(folder, shared, *arguments, stdin=stdin, alone=True)
    done = ask(folder, shared, *arguments, stdin=stdin)
    assert (done.returncode, done.stdout, done.stderr) == (alone.returncode, alone.stdout, alone.stderr)


@pytest.mark.usefixtures("resident")
def test_a_command_has_its_callers_time_zone(folder: Path, shared: dict[str, str]) -> None:
    env = {**shared, "TZ": "Asia/Tokyo"}
    ask(folder, env, "the total of the cart is wrong")
    assert ask(folder, env, "show").stdout == ask(folder, env, "show", alone=True).stdout


@pytest.mark.usefixtures("resident")
@pytest.mark.parametrize("closed", ["<&-", ">&-"])
def test_a_command_without_a_stream_runs_by_itself(folder: Path, shared: dict[str, str], closed: str) -> None:
    """It waited for input for ever, or was ended as if its caller had gone."""
    command = [sys.executable, "-c", CLIENT, "-"]
    done = subprocess.run(
        ["sh", "-c", f'exec "$@" {closed}', "sh", *command], cwd=folder, env=shared, timeout=20, check=False
    )
    assert done.returncode == NOT_SERVED


def test_commands_that_run_when_it_is_stopped_are_answered(folder: Path, env: dict[str, str]) -> None:
    with (
        serving(env) as process,
        started(["-c", CLIENT, "-"], env, folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as client,
    ):
        wait_for(lambda: children(process.pid))
        assert ask(folder, env, "serve", "--stop", alone=True).returncode == 0
        assert ask(folder, env, *ASKED).returncode == NOT_SERVED  # and starts another
        found, _ = client.communicate(b"the total of the cart", timeout=60)
        assert (client.returncode, process.wait(60)) == (0, 0)
        assert b"shop/cart.py" in found
    wait_for(lambda: ask(folder, env, "serve", "--stop", alone=True).stderr == b"")


def test_a_command_runs_by_itself_where_there_is_no_room(folder: Path, env: dict[str, str]) -> None:
    """And the resident process still takes signals."""
    failing = (
        "import os; fork = os.fork\n"
        "def once():\n    os.fork = fork; raise BlockingIOError(11, 'no room')\n"
        "os.fork = once\n"
        "from zeroin.cli.main import main; main()"
    )
    with serving(env, "-c", failing) as process:
        assert ask(folder, env, *ASKED).returncode == NOT_SERVED
        assert ask(folder, env, *ASKED).returncode == 0
        process.terminate()
        assert process.wait(60) == -signal.SIGTERM


@pytest.mark.usefixtures("resident")
def test_an_edit_is_seen(folder: Path, shared: dict[str, str]) -> None:
    ask(folder, shared, *ASKED)
    (folder / "shop/rebate.py").write_text("def rebate(total):\n    return total * 0.9\n")
    done = ask(folder, shared, "the rebate", "--no-run", "-f", "paths")
    assert done.stdout.splitlines()[0] == b"shop/rebate.py"
    assert done.stdout == ask(folder, shared, "the rebate", "--no-run", "-f", "paths", alone=True).stdout


@pytest.mark.usefixtures("resident")
def test_many_at_once(folder: Path, shared: dict[str, str]) -> None:
    with ThreadPoolExecutor(8) as pool:
        answers = {d.stdout for d in pool.map(lambda _: ask(folder, shared, *ASKED), range(8))}
    assert answers == {ask(folder, shared, *ASKED, alone=True).stdout}


def test_an_interrupt_reaches_the_command(
    folder: Path, shared: dict[str, str], resident: subprocess.Popen[bytes]
) -> None:
    with started(["-c", CLIENT, "-"], shared, folder, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as client:
        wait_for(lambda: children(resident.pid))
        client.send_signal(signal.SIGINT)
        client.wait(60)  # before its input ends: an empty task is another error
        said = client.stderr.read() if client.stderr else b""
    assert client.returncode == 3, said
    assert said.strip() == b"zeroin: interrupted"


def test_a_command_ends_with_its_client(
    folder: Path, shared: dict[str, str], resident: subprocess.Popen[bytes]
) -> None:
    with started(["-c", CLIENT, "-"], shared, folder, stdin=subprocess.PIPE) as client:
        wait_for(lambda: children(resident.pid))
        client.kill()
        client.wait(60)
        wait_for(lambda: not children(resident.pid))


def test_a_client_ends_as_its_command(folder: Path, shared: dict[str, str], resident: subprocess.Popen[bytes]) -> None:
    with started(["-c", CLIENT, "-"], shared, folder, stdin=subprocess.PIPE) as client:
        wait_for(lambda: children(resident.pid))
        os.kill(children(resident.pid).pop(), signal.SIGKILL)
        assert client.wait(60) == -signal.SIGKILL
    assert ask(folder, shared, *ASKED).returncode == 0  # and the next one is answered


def test_the_first_command_starts_one(folder: Path, env: dict[str, str]) -> None:
    assert ask(folder, env, *ASKED).returncode == NOT_SERVED
    try:
        wait_for(lambda: ask(folder, env, *ASKED).returncode == 0)
    finally:
        stopped = ask(folder, env, "serve", "--stop", alone=True)
    assert (stopped.returncode, stopped.stderr) == (0, b"")
    assert b"no resident process" in ask(folder, env, "serve", "--stop", alone=True).stderr


@pytest.mark.usefixtures("resident")
def test_there_is_one_of_a_user(folder: Path, shared: dict[str, str]) -> None:
    done = ask(folder, shared, "serve", alone=True)
    assert (done.returncode, done.stderr) == (2, b"zeroin: a resident process runs already\n")


@pytest.mark.usefixtures("resident")
@pytest.mark.parametrize("own", [{"PYTHONUTF8": "1"}, {"XDG_RUNTIME_DIR": "/nowhere"}])
def test_a_command_runs_by_itself(folder: Path, shared: dict[str, str], own: dict[str, str]) -> None:
    assert ask(folder, {**shared, **own}, *ASKED).returncode == NOT_SERVED
    if "PYTHONUTF8" in own:  # it has started one of its own
        wait_for(lambda: not ask(folder, {**shared, **own}, "serve", "--stop", alone=True).stderr)


@pytest.mark.usefixtures("resident")
def test_a_command_that_is_given_an_open_file_runs_by_itself(folder: Path, shared: dict[str, str]) -> None:
    """As by `zeroin @<(command)`: the resident process has no such file."""
    reader, writer = os.pipe()
    os.write(writer, b"the total of the cart is wrong")
    os.close(writer)
    command = [sys.executable, "-m", "zeroin", f"@/dev/fd/{reader}", "-f", "paths"]
    done = subprocess.run(
        command, cwd=folder, env=shared, pass_fds=[reader], capture_output=True, timeout=60, check=False
    )
    os.close(reader)
    assert done.stdout.startswith(b"shop/cart.py\n"), done.stderr


@pytest.mark.usefixtures("resident")
@pytest.mark.parametrize("command", ["batch", "mcp"])
def test_some_commands_always_do(folder: Path, shared: dict[str, str], command: str) -> None:
    assert ask(folder, shared, command, "--help").returncode == NOT_SERVED


@pytest.mark.usefixtures("resident")
def test_a_folder_that_others_can_open_is_not_trusted(folder: Path, shared: dict[str, str]) -> None:
    place = Path(shared["XDG_RUNTIME_DIR"], "zeroin")
    place.chmod(0o755)
    assert ask(folder, shared, *ASKED).returncode == NOT_SERVED
    place.chmod(0o700)


def test_what_is_no_message_changes_nothing(
    folder: Path, shared: dict[str, str], resident: subprocess.Popen[bytes]
) -> None:
    import socket

    (place,) = (p for p in Path(shared["XDG_RUNTIME_DIR"], "zeroin").iterdir() if p.suffix != ".lock")
    for data in (b"", b"\0", b"\xff" * 4, b"\0\0\0\2{}", b"\0\0\0\2[]", b"\0\0\0\1{"):
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(str(place))
            connection.sendall(data)
    assert ask(folder, shared, *ASKED).returncode == 0
    assert resident.poll() is None


def test_no_socket_lies_where_the_caller_happens_to_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_RUNTIME_DIR", "run")  # the specification asks for an absolute path
    assert wire.place().startswith("/tmp/zeroin-")
    assert not list(tmp_path.iterdir())


def test_another_version_ends_it(tmp_path: Path, folder: Path, env: dict[str, str]) -> None:
    copied = tmp_path / "copied"
    shutil.copytree(Path(zeroin.__file__).parent, copied / "zeroin", ignore=shutil.ignore_patterns("*.pyc"))
    # A copy is not what coverage is measured of.
    env = {name: value for name, value in env.items() if not name.startswith(("COV_", "COVERAGE_"))}
    env["PYTHONPATH"] = str(copied)
    with started(["-m", "zeroin", "serve"], env, Path("/"), stderr=subprocess.PIPE) as process:
        assert process.stderr is not None
        process.stderr.readline()
        assert ask(folder, env, *ASKED).returncode == 0
        (copied / "zeroin/loop.py").touch()
        assert ask(folder, env, *ASKED).returncode == NOT_SERVED
        assert process.wait(60) == 0


@pytest.mark.parametrize("bound", ["os.nice(5)", "resource.setrlimit(resource.RLIMIT_NOFILE, (512, 512))"])
def test_one_that_is_bound_more_than_its_client_ends(folder: Path, env: dict[str, str], bound: str) -> None:
    """As where `nice zeroin` has started it: its commands could not be freed of that."""
    program = f"import os, resource; {bound}; os.geteuid = lambda: 1; from zeroin.__main__ import run; run()"
    with serving(env, "-c", program) as process:
        assert ask(folder, env, *ASKED).returncode == NOT_SERVED
        assert process.wait(60) == 0
