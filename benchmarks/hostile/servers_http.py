"""Clients of the MCP server over HTTP that do what they must not; as in `servers`."""

import gzip
import http.client
import json
import socket
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

from benchmarks.hostile.place import Place
from benchmarks.hostile.serving import ASK, BODY, CALLS, CLIENT, VERSION, Case, finish, listening, request

SESSIONS = 1_000
_SLOW = 100  # connections that say half of something
_INITIALIZE = request(1, "initialize", CLIENT)


def strangers(place: Place) -> Case:
    """Names that strangers point here (DNS rebinding), pages of other origins, and what looks like this machine."""
    case = Case("hosts and origins of strangers")
    with listening(place) as (server, port):
        here = f"127.0.0.1:{port}"
        hosts = ["evil.example", f"evil.example:{port}", f"{here}.evil.example", f"127.0.0.1.evil.example:{port}"]
        hosts += [f"127.0.0.1:{port + 1}", "127.0.0.1", f"{here}@evil.example", f"evil.example@{here}", f"{here}/x", ""]
        hosts += [f"0.0.0.0:{port}", f"127.1:{port}", f"2130706433:{port}", f"[::ffff:127.0.0.1]:{port}", f"{here}\t.x"]
        hosts += [
            f"localhost.:{port}",
            f"{here}, evil.example",
            f"evil.example, {here}",
            f"{here} evil.example",
            "null",
        ]
        origins = [
            "http://evil.example",
            "null",
            f"https://{here}",
            "http://localhost:3000",
            f"http://{here}.evil.example",
        ]
        origins += [f"http://{here}@evil.example", f"http://evil.example#{here}", "file://", f"http://{here}/"]
        origins += [f"http://evil.example, http://{here}", f"http://[::ffff:127.0.0.1]:{port}", "chrome-extension://x"]
        tries: list[dict[str, str]] = [{"Host": host} for host in hosts] + [{"Origin": origin} for origin in origins]
        tries += [
            {"Host": "evil.example", "X-Forwarded-Host": here},
            {"Host": "evil.example", "Forwarded": f"host={here}"},
        ]
        for given in tries:
            for method in ("POST", "GET", "DELETE"):
                case.tries += 1
                status = _post(port, _INITIALIZE, given, method)
                case.refused += status in (0, *range(400, 500))
                if 200 <= status < 400 or status >= 500:
                    case.wrong.append(f"{method} {given}: {status}")
        raw = f"POST http://{here}/mcp HTTP/1.1\r\nHost: evil.example\r\n{_head(_INITIALIZE)}"
        twice = f"POST /mcp HTTP/1.1\r\nHost: {here}\r\nHost: evil.example\r\n{_head(_INITIALIZE)}"
        none = f"POST /mcp HTTP/1.0\r\n{_head(_INITIALIZE)}"
        for text in (raw, twice, none):
            case.tries += 1
            said = _raw(port, text.encode() + _INITIALIZE)
            case.refused += b" 4" in said[:20]
            if b" 200 " in said[:20] and text is not twice:
                case.wrong.append(f"{text[:60]!r}: {said[:60]!r}")
        if _post(port, _INITIALIZE, {}) != 200:
            case.wrong.append("this machine is refused")
        finish(case, server)
    return case


