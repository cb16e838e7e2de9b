"""A real repository for agents."""

from pathlib import Path

import pytest

from tests.e2e.small_repository import build


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A git repository with a history; `secret` lies beside it."""
    for name in ("cache", "data"):
        monkeypatch.setenv(f"ZEROIN_{name.upper()}_DIR", str(tmp_path / name))
    monkeypatch.setenv("LANGSMITH_TRACING", "false")
    folder = tmp_path / "shop"
    folder.mkdir()
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "tokens.py").write_text("ACCESS_TOKEN = 1\n")
    return build(folder)
