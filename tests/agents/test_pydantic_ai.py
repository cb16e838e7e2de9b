"""Pydantic AI runs its real loop with a model that calls the tools."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

pydantic_ai = pytest.importorskip("pydantic_ai")

from pydantic_ai.messages import (  # noqa: E402
    ModelMessage,
    ModelResponse,
    RetryPromptPart,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
)
from pydantic_ai.models.function import AgentInfo, FunctionModel  # noqa: E402

from tests.agents.conftest import run_in  # noqa: E402
from tests.e2e.small_repository import TASK  # noqa: E402

pytestmark = pytest.mark.agents


def test_the_agent_finds_refines_and_answers(repository: Path, example: Callable[[str], ModuleType]) -> None:
    told: list[str] = []
    offered: list[str] = []

    def model(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        offered[:] = [tool.name for tool in info.function_tools]
        parts = [part for message in messages for part in message.parts]
        told[:] = [str(part.content) for part in parts if isinstance(part, (ToolReturnPart, RetryPromptPart))]
        if not told:
            return ModelResponse(parts=[ToolCallPart("find_context", {"task": TASK, "path": "../secret"})])
        if len(told) == 1:
            return ModelResponse(parts=[ToolCallPart("find_context", {"task": TASK})])
        if len(told) == 2:
            given = {"run": run_in(told[-1]), "relevant": ["shop/sessions.py"]}
            return ModelResponse(parts=[ToolCallPart("refine_context", given)])
        if len(told) == 3:
            return ModelResponse(parts=[ToolCallPart("explain_terms", {"text": "access token"})])
        return ModelResponse(parts=[TextPart("Change shop/tokens.py.")])

    agent = example("with_pydantic_ai").agent(str(repository), FunctionModel(model))
    assert agent.run_sync(TASK).output == "Change shop/tokens.py."
    assert offered == ["find_context", "refine_context", "explain_terms"]
    refused, found, refined, terms = told
    assert "outside" in refused  # asked to try again, in the framework's own way
    assert "shop/tokens.py" in found and "| shop/sessions.py | 1.00" in refined and "| Text |" in terms
