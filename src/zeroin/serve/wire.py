"""The protocol between client and resident process, over a Unix socket that only their user can open.

A message is its length and JSON, with file descriptors as ancillary data. The client sends a request with its three
streams, gets `READY` or `NO`, sends `GO`, and gets the id of the process that runs the command, then its exit code.
"""

import json
import os
import socket
import struct
import sys
from binascii import crc32
from typing import Any

READY, GO, NO = b"r", b"g", b"n"
STREAMS = (0, 1, 2)
REPORT = struct.Struct("!ci")  # `PROCESS` or `CODE`, and the process id or the exit code
PROCESS, CODE = b"p", b"c"
_LENGTH = struct.Struct("!I")
_MOST_BYTES = 16_000_000
# Variables that an interpreter reads at its start: a client with other values needs another resident process.
_READ_AT_THE_START = ("PYTHON", "LC_", "LANG")


def supported() -> bool:
    """Whether this system can pass streams to a forked process."""
    return sys.platform.startswith("linux")


def key() -> str:
    """Return what client and resident process must share: interpreter, package and the variables read at its start."""
    variables = sorted((n, v) for n, v in os.environ.items() if n.startswith(_READ_AT_THE_START))
    return json.dumps([sys.executable, __file__, variables])


def place() -> str:
    """Return the path of the socket, and create its folder. Raises `OSError` unless only this user can use it."""
    own = os.environ.get("XDG_RUNTIME_DIR", "")
    folder = f"{own}/zeroin" if own.startswith("/") else f"/tmp/zeroin-{os.getuid()}"
    try:
        os.mkdir(folder, 0o700)  # noqa: PTH102 (pathlib takes longer to load than the answer to come)
    except FileExistsError:
        found = os.lstat(folder)
        if found.st_uid != os.getuid() or found.st_mode & 0o170077 != 0o040000:
            raise PermissionError(f"{folder} is not a folder of this user alone") from None
    return f"{folder}/{crc32(key().encode()):08x}"


def peer_is_ours(connection: socket.socket) -> bool:
    """Whether the other end is a process of this user."""
    _, user, _ = struct.unpack("3i", connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
    return bool(user == os.getuid())


def send(connection: socket.socket, message: dict[str, Any], streams: tuple[int, ...] = ()) -> None:
    """Send a message, and file descriptors with its first bytes."""
    data = json.dumps(message).encode()
    header = _LENGTH.pack(len(data))
    if streams:
        socket.send_fds(connection, [header], list(streams))
    else:
        connection.sendall(header)
    connection.sendall(data)


def receive(connection: socket.socket) -> tuple[dict[str, Any], list[int]]:
    """Return the next message and the file descriptors that came with it; raises `EOFError` where there is none."""
    header, streams, _, _ = socket.recv_fds(connection, _LENGTH.size, len(STREAMS))
    header += exactly(connection, _LENGTH.size - len(header)) if header else b""
    if not header:
        raise EOFError
    (size,) = _LENGTH.unpack(header)
    if size > _MOST_BYTES:
        raise ValueError(f"a message of {size:,} bytes")
    message = json.loads(exactly(connection, size))
    if not isinstance(message, dict):
        raise ValueError(f"a message that is a {type(message).__name__}")
    return message, streams


def report(connection: socket.socket) -> tuple[bytes, int]:
    """Return the next report: `PROCESS` or `CODE`, and its number. Raises `EOFError` if the other end closes before."""
    what, number = REPORT.unpack(exactly(connection, REPORT.size))
    return bytes(what), int(number)


def exactly(connection: socket.socket, size: int) -> bytes:
    """Read exactly `size` bytes. Raises `EOFError` if the other end closes before."""
    data = bytearray()
    while len(data) < size:
        part = connection.recv(size - len(data))
        if not part:
            raise EOFError
        data += part
    return bytes(data)
