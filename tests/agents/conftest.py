"""A real repository for agents, and the folder of the examples."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from tests.e2e.small_repository import build

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "agents"


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A git repository with a history; `secret` lies beside it."""
    for name in ("cache", "data"):
        monkeypatch.setenv(f"ZEROIN_{name.upper()}_DIR", str(tmp_path / name))
    monkeypatch.delenv("ZEROIN_NO_RUNS", raising=False)
    monkeypatch.setenv("LANGSMITH_TRACING", "false")
    folder = tmp_path / "shop"
    folder.mkdir()
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "tokens.py").write_text("ACCESS_TOKEN = 1\n")
    return build(folder)


@pytest.fixture
def example() -> Callable[[str], ModuleType]:
    """Imports an example by its file name."""

    def load(name: str) -> ModuleType:
        spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    return load


def run_in(text: str) -> str:
    """The id of the run that an answer names."""
    found = re.search(r"\br-[0-9a-f]{10}\b", text)
    assert found is not None, text[:500]
    return found[0]
