"""The tools over a real process with the official client, in both eras of the protocol."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp.client.client import Client
from mcp.shared.exceptions import MCPError

from tests.repositories import git
from zeroin.mcp.schema import MAX_LISTED_BYTES

TASK = "Tokens are accepted after they expire"
Run = Callable[..., Any]


def text_of(result: Any) -> str:
    """The text of a result, which must be its only content."""
    assert [block.type for block in result.content] == ["text"]
    return str(result.content[0].text)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_files_are_found_and_both_forms_say_the_same(tools: Run, mode: str) -> None:
    (result,) = tools(("find_context", {"task": TASK}), mode=mode)
    assert not result.is_error
    structured = result.structured_content
    assert structured["context"] == text_of(result)
    assert structured["run"] in text_of(result)
    best = structured["files"][0]
    assert best["path"] == "src/auth/token-service.ts" and 0 <= best["relevance"] <= 1
    assert "claims.expiresAt" in text_of(result)  # the code, too
    assert f"| {best['path']} | {best['relevance']:.2f} |" in text_of(result)


def test_what_is_listed_is_small_and_says_when(session: Run) -> None:
    async def talk(client: Client) -> Any:
        return await client.list_tools()

    listed = session(talk).tools
    assert [tool.name for tool in listed] == ["find_context", "refine_context", "explain_terms"]
    for tool in listed:
        assert "Use it" in tool.description
        assert tool.annotations.read_only_hint is True
        assert tool.annotations.destructive_hint is False
        assert tool.annotations.open_world_hint is False
        assert tool.input_schema["type"] == "object"
    assert "Do not use it" in listed[0].description
    as_json = [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in listed]
    assert len(json.dumps(as_json, separators=(",", ":"))) <= MAX_LISTED_BYTES


def test_a_run_is_refined_and_the_callers_word_stands(tools: Run) -> None:
    (first,) = tools(("find_context", {"task": TASK}))
    said = {
        "run": first.structured_content["run"],
        "relevant": ["src/auth/session-service.ts"],
        "irrelevant": ["src/auth/token-service.ts"],
        "terms": ["expire=expiresAt"],
        "focus": ["session refresh"],
        "note": "decodeJwt gives the claims",
    }
    (second,) = tools(("refine_context", said))
    (third,) = tools(("refine_context", {"run": second.structured_content["run"]}))
    for refined in (second, third):
        assert not refined.is_error, text_of(refined)
        files = {f["path"]: f["relevance"] for f in refined.structured_content["files"]}
        assert files["src/auth/session-service.ts"] == 1.0
        assert "src/auth/token-service.ts" not in files
    assert len({r.structured_content["run"] for r in (first, second, third)}) == 3
    name = "src/crypto/jwt.ts"  # a file that is none, and one that is judged twice
    wrong = ({"relevant": ["src/nothing.ts"]}, {"relevant": name, "irrelevant": name})
    unknown, both = tools(*(("refine_context", {"run": said["run"], **one}) for one in wrong))
    assert "src/nothing.ts is no file" in text_of(unknown)
    assert "as relevant and as irrelevant" in text_of(both)


def test_terms_are_explained(tools: Run) -> None:
    (result,) = tools(("explain_terms", {"text": "token of a customer"}))
    assert result.structured_content["context"] == text_of(result)
    assert "token (" in text_of(result)
    assert "Nothing is named " in text_of(result) and "customer" in text_of(result)


def test_a_change_is_reviewed_with_and_without_a_task(tools: Run, repo: Path) -> None:
    service = repo / "src/auth/token-service.ts"
    service.write_text(service.read_text().replace("> Date.now()", ">= Date.now()"))
    command = ["git", "-C", str(repo), "diff"]
    patch = subprocess.run(command, capture_output=True, check=True, text=True).stdout
    before = tools(("find_context", {"task": "Right?", "diff": "uncommitted"}))
    git(repo, "commit", "-q", "-a", "-m", "Accept a token in its last millisecond")
    changes = ({"diff": "HEAD"}, {"diff": patch}, {"diff": "HEAD~1..HEAD", "task": ""})
    for result in (*before, *tools(*(("find_context", change) for change in changes))):
        assert not result.is_error, text_of(result)
        paths = [file["path"] for file in result.structured_content["files"]]
        assert paths and "src/auth/token-service.ts" not in paths  # it is the change itself


ERRORS: tuple[tuple[str, dict[str, Any], str], ...] = (
    ("find_context", {}, "find_context needs task, for example"),
    ("find_context", {}, 'or diff="main..HEAD" to review a change'),
    ("find_context", {"diff": "uncommitted"}, "uncommitted changes: nothing is changed"),
    ("find_context", {"diff": "a\nb"}, "the diff holds no change of a file"),
    ("find_context", {"task": "  "}, "find_context needs task"),
    ("find_context", {"tusk": TASK}, "has no argument tusk; it has task, path"),
    ("find_context", {"task": TASK, "path": "src/autt"}, "does not exist; "),
    ("find_context", {"task": TASK, "path": "src/autt"}, "src has the folders auth, billing, crypto"),
    ("find_context", {"task": TASK, "path": "src/crypto/jwt.ts"}, "is a file; give its folder"),
    ("find_context", {"task": TASK, "path": "/etc"}, "outside of what may be read"),
    ("find_context", {"task": TASK, "path": "../../.."}, "outside of what may be read"),
    ("find_context", {"task": TASK, "purpose": "guess"}, "is none of fix, feature"),
    ("find_context", {"task": TASK, "budget": "much"}, "budget must be a number"),
    ("find_context", {"task": TASK, "budget": "9" * 5_000 + "."}, "budget must be a number"),
    ("find_context", {"task": TASK, "path": "a" * 4_000}, "does not exist; "),
    ("find_context", {"task": TASK, "path": "a/" * 2_000}, "does not exist; "),
    ("find_context", {"task": TASK, "path": "a/" * 5_000}, "path has 10,000 characters"),
    ("find_context", {"task": TASK, "diff": "a" * 5_000}, "which is no revision"),
    ("find_context", {"task": TASK, "purpose": "9" * 5_000}, "is none of fix, feature"),
    ("find_context", {"task": TASK, "include": [1]}, "include must be a list of strings"),
    ("find_context", {"task": TASK, "diff": "/etc/passwd"}, "not a file"),
    ("find_context", {"task": TASK, "diff": "README.md"}, "not a file"),
    ("find_context", {"task": TASK, "diff": "nowhere"}, "nowhere names no revision here (diff takes"),
    ("find_context", {"task": TASK, "diff": "no..where"}, "no..where names no range of revisions here (diff"),
    ("find_context", {"task": TASK, "diff": "--output=/tmp/x"}, "names no revision here"),
    ("refine_context", {"run": "r-0000000000"}, "Call find_context"),
    ("refine_context", {"run": "../../../etc/passwd"}, "Call find_context"),
    ("refine_context", {"run": "9" * 5_000}, "Call find_context"),
    ("explain_terms", {"text": "?!"}, "no word to look for"),
)


def test_errors_say_what_to_do(tools: Run) -> None:
    results = tools(*((tool, given) for tool, given, _ in ERRORS))
    for (tool, given, says), result in zip(ERRORS, results, strict=True):
        assert result.is_error, (tool, given)
        assert says in text_of(result)
        assert "\n" not in text_of(result) and "Traceback" not in text_of(result)
        assert len(text_of(result)) < 1_000
        assert "--diff" not in text_of(result), "an option of the command line"


def test_an_unknown_tool_is_an_error_of_the_protocol(session: Run) -> None:
    async def talk(client: Client) -> Any:
        with pytest.raises(MCPError, match="find_context, refine_context, explain_terms"):
            await client.call_tool("find_files", {})

    session(talk)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_progress_is_reported_for_every_cycle_and_only_grows(session: Run, mode: str) -> None:
    heard: list[tuple[float, str]] = []

    async def talk(client: Client) -> Any:
        async def progress(value: float, _total: float | None, message: str | None) -> None:
            heard.append((value, message or ""))

        return await client.call_tool("find_context", {"task": TASK}, progress_callback=progress)

    assert not session(talk, mode=mode).is_error
    assert [message for _, message in heard if message.startswith("cycle 1: best src/auth/token-service.ts")]
    values = [value for value, _ in heard]
    assert values == sorted(set(values))


def test_calls_at_once_are_answered_alike(session: Run) -> None:
    async def talk(client: Client) -> Any:
        answers: list[str] = []

        async def one() -> None:
            result = await client.call_tool("find_context", {"task": TASK})
            answers.append(text_of(result))

        async with anyio.create_task_group() as group:
            for _ in range(6):
                group.start_soon(one)
        return answers

    answers = session(talk)
    assert len(answers) == 6 and len(set(answers)) == 1


def test_a_glob_made_to_be_slow_ends(tools: Run, repo: Path) -> None:
    (repo / ("a" * 250)).write_text("token\n")
    slow = ["*a*a*a*a*a*a*ab"]
    globs: tuple[dict[str, Any], ...] = ({"exclude": slow}, {"include": [*slow, "src"]})
    for result in tools(*(("find_context", {"task": TASK, **one}) for one in globs)):
        assert not result.is_error and "src/auth/token-service.ts" in text_of(result)
