"""A LangChain retriever (extra `zeroin[langchain]`). Agents get the tools over MCP: docs/AGENTS.md, "Frameworks"."""

import json
from collections.abc import Callable
from typing import Any

from zeroin.aio import in_thread
from zeroin.answer import Context
from zeroin.context.packing.select import select_listed
from zeroin.context.redaction.quotes import quotes_of
from zeroin.context.rendering.written import dumps, path_json
from zeroin.engine import open_session
from zeroin.mcp.schema import BUDGET, DEADLINE_S
from zeroin.protocols import Progress
from zeroin.session import keep

try:
    from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
    from langchain_core.documents import Document
    from langchain_core.retrievers import BaseRetriever
    from pydantic import ConfigDict, Field
except ModuleNotFoundError as error:
    advice = f"this needs {error.name}, which is not installed: pip install 'zeroin[langchain]'"
    raise ModuleNotFoundError(advice, name=error.name) from error


class ZeroinRetriever(BaseRetriever):
    """Returns the spans that matter for a query as documents, best file first.

    `page_content` is the text of the span; `metadata` holds `source` (path:first-last), `path`, `lines`, `symbol`,
    `relevance` (0–1), `role`, `reason` and `run`. `budget` bounds all documents together, in tokens.
    """

    model_config = ConfigDict(extra="forbid")  # a misspelt argument is refused, not ignored

    repository: str = "."
    budget: int = BUDGET
    timeout_s: float | None = DEADLINE_S
    # Further options of `zeroin.retrieve`; they override `budget` and `timeout_s`
    settings: dict[str, Any] = Field(default_factory=dict)

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        return self._documents(query, None)

    async def _aget_relevant_documents(
        self, query: str, *, run_manager: AsyncCallbackManagerForRetrieverRun
    ) -> list[Document]:
        return await in_thread(lambda progress: self._documents(query, progress))

    def _documents(self, query: str, progress: Progress | None) -> list[Document]:
        settings = {"budget": self.budget, "timeout_s": self.timeout_s, **self.settings}
        session = open_session(query, self.repository, progress=progress, **settings)
        session.run()
        keep(session)  # `run` names it
        return documents(session.context(), session.read)


def documents(context: Context, read: Callable[[str], str]) -> list[Document]:
    """Turn the spans of a context, within its budget, into documents; `read` is its `Session.read`."""
    context, _ = quotes_of(context)
    found = []
    for selected in select_listed(context, read, context.budget):
        judgment = selected.judgment
        for passage in selected.passages:
            span = passage.span
            metadata = {
                "source": f"{judgment.path}:{span.start}-{span.end}",
                **path_json(judgment.path),
                "lines": [span.start, span.end],
                "symbol": span.symbol,
                "relevance": round(judgment.relevance, 2),
                "role": str(judgment.role),
                "reason": judgment.reason,
                "run": context.run,
            }
            # As in JSON: LangChain writes documents as UTF-8, which some paths are not.
            found.append(Document(page_content=passage.text, metadata=json.loads(dumps(metadata))))
    return found
