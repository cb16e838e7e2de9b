"""When the loop is not needed (PATTERN P13): the answer comes at once, with the advice and its reason."""

from pathlib import Path
from typing import Literal

import pytest
from small_repository import TASK, build

import zeroin
from tests.repositories import repository, write
from zeroin.answer import Context
from zeroin.context.rendering import render
from zeroin.context.rendering.screen import PLAIN

SMALL = 200  # a budget that the repository does not fit


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    return build(tmp_path / "repo")


def at_once(context: Context, code: str) -> str:
    """The advice, which must be this one and have stopped the loop."""
    assert context.advice is not None
    assert context.advice.kind == code
    assert len(context.cycles) <= 1
    assert context.stop_reason.code == "direct"
    assert context.stop_reason.text == context.advice.text
    return context.advice.text


def test_a_small_repository_is_to_be_read_whole(repo: Path) -> None:
    text = at_once(zeroin.retrieve(TASK, repo), "small_repository")
    size = sum(p.stat().st_size for p in repo.rglob("*") if p.is_file() and ".git" not in p.parts)
    told = int(text.partition("about ")[2].partition(" tokens")[0].replace(",", ""))
    assert size / 5 < told < size / 2
    assert "8,000" in text and text.startswith("the whole repository is")


def test_what_the_size_leaves_out_is_said(tmp_path: Path) -> None:
    locales = {f"locales/{code}.json": '{"sign_in": "Anmelden"}\n' * 50 for code in ("de", "en")}
    files = {"tools/check.py": '"""List keys that a locale lacks."""\n', **locales}
    text = at_once(
        zeroin.retrieve("list the keys that a locale lacks", repository(tmp_path / "repo", files)), "small_repository"
    )
    assert text.startswith("the whole repository, data and generated files aside, is about 11 tokens")


@pytest.mark.parametrize("form", ["table", "markdown"])
def test_the_advice_is_said_once(repo: Path, form: Literal["table", "markdown"]) -> None:
    session = zeroin.open_session(TASK, repo)
    answer = render(session.run(), session.read, form, screen=PLAIN)
    assert " ".join(answer.split()).count("the whole repository is about") == 1


def test_exact_files_are_checked_and_their_spans_chosen(repo: Path) -> None:
    task = "Fix the expiry check in shop/tokens.py and shop/sessions.py"
    context = zeroin.retrieve(task, repo, budget=SMALL)
    assert "2 files" in at_once(context, "exact_files")
    assert {j.path for j in context.files[:2]} == {"shop/tokens.py", "shop/sessions.py"}
    assert all(j.spans for j in context.files[:2])


def test_a_single_file_is_named(repo: Path) -> None:
    context = zeroin.retrieve("Rename the parameter in shop/coupons.py", repo, budget=SMALL)
    assert "shop/coupons.py" in at_once(context, "single_file")
    assert context.files[0].path == "shop/coupons.py"
    assert context.files[0].spans


@pytest.mark.parametrize(
    ("task", "answer"),
    [
        ("the OddCoupon should make the customers angry after a refund", True),
        ("Odd prices make the customers angry after a refund", False),
    ],
)
def test_a_word_that_begins_a_sentence_is_no_name(repo: Path, task: str, answer: bool) -> None:
    (repo / "shop" / "odd.py").write_text("class Odd:\n    pass\n\n\nclass OddCoupon:\n    pass\n")
    context = zeroin.retrieve(task, repo, budget=SMALL)
    assert (context.stop_reason.text == "everything that the task names is defined in shop/odd.py") == answer


def test_a_file_that_does_not_exist_is_no_exact_file(repo: Path) -> None:
    context = zeroin.retrieve("Fix shop/tokens.py and shop/absent.py", repo, budget=SMALL)
    assert context.advice is None
    assert context.stop_reason.code != "direct"


@pytest.mark.parametrize("budget", [SMALL, 8_000])
@pytest.mark.parametrize("task", ["Rename the parameter in shop/coupons.py", TASK])
def test_the_loop_can_be_had_all_the_same(repo: Path, task: str, budget: int) -> None:
    context = zeroin.retrieve(task, repo, always_loop=True, budget=budget)
    assert context.advice is None
    assert context.stop_reason.code != "direct"


@pytest.mark.parametrize(
    "task",
    [
        "Error: cannot apply the rate of a coupon, see shop/coupons.py",
        "Execution error (ExceptionInfo) at shop.coupons/apply (coupons.py:2).",
        "IllegalState at shop.Coupons.apply (shop/coupons.py:2)",
        "It fails\n\nshop: error: no rate\n  in shop/coupons.py",
    ],
)
def test_a_file_in_a_pasted_error_is_searched_for(repo: Path, task: str) -> None:
    context = zeroin.retrieve(task, repo, budget=SMALL)
    assert context.advice is None and context.cycles


@pytest.mark.parametrize("path", ["tests/data/settings.toml", "shop.lock"])
def test_a_bare_name_that_may_be_anyones_is_no_single_file(repo: Path, path: str) -> None:
    write(repo, {path: "key = 1\n"})
    context = zeroin.retrieve(f"Read the key from {Path(path).name} of a parent folder", repo, budget=SMALL)
    assert context.advice is None or context.advice.kind != "single_file"
