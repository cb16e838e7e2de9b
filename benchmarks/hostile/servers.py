"""Clients of the MCP server that do what they must not, against real processes: over standard input and over HTTP.

Wanted of every case: an error (or an answer) for each message that needs one, nothing of what lies outside the roots,
bounded memory, and no process at work once a client has gone.
"""

import json
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks.hostile.place import TASK, Place, build
from benchmarks.hostile.serving import (
    ASK,
    BODY,
    CALLS,
    Case,
    Server,
    finish,
    is_refused,
    request,
    says_a_secret,
    serving,
)


def outside(place: Place) -> Case:
    """Paths, diffs and runs that lead out of the root."""
    case = Case("paths outside")
    (place.root / "link").symlink_to(place.outside)
    (place.root / "loop").symlink_to("loop")
    out = str(place.outside)
    paths = ["..", "../outside", out, f"{out}/", f"file://{out}", f"file:{out}", f"//localhost{out}", "link", "link/x"]
    paths += [f"\\\\server\\share{out}", f"\\\\?\\{out}", "C:\\", "~", "~root", "~nobody/x", "/", "/proc/self/root"]
    paths += [f"/proc/self/cwd/../outside{n}" for n in ("", "/renew.py")] + ["shop/../../outside", "./../outside"]
    paths += ["%2e%2e/outside", "..\\outside", "loop", "a\0b", "x" * 100_000, "../" * 30_000, "\u202e", "-x"]
    paths += [f"{out}/renew.py", "/etc/passwd", "/dev/zero", "/dev/stdin", "http://127.0.0.1/", f"${{PWD}}/../{out}"]
    diffs = [f"{out}/renew.py", "../outside/renew.py", f"--output={place.root}/made", "-O/etc/passwd", "--no-index"]
    diffs += [f"--no-index / {out}", "HEAD:../outside", f"HEAD..--output={place.root}/made", "@{u}", ":/x", "x\0y"]
    runs = ["../../etc/passwd", "r-..", f"{out}/renew", "r-0/../../x", "r-" + "0" * 100_000, "", "\0"]
    with serving(place) as server:
        asked = [("find_context", {"task": TASK, "path": path}) for path in paths]
        asked += [("explain_terms", {"text": "coupon", "path": path}) for path in paths]
        asked += [("find_context", {"task": TASK, "diff": diff}) for diff in diffs]
        asked += [("refine_context", {"run": run}) for run in runs]
        for number, (tool, arguments) in enumerate(asked):
            answer = server.ask(number, "tools/call", {"name": tool, "arguments": arguments})
            case.tries += 1
            case.refused += is_refused(answer)
            if not is_refused(answer) or says_a_secret(answer):
                case.wrong.append(f"{tool} {str(arguments)[:80]}: {str(answer)[:120]}")
        finish(case, server)
    if (place.root / "made").exists():
        case.wrong.append("a file was written")
    return case


