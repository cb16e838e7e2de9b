"""Arguments, the clock of a call, and its deadline, without a process."""

import json
import threading
import time
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import anyio
import pytest
from mcp.client.client import Client

from tests.mcp.conftest import ask
from tests.repositories import git, repository
from zeroin import engine
from zeroin.answer import StopCode, StopReason
from zeroin.context.tokens import estimate
from zeroin.errors import OptionError
from zeroin.mcp import server
from zeroin.mcp.answer import TERMS_BUDGET, Answer, found
from zeroin.mcp.arguments import MOST_ITEMS, Arguments
from zeroin.mcp.roots import Roots
from zeroin.mcp.schema import BUDGET, LEAST_BUDGET, MOST_BUDGET, listed
from zeroin.mcp.tools import call
from zeroin.mcp.work import Stopped, Work, turn
from zeroin.types import PACKS, PURPOSES, Judgment, Reason, Role


def given(**values: Any) -> Arguments:
    return Arguments("find_context", values)


def test_form_is_lenient() -> None:
    assert given(keywords="throttle").texts("keywords") == ("throttle",)
    assert given(keywords=[" a ", "", "a", "b"]).texts("keywords") == ("a", "b")
    assert given(keywords=None).texts("keywords") == ()
    assert given(purpose=" Review ").chosen("purpose") == "review"
    assert given(path=None).text("path") == ""
    budgets = {"2000": 2000, 2000.7: 2000, 1: LEAST_BUDGET, 10**9: MOST_BUDGET, None: BUDGET}
    budgets |= {"9" * 5_000: MOST_BUDGET, float("inf"): MOST_BUDGET, 10**5_000: MOST_BUDGET}
    assert all(given(budget=value).budget() == budget for value, budget in budgets.items())


@pytest.mark.parametrize("value", [True, [], {}, "many", float("nan"), ""])
def test_a_budget_that_is_none(value: Any) -> None:
    with pytest.raises(OptionError, match="budget must be a number of tokens, 500 to 12000"):
        given(budget=value).budget()


def test_lists_have_an_end() -> None:
    with pytest.raises(OptionError, match="at most 200"):
        given(include=[str(n) for n in range(MOST_ITEMS + 1)]).texts("include")


def test_the_tools_are_those_of_the_product() -> None:
    for tool in listed().values():
        schema = tool["inputSchema"]
        assert set(schema.get("required", ())) <= set(schema["properties"])
        # Some hosts refuse an enum without
        assert all("type" in field for field in schema["properties"].values())
    found = listed()["find_context"]["inputSchema"]["properties"]
    assert (found["purpose"]["enum"], found["pack"]["enum"]) == (list(PURPOSES), list(PACKS))
    limits = {"minimum": LEAST_BUDGET, "maximum": MOST_BUDGET, "default": BUDGET}
    for name in ("find_context", "refine_context"):
        assert limits.items() <= listed()[name]["inputSchema"]["properties"]["budget"].items()


