"""A toolset for Pydantic AI (extra `zeroin[pydantic-ai]`): `Agent(..., toolsets=[context_toolset("path/to/repo")])`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from zeroin.adapters import missing
from zeroin.adapters.tools import ContextTools, ToolForm
from zeroin.errors import ZeroinError
from zeroin.mcp.schema import BUDGET, DEADLINE_S

try:
    from pydantic_ai import FunctionToolset, ModelRetry, Tool
except ModuleNotFoundError as error:
    raise missing("pydantic-ai", error) from error


def context_toolset(
    *roots: str | Path, budget: int = BUDGET, timeout_s: float = DEADLINE_S
) -> FunctionToolset[Any]:
    """`find_context`, `refine_context` and `explain_terms` over the repositories below `roots` (default: here)."""
    box = ContextTools(*roots, budget=budget, timeout_s=timeout_s)
    return FunctionToolset([_tool(box, form) for form in box.forms], id="zeroin")


def _tool(box: ContextTools, form: ToolForm) -> Tool[Any]:
    async def invoke(**given: Any) -> str:
        try:
            return await box.acall(form.name, given)
        except ZeroinError as error:
            raise ModelRetry(str(error)) from error

    return Tool.from_schema(invoke, form.name, form.description, form.parameters)