def no_messages(place: Place) -> Case:
    """Lines that are no message, or not one that may be sent."""
    case = Case("malformed messages")
    deep = b"[" * 200_000 + b"]" * 200_000
    lines = [b"", b"{", b"[]", b"null", b"1", b'"x"', b"\xff\xfe\x00", b"\x00" * 1000, deep, b'{"a":' * 50_000]
    lines += [b'{"jsonrpc":"2.0"}', b'{"jsonrpc":"1.0","id":1,"method":"ping"}', b'{"id":1,"method":"ping"}']
    lines += [b'{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}', b'{"jsonrpc":"2.0","id":null,"method":"ping"}']
    lines += [b'{"jsonrpc":"2.0","id":1e999,"method":"ping"}', b'{"jsonrpc":"2.0","id":NaN,"method":"ping"}']
    lines += [b'{"jsonrpc":"2.0","id":"\\ud800","method":"\\ud800"}', b'{"jsonrpc":"2.0","id":7,"result":{}}']
    lines += [b'{"jsonrpc":"2.0","id":' + b"9" * 5_000 + b',"method":"ping"}', b"GET / HTTP/1.1\r\nHost: x\r\n\r"]
    lines += [b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":[]}}']
    lines += [b'{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":"x"}}']
    lines += [request(1, "tools/call", {"name": "find_context", "arguments": {"task": "\ud800"}})]  # no Unicode
    lines += [request(1, "tools/call", params) for params in ([], 1, "x")]
    lines += [b"[" + request("b1", "ping", {}) + b"," + request("b2", "ping", {}) + b"]"]
    with serving(place) as server:
        for number, line in enumerate(lines):
            server.write(line.replace(b"\n", b" "))
            case.tries += 1
            if server.ask(f"after {number}", "ping", {}) is None:
                case.wrong.append(f"no answer after {line[:60]!r}")
                break
        finish(case, server)
    return case


def wrong_requests(place: Place) -> Case:
    """Requests for what is not there, and arguments of other kinds."""
    case = Case("wrong requests")
    values: list[Any] = [None, 1, -1, 1e308, True, [], {}, [[]], {"a": 1}, "", "x" * 300_000, ["x"] * 50_000, "\0"]
    names = ("task", "path", "diff", "purpose", "keywords", "include", "exclude", "budget", "pack", "more")
    asked: list[tuple[Any, Any]] = [
        ("tools/call", {"name": name, "arguments": {"task": TASK}}) for name in ("x", "", 1, None)
    ]
    asked += [("tools/call", params) for params in ({}, {"name": "find_context", "arguments": 1})]
    asked += [(m, {}) for m in ("resources/list", "prompts/get", "sampling/createMessage", "x", "__init__", "")]
    with serving(place) as server:
        for number, (method, params) in enumerate(asked):
            case.tries += 1
            case.refused += is_refused(answer := server.ask(number, method, params))
            if not is_refused(answer):
                case.wrong.append(f"{method} {params}: {str(answer)[:120]}")
        for number, (name, value) in enumerate((n, v) for n in names for v in values):
            given = {"task": TASK, name: value}
            answer = server.ask(f"v{number}", "tools/call", {"name": "find_context", "arguments": given})
            case.tries += 1
            case.refused += is_refused(answer)
            if answer is None or "Traceback" in json.dumps(answer):
                case.wrong.append(f"{name}={str(value)[:40]}: {str(answer)[:200]}")
                break
        finish(case, server)
    return case


def interleaved(place: Place) -> Case:
    """Many requests in one write, a request in pieces, the same number twice, answers to nothing, cancelled at once."""
    case = Case("interleaved messages")
    with serving(place) as server:
        pings = [request(f"p{n}", "ping", {}) for n in range(2_000)]
        server.write(*pings)
        for piece in (b'{"jsonrpc":"2.0","id":"pieces",', b'"method":"pi', b'ng"}\n'):
            assert server.process.stdin is not None
            server.process.stdin.write(piece)
            server.process.stdin.flush()
            time.sleep(0.2)
        server.write(request("same", "tools/call", ASK), request("same", "tools/call", ASK))
        for number in range(100):
            server.write(request(f"c{number}", "tools/call", ASK))
            cancelled = {"requestId": f"c{number}", "reason": "no"}
            server.write(
                json.dumps({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": cancelled}).encode()
            )
        case.tries = len(pings) + 103
        wanted = [*(f"p{n}" for n in range(len(pings))), "pieces", "same"]
        case.wrong += [f"no answer to {name}" for name in wanted if server.wait(name) is None][:5]
        finish(case, server)
    return case


def long_lines(place: Place) -> Case:
    """Messages of a hundred megabytes: no message, a task, a list."""
    case = Case("messages of 100 MB")
    with serving(place) as server:
        filling = b"x" * BODY
        server.write(filling)
        server.write(b'{"jsonrpc":"2.0","id":"long","method":"tools/call","params":{"name":"find_context","arguments":{"task":"'
                     + filling + b'"}}}')  # fmt: skip
        case.tries = 2
        answer = server.wait("long", 300)
        case.refused += is_refused(answer)
        if server.ask("after", "ping", {}, 300) is None:
            case.wrong.append("no answer after them")
        finish(case, server)
    return case


def many_calls(place: Place) -> Case:
    """Two hundred calls at once."""
    case = Case("200 calls at once")
    with serving(place) as server:
        server.write(*(request(n, "tools/call", ASK) for n in range(CALLS)))
        for number in range(CALLS):
            case.tries += 1
            answer = server.wait(number, 300)
            case.refused += is_refused(answer)
            if answer is None:
                case.wrong.append(f"no answer to call {number}")
                break
        finish(case, server)
    return case


def vanished(place: Place) -> Case:
    """Clients that go in the middle of a call, or of a message."""
    case = Case("clients that vanish")
    for message in (request(1, "tools/call", ASK), request(1, "tools/call", ASK)[:40], b"x" * 1_000_000):
        server = Server(place)
        server.introduce()
        assert server.process.stdin is not None
        server.process.stdin.write(message + (b"\n" if message.endswith(b"}") else b""))
        server.process.stdin.flush()
        time.sleep(0.1)
        server.process.stdin.close()
        case.tries += 1
        try:
            server.process.wait(60)
        except subprocess.TimeoutExpired:
            case.wrong.append("the server goes on without its client")
        finish(case, server)
        server.end()
    return case


STDIO: Sequence[Callable[[Place], Case]] = (
    *(outside, no_messages, wrong_requests, interleaved, long_lines, many_calls, vanished),
)


def measured(folder: Path, cases: Sequence[Callable[[Place], Case]]) -> Iterator[Case]:
    """Run cases, each with a repository of its own."""
    for case in cases:
        yield case(build(folder / case.__name__))
