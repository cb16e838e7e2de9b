"""The snippets of docs/AGENTS.md, run as they stand: each framework starts `zeroin mcp` and calls its tools."""

import asyncio
import os
import re
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.small_repository import TASK

pytestmark = pytest.mark.agents

PAGE = Path(__file__).resolve().parents[2] / "docs" / "AGENTS.md"
TOOLS = ["find_context", "refine_context", "explain_terms"]
OUTSIDE = {"task": TASK, "path": "../secret"}


@pytest.fixture
def snippet(repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Runs the snippet that imports a module, about the repository; skips where it is not installed."""
    program = tmp_path / "bin" / "zeroin"
    program.parent.mkdir()
    own = {
        name: os.environ[name] for name in ("ZEROIN_CACHE_DIR", "ZEROIN_DATA_DIR", "PYTHONPATH") if name in os.environ
    }
    exports = "".join(f"export {name}={shlex.quote(value)}\n" for name, value in own.items())
    python = os.environ.get("ZEROIN_PYTHON", sys.executable)  # where the framework and zeroin live apart
    program.write_text(f'#!/bin/sh\n{exports}exec {shlex.quote(python)} -m zeroin "$@"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")

    def run(module: str) -> dict[str, Any]:
        pytest.importorskip(module, exc_type=ImportError)  # or without the extra that it needs
        blocks = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(), re.DOTALL | re.MULTILINE)
        (code,) = (block for block in blocks if f"from {module} import" in block)
        names: dict[str, Any] = {}
        exec(code.replace("path/to/repo", str(repository)), names)
        return names

    return run


def test_pydantic_ai(snippet: Any) -> None:
    agent = snippet("pydantic_ai.mcp")["agent"]
    from pydantic_ai.messages import ModelResponse, RetryPromptPart, TextPart, ToolCallPart, ToolReturnPart
    from pydantic_ai.models.function import FunctionModel

    calls = [("find_context", OUTSIDE), ("find_context", {"task": TASK})]
    answers: list[str] = []
    offered: list[str] = []

    def model(messages: list[Any], info: Any) -> Any:
        offered[:] = [tool.name for tool in info.function_tools]
        parts = [part for message in messages for part in message.parts]
        answers[:] = [str(p.content) for p in parts if isinstance(p, (ToolReturnPart, RetryPromptPart))]
        if len(answers) < len(calls):
            return ModelResponse(parts=[ToolCallPart(*calls[len(answers)])])
        return ModelResponse(parts=[TextPart("Change shop/tokens.py.")])

    assert agent.run_sync(TASK, model=FunctionModel(model)).output == "Change shop/tokens.py."
    assert offered == TOOLS
    refused, found = answers
    assert "outside of what may be read" in refused and "shop/tokens.py" in found


def test_openai_agents(snippet: Any) -> None:
    server = snippet("agents.mcp")["server"]

    async def talk() -> tuple[list[str], list[Any]]:
        async with server:
            names = [tool.name for tool in await server.list_tools()]
            results = [await server.call_tool("find_context", given) for given in (OUTSIDE, {"task": TASK})]
            return names, results

    names, (refused, found) = asyncio.run(talk())
    assert names == TOOLS
    assert "outside of what may be read" in refused.content[0].text
    assert "shop/tokens.py" in found.content[0].text


def test_langchain_mcp_adapters(snippet: Any) -> None:
    client = snippet("langchain_mcp_adapters.client")["client"]

    async def talk() -> tuple[list[str], list[Any]]:
        tools = await client.get_tools()
        find = next(tool for tool in tools if tool.name == "find_context")
        call = {"name": "find_context", "id": "1", "type": "tool_call"}
        results = [await find.ainvoke({**call, "args": given}) for given in (OUTSIDE, {"task": TASK})]
        return [tool.name for tool in tools], results

    names, (refused, found) = asyncio.run(talk())
    assert names == TOOLS
    assert refused.status == "error" and "outside of what may be read" in refused.text
    assert found.status == "success" and "shop/tokens.py" in found.text
