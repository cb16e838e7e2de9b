"""LangGraph runs a real graph with a model that calls the tools; the retriever returns documents."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

pytest.importorskip("langchain_core")
pytest.importorskip("langgraph")

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult

from tests.agents.conftest import run_in
from tests.e2e.small_repository import TASK

pytestmark = pytest.mark.agents


class Script(BaseChatModel):
    """Calls the tools one after another."""

    offered: list[str] = []  # noqa: RUF012

    @property
    def _llm_type(self) -> str:
        return "script"

    def bind_tools(self, tools: Any, **more: Any) -> Any:
        self.offered = [tool.name for tool in tools]
        return self

    def _generate(self, messages: list[BaseMessage], *given: Any, **more: Any) -> ChatResult:
        told = [m.text for m in messages if isinstance(m, ToolMessage)]
        calls = [
            lambda: ("find_context", {"task": TASK}),
            lambda: ("refine_context", {"run": run_in(told[0]), "relevant": ["shop/sessions.py"]}),
            lambda: ("explain_terms", {"text": "access token"}),
            lambda: ("find_context", {"task": TASK, "path": "../secret"}),
        ]
        if len(told) < len(calls):
            name, arguments = calls[len(told)]()
            call = {"name": name, "args": arguments, "id": f"call_{len(told)}", "type": "tool_call"}
            message = AIMessage("", tool_calls=[call])
        else:
            message = AIMessage("Change shop/tokens.py.")
        return ChatResult(generations=[ChatGeneration(message=message)])


@pytest.mark.parametrize("awaited", [False, True])
def test_the_graph_finds_refines_and_answers(
    repository: Path, example: Callable[[str], ModuleType], awaited: bool
) -> None:
    model = Script()
    graph = example("with_langgraph").graph(str(repository), model)
    state = {"messages": [HumanMessage(TASK)]}
    messages = (asyncio.run(graph.ainvoke(state)) if awaited else graph.invoke(state))["messages"]
    assert messages[-1].text == "Change shop/tokens.py."
    assert model.offered == ["find_context", "refine_context", "explain_terms"]
    told = [message for message in messages if isinstance(message, ToolMessage)]
    found, refined, terms, refused = (message.text for message in told)
    assert "shop/tokens.py" in found and "| shop/sessions.py | 1.00" in refined and "| Text |" in terms
    assert [message.status for message in told] == ["success", "success", "success", "error"]
    assert "outside" in refused


@pytest.mark.parametrize("awaited", [False, True])
def test_the_retriever_returns_spans(repository: Path, awaited: bool) -> None:
    from zeroin.adapters.langchain import ZeroinRetriever

    retriever = ZeroinRetriever(repository=str(repository), settings={"always_loop": True})
    found = asyncio.run(retriever.ainvoke(TASK)) if awaited else retriever.invoke(TASK)
    best = found[0]
    assert best.metadata["path"] == "shop/tokens.py" and best.metadata["relevance"] > 0.2
    for document in found:
        first, last = document.metadata["lines"]
        lines = (repository / document.metadata["path"]).read_text().splitlines()[first - 1 : last]
        assert document.page_content == "\n".join(lines)
        assert document.metadata["source"] == f"{document.metadata['path']}:{first}-{last}"
    assert run_in(best.metadata["run"]) == best.metadata["run"]


def test_the_retriever_hides_secrets(repository: Path) -> None:
    from zeroin.adapters.langchain import ZeroinRetriever

    key = "AKIA" + "QX7D2HGK4PLMZ3TR"
    code = f'\n\nACCESS_TOKEN_KEY = "{key}"  # signs access tokens until they expire\n'
    file = repository / "shop" / "tokens.py"
    file.write_text(file.read_text() + code)
    told = "\n".join(d.page_content for d in ZeroinRetriever(repository=str(repository)).invoke(TASK))
    assert "ACCESS_TOKEN_KEY" in told and key not in told
