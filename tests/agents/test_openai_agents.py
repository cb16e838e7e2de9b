"""The OpenAI Agents SDK runs its real loop with a model that calls the tools."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

agents = pytest.importorskip("agents")

from agents import Model, ModelResponse, Runner, Usage, set_tracing_disabled  # noqa: E402
from openai.types.responses import (  # noqa: E402
    ResponseFunctionToolCall,
    ResponseOutputMessage,
    ResponseOutputText,
)

from tests.agents.conftest import run_in  # noqa: E402
from tests.e2e.small_repository import TASK  # noqa: E402

pytestmark = pytest.mark.agents


class Script(Model):
    """Calls the tools one after another: `moves` make the next call of what the last one returned."""

    def __init__(self, *moves: Callable[[str], tuple[str, dict[str, Any]]]) -> None:
        self.moves = list(moves)
        self.told: list[str] = []
        self.offered: list[str] = []

    async def get_response(
        self, system_instructions: Any, input: Any, model_settings: Any, tools: Any, *rest: Any, **more: Any
    ) -> ModelResponse:
        self.offered = [tool.name for tool in tools]
        outputs = [item["output"] for item in input if isinstance(item, dict) and "output" in item]
        self.told = [str(output) for output in outputs]
        if self.moves:
            name, arguments = self.moves.pop(0)(self.told[-1] if self.told else "")
            call = ResponseFunctionToolCall(
                type="function_call",
                name=name,
                arguments=json.dumps(arguments),
                call_id=f"call_{len(self.told)}",
            )
            return ModelResponse(output=[call], usage=Usage(), response_id=None)
        text = ResponseOutputText(type="output_text", text="Change shop/tokens.py.", annotations=[])
        message = ResponseOutputMessage(
            id="m", type="message", role="assistant", status="completed", content=[text]
        )
        return ModelResponse(output=[message], usage=Usage(), response_id=None)

    def stream_response(self, *given: Any, **more: Any) -> AsyncIterator[Any]:
        raise NotImplementedError


def test_the_agent_finds_refines_and_answers(repository: Path, example: Callable[[str], ModuleType]) -> None:
    set_tracing_disabled(True)
    model = Script(
        lambda _: ("find_context", {"task": TASK}),
        lambda told: ("refine_context", {"run": run_in(told), "relevant": ["shop/sessions.py"]}),
        lambda _: ("explain_terms", {"text": "access token"}),
        lambda _: ("find_context", {"task": TASK, "path": "../secret"}),
    )
    agent = example("with_openai_agents").agent(str(repository), model)
    result = asyncio.run(Runner.run(agent, TASK))
    assert result.final_output == "Change shop/tokens.py."
    assert model.offered == ["find_context", "refine_context", "explain_terms"]
    found, refined, terms, refused = model.told
    assert "shop/tokens.py" in found and "| shop/sessions.py | 1.00" in refined and "| Text |" in terms
    assert refused.startswith("Error: ") and "outside" in refused
