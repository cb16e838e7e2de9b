"""What every test relies on."""

import atexit
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from tests.ready_process import ReadyProcess

# A busy machine is no failure: no example has a deadline, and drawing them may take its time.
settings.register_profile("unhurried", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("unhurried")


def pytest_configure() -> None:
    """No test reads or writes what the user has, and interrupts reach the processes that tests start.

    A shell that runs pytest in the background ignores interrupts, and so would they.
    """
    folder = tempfile.mkdtemp(prefix="zeroin-tests-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    for name in ("CACHE", "DATA"):
        os.environ[f"ZEROIN_{name}_DIR"] = os.path.join(folder, name.lower())  # noqa: PTH118
    os.environ.pop("ZEROIN_NO_RUNS", None)
    # Hundreds of processes are started: compiling every module in each of them would take a fifth of the time.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One process more than there are cores: many a test waits for a process, a lock or a limit."""
    return (os.cpu_count() or 1) + 1


@pytest.fixture(scope="session")
def ready() -> Iterator[ReadyProcess]:
    """Runs `python -m zeroin` in processes that need not load everything first."""
    with ReadyProcess() as process:
        yield process
