"""How many git processes a question costs when everything is indexed: each is some milliseconds of every answer."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from small_repository import TASK, answer, build

from zeroin.corpus import git as git_module

Count = Callable[[Path], list[str]]


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Count:
    """Asks, and says which git commands that took."""
    monkeypatch.setenv("ZEROIN_CACHE_DIR", str(tmp_path / "cache"))
    commands: list[str] = []
    real = git_module.GitProcess

    def spawn(args: Any, **how: Any) -> Any:
        commands.append(next(str(part) for part in args if not isinstance(part, bytes) and part[:2] != "--"))
        return real(args, **how)

    monkeypatch.setattr(git_module, "GitProcess", spawn)

    def ask(root: Path) -> list[str]:
        commands.clear()
        answer(TASK, root)
        return list(commands)

    return ask


def test_a_warm_question_starts_four(tmp_path: Path, started: Count) -> None:
    root = build(tmp_path / "repo")
    assert started(root).count("log") == 1
    assert started(root) == ["rev-parse", "config", "ls-files", "diff-index"]


def test_an_edited_file_costs_none_more(tmp_path: Path, started: Count) -> None:
    root = build(tmp_path / "repo")
    started(root)
    (root / "shop/tokens.py").write_text("def is_expired(token):\n    return True\n", encoding="utf-8")
    assert started(root) == ["rev-parse", "config", "ls-files", "diff-index"]
