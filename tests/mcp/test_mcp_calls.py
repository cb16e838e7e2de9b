"""Arguments, the clock of a call, and its deadline, without a process."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp.client.client import Client

from zeroin.errors import OptionError
from zeroin.mcp import server
from zeroin.mcp.answer import Answer
from zeroin.mcp.arguments import MOST_ITEMS, Arguments
from zeroin.mcp.roots import Roots
from zeroin.mcp.schema import BUDGET, LEAST_BUDGET, MOST_BUDGET, TOOLS
from zeroin.mcp.turns import turn
from zeroin.mcp.work import Stopped, Work


def given(**values: Any) -> Arguments:
    return Arguments("find_context", values)


def test_form_is_lenient() -> None:
    assert given(keywords="throttle").texts("keywords") == ("throttle",)
    assert given(keywords=[" a ", "", "a", "b"]).texts("keywords") == ("a", "b")
    assert given(keywords=None).texts("keywords") == ()
    assert given(purpose=" Review ").chosen("purpose", ("fix", "review")) == "review"
    assert given(path=None).text("path") == ""
    budgets = {"2000": 2000, 2000.7: 2000, 1: LEAST_BUDGET, 10**9: MOST_BUDGET, None: BUDGET}
    assert {value: given(budget=value).budget() for value in budgets} == budgets


@pytest.mark.parametrize("value", [True, [], {}, "many", float("nan"), ""])
def test_a_budget_that_is_none(value: Any) -> None:
    with pytest.raises(OptionError, match="budget must be a number of tokens, 500 to 12000"):
        given(budget=value).budget()


def test_lists_have_an_end() -> None:
    with pytest.raises(OptionError, match="at most 200"):
        given(include=[str(n) for n in range(MOST_ITEMS + 1)]).texts("include")


def test_every_tool_has_what_its_schema_needs() -> None:
    for _, _, properties, required in TOOLS.values():
        assert set(required) <= set(properties)
        assert all("type" in said for said in properties.values())  # some hosts refuse an enum without


def test_news_is_told_once_and_in_order() -> None:
    work = Work()
    work.progress("analysing", 64, 100)
    work.progress("analysing", 1_128, 2_000)
    assert work.news() == ["analysing 1,128 of 2,000"]
    work.progress("analysing", 1_128, 2_000)
    assert work.news() == []
    work.say("cycle 1")
    work.say("cycle 2")
    assert work.news() == ["cycle 1", "cycle 2"]
    work.stop()
    for step in (work.check, lambda: work.progress("x", 0, 0), lambda: work.say("x")):
        with pytest.raises(Stopped):
            step()


def test_the_engine_gets_less_than_the_call() -> None:
    work = Work(10.0)
    assert 7.0 < work.timeout_s <= 8.0 and 9.0 < work.left_s <= 10.0 and not work.is_late
    work.began -= 9.0
    assert work.timeout_s == 0.5 and work.left_s < 1.1 and work.is_late


def test_calls_on_one_repository_take_turns_and_who_is_stopped_leaves(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    inside = tmp_path / "src"
    inside.mkdir()
    order: list[str] = []
    waiting = Work()

    def wait() -> None:
        try:
            with turn(inside, waiting):
                order.append("in")
        except Stopped:
            order.append("stopped")

    with turn(tmp_path, Work()):
        thread = threading.Thread(target=wait)
        thread.start()
        time.sleep(0.3)
        assert order == []
        waiting.stop()
        thread.join(5)
    assert order == ["stopped"]
    with turn(inside, Work(0.0)):  # late: it starts all the same
        pass


def test_a_call_that_is_too_late_is_an_error_that_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended = threading.Event()

    def slow(_arguments: Arguments, _roots: Roots, work: Work) -> Answer:
        try:
            while True:
                work.progress("reading", 0, 0)
                time.sleep(0.05)
        finally:
            ended.set()

    monkeypatch.setattr(server, "_RUN", {"find_context": slow})

    async def main() -> Any:
        async with Client(server.create(Roots((tmp_path,), tmp_path), 1.0)) as client:
            return await client.call_tool("find_context", {"task": "x"})

    began = time.monotonic()
    result = anyio.run(main)
    assert time.monotonic() - began < 60
    assert result.is_error and "no answer within 1 s" in result.content[0].text
    assert "call again" in result.content[0].text
    assert ended.wait(60)  # the thread does not work on
