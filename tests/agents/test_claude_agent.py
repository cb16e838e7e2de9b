"""The Claude Agent SDK's own server, in this process, with the official client; the program itself costs money."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

claude_agent_sdk = pytest.importorskip("claude_agent_sdk")

from mcp import Client  # noqa: E402

from tests.agents.conftest import run_in  # noqa: E402
from tests.e2e.small_repository import TASK  # noqa: E402

pytestmark = pytest.mark.agents


def test_the_server_in_the_process_answers(repository: Path, example: Callable[[str], ModuleType]) -> None:
    options = example("with_claude_agent").options(str(repository))
    config = options.mcp_servers["zeroin"]
    assert config["type"] == "sdk" and config["name"] == "zeroin"

    async def talk() -> tuple[list[Any], list[Any]]:
        async with Client(config["instance"]) as client:
            tools = (await client.list_tools()).tools
            found = await client.call_tool("find_context", {"task": TASK})
            run = run_in(found.content[0].text)
            refined = await client.call_tool("refine_context", {"run": run, "relevant": ["shop/sessions.py"]})
            terms = await client.call_tool("explain_terms", {"text": "access token"})
            refused = await client.call_tool("find_context", {"task": TASK, "path": "../secret"})
            return tools, [found, refined, terms, refused]

    tools, results = asyncio.run(talk())
    names = [tool.name for tool in tools]
    assert names == ["find_context", "refine_context", "explain_terms"]
    assert options.allowed_tools == ["Read", *(f"mcp__zeroin__{name}" for name in names)]
    assert all(tool.annotations.model_dump(by_alias=True)["readOnlyHint"] for tool in tools)
    found, refined, terms, refused = (result.content[0].text for result in results)
    assert "shop/tokens.py" in found and "| shop/sessions.py | 1.00" in refined and "| Text |" in terms
    flags = [result.model_dump(by_alias=True)["isError"] for result in results]
    assert flags == [False, False, False, True] and "outside" in refused