def test_the_engine_gets_less_than_the_call(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr("zeroin.mcp.work.time", SimpleNamespace(monotonic=lambda: now))
    work = Work(10.0)
    assert (work.timeout_s, work.left_s, work.is_late) == (8.0, 10.0, False)
    now += 9.0
    assert (work.timeout_s, work.left_s, work.is_late) == (0.5, 1.0, True)


class Waits(Exception):
    """A call would wait for another one."""


class Watched(Work):
    """A call with plenty of time that says so instead of waiting."""

    def progress(self, what: str, done: int, total: int) -> None:
        if what.startswith("waiting for another call"):
            raise Waits


def waits(folder: Path) -> bool:
    try:
        with turn(folder, Watched(600)):
            return False
    except Waits:
        return True


def test_calls_on_one_repository_take_turns_and_who_is_stopped_leaves(repo: Path, tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    git(repo, "worktree", "add", "-q", str(tree))
    other = repository(repo / "src/other", {"a.py": "a = 1\n"})  # a repository in a repository
    with turn(repo / "src/auth", Work()):
        assert all(map(waits, (repo, repo / "src", tree))) and not waits(other)
        with turn(repo / "src", Work(0.0)):  # late: it starts all the same
            pass
        stopped = Work(600)
        stopped.stop()
        with pytest.raises(Stopped), turn(repo, stopped):
            pass
    assert not any(map(waits, (repo, tree)))


def test_going_on_with_a_run_waits_for_its_turn(repo: Path) -> None:
    told = ask(repo, "find_context", task="Tokens are accepted after they expire")
    run = told[told.index("r-") :][:12]
    with turn(repo / "src", Work()), pytest.raises(Waits):
        ask(repo, "refine_context", Watched(600), run=run)
    ask(repo, "refine_context", Watched(600), run=run)


def test_a_call_that_is_too_late_is_an_error_that_says_what_to_do() -> None:
    ended = threading.Event()

    def slow(_name: str, _given: Any, work: Work, _request: Any) -> Answer:
        try:
            while True:
                work.progress("reading", 0, 0)
                time.sleep(0.05)
        finally:
            ended.set()

    async def main() -> Any:
        async with Client(server.create(slow, server.listed(), 1.0)) as client:
            return await client.call_tool("find_context", {"task": "x"})

    began = time.monotonic()
    result = anyio.run(main)
    assert time.monotonic() - began < 60
    assert result.is_error and "no answer within 1 s" in result.content[0].text
    assert "call again" in result.content[0].text
    assert ended.wait(60)  # the thread does not work on


def test_either_form_keeps_to_any_budget(repo: Path) -> None:
    """The id of a run costs a few tokens more or less: no budget may hold by luck."""
    asked = engine.open_session("Tokens are accepted after they expire", repo, pack="full")
    context = asked.run()
    for budget in range(LEAST_BUDGET, 1_660, 29):  # all that there is to say takes some 840
        for run in ("r-aaaaaaaaaa", "r-0a1b2c3d4e", "r-0123456789"):
            answer = found(replace(context, run=run, budget=budget), asked.read, budget)
            structured = json.dumps(answer.structured, ensure_ascii=False)
            assert max(estimate(answer.text), estimate(structured)) <= budget
            assert estimate(structured) > budget / 2  # and makes use of it


def test_tests_and_documents_are_told_in_both_forms(repo: Path) -> None:
    asked = engine.open_session("Tokens are accepted after they expire", repo)
    context = replace(
        asked.run(),
        tests=(Judgment("tests/token.test.ts", 0.41, role=Role.TEST),),
        documents=(Judgment("dist/token.js", 0.3, role=Role.GENERATED),),
    )
    answer = found(context, asked.read, 4000)
    assert answer.structured["tests"] == [{"path": "tests/token.test.ts", "relevance": 0.41}]
    assert answer.structured["documents"] == [{"path": "dist/token.js", "relevance": 0.3}]
    assert "## Tests to run\n\n- tests/token.test.ts 0.41" in answer.text
    assert "## Documents\n\n- dist/token.js (generated) 0.30" in answer.text
    for budget in range(LEAST_BUDGET, 1_800, 200):
        assert found(replace(context, budget=budget), asked.read, budget).cost <= budget


def test_a_small_answer_counts_the_tests_that_it_has_no_room_for(repo: Path) -> None:
    asked = engine.open_session("Tokens are accepted after they expire", repo)
    tests = tuple(Judgment(f"tests/{n}.test.ts", 0.4, reasons=(Reason("passage", "x" * 99),)) for n in range(30))
    text = found(replace(asked.run(), tests=tests, budget=900), asked.read, 900).text
    listed = text.partition("## Tests to run\n\n")[2].partition("\n\n")[0].split("\n")
    assert listed[0] == "- tests/0.test.ts 0.40"  # a part of a reason would say nothing
    assert listed[-1] == f"- {30 - (len(listed) - 1)} more"


def test_the_first_line_says_that_nothing_is_there_or_that_time_was_short(repo: Path) -> None:
    nothing = ask(repo, "find_context", task="token expiry", include=["nowhere/**"]).partition("\n")[0]
    assert nothing.endswith(": no file found. Call find_context with other words, or without include and exclude.")
    asked = engine.open_session("Tokens are accepted after they expire", repo)
    late = StopReason(StopCode.DEADLINE, "out of time with 2 of 9 files analysed: the best so far")
    head = found(replace(asked.run(), stop_reason=late, run="r-1"), asked.read, 4000).text.partition("\n")[0]
    assert head == (
        "Run r-1: partial: out of time with 2 of 9 files analysed. "
        "Read the best files, or call again with the same arguments: it goes on."
    )


def test_one_file_is_no_files(repo: Path) -> None:
    assert "(1 file)" in ask(repo, "explain_terms", text="coupon")


def test_what_a_long_text_is_explained_with_keeps_to_its_budget(repo: Path) -> None:
    arguments = {"text": "coupon " + "tokenExpiry" * 10_000}
    answer = call("explain_terms", arguments, Roots((repo,), repo), Work())
    assert answer.structured["terms"] and answer.cost <= TERMS_BUDGET
