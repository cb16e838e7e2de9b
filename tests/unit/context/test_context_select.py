from dataclasses import replace
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zeroin.context.packing.passages import PLAIN
from zeroin.context.packing.select import joined, select
from zeroin.context.tokens import estimate
from zeroin.tree import Definition
from zeroin.types import Judgment, Span

LINE = "result = compute_the_value(first, second)  # explained here"


def text_of(lines: int, path: str = "") -> str:
    return "\n".join(f"{LINE} {n} {path}" for n in range(lines)) + "\n"


def test_several_spans_of_a_good_file_before_a_mediocre_one() -> None:
    spans = tuple(Span(n, n + 9, f"f{n}", score=100 - n) for n in range(1, 400, 50))
    good, poor = Judgment("good.py", 0.9, spans=spans), Judgment("poor.py", 0.5, spans=(Span(1, 10),))
    one = estimate(text_of(10)) + 150
    chosen = select([good, poor], lambda p: text_of(500, p), 6 * one)
    assert [s.judgment.path for s in chosen] == ["good.py"]
    assert len(chosen[0].passages) >= 5
    both = select([good, poor], lambda p: text_of(500, p), 40 * one)
    assert [s.judgment.path for s in both] == ["good.py", "poor.py"]


def test_later_groups_get_what_is_left() -> None:
    code, better = Judgment("a.py", 0.3, spans=(Span(1, 10, "f"),)), Judgment("b.py", 0.25)
    test, document = Judgment("test_a.py", 0.9, spans=(Span(1, 10, "g"),)), Judgment("a.md", 0.9)
    unsure = Judgment("test_b.py", 0.1)

    def chosen(budget: int) -> list[str]:
        found = select([code, better], lambda p: text_of(500, p), budget, later=([test, unsure], [document]))
        return [s.judgment.path for s in found]

    assert chosen(40_000) == ["a.py", "b.py", "test_a.py", "a.md"]
    assert chosen(400) == ["a.py"]  # the test is worth more, and comes after
    seen = [chosen(budget) for budget in range(100, 6000, 100)]
    for paths in seen:
        assert ["a.py", "b.py", "test_a.py", "a.md"][: len(paths)] == paths


@pytest.mark.parametrize(
    ("spans", "lines", "shown"),
    [
        ((Span(3, 4, "f"),), 6, Span(1, 6, "f", "whole file")),  # small
        ((), 300, Span(1, 40, "", "head of file")),
    ],
)
def test_what_is_shown_of_one_file(spans: tuple[Span, ...], lines: int, shown: Span) -> None:
    (chosen,) = select([Judgment("a.py", 0.8, spans=spans)], lambda _: text_of(lines), 6000)
    assert chosen.passages[0].span == shown
    assert (chosen.shown == "whole") == (shown.end == lines)


def test_a_long_span_is_cut_to_its_share() -> None:
    chosen = select(
        [Judgment("a.py", 0.9, spans=(Span(1, 900, "Big"), Span(950, 955, "small")))], lambda _: text_of(960), 6000
    )
    first, second = chosen[0].passages
    assert first.cut and first.span.start == 1 and 20 < first.span.end < 200
    assert not second.cut and second.span.symbol == "small"


class Outlined(NamedTuple):
    """A text with its definitions."""

    text: str
    definitions: tuple[Definition, ...]

    def __call__(self, _path: str) -> str:
        return self.text

    def outline(self, _path: str) -> tuple[Definition, ...]:
        return self.definitions


def test_what_is_cut_off_is_not_named_above_the_rest() -> None:
    comments = "".join(f"# what the next one does, line {n} of a long comment above it\n" for n in range(100))
    one, two, three = (
        Definition(name, "function", at, at + 9) for name, at in (("one", 1), ("two", 111), ("three", 130))
    )
    read = Outlined(text_of(10) + comments + text_of(400), (one, two, three))
    span = Span(1, 400, "one, two, three", "matches explained, absent")
    ends = set()
    for budget in range(250, 12000, 13):
        (chosen,) = select([Judgment("a.py", 0.9, spans=(span,))], read, budget)
        shown = chosen.passages[0].span
        ends.add(shown.end)
        begun = (("one", 1), ("two", 11), ("three", 130))  # the comment above it is that of `two`
        assert shown.symbol == ", ".join(name for name, first in begun if first <= shown.end)
        assert shown.why == "matches explained"
    assert {10, 11, 129, 130} <= ends


