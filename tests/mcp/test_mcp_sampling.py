"""`--judge mcp`: the host's own model grades files, asked by the real server through the official client."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import mcp_types as types
import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from tests.mcp.conftest import COMMAND
from tests.ready_process import ReadyProcess

TASK = "Tokens are accepted after they expire"
BEST = "src/auth/session-service.ts"
Talk = Callable[..., list[Any]]


class Host:
    """A host whose model grades one file 3 and all others 0; what it is asked is kept."""

    def __init__(self, says: str | None = None) -> None:
        self.asked: list[types.CreateMessageRequestParams] = []
        self._says = says

    async def __call__(self, context: Any, params: types.CreateMessageRequestParams) -> Any:
        self.asked.append(params)
        text = params.messages[0].content.text  # type: ignore[union-attr]
        files = re.findall(r"^--- [0-9a-f]{16} file (\d+): (.*)$", text, re.MULTILINE)
        grades = [{"id": int(n), "grade": 3 if path == BEST else 0, "reason": "it is so"} for n, path in files]
        said = self._says if self._says is not None else json.dumps({"files": grades, "words": []})
        return types.CreateMessageResult(role="assistant", content=types.TextContent(text=said), model="the host's")


@pytest.fixture
def talk(repo: Path, environment: dict[str, str], ready: ReadyProcess) -> Talk:
    """Returns the answers to a question and to going on from its run."""
    return lambda mode, host, *judge: _talk(ready.command(*COMMAND[2:], *judge), repo, environment, mode, host)


def _talk(
    started: tuple[str, list[str]], repo: Path, environment: dict[str, str], mode: str, host: Host | None
) -> list[Any]:
    program, arguments = started
    server = StdioServerParameters(command=program, args=arguments, cwd=repo, env=environment)

    async def main() -> list[Any]:
        async with Client(stdio_client(server), mode=mode, sampling_callback=host) as client:
            first = await client.call_tool("find_context", {"task": TASK})
            run = first.structured_content["run"]
            return [first, await client.call_tool("refine_context", {"run": run, "focus": ["cookie"]})]

    return anyio.run(main)


def relevance(result: Any) -> dict[str, float]:
    return {file["path"]: file["relevance"] for file in result.structured_content["files"]}


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_the_model_of_a_host_grades_files(talk: Talk, mode: str) -> None:
    host = Host()
    plain, _ = talk(mode, None)
    first, second = talk(mode, host, "--judge", "mcp")
    assert relevance(first)[BEST] > relevance(plain)[BEST]
    assert "mcp grades it 3 of 3: it is so" in first.structured_content["context"]
    assert re.search(r"mcp graded \d+ files \(1 call, ", first.structured_content["context"])
    assert not second.is_error and "mcp grades it 3 of 3" in second.structured_content["context"]
    (asked, *_) = host.asked
    assert asked.system_prompt is not None and asked.system_prompt.startswith("You grade files")
    assert asked.tools is None and TASK in str(asked.messages[0].content)
    sent = [str(params.messages[0].content).split(" end of task")[1] for params in host.asked]
    paths = [path for text in sent for path in re.findall(r"[0-9a-f]{16} file \d+: (\S+?)\\n", text)]
    assert len(paths) == len(set(paths)) > 2, "the second call has the first one's grades from the cache"


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_host_without_a_model_or_with_a_useless_one_gets_the_offline_answer(talk: Talk, mode: str) -> None:
    plain, _ = talk(mode, None)
    for host, why in ((None, "no host that lends its model"), (Host("I would rather not."), "cannot be used")):
        answer, _ = talk(mode, host, "--judge", "mcp")
        assert not answer.is_error
        assert relevance(answer) == relevance(plain)
        said = [line for line in answer.structured_content["context"].splitlines() if why in line]
        assert len(said) == 1 and said[0].startswith("- mcp did not answer all that it was asked: ")


def test_a_host_is_asked_once_in_a_call_for_a_reply_that_cannot_be_used(talk: Talk) -> None:
    host = Host("I would rather not.")
    first, _ = talk("auto", host, "--judge", "mcp")
    assert "mcp graded 0 files (1 call, " in first.structured_content["context"]
    sent = [re.findall(r" file \d+: (.*)", params.messages[0].content.text) for params in host.asked]  # type: ignore[union-attr]
    assert max(sent.count(paths) for paths in sent) == 2, "once in each of both calls"


def test_nothing_is_asked_of_a_host_unless_the_user_says_so(talk: Talk) -> None:
    host = Host()
    talk("auto", host)
    assert not host.asked
