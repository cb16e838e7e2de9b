"""The parts that a page is made of, by what must always hold."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.report.pages import EVIL, Page
from zeroin.answer import Change, Cycle
from zeroin.report.chart import spread
from zeroin.report.code import AROUND, HEAD, MAX_LINES, blocks_of
from zeroin.report.markup import Markup, el, join, path
from zeroin.report.story import courses, gap_lives
from zeroin.report.syntax import coloured
from zeroin.report.treemap import MAX_TILES, squarified, tiles_of, tree_of
from zeroin.session import Session
from zeroin.types import Gap, Judgment, Search, Span

LANGUAGES = ["python", "rust", "javascript", "go", "lua", "haskell", "sql", "markdown", "", "c", "elixir"]


@given(st.text(), st.text())
def test_text_and_attributes_come_back_as_they_were(text: str, value: str) -> None:
    page = Page(el("p", text, title=value))
    assert [tag for tag, _ in page.elements] == ["p"]
    assert set(page.elements[0][1]) == {"title"}
    assert "<" not in page.text.replace("<p", "", 1).replace("</p>", "", 1)


def test_markup_is_kept_and_names_come_from_code_only() -> None:
    assert join(el("b", "<"), "&", None, ["x", [Markup("<wbr>")]]) == "<b>&lt;</b>&amp;x<wbr>"
    assert el("svg", data_cycle=2, class_="a", hidden=True, title=None, open=False, x=1.5) == (
        '<svg data-cycle="2" class="a" hidden x="1.5"></svg>'
    )
    with pytest.raises(ValueError, match="not an element"):
        el("p onclick=x")
    with pytest.raises(ValueError, match="not an attribute"):
        el("p", **{"x y": "1"})


def test_a_path_tells_its_folder_and_its_name() -> None:
    assert Page(path("src/a_b.py")).said() == "src/a_b.py"
    assert "owned" in Page(path(EVIL)).said()


@given(
    st.lists(st.text(alphabet="ab'\"`#/*-{}[]\\ 1=", max_size=40), max_size=12), st.sampled_from(LANGUAGES)
)
def test_colours_never_change_the_text(rows: list[str], language: str) -> None:
    assert ["".join(text for _, text in pieces) for pieces in coloured(rows, language)] == rows


@pytest.mark.parametrize(
    ("language", "row", "kind", "text"),
    [
        ("python", "x = 'a' # b", "comment", "# b"),
        ("python", "x = 'a' # b", "string", "'a'"),
        ("python", "def f(x2):", "keyword", "def"),
        ("rust", "fn f<'a>(x: &'a str) {", "keyword", "fn"),
        ("javascript", "a /* b */ + 12.5", "comment", "/* b */"),
        ("javascript", "a /* b */ + 12.5", "number", "12.5"),
        ("sql", "select 1 -- one", "comment", "-- one"),
    ],
)
def test_colours(language: str, row: str, kind: str, text: str) -> None:
    assert (kind, text) in next(coloured([row], language))


def test_what_is_open_at_the_end_of_a_line_goes_on() -> None:
    rows = ["a = '''x", "y # no comment", "z''' # yes"]
    told = [*coloured(rows, "python")]
    assert told[1] == (("string", "y # no comment"),)
    assert ("comment", "# yes") in told[2]
    assert all(
        kind == "" for pieces in coloured(["fn f<'a>(b: &'a str)"], "rust") for kind, t in pieces if "'" in t
    )


WEIGHTS = st.lists(st.floats(0.1, 1e4), min_size=1, max_size=60).map(lambda w: sorted(w, reverse=True))


@given(WEIGHTS)
@settings(deadline=None)
def test_areas_are_as_large_as_their_weights_and_fill_the_box(weights: list[float]) -> None:
    boxes = squarified(weights, (0.0, 0.0, 100.0, 100.0))
    assert len(boxes) == len(weights)
    for weight, (x, y, width, height) in zip(weights, boxes, strict=True):
        assert -1e-6 <= x <= x + width <= 100 + 1e-6 and -1e-6 <= y <= y + height <= 100 + 1e-6
        assert width * height == pytest.approx(1e4 * weight / sum(weights), rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("count", [1, 10, 5000])
def test_the_map_is_bounded_and_shows_every_found_file_it_can(count: int) -> None:
    files = [(f"a/b{n % 40}/c{n % 11}/f{n}.py", n % 500) for n in range(count)]
    lit = {files[0][0]: 0.9, files[-1][0]: 0.3}
    tiles = tiles_of(tree_of(files, lit))
    leaves = [t for t in tiles if not t.node.opened]
    assert len(tiles) <= 2 * MAX_TILES
    assert sum(t.node.files for t in leaves) == count
    assert {t.node.path for t in leaves if t.node.lit} == set(lit)
    assert sum(t.box[2] * t.box[3] for t in leaves) <= 1e4 + 1e-6


def test_a_path_of_a_thousand_folders_is_no_trouble() -> None:
    deep = "/".join("d" * 1000)
    assert tiles_of(tree_of([(deep, 1), ("a", 1), (f"{deep}/x", 2)], {deep: 0.5}))


def test_a_folder_of_thousands_stays_closed_and_is_as_bright_as_its_best() -> None:
    files = [(f"all/f{n}.py", 9) for n in range(5000)]
    tiles = tiles_of(tree_of([*files, ("x.py", 1)], {"all/f1.py": 0.8, "all/f2.py": 0.3}))
    closed = next(t.node for t in tiles if t.node.path == "all")
    assert not closed.opened and closed.lit == 2 and closed.best == 0.8


@given(st.lists(st.floats(0, 300), max_size=12).map(sorted))
def test_labels_never_lie_over_one_another(wanted: list[float]) -> None:
    placed = spread(wanted, 20.0, 30.0, 330.0)
    assert all(b - a >= 20.0 - 1e-6 for a, b in pairwise(placed))
    assert all(30.0 - 1e-6 <= y <= 330.0 + 1e-6 for y in placed)


SPANS = st.builds(
    lambda a, b, s: Span(a, a + b, "", "", s), st.integers(1, 900), st.integers(0, 300), st.floats(0, 1)
)


@given(st.lists(SPANS, max_size=12), st.integers(0, 1000))
def test_what_is_shown_of_a_file_is_in_order_bounded_and_in_the_file(spans: list[Span], total: int) -> None:
    blocks = blocks_of(Judgment("a.py", 0.9, spans=tuple(spans)), total)
    assert sum(b.end - b.start + 1 for b in blocks) <= max(MAX_LINES, HEAD) + 2 * AROUND
    assert all(1 <= b.start <= b.end <= total for b in blocks)
    assert all(a.end < b.start for a, b in pairwise(blocks))
    assert bool(blocks) == (total > 0)


def test_how_files_moved_is_told_with_reasons(plain: Session) -> None:
    context = plain.context()
    told = courses(context)
    listed = {j.path: j.relevance for j in context.listed}
    assert {c.path for c in told if c.listed} == set(listed)
    for course in told:
        assert [s.cycle for s in course.steps] == [c.number for c in context.cycles]
        if course.listed:
            assert course.last == listed[course.path]
        for before, step in pairwise(course.steps):
            if step.moved:
                assert step.whys and step.relevance is not None and before.relevance is not None
                assert step.moved == pytest.approx(step.relevance - before.relevance)
    assert [c.last for c in told] == sorted((c.last for c in told), reverse=True)


def test_what_asked_for_a_file_is_a_reason_why_it_moved(plain: Session) -> None:
    context = plain.context()
    first = context.cycles[0]
    name = context.files[0].path
    judged = next(j for j in first.judgments if j.path == name)
    later = Cycle(
        number=2,
        query=first.query,
        changes=(Change("must_read", name, "something refers to it"),),
        candidates=first.candidates,
        judgments=(Judgment(name, judged.relevance + 0.3, tuple(judged.reasons)),),
        gaps=(),
    )
    from dataclasses import replace

    course = next(c for c in courses(replace(context, cycles=(first, later))) if c.path == name)
    assert course.steps[1].whys == ("something refers to it",)
    assert course.steps[1].moved == pytest.approx(0.3)


def test_gaps_are_opened_and_closed(plain: Session) -> None:
    from dataclasses import replace

    context = plain.context()
    gap = context.cycles[0].gaps[0]
    first = replace(context.cycles[0], number=1, gaps=())
    second = replace(first, number=2, gaps=(replace(gap, critical=True),))
    third = replace(first, number=3, gaps=(replace(gap, critical=False),))
    fourth = replace(first, number=4)
    lives = gap_lives(
        replace(context, cycles=(first, second, third, fourth), gaps=(), files=(), supporting=())
    )
    assert [life.states for life in lives] == [("", "critical", "open", "closed")]
    assert lives[0].end == "closed"


def test_a_gap_tells_what_came_of_its_search(plain: Session) -> None:
    from dataclasses import replace

    context = plain.context()
    found = Gap("dependency", "x needs y", False, (), "y", Search(paths=("y",)))
    other = replace(found, follow_up="z", search=Search(paths=("z",)))
    hidden = replace(found, follow_up="h", shown=False)
    first = replace(context.cycles[0], gaps=(found, other, hidden), asked=())
    asked = (replace(found, outcome="closed", closed_by="y"), replace(other, outcome="absent"))
    second = replace(first, number=2, gaps=(other,), asked=asked)
    lives = gap_lives(replace(context, cycles=(first, second), gaps=(other,), files=(), supporting=()))
    assert [(life.end, life.why) for life in lives] == [
        ("closed", "looked for: y"),
        ("open", "looked for, nothing found"),
    ]


def test_a_file_says_which_gap_brought_it(plain: Session) -> None:
    from dataclasses import replace

    context = plain.context()
    first = context.cycles[0]
    name = context.files[0].path
    gap = Gap("dependency", "something needs it", False, (), name, Search(paths=(name,)))
    about = next(c for c in first.candidates if c.path == name)
    later = replace(
        first,
        number=2,
        changes=(Change("ask", name, gap.need),),
        candidates=(replace(about, asked_by=(gap,)),),
        judgments=tuple(replace(j, relevance=0.99) for j in first.judgments if j.path == name),
    )
    course = next(c for c in courses(replace(context, cycles=(first, later))) if c.path == name)
    assert gap.need in course.steps[1].whys
