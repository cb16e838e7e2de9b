"""The page as a whole: what it says, that nothing breaks it, that it is bounded and always the same."""

import base64
import re
from dataclasses import fields, is_dataclass, replace
from hashlib import sha256
from itertools import pairwise
from typing import Any

import pytest

from tests.report.pages import EVIL, FILES, TASK, Page, asked
from zeroin import report
from zeroin.answer import Action, Change, Context, Cycle, JudgeUse, Pattern, StopCode, StopReason
from zeroin.errors import InputError
from zeroin.report.page import MAX_BYTES
from zeroin.session import Session
from zeroin.tree import Skipped, TreeState
from zeroin.types import (
    Evidence,
    Expansion,
    ExpansionSource,
    Gap,
    Judgment,
    Keyword,
    Origin,
    Query,
    Reason,
    Role,
    Span,
    Task,
)


@pytest.fixture(scope="module")
def page(plain: Session) -> Page:
    return Page(report.render(plain.context(), plain.read))


def test_the_first_screen_answers_which_how_sure_and_what_is_missing(page: Page, plain: Session) -> None:
    context, said = plain.context(), page.said()
    assert TASK in said
    for judgment in context.listed:
        assert judgment.path in said
        assert f"{judgment.relevance:.2f}" in said
    assert "Still missing" in said
    assert re.search("Enough to begin|Perhaps not enough|Nothing sure", said)


def test_tests_and_documents_have_sections_of_their_own(plain: Session) -> None:
    context = plain.context()
    held = {j.path for j in context.listed}
    test, built = [j for j in context.cycles[0].judgments if j.path not in held][:2]
    test, built = replace(test, role=Role.TEST), replace(built, role=Role.GENERATED)
    page = Page(report.render(replace(context, tests=(test,), documents=(built,)), plain.read))
    said = page.said()
    order = [said.index(text) for text in ("Tests to run", test.path, "Documents", built.path, "generated")]
    assert order == sorted(order) and order[0] > said.index(context.files[0].path)
    assert page.text.count("<article") == len(context.listed) + 2


def test_every_cycle_change_term_and_gap_is_told(page: Page, plain: Session) -> None:
    context, said = plain.context(), page.said()
    assert len(context.cycles) > 1, "the fixture is to take two cycles"
    for cycle in context.cycles:
        assert f"Cycle {cycle.number}" in said
        for change in cycle.changes:
            assert change.what.strip("* ")[:60] in said
    for term in context.shown_terms:
        assert term.code_word in said and term.task_word in said
        assert term.sources and term.sources[0].kind in said
    for gap in context.gaps:
        assert gap.need[:80] in said


def test_code_is_shown_with_the_line_numbers_of_the_file(page: Page, plain: Session) -> None:
    articles = page.text.split("<article")[1:]
    for judgment, article in zip(plain.context().listed, articles, strict=True):
        lines = plain.read(judgment.path).split("\n")
        rows = re.findall(r'<span class="n"> *(\d+)</span>(.*?)\n</span>', article)
        assert rows
        assert [Page(f"<p>{html}</p>").said() for _, html in rows] == [lines[int(n) - 1] for n, _ in rows]


def test_the_policy_allows_its_own_style_and_script_alone(page: Page) -> None:
    policy = next(a["content"] for _, a in page.elements if a.get("http-equiv") == "Content-Security-Policy")
    assert policy is not None and policy.startswith("default-src 'none'; ")
    for kind in ("style", "script"):
        digest = base64.b64encode(sha256(page.own[kind].encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}'" in policy
    assert "unsafe" not in policy and "http" not in policy
    assert "url(" not in page.own["style"] and "import" not in page.own["style"]


def test_a_page_says_offline_only_of_what_was(page: Page, plain: Session) -> None:
    judged = replace(plain.context(), judge=JudgeUse("hosted:model-1", graded=3))
    said = Page(report.render(judged, plain.read)).said()
    assert "offline" in page.said() and "offline" not in said and "hosted:model-1 graded 3 files" in said


def test_what_is_no_answer_is_named(plain: Session) -> None:
    with pytest.raises(InputError, match=r"the answer must be a zeroin\.Context, not None"):
        report.render(None, plain.read)  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"what reads a file must be a function, .*, not None"):
        report.render(plain.context(), None)  # type: ignore[arg-type]


def test_a_gap_stands_under_one_heading_of_a_cycle(plain: Session) -> None:
    """What follows from asking for a gap, an aspect or a file to read, is not shown beside it."""
    context, why = plain.context(), "no file says “quota”: which word does this codebase use for it?"
    given = (Action.ASK, "quota"), (Action.FOCUS, "quota"), (Action.MUST_READ, "src/quota.ts")
    changes = (*(Change(action, what, why) for action, what in given), Change(Action.FOCUS, "tenants", "the caller"))
    cycles = (*context.cycles[:-1], replace(context.cycles[-1], changes=changes))
    said = Page(report.render(replace(context, cycles=cycles), plain.read)).said()
    assert said.count(why) == 1 and "tenants" in said


def test_headings_are_in_order(page: Page) -> None:
    levels = [int(tag[1]) for tag, _ in page.elements if re.fullmatch("h[1-6]", tag)]
    assert levels.count(1) == 1 and levels[0] == 1
    assert all(b <= a + 1 for a, b in pairwise(levels)), levels


def test_the_same_question_gives_the_same_bytes(plain: Session) -> None:
    again = asked(plain.opened.root, TASK)
    assert report.render(again.context(), again.read) == report.render(plain.context(), plain.read)


