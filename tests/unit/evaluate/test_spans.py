"""Which lines of a real file are shown: one repository on disk, asked in several ways."""

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.repositories import write
from zeroin.config import Options
from zeroin.context.packing.texts import Texts
from zeroin.context.rendering.markdown import render
from zeroin.engine import Repository
from zeroin.evaluate.annotate import as_given
from zeroin.evaluate.passages import Line
from zeroin.evaluate.spans.candidates import BLOCK, SMALL, SpanCandidate, filled, span_candidates
from zeroin.evaluate.spans.named import holding_others
from zeroin.evaluate.spans.select import MAX_SPANS, WEIGHTS, File, completed, features_of, with_cited
from zeroin.evaluate.task_terms import TaskTerms
from zeroin.tree import Definition, DiffFile
from zeroin.types import Candidate, Evidence, Judgment, Origin, Query, Reason, Span, SymbolMention, Task

LEDGER, PLAIN, NOTES = "bank/ledger.py", "bank/plain.py", "notes/history.md"


def body(name: str, lines: int, say: str = "") -> str:
    rows = [f"    step_{n} = {n}" for n in range(lines - 2)]
    if say:
        rows[len(rows) // 2] = f"    {say}"
    return "\n".join([f"def {name}():", *rows, "    return None"])


LONG = body("reconcile", 90, "quota.raise_alarm('ledger')  # overdraft")
FILES = {
    LEDGER: "\n\n\n".join(
        [
            '"""The ledger of the bank."""\n\nimport quota',
            body("ledger_open", 12),
            body("ledger_rounding", 12, "amount = banker_round(amount)"),
            body("ledger_close", 12, "ledger = None"),
            LONG,
            "class Vault:\n    def seal(self):\n        return self.door.lock()\n\n"
            "    def unseal(self):\n        return 1",
        ]
    )
    + "\n",
    PLAIN: "QZX = 1\n",
    NOTES: "# Ledger\n\n" + "Nothing.\n" * 30 + "\n## Overdraft alarm\n\n* overdraft alarm rings\n",
}


@pytest.fixture(scope="module")
def bank(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    return Repository.open(write(tmp_path_factory.mktemp("bank"), FILES))


def spans(bank: Repository, text: str, path: str = LEDGER) -> tuple[Span, ...]:
    loop = bank.ask(text, Options(always_loop=True)).loop
    doc = bank.opened.view.numbers[path]
    [annotated] = loop.annotator.annotate(Task(text), loop.query, [Candidate(doc, path, 0.0)], [Judgment(path, 0.5)])
    return tuple(annotated.spans)


def line_of(needle: str, path: str = LEDGER) -> int:
    return next(n for n, line in enumerate(FILES[path].split("\n"), 1) if needle in line)


FRAME = f'  File "bank/ledger.py", line {line_of("step_70 = 70")}, in reconcile'
TRACE = f"Closing the ledger fails\n\nTraceback (most recent call last):\n{FRAME}\nOverflowError: ledger\n"


@pytest.mark.parametrize(
    ("task", "path", "needle", "symbol", "why", "most"),
    [
        # What sets a candidate apart outranks what the whole file says.
        ("Ledger amounts should use banker rounding", LEDGER, "banker_round", "ledger_rounding", "matches ", 12),
        ("No alarm is raised for an overdraft", LEDGER, "raise_alarm", "reconcile", "matches ", BLOCK),
        ("`Vault.seal` does not lock the door", LEDGER, "def seal", "Vault.seal", "named by the task", 3),
        ("`Vault.unseal` returns 1", LEDGER, "def unseal", "Vault.unseal", "named by the task", 2),
        (TRACE, LEDGER, "step_70 = 70", "reconcile", "in the trace", BLOCK),
        # Items of a document are no comments.
        ("When does the alarm ring?", NOTES, "* overdraft alarm", "Ledger.Overdraft alarm", "matches ", BLOCK),
        # A named definition is shown whole.
        ("`reconcile` raises no alarm for an overdraft", LEDGER, "raise_alarm", "reconcile", "named by the task", 90),
    ],
)  # fmt: skip
def test_the_best_span(bank: Repository, task: str, path: str, needle: str, symbol: str, why: str, most: int) -> None:
    best = spans(bank, task, path)[0]
    assert best.start <= line_of(needle, path) <= best.end
    assert (best.symbol, best.score) == (symbol, 1.0)
    assert best.why.startswith(why) and best.end - best.start + 1 <= most


def test_nothing_is_shown_for_nothing(bank: Repository) -> None:
    assert spans(bank, "Ledger rounding", PLAIN) == ()


def test_spans_change_with_what_the_task_names_only(bank: Repository) -> None:
    loop = bank.ask("Ledger amounts should use banker rounding", Options(always_loop=True)).loop
    doc = bank.opened.view.numbers[LEDGER]

    def annotated(query: Query) -> Sequence[Span]:
        candidates, judgments = [Candidate(doc, LEDGER, 0.0)], [Judgment(LEDGER, 0.5)]
        return loop.annotator.annotate(loop.task, query, candidates, judgments)[0].spans

    first = annotated(loop.query)
    assert annotated(replace(loop.query, must_read=(LEDGER,))) == first
    named = annotated(replace(loop.query, symbols=(SymbolMention("unseal", 1.0, Origin.PROSE),)))
    assert [span.symbol for span in named if span.whole] == ["Vault.unseal"]
    assert not any(span.whole for span in first)


@pytest.mark.parametrize(
    ("reason", "cited", "count"),
    [
        (Reason("dense", "lines 4-11 say step for “stage”"), range(4, 12), 2),  # beside a span
        (Reason("dense", "lines 60-70 say step for “stage”"), range(60, 71), 3),
        (Reason("use", "uses quota (line 3)", (Evidence(LEDGER, 3, "quota"),)), range(3, 4), 3),
        (Reason("graph", "is imported by a.py:60", (Evidence("a.py", 60),)), (), 2),
        (Reason("history", "commit 1234567 “lines 60-70 match”", (Evidence(LEDGER),)), (), 2),
        # No such lines.
        (Reason("mine", "is as I say", (Evidence(LEDGER, 900), Evidence(LEDGER, -5))), (), 2),
        (Reason("mine", "lines 0-11 say so"), range(1, 12), 2),
        (Reason("mine", f"lines 120-{10**9 - 1} say so"), range(120, 131), 3),
        (Reason("mine", f"line {'9' * 5_000} says so"), (), 2),
    ],
)
def test_what_the_main_reason_cites_is_among_the_spans(reason: Reason, cited: Sequence[int], count: int) -> None:
    found = with_cited((Span(12, 23, score=1.0), Span(80, 95, score=0.1)), [reason], LEDGER, 130)
    assert all(any(s.start <= n <= s.end for s in found) for n in cited)
    assert len(found) == count
    assert [s.score for s in found] == sorted((s.score for s in found), reverse=True)


def test_of_a_changed_file_lines_that_it_does_not_have_are_left_out() -> None:
    changed = DiffFile(PLAIN, None, ((2, 2), (9, 30), (40, 41)), "", "")
    found = as_given(Judgment(PLAIN, 0.1), changed, (), 10)
    assert found.reasons == (Reason("change", "the change touches it, lines 2, 9–10", (Evidence(PLAIN, 2),)),)
    assert [(s.start, s.end) for s in found.spans] == [(1, 10)]
    [reason] = as_given(Judgment(PLAIN, 0.1), changed, (), 1).reasons
    assert (reason.text, reason.evidence) == ("the change touches it", (Evidence(PLAIN),))


def test_cited_lines_take_the_place_of_the_last_span() -> None:
    full = tuple(Span(10 * n, 10 * n + 5, score=1.0 / n) for n in range(1, MAX_SPANS + 1))
    reason = Reason("dense", "lines 200-210 say step for “stage”")
    found = with_cited(full, [reason], LEDGER, 300)
    assert len(found) == MAX_SPANS
    assert full[-1] not in found and found[1].start == 200


@pytest.mark.parametrize(
    "text", ["ledger", "Overdraft alarm", "Vault seal lock door", "The alarm of the ledger at an overdraft quota"]
)
def test_spans_are_few_sorted_apart_and_inside_the_file(bank: Repository, text: str) -> None:
    found, rows = spans(bank, text), FILES[LEDGER].split("\n")
    assert 0 < len(found) <= MAX_SPANS
    assert [s.score for s in found] == sorted((s.score for s in found), reverse=True)
    lines = [n for s in found for n in range(s.start, s.end + 1)]
    assert len(lines) == len(set(lines)) and 1 <= min(lines) <= max(lines) < len(rows)
    for span in found:
        inside = "\n".join(rows[span.start - 1 : span.end])
        words = span.why.removeprefix("matches ").split(", ") if span.why.startswith("matches ") else []
        assert span.why and all(word in inside for word in words)
    assert found == spans(bank, text)


def _near(cuts: Sequence[tuple[int, int]]) -> list[float]:
    return [start / 100 if start > 1 else 0.1 for start, _ in cuts]


def test_a_candidate_is_scored_by_bm25_over_the_candidates_of_its_file() -> None:
    lines = [Line(1, {"rate": 1.0}, ["rate"], False), Line(12, {"rate": 1.0, "limit": 0.5}, ["limit"], False)]
    terms = TaskTerms({"rate": 4.0, "limit": 1.0}, frozenset({"limit"}))
    file = File(["x = 1"] * 20, {n.number: n for n in lines}, {}, {12}, set(), terms, False, _near)
    candidates = [SpanCandidate(1, 10), SpanCandidate(11, 20, (), (Definition("f", "function", 9, 40),))]
    first, second = features_of(candidates, 3, file)
    # Both have the mean size: a term that occurs t times counts t · 2.2 / (t + 1.2).
    rate, limit = math.log1p(1.5 / 2.5), math.log1p(2.5 / 1.5)  # in two of three, in one of three
    half = 0.5 * 2.2 / 1.7
    assert first["bm25"] == pytest.approx(rate)
    assert second["bm25"] == pytest.approx(rate + limit * math.sqrt(1 / 4) * half)
    assert second["before"] == pytest.approx(first["bm25"] / second["bm25"])
    assert (first["near"], first["around"]) == (0.1, 0.1)
    assert (second["near"], second["around"]) == (0.11, 0.09)  # of its own lines, of the function's
    assert (second["function"], second["begins"]) == (1.0, 0.0)
    assert (first["frame"], second["frame"], first["size"]) == (0.0, 1.0, math.log(10))
    assert first.keys() == WEIGHTS.keys()


definitions = st.lists(
    st.tuples(st.integers(1, 150), st.integers(0, 80)).map(lambda p: Definition("f", "function", p[0], sum(p))),
    max_size=12,
)


@settings(deadline=None, max_examples=60)
@given(st.lists(st.sampled_from(["", "a = 1", "    b", "# c", "}"]), max_size=160), definitions, st.data())
def test_candidates_hold_every_matched_line_once(
    lines: list[str], defined: list[Definition], data: st.DataObject
) -> None:
    filled = [n for n, line in enumerate(lines, 1) if line.strip()]
    matched = data.draw(st.sets(st.sampled_from(filled))) if filled else set()
    candidates, count = span_candidates(lines, defined, matched)
    inside = [n for one in candidates for n in range(one.start, one.end + 1)]
    assert len(inside) == len(set(inside))
    assert matched <= set(inside) <= set(range(1, len(lines) + 1))
    assert all(one.size <= max(SMALL, BLOCK) for one in candidates)
    assert count >= len(candidates)


def shown(bank: Repository, budget: int) -> str:
    """The code of the ledger in the Markdown answer."""
    task = "`reconcile` raises no alarm for an overdraft of the ledger"
    page = render(bank.ask(task, Options(budget=budget)).run(), Texts(bank.opened.view))
    return page.partition("### bank/ledger.py")[2].partition("\n### ")[0]


@pytest.mark.parametrize("budget", [2500, 4000, 8000])
def test_a_named_function_is_whole_at_every_budget_that_holds_it(bank: Repository, budget: int) -> None:
    rows = [row.partition("  ")[2].strip() for row in shown(bank, budget).splitlines()]
    assert [row.strip() for row in LONG.split("\n")] == rows[rows.index("def reconcile():") :][:90]


@pytest.mark.parametrize("budget", [600, 700])
def test_a_named_function_beyond_the_budget_keeps_its_head_and_what_matches(bank: Repository, budget: int) -> None:
    head, _, rest = shown(bank, budget).partition("def reconcile():")
    assert "(cut)" in head and "ledger_open" not in head + rest
    assert "raise_alarm" in rest and "..." in [row.strip() for row in rest.split("\n")]
    assert "step_80" not in rest


def test_what_the_task_names_at_the_end_of_a_very_long_file_is_shown(tmp_path: Path) -> None:
    rows = [f"def unrelated_{n}():\n    return 'nothing of interest happens on this line {n}'\n" for n in range(6_000)]
    text = "\n".join([*rows, body("settle_overdraft", 12), ""])
    (tmp_path / "long.py").write_text(text)
    (tmp_path / "short.py").write_text("X = 1\n")
    first = Repository.open(tmp_path).ask("settle_overdraft() rounds twice").run().ranking[0]
    start = text[: text.index("def settle_overdraft")].count("\n") + 1
    assert first.path == "long.py"
    assert any(span.start <= start and start + 11 <= span.end for span in first.spans)


def test_definitions_that_hold_one_of_another_name() -> None:
    draw = Random(1)
    for _ in range(300):
        starts = [draw.randrange(12) for _ in range(draw.randrange(9))]
        found = {Definition(draw.choice("abc"), "function", s, s + draw.randrange(6), "") for s in starts}
        holding = {d for d in found if any(d.name != o.name and d.start <= o.start and o.end <= d.end for o in found)}
        assert holding_others(found) == holding


@pytest.mark.parametrize(
    ("lines", "stretch", "found"),
    [
        (["", "a", "", "b", " "], (1, 5), (2, 4)),
        (["a", "b"], (1, 2), (1, 2)),
        (["a", "b"], (1, 9), (1, 2)),
        (["a", "b"], (5, 9), (5, 2)),
        (["a", "", " "], (2, 3), (4, 3)),
    ],
)
def test_a_stretch_loses_blank_lines_at_its_ends(
    lines: list[str], stretch: tuple[int, int], found: tuple[int, int]
) -> None:
    assert filled(lines, *stretch) == found


def test_no_span_begins_or_ends_on_a_blank_line_unless_the_next_one_touches(tmp_path: Path) -> None:
    rows = [line for n in range(60) for line in (f"    overdraft_{n} = alarm({n})", "")]
    repository = Repository.open(write(tmp_path, {"bank/alarm.py": "\n".join(["def watch():", *rows]) + "\n"}))
    [judgment] = repository.ask("where is the overdraft alarm raised", Options()).run().files
    lines = ["def watch():", *rows]
    starts, ends = {s.start for s in judgment.spans}, {s.end for s in judgment.spans}
    assert judgment.spans
    assert all(lines[s.start - 1] or s.start - 1 in ends for s in judgment.spans)
    assert all(lines[s.end - 1] or s.end + 1 in starts for s in judgment.spans)


def test_a_short_function_is_shown_to_its_end():
    def grown(begun: Definition, *spans: tuple[int, int]) -> list[tuple[int, int]]:
        shown = [Span(start, end) for start, end in spans]
        around = [SpanCandidate(spans[0][0], spans[0][1], (begun,))]
        return [(span.start, span.end) for span in completed(shown, around, 100)]

    short, long = Definition("save", "function", 8, 30), Definition("save", "function", 8, 60)
    assert grown(short, (1, 12)) == [(1, 30)]
    assert grown(long, (1, 12)) == [(1, 12)]
    assert grown(short, (10, 14)) == [(10, 14)]  # begins above
    assert grown(short, (1, 12), (20, 25)) == [(1, 19), (20, 25)]
