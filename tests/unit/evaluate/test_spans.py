"""Which lines of a real file are shown: one repository on disk, asked in several ways."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zeroin.config import Options
from zeroin.context.packing.texts import Texts
from zeroin.context.rendering.markdown import render
from zeroin.engine import Repository
from zeroin.evaluate.spans.candidates import BLOCK, SMALL, span_candidates
from zeroin.evaluate.spans.select import MAX_SPANS
from zeroin.tree import Definition
from zeroin.types import Candidate, Judgment, Span, Task


def body(name: str, lines: int, say: str = "") -> str:
    rows = [f"    step_{n} = {n}" for n in range(lines - 2)]
    if say:
        rows[len(rows) // 2] = f"    {say}"
    return "\n".join([f"def {name}():", *rows, "    return None"])


LONG = body("reconcile", 90, "quota.raise_alarm('ledger')  # overdraft")
FILES = {
    "bank/ledger.py": "\n\n\n".join(
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
    "bank/plain.py": "X = 1\n",
    "notes/history.md": "# Ledger\n\n"
    + "Nothing.\n" * 30
    + "\n## Overdraft alarm\n\n* overdraft alarm rings\n",
}


@pytest.fixture(scope="module")
def bank(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    root = tmp_path_factory.mktemp("bank")
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    return Repository.open(root)


def spans(bank: Repository, text: str, path: str = "bank/ledger.py") -> tuple[Span, ...]:
    loop = bank.ask(text, Options(always_loop=True)).loop
    doc = bank.opened.view.doc_of(path)
    assert doc is not None
    [annotated] = loop.annotator.annotate(
        Task(text), loop.query, [Candidate(doc, path, 0.0)], [Judgment(path, 0.5)]
    )
    return tuple(annotated.spans)


def line_of(needle: str, path: str = "bank/ledger.py") -> int:
    return next(n for n, line in enumerate(FILES[path].split("\n"), 1) if needle in line)


def holds(span: Span, needle: str, path: str = "bank/ledger.py") -> bool:
    return span.start <= line_of(needle, path) <= span.end


def test_what_sets_a_piece_apart_outranks_what_the_whole_file_says(bank: Repository) -> None:
    best = spans(bank, "Ledger amounts should use banker rounding in the ledger")[0]
    assert best.symbol == "ledger_rounding"
    assert (best.start, best.end) == (line_of("def ledger_rounding"), line_of("def ledger_rounding") + 11)
    assert best.score == 1.0
    assert "banker" in best.why


def test_of_a_long_definition_the_block_that_matches(bank: Repository) -> None:
    best = spans(bank, "No alarm is raised for an overdraft")[0]
    assert holds(best, "raise_alarm")
    assert best.end - best.start + 1 <= BLOCK
    assert best.symbol == "reconcile"


def test_a_named_definition_is_shown_and_says_so(bank: Repository) -> None:
    found = spans(bank, "`Vault.unseal` returns 1")
    assert holds(found[0], "def unseal")
    assert found[0].why == "named by the task"


def test_a_line_of_a_trace_comes_first(bank: Repository) -> None:
    line = line_of("step_70 = 70")
    frame = f'  File "bank/ledger.py", line {line}, in reconcile'
    trace = f"Traceback (most recent call last):\n{frame}\nOverflowError: ledger"
    best = spans(bank, f"Closing the ledger fails\n\n{trace}\n")[0]
    assert best.start <= line <= best.end
    assert best.why == "in the trace"


def test_items_of_a_document_are_no_comments(bank: Repository) -> None:
    best = spans(bank, "When does the overdraft alarm ring?", "notes/history.md")[0]
    assert holds(best, "* overdraft alarm", "notes/history.md")


def test_nothing_is_shown_for_nothing(bank: Repository) -> None:
    assert spans(bank, "Ledger rounding", "bank/plain.py") == ()


@pytest.mark.parametrize(
    "text", ["ledger", "Overdraft alarm", "Vault seal lock door", "step amount quota return"]
)
def test_spans_are_few_sorted_apart_and_inside_the_file(bank: Repository, text: str) -> None:
    found = spans(bank, text)
    last = FILES["bank/ledger.py"].count("\n")
    assert 0 < len(found) <= MAX_SPANS
    assert [s.score for s in found] == sorted((s.score for s in found), reverse=True)
    assert all(1 <= s.start <= s.end <= last and s.why for s in found)
    lines = [n for s in found for n in range(s.start, s.end + 1)]
    assert len(lines) == len(set(lines))
    assert found == spans(bank, text)


def test_words_that_a_span_is_said_to_match_are_on_its_lines(bank: Repository) -> None:
    rows = FILES["bank/ledger.py"].split("\n")
    for span in spans(bank, "The alarm of the ledger does not ring at an overdraft of the quota"):
        if span.why.startswith("matches "):
            text = "\n".join(rows[span.start - 1 : span.end])
            assert all(word in text for word in span.why.removeprefix("matches ").split(", "))


definitions = st.lists(
    st.tuples(st.integers(1, 150), st.integers(0, 80)).map(
        lambda p: Definition("f", "function", p[0], sum(p))
    ),
    max_size=12,
)


@settings(deadline=None, max_examples=60)
@given(st.lists(st.sampled_from(["", "a = 1", "    b", "# c", "}"]), max_size=160), definitions, st.data())
def test_pieces_hold_every_wanted_line_once(
    lines: list[str], held: list[Definition], data: st.DataObject
) -> None:
    said = [n for n, line in enumerate(lines, 1) if line.strip()]
    wanted = data.draw(st.sets(st.sampled_from(said))) if said else set()
    pieces, count = span_candidates(lines, held, wanted)
    inside = [n for p in pieces for n in range(p.start, p.end + 1)]
    assert len(inside) == len(set(inside))
    assert wanted <= set(inside) <= set(range(1, len(lines) + 1))
    assert all(p.size <= max(SMALL, BLOCK) for p in pieces)
    assert count >= len(pieces)


def shown(bank: Repository, text: str, budget: int) -> str:
    """The code of the ledger in the Markdown answer, at a budget."""
    answer = bank.ask(text, Options(budget=budget)).run()
    page = render(answer, Texts(bank.opened.view))
    return page.partition("### bank/ledger.py")[2].partition("\n### ")[0]


def test_a_named_function_is_shown_whole_before_anything_else(bank: Repository) -> None:
    best = spans(bank, "`reconcile` raises no alarm for an overdraft of the ledger")[0]
    assert (best.start, best.end) == (line_of("def reconcile"), line_of("def reconcile") + 89)
    assert best.whole and best.symbol == "reconcile"


@pytest.mark.parametrize("budget", [2500, 4000, 8000])
def test_a_named_function_is_whole_at_every_budget_that_holds_it(bank: Repository, budget: int) -> None:
    code = shown(bank, "`reconcile` raises no alarm for an overdraft of the ledger", budget)
    rows = [row.partition("  ")[2].strip() for row in code.splitlines()]
    assert [row.strip() for row in LONG.split("\n")] == rows[rows.index("def reconcile():") :][:90]


@pytest.mark.parametrize("budget", [600, 700])
def test_a_named_function_beyond_the_budget_keeps_its_head_and_what_matches(
    bank: Repository, budget: int
) -> None:
    code = shown(bank, "`reconcile` raises no alarm for an overdraft of the ledger", budget)
    head, _, rest = code.partition("def reconcile():")
    assert "(cut)" in head and "ledger_open" not in code
    assert "raise_alarm" in rest and "..." in [row.strip() for row in rest.split("\n")]
    assert "step_80" not in rest


def test_of_several_functions_of_one_name_the_qualified_one(bank: Repository) -> None:
    found = [s for s in spans(bank, "`Vault.seal` does not lock the door") if s.whole]
    assert [s.symbol for s in found] == ["Vault.seal"]


def test_what_the_task_names_at_the_end_of_a_very_long_file_is_shown(tmp_path: Path) -> None:
    rows = [
        f"def unrelated_{n}():\n    return 'nothing of interest happens on this line {n}'\n"
        for n in range(6_000)
    ]
    text = "\n".join([*rows, body("settle_overdraft", 12), ""])
    (tmp_path / "long.py").write_text(text)
    (tmp_path / "short.py").write_text("X = 1\n")
    context = (
        Repository.open(tmp_path).ask("settle_overdraft() rounds twice", Options(always_loop=True)).run()
    )
    start = text[: text.index("def settle_overdraft")].count("\n") + 1
    assert context.ranking[0].path == "long.py"
    assert any(span.start <= start and start + 11 <= span.end for span in context.ranking[0].spans)