def test_a_hostile_repository_breaks_nothing(hostile: Session) -> None:
    context = hostile.context()
    paths = [j.path for j in context.listed]
    assert any(p not in FILES for p in paths), "the fixture is to list a hostile file"
    page = Page(report.render(context, hostile.read))
    assert "owned()" in page.said()
    assert "owned" not in page.own["script"] + page.own["style"]


def test_hostile_text_anywhere_breaks_nothing(plain: Session) -> None:
    """Every string of the answer with everything in it that ends or starts something."""
    context = poisoned(plain.context())
    page = Page(report.render(context, lambda path: f"throttle {EVIL}\n" * 50))
    assert page.said().count("owned()") > 100


def test_secrets_are_left_out(plain: Session) -> None:
    key = "AKIA" + "QYLPMN5HFIQR7XYA"  # made up
    context = plain.context()
    told = Reason("passage", f"line 3 says {key}", ())
    changed = replace(context, files=(replace(context.files[0], reasons=(told,)), *context.files[1:]))
    text = report.render(changed, lambda path: f"import os\n\nAWS = '{key}'\n" + "x = 1\n" * 40)
    assert key not in text and key[:8] not in text
    assert "secret" in Page(text).said()


@pytest.mark.parametrize(("factor", "word"), [(2, "\"'"), (4, "漢字")])
def test_the_size_is_bounded(factor: int, word: str) -> None:
    context = enormous(factor, f"{word} " * 200)
    text = report.render(context, lambda path: "def throttle(rate_limit): return '<&>' * 99\n" * 2000)
    assert len(text.encode()) <= MAX_BYTES
    Page(text)


def test_an_answer_without_files_or_cycles_is_a_page_too(plain: Session) -> None:
    empty = replace(plain.context(), files=(), supporting=(), cycles=(), gaps=(), ranking=(), terminology=())
    assert "None was found." in Page(report.render(empty, lambda path: "")).said()


def test_one_of_anything_is_no_plural(plain: Session) -> None:
    context, graded = plain.context(), JudgeUse("openai:small", graded=1)
    one = replace(context, stats={"documents": 1, "commits": 1}, judge=graded, skipped=(Skipped("a.bin", "binary"),))
    said = Page(report.render(one, plain.read)).said()
    assert "from 1 file and 1 commit; openai:small graded 1 file." in said
    assert "Not searched: 1 file" in said and "1 files" not in said


def test_gaps_searched_for_are_not_said_to_be_none(plain: Session) -> None:
    context = plain.context()
    gap = replace(context.cycles[0].gaps[0], chosen=False)
    quiet = replace(context, gaps=(), cycles=(replace(context.cycles[0], gaps=(gap,), asked=(gap,)),))
    said = Page(report.render(quiet, plain.read)).said()
    assert "No gap is worth naming; what was searched for is listed with each cycle." in said
    assert "No cycle found anything missing" not in said


def poisoned(value: Any) -> Any:
    """`value` with every string in it followed by `EVIL`; what is compared by equality stays."""
    if isinstance(value, str) and type(value) is str:
        return value + EVIL
    if isinstance(value, Judgment):
        value = replace(value, reasons=tuple(value.reasons), spans=tuple(value.spans))
    if isinstance(value, tuple):
        return tuple(poisoned(item) for item in value)
    if is_dataclass(value) and not isinstance(value, type):
        parts = {f.name: getattr(value, f.name) for f in fields(value)}
        return replace(value, **{name: poisoned(part) for name, part in parts.items()})
    return value


def enormous(factor: int, long: str) -> Context:
    """An answer of which every part is as long as a caller can make it, and longer."""
    reasons = tuple(Reason("passage", f"{n} {long}", (Evidence("a.py", n + 1, long),)) for n in range(30))
    spans = tuple(Span(n * 50 + 1, n * 50 + 40, f"symbol{n}", long, 1.0) for n in range(90))
    files = tuple(
        Judgment(f"d{n % 90}/e{n % 7}/f{n}.py", 0.9, reasons, (long,) * 20, spans, language="python")
        for n in range(20 * factor)
    )
    gaps = tuple(Gap("reference", f"{n} {long}", n % 2 == 0, (), f"{n} {long}") for n in range(20 * factor))
    terms = tuple(
        Expansion(long, f"{n} {long}", 0.5, (ExpansionSource("nearby", "a.py", 1, long),) * 9, "likely")
        for n in range(20 * factor)
    )
    changes = tuple(Change(Action.ADD_KEYWORD, f"{n} {long}", long) for n in range(30 * factor))
    query = Query(
        keywords=tuple(Keyword(f"w{n}{'x' * 70}", 1.0, Origin.LEARNED) for n in range(30 * factor)),
        includes=(long,) * 20 * factor,
        terminology=terms,
        title=long,
    )
    cycles = tuple(Cycle(n, query, changes if n > 1 else (), (), files, gaps, terminology=terms) for n in range(1, 9))
    return Context(
        task=Task(long * 100 * factor),
        repository="/r",
        revision=TreeState("c" * 40, "t" * 40, False),
        files=files,
        supporting=(),
        terminology=terms,
        patterns=tuple(Pattern("location", long) for _ in range(20 * factor)),
        gaps=gaps,
        cycles=cycles,
        stop_reason=StopReason(StopCode.CYCLES, long),
        sufficient=True,
        ranking=tuple(replace(f, path=f"r{n}", relevance=0.01, irrelevant_because=long) for n, f in enumerate(files)),
        skipped=tuple(Skipped(f"s{n}", f"{n} {long}") for n in range(20 * factor)),
        warnings=(long,) * 20 * factor,
    )
