"""Tools for the OpenAI Agents SDK (extra `zeroin[openai-agents]`): `Agent(tools=context_tools("path/to/repo"))`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from zeroin.adapters import missing
from zeroin.adapters.tools import ContextTools, ToolForm
from zeroin.errors import ZeroinError
from zeroin.mcp.schema import BUDGET, DEADLINE_S

try:
    from agents import FunctionTool
    from agents.tool_context import ToolContext
except ModuleNotFoundError as error:
    raise missing("openai-agents", error) from error


def context_tools(
    *roots: str | Path, budget: int = BUDGET, timeout_s: float = DEADLINE_S
) -> list[FunctionTool]:
    """`find_context`, `refine_context` and `explain_terms` over the repositories below `roots` (default: here)."""
    box = ContextTools(*roots, budget=budget, timeout_s=timeout_s)
    return [_tool(box, form) for form in box.forms]


def _tool(box: ContextTools, form: ToolForm) -> FunctionTool:
    async def invoke(_context: ToolContext[Any], arguments: str) -> str:
        # Of this framework an error is a text that the model reads; raising would end the whole run.
        try:
            given = json.loads(arguments or "{}")
            if not isinstance(given, dict):
                return "Error: the arguments must be a JSON object"
            return await box.acall(form.name, given)
        except json.JSONDecodeError as error:
            return f"Error: the arguments are no JSON: {error}"
        except ZeroinError as error:
            return f"Error: {error}"

    return FunctionTool(
        name=form.name,
        description=form.description,
        params_json_schema=form.parameters,
        on_invoke_tool=invoke,
        strict_json_schema=False,  # most arguments may be left out
    )
