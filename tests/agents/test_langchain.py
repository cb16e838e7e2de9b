"""The LangChain retriever: real documents of real files, no secrets, and a missing framework that is named."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.small_repository import TASK


def test_a_missing_framework_is_named_with_its_extra() -> None:
    code = "import sys; sys.modules['langchain_core'] = None; import zeroin.langchain"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "pip install 'zeroin[langchain]'" in done.stderr.splitlines()[-1]


@pytest.mark.agents
@pytest.mark.parametrize("awaited", [False, True])
def test_the_retriever_returns_spans(repository: Path, awaited: bool) -> None:
    retriever_type = pytest.importorskip("zeroin.langchain", exc_type=ImportError).ZeroinRetriever
    retriever = retriever_type(repository=str(repository), settings={"always_loop": True})
    found = asyncio.run(retriever.ainvoke(TASK)) if awaited else retriever.invoke(TASK)
    best = found[0].metadata
    assert best["path"] == "shop/tokens.py" and best["relevance"] > 0.2 and best["run"].startswith("r-")
    for document in found:
        first, last = document.metadata["lines"]
        lines = (repository / document.metadata["path"]).read_text().splitlines()[first - 1 : last]
        assert document.page_content == "\n".join(lines)
        assert document.metadata["source"] == f"{document.metadata['path']}:{first}-{last}"
