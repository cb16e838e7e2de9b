"""Clients that do what they must not, a part of `benchmarks.hostile`, by its own functions."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("mcp")

from benchmarks.hostile.place import Place, build
from benchmarks.hostile.servers import no_messages
from benchmarks.hostile.servers_http import no_requests, strangers
from benchmarks.hostile.serving import Case

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc")


@pytest.mark.parametrize("client", [no_messages, strangers, no_requests])
def test_a_client_that_misbehaves_gets_an_error_and_no_more(client: Callable[[Place], Case], tmp_path: Path) -> None:
    case = client(build(tmp_path))
    assert (case.wrong, case.tries > 2) == ([], True)
