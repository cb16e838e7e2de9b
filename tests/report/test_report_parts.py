"""The parts that a page is made of, by what must always hold."""

import time
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup

from tests.report.pages import Page
from zeroin.answer import Change
from zeroin.report.code import HEAD, MAX_CHARS, MAX_LINES, spans_of, styled
from zeroin.report.history import file_histories, gap_histories
from zeroin.report.wording import finalize
from zeroin.session import Session
from zeroin.types import Gap, Judgment, Search, Span, figure_of

LANGUAGES = ["python", "rust", "javascript", "go", "lua", "sql", "markdown", "", "c", "elixir", "vue"]


@given(st.text())
def test_text_is_escaped_and_without_controls(text: str) -> None:
    page = Page(str(Markup('<p title="{0}">{0}</p>').format(finalize(text))))
    assert [tag for tag, _ in page.elements] == ["p"] and set(page.elements[0][1]) == {"title"}


@given(
    st.lists(st.text(alphabet="ab'\"`#/*-{}[]\\ 1=é", max_size=40), min_size=1, max_size=12), st.sampled_from(LANGUAGES)
)
def test_colours_never_change_the_text(rows: list[str], language: str) -> None:
    assert ["".join(text for _, text in pieces) for pieces in styled(rows, language)] == rows


@pytest.mark.parametrize(
    ("language", "rows", "piece"),
    [
        ("python", ["x = 'a' # é", "y"], ("comment", "# é")),
        ("python", ["x = 'a'", "y"], ("string", "a")),
        ("javascript", ["a /* b", "c */ + 12"], ("comment", "c */")),
        ("sql", ["select 1 -- one"], ("comment", "-- one")),
        ("markdown", ["# a title"], ("", "# a title")),
    ],
)
def test_comments_and_strings_are_found(language: str, rows: list[str], piece: tuple[str, str]) -> None:
    assert piece in [found for line in styled(rows, language) for found in line]


SPANS = st.builds(lambda a, b, s: Span(a, a + b, "", "", s), st.integers(1, 900), st.integers(0, 300), st.floats(0, 1))


@given(st.lists(SPANS, max_size=12), st.integers(0, 1000))
def test_what_is_shown_of_a_file_is_in_order_bounded_and_in_the_file(spans: list[Span], total: int) -> None:
    shown = spans_of(spans, total)
    assert sum(s.end - s.start + 1 for s in shown) <= max(MAX_LINES, HEAD)
    assert all(1 <= s.start <= s.end <= total for s in shown)
    assert all(a.end < b.start for a, b in pairwise(shown))
    assert bool(shown) == (total > 0)


def test_each_file_has_a_step_a_cycle_with_reasons_where_it_moved(plain: Session) -> None:
    context = plain.context()
    histories = file_histories(context)
    listed = {j.path: j.relevance for j in context.listed}
    assert listed.keys() <= {h.path for h in histories}
    for history in histories:
        assert [s.cycle for s in history.steps] == [c.number for c in context.cycles]
        assert history.last == listed.get(history.path, history.last)
        for before, step in pairwise(history.steps):
            if step.moved:
                assert step.reasons and step.relevance is not None and before.relevance is not None
                shown = float(figure_of(step.relevance)) - float(figure_of(before.relevance))
                assert step.moved == pytest.approx(shown)  # the page adds up
    assert [h.last for h in histories] == sorted((h.last for h in histories), reverse=True)


@pytest.mark.parametrize(
    "action, is_search", [("must_read", False), ("ask", True)], ids=["a file to read", "a gap that was searched for"]
)
def test_what_asked_for_a_file_is_a_reason_why_it_moved(plain: Session, action: str, is_search: bool) -> None:
    context = plain.context()
    first, name = context.cycles[0], context.files[0].path
    judged = next(j for j in first.judgments if j.path == name)
    gap = Gap("dependency", "something needs it", False, (), name, Search(paths=(name,)))
    found = next(c for c in first.candidates if c.path == name)
    later = replace(
        first,
        number=2,
        changes=(Change(action, "w" if is_search else name, gap.need),),
        candidates=(replace(found, asked_by=(gap,)) if is_search else found,),
        judgments=(Judgment(name, judged.relevance + 0.3, tuple(judged.reasons)),),
    )
    histories = file_histories(replace(context, cycles=(first, later)))
    history = next(h for h in histories if h.path == name)
    assert history.steps[1].reasons == (gap.need,)
    assert history.steps[1].moved == pytest.approx(0.3, abs=0.011) and history.movement.startswith("up from ")


def test_evidence_against_a_file_is_no_reason_why_it_rose(plain: Session) -> None:
    context = plain.context()
    name, text = context.files[0].path, "says nothing of the task"
    low = Judgment(name, 0.02, irrelevant_because=text)
    first = replace(context.cycles[0], changes=(), candidates=(), judgments=(low,))
    second = replace(first, number=2, judgments=(replace(low, relevance=0.1849),))
    third = replace(first, number=3, judgments=(replace(low, relevance=0.1749),))
    (history,) = file_histories(replace(context, files=(low,), supporting=(), cycles=(first, second, third)))
    up = "judged again, with what the longer query asks"
    assert [step.reasons for step in history.steps] == [(text,), (up,), (text,)]
    assert [f"{step.moved:.2f}" for step in history.steps] == ["0.00", "0.16", "-0.01"]


def test_gaps_are_opened_and_closed(plain: Session) -> None:
    context = plain.context()
    gap = context.cycles[0].gaps[0]
    first = replace(context.cycles[0], number=1, gaps=())
    second = replace(first, number=2, gaps=(replace(gap, critical=True),))
    third = replace(first, number=3, gaps=(replace(gap, critical=False),))
    cycles = (first, second, third, replace(first, number=4))
    (history,) = gap_histories(replace(context, cycles=cycles, gaps=(), files=(), supporting=()))
    assert history.states == ("", "critical", "open", "closed") and history.end == "closed"


def test_a_gap_has_the_outcome_of_its_search(plain: Session) -> None:
    context = plain.context()
    found = Gap("dependency", "x needs y", False, (), "y", Search(paths=("y",)))
    other = replace(found, follow_up="z", search=Search(paths=("z",)))
    hidden = replace(found, follow_up="h", chosen=False)
    first = replace(context.cycles[0], gaps=(found, other, hidden), asked=())
    asked = (replace(found, outcome="closed", closed_by="y"), replace(other, outcome="absent"))
    second = replace(first, number=2, gaps=(other,), asked=asked)
    histories = gap_histories(replace(context, cycles=(first, second), gaps=(other,), files=(), supporting=()))
    assert [(h.end, h.outcome) for h in histories] == [
        ("closed", "looked for: y"),
        ("open", "looked for, nothing found"),
    ]


@pytest.mark.parametrize("text", ["/", "-", '"', "/*", "(", "a<"])
def test_lines_made_to_be_slow_take_bounded_time(text: str) -> None:
    rows = [(text * MAX_CHARS)[:MAX_CHARS]] * MAX_LINES
    began = time.process_time()
    for language in ("c", "python", "typescript", "sql"):
        styled(rows, language)
    assert time.process_time() - began < 10
