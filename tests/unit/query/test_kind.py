"""The kind of a task and the purpose that follows: one line of each form that tasks take."""

import pytest

from zeroin.config import Options
from zeroin.query.kind import asked_by
from zeroin.query.task import formulate
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


@pytest.mark.parametrize(("text", "kind"), KINDS.items(), ids=lambda value: str(value)[:40])
def test_kind_and_purpose(text: str, kind: TaskKind) -> None:
    task, query = formulate(text, Options())
    assert query.kind is kind
    assert task.purpose == PURPOSES.get(kind, task.purpose)
    assert (task.purpose == "explore") == (kind in (TaskKind.QUESTION, TaskKind.SYMBOL))


def test_a_diff_is_a_diff_whatever_its_message_says() -> None:
    diff = Diff((DiffFile("a.py", "a.py", ((1, 2),), "new", "old"),), "fix: totals")
    task, query = formulate(Task("", diff=diff), Options())
    assert query.kind is TaskKind.DIFF and task.purpose == "review"


@pytest.mark.parametrize(
    ("title", "search", "kind"),
    [
        ("Dropped the cache", False, TaskKind.REFACTORING),
        ("Simplifies totals", True, TaskKind.REFACTORING),
        ("display width", True, None),
        ("Display the width", True, TaskKind.FEATURE),
        ("prune_rows is slow", False, None),
    ],
)
def test_the_verb_that_a_title_begins_with(title: str, search: bool, kind: TaskKind | None) -> None:
    assert asked_by(title, search=search) is kind
