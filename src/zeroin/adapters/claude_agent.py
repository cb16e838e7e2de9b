"""Tools for the Claude Agent SDK (extra `zeroin[claude-agent]`): an MCP server in the process of the program.

`ClaudeAgentOptions(mcp_servers={"zeroin": context_server("path/to/repo")}, allowed_tools=ALLOWED_TOOLS)`
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from zeroin import __version__
from zeroin.adapters import missing
from zeroin.adapters.tools import ContextTools, ToolForm
from zeroin.errors import ZeroinError
from zeroin.mcp.schema import BUDGET, DEADLINE_S, TOOLS

try:
    from claude_agent_sdk import McpSdkServerConfig, SdkMcpTool, create_sdk_mcp_server, tool
    from mcp.types import ToolAnnotations
except ModuleNotFoundError as error:
    raise missing("claude-agent", error) from error

SERVER_NAME: Final = "zeroin"
ALLOWED_TOOLS: Final = [f"mcp__{SERVER_NAME}__{name}" for name in TOOLS]  # to be called without asking


def context_server(
    *roots: str | Path, budget: int = BUDGET, timeout_s: float = DEADLINE_S
) -> McpSdkServerConfig:
    """`find_context`, `refine_context` and `explain_terms` over the repositories below `roots` (default: here)."""
    box = ContextTools(*roots, budget=budget, timeout_s=timeout_s)
    return create_sdk_mcp_server(SERVER_NAME, __version__, [_tool(box, form) for form in box.forms])


def _tool(box: ContextTools, form: ToolForm) -> SdkMcpTool[Any]:
    async def invoke(given: dict[str, Any]) -> dict[str, Any]:
        try:
            return _result(await box.acall(form.name, given))
        except ZeroinError as error:
            return {**_result(str(error)), "is_error": True}

    hints = ToolAnnotations.model_validate({"readOnlyHint": True, "openWorldHint": False})
    return tool(form.name, form.description, form.parameters, hints)(invoke)


def _result(text: str) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": text}]}
