"""A graph of LangGraph whose agent finds its context with zeroin, and the retriever of LangChain.

    pip install 'zeroin[langchain]'
    python with_langgraph.py path/to/repo "Add rate limiting to API endpoints"

Run alone it shows what the retriever returns, which needs no model; give `graph` a chat model to have an agent.
"""

import sys

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import SystemMessage
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.prebuilt import ToolNode, tools_condition

from zeroin.adapters.langchain import ZeroinRetriever, context_tools

INSTRUCTIONS = SystemMessage("Find the context with find_context. Then say which files to change, and how.")


def graph(repository: str, model: BaseChatModel) -> CompiledStateGraph:
    tools = context_tools(repository)
    bound = model.bind_tools(tools)

    def think(state: MessagesState) -> dict:
        return {"messages": [bound.invoke([INSTRUCTIONS, *state["messages"]])]}

    builder = StateGraph(MessagesState)
    builder.add_node("think", think)
    builder.add_node("tools", ToolNode(tools))
    builder.add_edge(START, "think")
    builder.add_conditional_edges("think", tools_condition)
    builder.add_edge("tools", "think")
    return builder.compile()


if __name__ == "__main__":
    for document in ZeroinRetriever(repository=sys.argv[1]).invoke(sys.argv[2]):
        print(f"{document.metadata['relevance']:.2f} {document.metadata['source']}")
