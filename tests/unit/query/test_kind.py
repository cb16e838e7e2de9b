"""Which kind a task is told to be, and the purpose that follows: one line of each form that tasks take."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zeroin.config import Options
from zeroin.query.kind import kind_of
from zeroin.query.purpose import purpose_of
from zeroin.query.task import query_of
from zeroin.query.verbs import asked_by, without_scope
from zeroin.tree import Diff, DiffFile
from zeroin.types import Task, TaskKind

TRACE = """Export crashes on empty sheets

Traceback (most recent call last):
  File "/srv/app/acme/export.py", line 41, in write_sheet
    head = rows[0]
IndexError: list index out of range
"""
PREFIXED = """[Bug]: the parser dies now and then
 | ERROR 11-16 parser.py:337] Traceback (most recent call last):
 | ERROR 11-16 parser.py:337]   File "/usr/lib/acme/parser.py", line 226, in parse
"""
FEATURE_FORM = """Dark colours in the report
**Is your feature request related to a problem? Please describe.**
The report is hard to read at night.
**Describe the solution you'd like**
A switch.
"""
BUG_FORM = """The total row
### Describe the bug
It shows the sum of hidden rows as well.
### Steps to reproduce
Hide a row.
"""

KINDS = {
    TRACE: TaskKind.TRACE,
    PREFIXED: TaskKind.TRACE,
    FEATURE_FORM: TaskKind.FEATURE,
    BUG_FORM: TaskKind.BUG,
    # what an author's own label says
    "feat(cache): time to live": TaskKind.FEATURE,
    "fix(parser)!: one row too many": TaskKind.BUG,
    "docs: how to install": TaskKind.DOCUMENTATION,
    "refactor: the ledger": TaskKind.REFACTORING,
    "ci: node 20": TaskKind.CONFIG,
    "chore: remove min and max": TaskKind.REFACTORING,
    "[Feature] limits for uploads": TaskKind.FEATURE,
    # orders, and reports of what was done
    "Add an option to skip hidden rows": TaskKind.FEATURE,
    "ledger: support negative balances": TaskKind.FEATURE,
    "Fixed rounding of totals": TaskKind.BUG,
    "Don't close the pool twice": TaskKind.BUG,
    "Don't use the global registry": TaskKind.REFACTORING,
    "Rename Ledger to Book": TaskKind.REFACTORING,
    "Use a set instead of a list for members": TaskKind.REFACTORING,
    "Add tests for the importer": TaskKind.REFACTORING,
    "Fix flaky importer test": TaskKind.BUG,
    "Document the retry policy": TaskKind.DOCUMENTATION,
    "Fix typo in the installation guide": TaskKind.DOCUMENTATION,
    "Update the README for version 2": TaskKind.DOCUMENTATION,
    "Bump urllib3 from 1.26 to 2.0": TaskKind.CONFIG,
    "Run the tests on GitHub Actions": TaskKind.CONFIG,
    "Drop support for Python 3.8 in pyproject": TaskKind.CONFIG,
    # bug reports of one line, without the word
    "Session expires immediately after login": TaskKind.BUG,
    "Totals are wrong for empty ledgers": TaskKind.BUG,
    "`to_csv` returns quoted numbers": TaskKind.BUG,
    "Export takes too long": TaskKind.BUG,
    "importer.py: IndexError on the last row": TaskKind.BUG,
    "Upload does nothing when the file is empty": TaskKind.BUG,
    "导出报错": TaskKind.BUG,
    # questions and look-ups
    "how are totals rounded": TaskKind.QUESTION,
    "where is the ledger written to disk?": TaskKind.QUESTION,
    "request and response interceptors": TaskKind.QUESTION,
    "error types and error enrichment": TaskKind.QUESTION,
    "before and after hooks of a request": TaskKind.QUESTION,
    "return codes": TaskKind.QUESTION,
    "sending responses and setting the status": TaskKind.QUESTION,
    "Ledger": TaskKind.SYMBOL,
    "acme.books.Ledger": TaskKind.SYMBOL,
}
PURPOSES = {
    TaskKind.TRACE: "fix",
    TaskKind.BUG: "fix",
    TaskKind.FEATURE: "feature",
    TaskKind.QUESTION: "explore",
    TaskKind.SYMBOL: "explore",
}


def _kind(text: str) -> TaskKind:
    task = Task(text)
    return kind_of(task, query_of(task, Options()))


@pytest.mark.parametrize(("text", "kind"), KINDS.items(), ids=lambda value: str(value)[:40])
def test_kind(text: str, kind: TaskKind) -> None:
    assert _kind(text) is kind


@pytest.mark.parametrize(("text", "kind"), KINDS.items(), ids=lambda value: str(value)[:40])
def test_only_questions_and_searches_explore(text: str, kind: TaskKind) -> None:
    assert purpose_of(Task(text)) == PURPOSES.get(kind, purpose_of(Task(text)))
    assert (purpose_of(Task(text)) == "explore") == (kind in (TaskKind.QUESTION, TaskKind.SYMBOL))


def test_a_diff_is_a_diff_whatever_its_message_says() -> None:
    diff = Diff((DiffFile("a.py", "a.py", ((1, 2),), "new", "old"),), "fix: totals")
    task = Task("", diff=diff)
    assert kind_of(task, query_of(task, Options())) is TaskKind.DIFF


def test_scope_and_verb() -> None:
    assert without_scope("parser: drop the cache") == "drop the cache"
    assert without_scope("[core] add hooks") == "add hooks"
    assert asked_by("Dropped the cache", search=False) is TaskKind.REFACTORING
    assert asked_by("Simplifies totals", search=True) is TaskKind.REFACTORING
    assert asked_by("display width", search=True) is None
    assert asked_by("Display the width", search=True) is TaskKind.FEATURE
    assert asked_by("prune_rows is slow", search=False) is None


@given(st.text(min_size=1, max_size=300))
@settings(max_examples=60, deadline=None)
def test_every_text_has_one_kind(text: str) -> None:
    task = Task(f"word {text}")
    query = query_of(task, Options())
    assert kind_of(task, query) is kind_of(task, query)


def test_it_is_quick() -> None:
    cases = [(task, query_of(task, Options())) for task in map(Task, KINDS)]
    for task, query in cases:
        kind_of(task, query)
    best = min(_round(cases) for _ in range(5))
    assert best / len(cases) < 0.002  # about 0.00004 s measured


def _round(cases: list) -> float:  # type: ignore[type-arg]
    start = time.perf_counter()
    for task, query in cases:
        kind_of(task, query)
    return time.perf_counter() - start