def test_of_a_span_that_does_not_fit_the_cited_lines_are_shown() -> None:
    one, two = (Definition(name, "function", at, at + 199) for name, at in (("one", 1), ("two", 201)))
    read = Outlined(text_of(400), (one, two))
    span = Span(1, 400, "one, two", "matches explained, absent", peaks=(250, 251))
    (chosen,) = select([Judgment("a.py", 0.9, spans=(span,))], read, 1000)
    (passage,) = chosen.passages
    assert passage.heads[0][0] == 201
    assert passage.span.start == 250
    assert passage.cut
    assert (passage.span.symbol, passage.span.why) == ("two", "matches explained")
    (head,) = select([Judgment("a.py", 0.9, spans=(replace(span, peaks=(3, 5)),))], read, 1000)[0].passages
    assert head.span.start == 1  # its head has them


def test_irrelevant_files_only_when_there_is_nothing_else() -> None:
    weak = [Judgment(f"{n}.py", 0.1) for n in range(9)]
    assert len(select(weak, lambda p: text_of(3, p), 4000)) == 3
    assert [s.judgment.path for s in select([*weak, Judgment("x.py", 0.3)], lambda _: text_of(3), 4000)] == ["x.py"]


def test_joined_spans_keep_the_better_reason_and_each_symbol_once() -> None:
    spans = joined([Span(10, 20, "a", "why a", 0.5), Span(15, 30, "b", "why b", 0.9), Span(60, 90, "c", "", 0.1)], 80)
    assert spans == (Span(10, 30, "a, b", "why b", 0.9), Span(60, 80, "c", "", 0.1))
    guide = (Span(1, 5, "Guide"), Span(6, 9, "Guide.Install"), Span(10, 12, "Guide, Guide.Usage"))
    assert joined(guide, 50)[0].symbol == "Guide.Install, Guide.Usage"


spans_given = st.lists(st.tuples(st.integers(1, 120), st.integers(0, 60), st.floats(0, 1)), max_size=6).map(
    lambda rows: tuple(Span(start, start + more, score=score) for start, more, score in rows)
)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.floats(0, 1), spans_given), max_size=8), st.integers(0, 5000))
def test_the_budget_is_never_exceeded(rows: list[tuple[float, tuple[Span, ...]]], budget: int) -> None:
    files = [Judgment(f"dir/{n}.py", relevance, spans=spans) for n, (relevance, spans) in enumerate(rows)]
    chosen = select(files, lambda _: text_of(100), budget)
    assert sum(s.tokens for s in chosen) <= budget
    for selected in chosen:
        assert sum(PLAIN.cost(p) for p in selected.passages) <= selected.tokens
        assert all(1 <= p.span.start <= p.span.end <= 100 for p in selected.passages)
    assert chosen == select(files, lambda _: text_of(100), budget)


def test_passages_with_one_line_between_them_become_one() -> None:
    spans = (Span(2, 6, "f", "", 0.5), Span(8, 12, "g", "", 1.0), Span(30, 40, "h", "", 0.1))
    chosen = select([Judgment("a.py", 0.9, spans=spans)], lambda _: text_of(300), 6000)
    assert [(p.span.start, p.span.end, p.span.symbol) for p in chosen[0].passages] == [(2, 12, "f, g"), (30, 40, "h")]
    assert [number for number, _ in chosen[0].passages[0].rows] == list(range(2, 13))


def test_what_the_task_names_is_shown_of_a_file_that_matters_little() -> None:
    named = Judgment("b.py", 0.05, spans=(Span(40, 60, "lookup", "named by the task", whole=True),))
    chosen = select([Judgment("a.py", 0.6, spans=(Span(1, 9),)), named], lambda p: text_of(500, p), 4000)
    assert [(s.judgment.path, s.passages[0].span.symbol) for s in chosen][-1] == ("b.py", "lookup")


def test_what_touches_a_named_function_does_not_push_it_out() -> None:
    spans = (Span(40, 60, "lookup", whole=True, score=1.0), Span(1, 39, "before", score=0.9))
    assert [(s.start, s.end) for s in joined(spans, 500)] == [(40, 60), (1, 39)]
    chosen = select([Judgment("a.py", 0.6, spans=spans)], lambda p: text_of(500, p), 700)
    assert chosen[0].passages[0].span.symbol == "lookup" and not chosen[0].passages[0].cut
