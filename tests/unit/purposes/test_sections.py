"""Asked of a repository: what to change comes first, what says the same stands aside."""

import os
from pathlib import Path

import pytest

import zeroin
from tests.ready_process import ReadyProcess
from tests.repositories import write
from zeroin.answer import Context
from zeroin.types import Feedback

FILES = {
    "pricing/discount.py": "from decimal import Decimal\n\n\n"
    "def discounted(total, percent):\n    return total - total * percent / 100\n",
    "pricing/basket.py": "from pricing.discount import discounted\n\n\n"
    "def basket_total(items, percent):\n    return discounted(sum(i.price for i in items), percent)\n",
    "pricing/mail.py": "def send(message):\n    return message\n",
    "tests/test_discount.py": "from pricing.discount import discounted\n\n\n"
    "def test_the_discount_of_the_total_is_rounded_to_cents():\n"
    "    # The discount of the total was not rounded to cents.\n    assert discounted(999, 15) == 849\n\n\n"
    "def test_discount_of_zero_percent():\n    assert discounted(100, 0) == 100\n",
    "dist/bundle.js": "function discounted(total,percent){return total-total*percent/100}\n" * 3,
    "README.md": "# Pricing\n\nThe discount of the total is a percent that is rounded to cents.\n",
}
BUG = "The discount of the total is not rounded to cents"
CODE, TEST = "pricing/discount.py", "tests/test_discount.py"


@pytest.fixture
def pricing(tmp_path: Path) -> Path:
    return write(tmp_path / "pricing", FILES)


def asked(task: str, root: Path) -> Context:
    return zeroin.retrieve(task, root, always_loop=True)


def test_a_test_that_says_what_the_bug_says_is_to_be_run(pricing: Path) -> None:
    # Read beside the task, the code comes first by itself.
    context = zeroin.retrieve(BUG, pricing, always_loop=True, without=frozenset({"reader"}))
    judged = {j.path: j.relevance for j in context.ranking}
    assert judged[TEST] > judged[CODE], "the fixture is to have a test that says more of the task"
    assert context.files[0].path == context.ranking[0].path == CODE
    assert [j.path for j in context.tests] == [TEST]
    assert TEST not in {j.path for j in (*context.files, *context.supporting)}
    assert {j.path for j in context.listed} <= set(FILES)


def test_a_test_of_a_package_that_is_called_like_data_is_to_be_run(tmp_path: Path, ready: ReadyProcess) -> None:
    files = {
        path.replace("pricing/", "datasets/"): text.replace("pricing.", "datasets.") for path, text in FILES.items()
    }
    moved = "tests/datasets/test_discount.py"
    root = write(tmp_path / "moved", files | {moved: files.pop(TEST)})
    shown = ready.run([BUG, str(root), "-q", "--always-loop"], cwd=root, env=os.environ).stdout.decode()
    assert f"\ntests     {moved} " in shown and "(data)" not in shown, shown


def test_what_the_task_is_about_comes_first(pricing: Path) -> None:
    flaky = asked("Fix the flaky tests of the discount", pricing)
    assert (flaky.files[0].path, flaky.tests) == (TEST, ())
    told = asked("Document in the README how the discount is rounded", pricing)
    assert (told.files[0].path, told.documents) == ("README.md", ())


def test_a_file_that_the_caller_judged_relevant_is_among_the_files(pricing: Path) -> None:
    session = zeroin.open_session(BUG, pricing, always_loop=True)
    session.run()
    session.apply(Feedback(relevant=(TEST,)))
    context = session.run()
    assert TEST in {j.path for j in context.files}
    assert context.tests == ()


def test_a_file_about_generated_things_is_no_generated_file(pricing: Path, ready: ReadyProcess) -> None:
    text = "# Note that further discounts are automatically generated from the methods of it.\n" + FILES[CODE]
    write(pricing, {CODE: text})
    shown = ready.run([BUG, str(pricing), "-q", "--always-loop"], cwd=pricing, env=os.environ).stdout.decode()
    first = shown.split("\n")[0]
    assert CODE in first and "(generated)" not in first
