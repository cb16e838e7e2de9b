"""What every test relies on."""

import signal


def pytest_configure() -> None:
    """Let interrupts reach the processes that tests start: a shell that runs pytest in the background ignores them."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
