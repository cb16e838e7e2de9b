"""The LangChain retriever: real documents of real files, no secrets, and a missing framework that is named."""

import asyncio
import os
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


@pytest.mark.agents
@pytest.mark.skipif(sys.platform != "linux", reason="a name that is no valid Unicode")
def test_a_path_that_is_no_valid_unicode_can_be_written(tmp_path: Path) -> None:
    retriever_type = pytest.importorskip("zeroin.langchain", exc_type=ImportError).ZeroinRetriever
    name = os.fsdecode(b"token\xff.py")
    (tmp_path / name).write_text("def token_expiry():\n    return 3\n")
    (document,) = retriever_type(repository=str(tmp_path)).invoke("token expiry")
    assert document.metadata["path"] == "token\\xff.py" and document.metadata["path_base64"]
    assert "token" in document.model_dump_json()


@pytest.mark.agents
def test_settings_may_name_what_has_a_field_of_its_own(repository: Path) -> None:
    retriever_type = pytest.importorskip("zeroin.langchain", exc_type=ImportError).ZeroinRetriever
    few = retriever_type(repository=str(repository), settings={"budget": 200, "timeout_s": 60.0})
    assert few.invoke(TASK) == retriever_type(repository=str(repository), budget=200).invoke(TASK)


@pytest.mark.agents
def test_a_misspelt_argument_is_refused(repository: Path) -> None:
    retriever_type = pytest.importorskip("zeroin.langchain", exc_type=ImportError).ZeroinRetriever
    with pytest.raises(ValueError, match="bugdet"):
        retriever_type(repository=str(repository), bugdet=4000)
    assert retriever_type(repository=str(repository), tags=["context"], name="zeroin").tags == ["context"]
