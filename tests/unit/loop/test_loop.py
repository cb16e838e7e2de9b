"""The loop with a fake for every stage: merging, stopping, caller feedback."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zeroin.answer import Action, Change, Cycle, StopReason
from zeroin.loop import Loop, merge
from zeroin.stopping import CyclesUsed, Deadline, Enough, NoGain
from zeroin.types import Candidate, Gap, Judgment, Origin, PathMention, Query, Search, Task

TASK = Task("anything")


class NoFiles:
    paths: Sequence[str] = ()

    def doc_of(self, path: str) -> int | None:
        return None

    def text(self, doc: int) -> str:
        return ""


@dataclass
class Script:
    """Plays every stage: relevance by cycle, gaps by cycle."""

    relevance: list[dict[str, float]]
    open_gaps: list[bool] = field(default_factory=lambda: [True] * 10)
    cycle: int = 0

    def dispatch(self, query: Query) -> tuple[Candidate, ...]:
        return ()

    def evaluate(
        self, task: Task, query: Query, candidates: object, previous: object, view: object
    ) -> tuple[Judgment, ...]:
        found = self.relevance[min(self.cycle, len(self.relevance) - 1)]
        self.cycle += 1
        return tuple(Judgment(path, value, score=value) for path, value in found.items())

    def annotate(
        self, task: Task, query: Query, candidates: object, judgments: Sequence[Judgment]
    ) -> tuple[Judgment, ...]:
        return tuple(judgments)

    def gaps(self, task: Task, query: Query, judgments: Sequence[Judgment]) -> tuple[Gap, ...]:
        search = Search(symbols=(f"number{self.cycle}",))
        wanted = Gap("reference", "something", True, search=search, precision=0.4)
        return (wanted,) if self.open_gaps[self.cycle - 1] else ()

    def refine(self, query: Query, judgments: object, gaps: object) -> tuple[Query, tuple[Change, ...]]:
        return replace(query, title=f"{query.title}+"), (Change(Action.FOCUS, "more", "because"),)


def code_of(loop: Loop) -> str:
    return loop.stop_reason.code if loop.stop_reason is not None else ""


def loop_of(script: Script, most: int = 3, deadline: float | None = None, *, cheap: bool = False) -> Loop:
    rules = (Deadline(deadline), Enough(), CyclesUsed(most), NoGain(cheap))
    return Loop(TASK, Query(), NoFiles(), script, script, script, script, script, rules)


def test_a_file_found_first_is_not_lost_later() -> None:
    loop = loop_of(Script([{"a": 0.9, "e": 0.8, "f": 0.75}, {"b": 0.9, "c": 0.8}], [True, False, False]))
    cycles = list(loop)
    assert [j.path for j in cycles[-1].judgments] == ["a", "b", "c", "e", "f"]
    assert [j.cycle for j in cycles[-1].judgments] == [1, 2, 2, 1, 1]
    assert code_of(loop) == "enough"
    assert "5 files" in loop.stop_reason.text


HIGH = {"a": 0.9, "b": 0.9, "c": 0.9}
FIRST = {f"{number:02}": 0.39 - number / 100 for number in range(20)}
NOTHING = {f"{number:02}": 0.15 - number / 1000 for number in range(20)}
ASKED = Gap("reference", "something", True, search=Search(symbols=("number1",)))


@pytest.mark.parametrize(
    ("relevance", "gaps", "asked", "cycles"),
    [
        ([HIGH], [True] * 3, (), 2),  # three high files with a critical gap are not enough
        ([HIGH], [True] * 3, (ASKED,), 1),  # a gap that was asked for is no reason to go on
        ([FIRST, FIRST | {"09": 0.395}, FIRST], [False] * 3, (), 2),  # without a gap a third cycle needs news
        ([FIRST, FIRST | {"10": 0.395}, FIRST], [False] * 3, (), 3),
        # Where the first cycle found nothing the second is the last.
        ([NOTHING, NOTHING | {"15": 0.4}, NOTHING | {"16": 0.4}], [True] * 3, (), 2),
        ([{"a": 0.9}], [False], (), 1),  # no gap and a sure file
    ],
)
def test_how_many_cycles_gain(
    relevance: list[dict[str, float]], gaps: list[bool], asked: tuple[Gap, ...], cycles: int
) -> None:
    loop = loop_of(Script(relevance, gaps))
    loop.query = replace(loop.query, gaps=asked)
    assert len(list(loop)) == cycles
    assert code_of(loop) == ("no_gain" if cycles < 3 else "cycles")


def test_a_gap_buys_a_cycle_by_its_precision_and_the_best_file() -> None:
    def reason(best: float, precision: float) -> StopReason | None:
        gap = Gap("reference", "something", True, search=Search(symbols=("x",)), precision=precision)
        return NoGain().check([Cycle(1, Query(), (), (), (Judgment("a", best),), (gap,))])

    assert reason(0.41, 0.35) is None and reason(0.41, 0.34) is not None
    assert reason(0.71, 0.35) is None and reason(0.71, 0.34) is not None
    assert reason(0.39, 0.0) is None  # nothing good is there: another cycle is worth it whatever gaps say


def test_the_file_that_a_stop_names_is_none_of_the_change() -> None:
    def text(*judgments: Judgment) -> str:
        query = Query(paths=(PathMention("given", 1.0, Origin.DIFF),))
        why = NoGain().check([Cycle(1, query, (), (), (Judgment("given", 1.0), *judgments), ())])
        assert why is not None
        return why.text

    rest = "and no gap whose search is worth a cycle"
    assert text(Judgment("beside", 0.699)) == f"a file of 0.69, {rest}"  # as it is listed: below 0.7
    assert text() == f"no file besides the change, {rest}"


def test_why_a_second_cycle_that_found_other_files_is_the_last_is_said_in_plain_words() -> None:
    first, second = (Cycle(n, Query(), (), (), (Judgment(path, 0.19),), ()) for n, path in ((1, "a"), (2, "b")))
    why = NoGain().check([first, second])
    assert why is not None
    said = "the task's words found little, and other words no more"
    assert why.text == said


@pytest.mark.parametrize(
    ("second", "cheap", "cycles"),
    [
        ({"a": 0.6, "b": 0.25}, True, 3),  # what b needs was asked by nobody of its relevance
        ({"a": 0.6, "b": 0.25}, False, 2),
        ({"a": 0.6, "b": 0.19}, True, 2),
        ({"a": 0.9}, True, 2),  # it was listed before
    ],
)
def test_where_cycles_are_cheap_a_file_that_is_listed_first_buys_one(
    second: dict[str, float], cheap: bool, cycles: int
) -> None:
    loop = loop_of(Script([{"a": 0.5, "b": 0.1}, second, second]), cheap=cheap)
    assert len(list(loop)) == cycles


def test_where_the_first_cycle_found_nothing_the_second_is_the_last_however_cheap() -> None:
    assert len(list(loop_of(Script([NOTHING, NOTHING | {"15": 0.4}]), cheap=True))) == 2


def test_the_deadline_stops_after_the_cycle_under_way() -> None:
    loop = loop_of(Script([{"a": 0.3}]), deadline=time.monotonic() - 1)
    assert len(list(loop)) == 1
    assert code_of(loop) == "deadline"


def test_a_caller_steers_between_cycles() -> None:
    loop = loop_of(Script([{"a": 0.3}]))
    seen = []
    for cycle in loop:
        seen.append(cycle.query.title)
        loop.query = replace(loop.query, title="mine")
    assert seen == ["", "mine", "mine"]


def test_iterating_again_after_the_end_yields_nothing() -> None:
    loop = loop_of(Script([{"a": 0.3}]))
    assert len(list(loop)) == 2
    assert list(loop) == []
    assert len(loop.cycles) == 2


@given(st.lists(st.dictionaries(st.sampled_from("abcde"), st.floats(0, 1)), min_size=1, max_size=4), st.integers(1, 6))
def test_cycles_never_exceed_the_maximum(script: list[dict[str, float]], most: int) -> None:
    assert len(list(loop_of(Script(script), most))) <= most


def test_a_file_falls_only_where_something_speaks_against_it() -> None:
    old = (Judgment("a", 0.4, score=4.0, cycle=1), Judgment("b", 0.1, score=1.0, cycle=1))
    new = (Judgment("a", 0.3, score=2.0), Judgment("b", 0.6, score=6.0))
    assert [(j.path, j.relevance, j.cycle) for j in merge(old, new, 2)] == [("b", 0.6, 2), ("a", 0.4, 1)]
    for against in (
        Judgment("a", 0.3, score=2.0, against="read since: it says nothing"),
        Judgment("a", 0.3, score=2.0, irrelevant_because="generated file"),
    ):
        assert [(j.path, j.relevance) for j in merge(old, (against,), 2)] == [("a", 0.3), ("b", 0.1)]


def test_what_a_later_cycle_does_not_find_keeps_its_judgment() -> None:
    old = (Judgment("a", 0.15, score=4.0, cycle=1), Judgment("c", 0.9, score=9.0, cycle=1))
    new = (Judgment("b", 0.6, score=6.0),)
    merged = merge(old, new, 2)
    assert [(j.path, j.relevance, j.cycle) for j in merged] == [("c", 0.9, 1), ("b", 0.6, 2), ("a", 0.15, 1)]


def test_rules_ask_about_the_last_cycle() -> None:
    one, three = (Cycle(1, Query(), (), (), tuple(Judgment(n, 0.95) for n in names), ()) for names in ("a", "abc"))
    assert Enough().check([one, three]) is not None
    assert Enough().check([three, one]) is None