def no_requests(place: Place) -> Case:
    """What is no request, or one that no client sends."""
    case = Case("malformed requests")
    with listening(place) as (server, port):
        start = f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n"
        start += "Accept: application/json, text/event-stream\r\n"
        texts = [b"\x00" * 5_000, b"GET", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", b"A" * 200_000 + b"\r\n\r\n"]
        texts += [f"{start}X: {'y' * 500_000}\r\n\r\n".encode(), (start + "X: y\r\n" * 20_000 + "\r\n").encode()]
        texts += [f"{start}Content-Length: {n}\r\n\r\n{{}}".encode() for n in ("-1", "x", "9" * 30, "0x10", "2, 3")]
        texts += [f"{start}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /".encode()]
        texts += [f"{start}Transfer-Encoding: chunked\r\n\r\n{'F' * 40}\r\n{{}}\r\n".encode()]
        texts += [f"{verb} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode() for verb, path in _PLACES]
        for text in texts:
            case.tries += 1
            said = _raw(port, text)
            case.refused += said[:12].startswith((b"HTTP/1.1 4", b"HTTP/1.0 4")) or not said
            if said.startswith((b"HTTP/1.1 2", b"HTTP/1.1 5")):
                case.wrong.append(f"{text[:60]!r}: {said[:60]!r}")
        packed = gzip.compress(b" " * 50_000_000 + _INITIALIZE)
        bodies: list[tuple[bytes, dict[str, str]]] = [(packed, {"Content-Encoding": "gzip"}), (b"", {}), (b"\xff", {})]
        bodies += [(b"[" * 200_000, {}), (b"[" + _INITIALIZE + b"]", {}), (_INITIALIZE, {"Content-Type": "text/plain"})]
        bodies += [(_INITIALIZE, {"Accept": "text/html"}), (_ping(1), {"mcp-session-id": "x" * 10_000})]
        bodies += [(_ping(1), {"mcp-session-id": "../../x"}), (_ping(1), {"mcp-protocol-version": "x"})]
        for body, headers in bodies:
            case.tries += 1
            status = _post(port, body, headers)
            case.refused += 400 <= status < 500
            if not 400 <= status < 500:
                case.wrong.append(f"{body[:40]!r} {str(headers)[:60]}: {status}")
        finish(case, server)
    return case


_PLACES = (("GET", "/"), ("GET", "/../../etc/passwd"), ("TRACE", "/mcp"), ("PUT", "/mcp"), ("OPTIONS", "*"))


def long_bodies(place: Place) -> Case:
    """Bodies of a hundred megabytes: eight at once, declared and in pieces."""
    case = Case("bodies of 100 MB")
    with listening(place) as (server, port):
        body = request(1, "tools/call", {"name": "find_context", "arguments": {"task": "x" * BODY}})

        def send(number: int) -> int:
            return _post(port, body, {}, chunked=number % 2 == 1)

        with ThreadPoolExecutor(8) as pool:
            for status in pool.map(send, range(8)):
                case.tries += 1
                case.refused += status in (0, *range(400, 500))
                if 200 <= status < 300:
                    case.wrong.append(f"a body of 100 MB: {status}")
        if _post(port, _INITIALIZE, {}) != 200:
            case.wrong.append("no answer after them")
        finish(case, server)
    return case


def many(place: Place) -> Case:
    """Two hundred calls at once, each from a connection of its own."""
    case = Case("200 calls at once, HTTP")
    with listening(place) as (server, port):
        session = _session(port)

        def call(number: int) -> int:
            return _post(port, request(number, "tools/call", ASK), session)

        with ThreadPoolExecutor(CALLS) as pool:
            for status in pool.map(call, range(CALLS)):
                case.tries += 1
                if status != 200:
                    case.wrong.append(f"a call: {status}")
        finish(case, server)
    return case


def sessions(place: Place) -> Case:
    """Clients that introduce themselves a thousand times and never come back."""
    case = Case("sessions that are left")
    with listening(place) as (server, port):
        _post(port, _INITIALIZE, {})
        before = server.memory()
        for _ in range(SESSIONS):
            case.tries += 1
            _post(port, _INITIALIZE, {})
        grown = server.memory() - before
        if grown > 100_000_000:
            case.wrong.append(f"{grown / SESSIONS / 1e3:.0f} kB stay of each")
        if _post(port, _INITIALIZE, {}) != 200:
            case.wrong.append("no answer after them")
        finish(case, server)
    return case


def gone(place: Place) -> Case:
    """Clients that ask and go, and clients that never finish what they say."""
    case = Case("clients that vanish or are slow")
    with listening(place) as (server, port):
        session = _session(port)
        slow = [socket.create_connection(("127.0.0.1", port), timeout=60) for _ in range(_SLOW)]
        for number, connection in enumerate(slow):
            text = f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: 1000\r\n"
            connection.sendall(text.encode() + (b"\r\n{" if number % 2 else b""))
        for number in range(_SLOW):
            case.tries += 1
            asking = _connection(port)
            asking.request("POST", "/mcp", request(number, "tools/call", ASK), _headers(port, session))
            if number % 2:
                time.sleep(0.02)
            asking.close()
        if _post(port, _ping(1), session) != 200:
            case.wrong.append("no answer beside them")
        for connection in slow:
            connection.close()
        finish(case, server)
        if _post(port, _ping(2), session) != 200:
            case.wrong.append("no answer after them")
    return case


def _ping(identity: int) -> bytes:
    return request(identity, "ping", {})


def _session(port: int) -> dict[str, str]:
    """Return the headers of a session."""
    connection = _connection(port)
    connection.request("POST", "/mcp", _INITIALIZE, _headers(port, {}))
    answer = connection.getresponse()
    headers = {"mcp-session-id": answer.getheader("mcp-session-id") or "", "mcp-protocol-version": VERSION}
    connection.close()
    _post(port, json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}).encode(), headers)
    return headers


def _connection(port: int) -> http.client.HTTPConnection:
    return http.client.HTTPConnection("127.0.0.1", port, timeout=300)


def _headers(port: int, given: Mapping[str, str]) -> dict[str, str]:
    own = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    return {"Host": f"127.0.0.1:{port}", **own, **given}


def _post(port: int, body: bytes, given: Mapping[str, str], method: str = "POST", *, chunked: bool = False) -> int:
    """Return the status of a request, read to its end; 0 where the connection ended instead."""
    connection = _connection(port)
    data: Any = (body[at : at + (1 << 20)] for at in range(0, len(body), 1 << 20)) if chunked else body
    try:
        connection.request(method, "/mcp", data, _headers(port, given), encode_chunked=chunked)
    except OSError:  # it would hear no more of it
        pass
    except ValueError:  # no header can be like that
        return 0
    try:
        answer = connection.getresponse()
        if answer.getheader("content-type", "").startswith("text/event-stream") and method == "GET":
            return answer.status
        answer.read()
        return answer.status
    except (OSError, http.client.HTTPException):
        return 0
    finally:
        connection.close()


def _raw(port: int, data: bytes) -> bytes:
    """Return the beginning of what is answered to some bytes; nothing where the connection ends or stays silent."""
    with socket.create_connection(("127.0.0.1", port), timeout=3) as connection, suppress(OSError):
        connection.sendall(data)
        return connection.recv(4_096)
    return b""


def _head(body: bytes) -> str:
    own = "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\nConnection: close\r\n"
    return f"{own}Content-Length: {len(body)}\r\n\r\n"


HTTP: Sequence[Callable[[Place], Case]] = (strangers, no_requests, long_bodies, many, sessions, gone)
