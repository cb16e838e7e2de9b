"""Line by line: the versions that are spoken, cancellation, the deadline, and that stdout is the protocol's alone."""

import json
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS

TASK = "Tokens are accepted after they expire"
Start = Callable[..., Any]


def envelope_of(version: str) -> dict[str, Any]:
    """What every request of a version without a handshake carries."""
    return {
        "io.modelcontextprotocol/protocolVersion": version,
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }


@pytest.mark.parametrize("version", HANDSHAKE_PROTOCOL_VERSIONS)
def test_a_version_with_a_handshake(raw: Start, version: str) -> None:
    with raw() as server:
        answer = server.initialize(version)["result"]
        assert answer["protocolVersion"] == version
        assert answer["serverInfo"]["name"] == "zeroin"
        assert "find_context" in answer["instructions"]
        assert set(answer["capabilities"]) - {"experimental"} == {"tools"}  # no logging, prompts, resources
        assert len(server.ask(1, "tools/list", {})["result"]["tools"]) == 3
        result = server.call(2, "find_context", task=TASK)["result"]
        text = result["content"][0]["text"]
        assert "src/auth/token-service.ts" in text
        # A client from before 2025-06-18 passes over it
        assert result["structuredContent"]["context"] == text


@pytest.mark.parametrize("version", MODERN_PROTOCOL_VERSIONS)
def test_a_version_without_a_handshake(raw: Start, version: str) -> None:
    envelope = envelope_of(version)
    with raw() as server:
        found = server.ask(1, "server/discover", {"_meta": envelope})["result"]
        assert version in found["supportedVersions"]
        assert len(server.ask(2, "tools/list", {"_meta": envelope})["result"]["tools"]) == 3
        arguments = {"name": "find_context", "arguments": {"task": TASK}, "_meta": envelope}
        result = server.ask(3, "tools/call", arguments)["result"]
        assert result["resultType"] == "complete"
        assert result["structuredContent"]["context"] == result["content"][0]["text"]


def test_what_is_no_message_ends_nothing(raw: Start) -> None:
    with raw() as server:
        server.initialize("2025-11-25")
        server.process.stdin.write(b'not json\n{"jsonrpc": "2.0"}\n[]\n\xff\xfe\n')
        server.process.stdin.flush()
        server.process.stdin.write(b'\n{"jsonrpc": "2.0", "id": 9, "method": "tools/list"\n')
        assert len(server.ask(1, "tools/list", {})["result"]["tools"]) == 3
        unreadable = [json.loads(line) for line in server.lines if b"error" in line]
        assert [(answer["error"]["code"], answer["id"]) for answer in unreadable] == [(-32700, None)] * 3
        bad = server.ask(2, "tools/call", {"name": "find_context", "arguments": "text"})
        assert bad["error"]["code"] == -32602
        assert not server.call(3, "find_context", task=TASK)["result"]["isError"]


def test_a_text_that_was_cut_within_an_emoji_is_answered(raw: Start) -> None:
    with raw() as server:
        server.initialize("2025-11-25")
        answer = server.call(1, "find_context", task=TASK + " \ud83d", path="\ude00")
        assert "path '\ufffd' does not exist" in answer["result"]["content"][0]["text"]
        whole = server.call(2, "find_context", task=TASK, path="\\ud83d \U0001f600")
        assert r"path '\\ud83d 😀' does not exist" in whole["result"]["content"][0]["text"]


def children(pid: int) -> list[int]:
    """Processes that a process has started and that still run (Linux)."""
    out: list[int] = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == pid and fields[0] != "Z":
            out.append(int(stat.parent.name))
    return out


@pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc")
@pytest.mark.parametrize("era", ["handshake", "modern"])
def test_a_cancelled_call_stops_its_work(raw: Start, large: Path, era: str) -> None:
    with raw(cwd=large) as server:
        envelope = envelope_of(MODERN_PROTOCOL_VERSIONS[-1]) if era == "modern" else {}
        if era == "handshake":
            server.initialize("2025-11-25")
        params: dict[str, Any] = {
            "name": "find_context",
            "arguments": {"task": "Messages are sent twice"},
            "_meta": {"progressToken": 7, **envelope},
        }
        server.send({"id": 1, "method": "tools/call", "params": params})
        while "analysing" not in (message := server.next())["params"]["message"]:
            assert message["method"] == "notifications/progress"
        assert children(server.process.pid)
        server.send({"method": "notifications/cancelled", "params": {"requestId": 1, "reason": "not needed"}})
        began = time.monotonic()
        while children(server.process.pid):
            assert time.monotonic() - began < 60, "the work goes on"
            time.sleep(0.05)
        params["arguments"] = {"task": "Messages are sent twice", "path": "src/part1"}
        assert not server.ask(2, "tools/call", params)["result"]["isError"]
        assert not any(b'"id":1,' in line for line in server.lines)  # a cancelled request is not answered


def test_a_cold_repository_is_answered_in_time_and_gone_on_with(raw: Start, large: Path) -> None:
    limit_s = 5
    left: list[int] = []
    with raw("--timeout-s", str(limit_s), cwd=large) as server:
        server.initialize("2025-11-25")
        for identity in range(1, 21):
            began = time.monotonic()
            result = server.call(identity, "find_context", task="Messages are sent twice")["result"]
            assert time.monotonic() - began < limit_s + 60  # no clock decides, but it does not hang
            text = result["content"][0]["text"]
            if result["isError"]:  # too busy for any answer: it says so
                assert "call again" in text
                continue
            found = re.search(r"([\d,]+) of [\d,]+ files were not analysed in time", text)
            left.append(int(found[1].replace(",", "")) if found else 0)
            assert result["structuredContent"]["files"] or left[-1]
            if not left[-1] or left[-1] < left[0]:
                break
    assert left == sorted(left, reverse=True)
    assert left and (not left[-1] or left[-1] < left[0])


def test_the_server_ends_with_its_client(raw: Start, large: Path) -> None:
    with raw(cwd=large) as server:
        server.initialize("2025-11-25")
        params = {"name": "find_context", "arguments": {"task": "queue"}}
        server.send({"id": 1, "method": "tools/call", "params": params})
        time.sleep(1.5)
        server.process.stdin.close()
        assert server.process.wait(60) == 0
        server.process.stdin = open("/dev/null", "wb")  # noqa: SIM115, PTH123
