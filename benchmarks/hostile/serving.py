"""The MCP server as a process, watched, and what was seen of a client that misbehaves."""

import json
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.hostile.place import SECRET, TASK, Place
from benchmarks.hostile.watched import below, memory_of

MOST_BYTES = 1_500_000_000
BODY = 100_000_000  # bytes of a message that is too long
CALLS = 200  # at once
VERSION = "2025-11-25"
CLIENT = {"protocolVersion": VERSION, "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
ASK = {"name": "find_context", "arguments": {"task": TASK}}
_TICK_S = 0.05


@dataclass(slots=True)
class Case:
    """What was seen of one kind of client; `wrong` lists what should not have been."""

    name: str
    tries: int = 0
    refused: int = 0
    peak: int = 0
    wrong: list[str] = field(default_factory=list)

    def shown(self) -> dict[str, Any]:
        """Return the case as it stands in a result file."""
        peak = round(self.peak / 1e6)
        return {"case": self.name, "tries": self.tries, "refused": self.refused, "peak_mb": peak, "wrong": self.wrong}


class Server:
    """A server as a process; remembers the most memory that it and what it started took."""

    def __init__(self, place: Place, *options: str, cwd: Path | None = None) -> None:
        home = place.root.parent / "home"
        env = {**os.environ, "ZEROIN_CACHE_DIR": str(home / "cache"), "ZEROIN_DATA_DIR": str(home / "data")}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "zeroin", "mcp", *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=cwd or place.root,
            env=env,
        )
        self.peak = 0
        self.answers: dict[Any, dict[str, Any]] = {}
        self.unread: list[str] = []
        self._over = threading.Event()
        threading.Thread(target=self._look, daemon=True).start()

    def _look(self) -> None:
        while not self._over.wait(_TICK_S):
            self.peak = max(self.peak, memory_of(self.process.pid))

    def memory(self) -> int:
        """Return what it takes now."""
        return memory_of(self.process.pid)

    def listen(self) -> None:
        """Read what it writes from now on; every line must be a message."""
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        assert self.process.stdout is not None
        for row in self.process.stdout:
            try:
                message = json.loads(row)
                self.answers[message.get("id")] = message
            except (ValueError, AttributeError):
                self.unread.append(repr(row[:80]))

    def write(self, *messages: bytes) -> None:
        """Write lines, all at once."""
        assert self.process.stdin is not None
        with suppress(BrokenPipeError):
            self.process.stdin.write(b"".join(message + b"\n" for message in messages))
            self.process.stdin.flush()

    def ask(self, identity: Any, method: str, params: Any, within_s: float = 120.0) -> dict[str, Any] | None:
        """Send a request and return its answer, None where there is none in time."""
        self.write(request(identity, method, params))
        return self.wait(identity, within_s)

    def wait(self, identity: Any, within_s: float = 120.0) -> dict[str, Any] | None:
        """Return the answer to a request, None where there is none in time."""
        until = time.monotonic() + within_s
        while identity not in self.answers and time.monotonic() < until and self.process.poll() is None:
            time.sleep(_TICK_S)
        return self.answers.get(identity)

    def introduce(self) -> None:
        """Begin a session over standard input."""
        self.listen()
        self.ask("hello", "initialize", CLIENT)
        self.write(json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}).encode())

    def ended_work(self, within_s: float = 60.0) -> bool:
        """Whether no process that it started runs any more after a while."""
        until = time.monotonic() + within_s
        while any(True for _ in below(self.process.pid)):
            if time.monotonic() > until:
                return False
            time.sleep(_TICK_S)
        return True

    def end(self) -> None:
        """End it; it must go when its client goes."""
        assert self.process.stdin is not None
        with suppress(OSError):
            self.process.stdin.close()
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(30)
        self.process.kill()
        self.process.wait()
        self._over.set()


def request(identity: Any, method: Any, params: Any) -> bytes:
    """Return a request as a line."""
    return json.dumps({"jsonrpc": "2.0", "id": identity, "method": method, "params": params}).encode()


@contextmanager
def serving(place: Place, *options: str) -> Iterator[Server]:
    """Start a server over standard input, introduced."""
    server = Server(place, *options)
    try:
        server.introduce()
        yield server
    finally:
        server.end()


@contextmanager
def listening(place: Place) -> Iterator[tuple[Server, int]]:
    """Start a server over HTTP; yields its port too."""
    server = Server(place, "--http", "0")
    try:
        assert server.process.stderr is not None
        found = re.search(rb":(\d+)/mcp", server.process.stderr.readline())
        assert found
        yield server, int(found[1])
    finally:
        server.process.terminate()
        server.end()


def says_a_secret(answer: object) -> bool:
    """Whether an answer holds what lies outside."""
    return SECRET in json.dumps(answer)


def is_refused(answer: Mapping[str, Any] | None) -> bool:
    """Whether a message was answered with an error, of the protocol or of the tool."""
    return bool(answer) and ("error" in answer or bool(answer.get("result", {}).get("isError")))


def finish(case: Case, server: Server) -> None:
    """Note what a server took, and what it did besides."""
    if not server.ended_work():
        case.wrong.append("a process goes on")
    case.peak = max(case.peak, server.peak)
    if server.peak > MOST_BYTES:
        case.wrong.append(f"{server.peak / 1e6:.0f} MB")
    case.wrong += [f"no message on standard output: {row}" for row in server.unread[:3]]
