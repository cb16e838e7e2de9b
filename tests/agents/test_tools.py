"""The tools without a framework: they need none, say what the MCP server says, and keep to their roots."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.agents.conftest import run_in
from tests.e2e.small_repository import TASK
from zeroin.adapters.tools import ContextTools
from zeroin.context.tokens import estimate
from zeroin.errors import InputError, OptionError, RepositoryError, RunError
from zeroin.mcp.schema import MOST_BUDGET, TOOLS, input_schema


def test_names_and_words_are_those_of_the_server(repository: Path) -> None:
    forms = ContextTools(repository).forms
    assert [form.name for form in forms] == ["find_context", "refine_context", "explain_terms"] == list(TOOLS)
    for form in forms:
        assert form.description == TOOLS[form.name][1]
        assert form.parameters == input_schema(form.name)


def test_a_framework_may_change_its_schema(repository: Path) -> None:
    box = ContextTools(repository)
    before = json.dumps([form.parameters for form in box.forms])
    for form in box.forms:
        for said in form.parameters["properties"].values():
            said.clear()
    assert json.dumps([form.parameters for form in box.forms]) == before


def test_find_then_refine(repository: Path) -> None:
    box = ContextTools(repository)
    first = box.find_context(TASK)
    assert "shop/tokens.py" in first and "| File | Relevance | Reason |" in first
    second = box.refine_context(
        run_in(first), relevant=["shop/sessions.py"], irrelevant=["shop/clock.py"], terms=["access=accept"]
    )
    assert run_in(second) != run_in(first)
    rows = [line for line in second.splitlines() if line.startswith("| shop/")]
    assert rows[0].startswith("| shop/sessions.py | 1.00")
    assert not any(row.startswith("| shop/clock.py") for row in rows)


def test_terms(repository: Path) -> None:
    assert "token" in ContextTools(repository).explain_terms("access token")


def test_another_folder_is_refused_also_through_a_link(repository: Path) -> None:
    box = ContextTools(repository)
    (repository / "link").symlink_to(repository.parent / "secret")
    for path in ("../secret", str(repository.parent / "secret"), "link", "/"):
        with pytest.raises(RepositoryError, match="outside"):
            box.find_context(TASK, path)
    first = ContextTools(repository.parent / "secret").find_context(TASK)
    with pytest.raises(RunError, match="outside"):
        box.refine_context(run_in(first))


def test_several_roots_and_folders_in_them(repository: Path) -> None:
    box = ContextTools(repository, repository.parent / "secret")
    assert "shop/tokens.py" in box.find_context(TASK)
    assert "ACCESS_TOKEN" in box.find_context(TASK, str(repository.parent / "secret"))
    assert "| tokens.py" in box.find_context(TASK, "shop")


def test_budget(repository: Path) -> None:
    assert estimate(ContextTools(repository, budget=600).find_context(TASK)) <= 600
    assert estimate(ContextTools(repository).find_context(TASK, budget=700)) <= 700
    told = ContextTools(repository).call("find_context", {"task": TASK, "budget": "9" * 5_000})
    assert 0 < estimate(told) <= MOST_BUDGET


def test_a_deadline_returns_what_there_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZEROIN_CACHE_DIR", str(tmp_path / "cache"))
    folder = tmp_path / "large"
    folder.mkdir()
    for number in range(1_500):
        (folder / f"module_{number}.py").write_text(
            "".join(f"def token_{number}_{n}(value):\n    return value\n\n\n" for n in range(30))
        )
    answer = ContextTools(folder, timeout_s=0.3).find_context("token expiry")
    assert "out of time" in answer


@pytest.mark.parametrize(
    ("name", "arguments", "told"),
    [
        ("find_context", {}, "needs task"),
        ("find_context", {"task": TASK, "files": []}, "no argument files"),
        ("find_context", {"task": TASK, "purpose": "fun"}, "none of fix"),
        ("find_context", {"task": TASK, "path": "a" * 5_000}, "does not exist"),
        ("find_context", {"task": TASK, "diff": "a" * 5_000}, "no revision"),
        ("refine_context", {"run": "r-0000000000"}, "find_context"),
        ("explain_terms", {"text": "?!"}, "no word"),
        ("delete", {}, "there is no tool delete"),
    ],
)
def test_errors_say_what_to_do(repository: Path, name: str, arguments: dict[str, object], told: str) -> None:
    with pytest.raises(InputError, match=told):
        ContextTools(repository).call(name, arguments)


def test_settings_are_checked(tmp_path: Path) -> None:
    with pytest.raises(OptionError):
        ContextTools(tmp_path, timeout_s=0)
    with pytest.raises(RepositoryError):
        ContextTools(tmp_path / "nowhere")


def test_awaited(repository: Path) -> None:
    box = ContextTools(repository)
    steps: list[str] = []
    given = {"task": TASK}
    told = asyncio.run(box.acall("find_context", given, lambda what, done, total: steps.append(what)))
    assert told == box.call("find_context", given)
    assert any(step.startswith("cycle 1") for step in steps)


def test_no_framework_is_imported() -> None:
    code = (
        "import sys, zeroin.adapters.tools; print([m for m in "
        "('agents', 'claude_agent_sdk', 'langchain_core', 'pydantic_ai', 'mcp', 'pydantic') "
        "if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("module", "package", "extra"),
    [
        ("openai_agents", "agents", "openai-agents"),
        ("claude_agent", "claude_agent_sdk", "claude-agent"),
        ("langchain", "langchain_core", "langchain"),
        ("pydantic_ai", "pydantic_ai", "pydantic-ai"),
    ],
)
def test_a_missing_framework_is_named_with_its_extra(module: str, package: str, extra: str) -> None:
    code = f"import sys; sys.modules[{package!r}] = None; import zeroin.adapters.{module}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1 and f"pip install 'zeroin[{extra}]'" in done.stderr.splitlines()[-1]
