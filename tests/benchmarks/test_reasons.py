"""Lies planted in a true answer are found, one by one; a true answer passes."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.reasons import audit, check_context
from tests.worlds.history import commit_all
from zeroin.answer import Context, Pattern
from zeroin.engine import Repository
from zeroin.index.view import View
from zeroin.types import Evidence, Expansion, ExpansionSource, Gap, Judgment, Reason, Span

FILES = {
    "shop/basket.py": "from shop.price import total_price\n\n\nclass Basket:\n    def checkout(self):\n"
    "        return total_price(self.items)\n",
    "shop/price.py": "def total_price(items):\n    # rounding of cents happens here\n    return round(sum(items))\n",
    "shop/stock.py": "def in_stock(item):\n    return item in SHELF\n",
    "tests/test_price.py": "from shop.price import total_price\n\n\ndef test_total_price():\n    total_price([1])\n",
    "README.md": "# A shop\n",
    "Dockerfile": "FROM scratch\n",
}
HISTORY = [
    ("Begin the shop", list(FILES)),
    ("Rounding of prices in the basket", ["shop/basket.py", "shop/price.py"]),
    ("Stock", ["shop/stock.py"]),
]
TASK = "total_price loses cents\n\nRounding in `Basket.checkout` is wrong, see shop/price.py"


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Context, View, Path]]:
    folder = tmp_path_factory.mktemp("shop") / "shop"
    commit_all(folder, FILES, HISTORY)
    repository = Repository.open(folder, jobs=1)
    yield repository.ask(TASK).run(), repository.opened.view, folder / ".git"


def test_a_true_answer_passes_and_every_kind_of_claim_is_counted(asked: tuple[Context, View, Path]) -> None:
    found = audit(*asked)
    assert found.violations == []
    assert {"path", "line", "words", "commit", "span"} <= set(found.claims)


PRICE = "shop/price.py"
# Kind and sentence of a reason, its evidence, and what is found wrong with it.
WRONG: tuple[tuple[str, str, Evidence, str], ...] = (
    ("name", "its path says price", Evidence("shop/prices.py"), "does not exist"),
    ("passage", "lines 2-90 match rounding", Evidence(PRICE, 2, text="rounding"), "no lines"),
    ("passage", "lines 2-3 match Basket", Evidence(PRICE, 2, text="rounding"), "do not say Basket"),
    ("passage", "line 2 matches happens", Evidence(PRICE, 2, text="happens"), "the task"),
    ("symbol", "defines Basket (line 1), named by the task", Evidence(PRICE, 1, "Basket"), "is not at"),
    ("symbol", "defines total_price (line 2), named by the task", Evidence(PRICE, 1, "total_price"), "not understood"),
    ("graph", "imports shop/stock.py", Evidence(PRICE, text="shop/stock.py"), "does not import"),
    ("path", "is in the stack trace, line 3", Evidence(PRICE, 3, text=PRICE), "does not say line 3"),
    ("dense", "lines 1-9 say cents", Evidence(PRICE, 2, text="cents"), "has no lines"),
    ("dense", "lines 1-2 say cents", Evidence(PRICE, 2, text="cents"), "is no passage"),
    ("dense", "lines 1-3 say basket", Evidence(PRICE, 2, text="basket"), "say basket"),
    ("dense", "lines 1-3 say def", Evidence(PRICE, 2, text="def"), "the task does not say def"),
    ("dense", "lines 1-3 say price for “money”", Evidence(PRICE, 2, text="price"), "does not say money"),
    ("dense", "lines 1-3 say def for “cents”", Evidence(PRICE, 2, text="def"), "near cents"),
    ("dense", "lines 1-3 are its nearest to the task by dense retrieval; no single word says why",
     Evidence(PRICE, 1), "are near the task's"),
    ("asked", "tests/test_price.py tests shop/price.py", Evidence(PRICE), "no gap that was asked names shop/price.py"),
    ("read", "lines 60-64, read beside the task, move it up by 2 places", Evidence(PRICE, 60), "has no lines"),
    ("read", "lines 1-3, read beside the task, move it up by 10 places", Evidence(PRICE, 1), "by 10 places"),
    ("read", "line 2, read beside the task, moves it up by 1 place", Evidence(PRICE, 1), "not cited"),
    ("against", "other files, read beside the task, agree with it more", Evidence(PRICE), "raised no other"),
    ("against", "read since: 40 lines of it match the task", Evidence(PRICE), "not 40"),
    ("against", "says “total”, for which this codebase has another word", Evidence(PRICE), "known for total"),
    ("retriever", "found by oracle: heard of it", Evidence(PRICE), "no retriever said"),
    ("role", "is a test, and the task is not about tests", Evidence(PRICE), "is not a test"),
    ("name", "its path says stock", Evidence(PRICE), "does not say stock"),
    ("hunch", "it feels right", Evidence(PRICE), "is not understood"),
    ("hub", "imported by 7 files", Evidence(PRICE), "2 files import it"),
)  # fmt: skip


@pytest.mark.parametrize(("kind", "text", "evidence", "told"), WRONG)
def test_a_lie_is_found(asked: tuple[Context, View, Path], kind: str, text: str, evidence: Evidence, told: str) -> None:
    context, view, git_dir = asked
    judgment = Judgment(PRICE, 0.9, (Reason(kind, text, (evidence,)),))
    lying = replace(context, files=(judgment,), supporting=(), ranking=())
    assert any(told in violation for violation in check_context(lying, view, git_dir))


def test_lies_about_commits_are_found(asked: tuple[Context, View, Path]) -> None:
    context, view, git_dir = asked
    history = view.history
    assert history is not None
    newest, rounding = history.commits[0], history.commits[1]

    def violations(reason: Reason) -> str:
        lying = replace(context, files=(Judgment(PRICE, 0.9, (reason,)),), supporting=(), ranking=())
        return "\n".join(check_context(lying, view, git_dir))

    def told(identity: str, subject: str) -> Reason:
        text = f"commit {identity[:10]} “{subject}” resembles the task and changed it"
        return Reason("history", text, (Evidence(PRICE, commit=identity, text=subject),))

    right = "Rounding of prices in the basket"
    assert violations(told(rounding, right)) == ""
    assert "is called" in violations(told(rounding, "Rounding of stock"))
    assert "did not touch" in violations(told(newest, "Stock"))
    assert "is no commit" in violations(told("0" * 40, right))
    for count, wrong in ((1, True), (2, False), (3, True)):
        text = f"changed in {count} commits, last in {rounding[:10]} “{right}”".replace("1 commits", "1 commit")
        reason = Reason("changes", text, (Evidence(PRICE, commit=rounding, text=right),))
        assert ("git lists 2" in violations(reason)) is wrong
        text = f"changed together with shop/basket.py in {count} commits".replace("1 commits", "1 commit")
        reason = Reason("cochange", text, (Evidence("shop/basket.py", commit=rounding),))
        assert ("git lists 2" in violations(reason)) is wrong


def test_lies_besides_the_files_are_found(asked: tuple[Context, View, Path]) -> None:
    context, view, git_dir = asked
    plain = replace(context, files=(), supporting=(), ranking=(), gaps=(), terminology=(), patterns=(), cycles=())
    span = Judgment(PRICE, 0.9, (), spans=(Span(2, 9),))
    shown = replace(plain, files=(span,))
    assert any("no 2–9" in v for v in check_context(shown, view, git_dir))
    cited = Reason("passage", "line 2 matches rounding", (Evidence(PRICE, 2, text="rounding"),))
    aside = replace(plain, files=(Judgment(PRICE, 0.9, (cited,), spans=(Span(1, 1),)),))
    assert any("no span holds [2]" in v for v in check_context(aside, view, git_dir))
    homeless = Gap(
        "reference",
        f"in_stock ({PRICE}:3) is defined in shop/stock.py",
        False,
        (Evidence(PRICE, 3, "in_stock"), Evidence("shop/stock.py", symbol="in_stock")),
    )
    assert any("does not say in_stock" in v for v in check_context(replace(plain, gaps=(homeless,)), view, git_dir))
    source = ExpansionSource("nearby", PRICE, 2, "# rounding of pennies happens here")
    term = Expansion("cents", "rounding", 0.5, (source,))
    assert any(v.startswith("quote") for v in check_context(replace(plain, terminology=(term,)), view, git_dir))
    pattern = Pattern("location", "shop/price.py is one of the 4 files of shop/*.py", "shop/*.py", (PRICE,))
    told = check_context(replace(plain, patterns=(pattern,)), view, git_dir)
    assert any("holds 3 such files" in v for v in told)


STOCK, BASKET, PRICES = Evidence("shop/stock.py"), Evidence("shop/basket.py"), Evidence(PRICE)
# Kind and sentence of a gap, its evidence, and what is found wrong with it.
LYING: tuple[tuple[str, str, tuple[Evidence, ...], str], ...] = (
    ("counterpart", "shop/stock.py is named like shop/basket.py", (STOCK, BASKET), "not named like"),
    ("dependency", "shop/basket.py imports shop/stock.py, whose names say “price”", (BASKET, STOCK),
     "does not import"),
    ("dependency", "Dockerfile, whose names say “price”, imports shop/price.py",
     (Evidence("Dockerfile"), PRICES), "no name of Dockerfile says"),
    ("dependency", "shop/basket.py imports shop/price.py, whose names say “price”",
     (Evidence("shop/basket.py", 4), PRICES), "shop/basket.py:4 names none"),
    ("counterpart", "shop/stock.py reads total_price of shop/price.py",
     (Evidence("shop/stock.py", symbol="total_price"), PRICES), "does not say total_price"),
    ("counterpart", "shop/stock.py implements Basket of shop/basket.py", (STOCK, BASKET),
     "no definition of shop/stock.py says Basket"),
    ("counterpart", "shop/stock.py migrates the model shop/basket.py", (STOCK, BASKET), "not named as a migration"),
    ("aspect", "no selected path or definition says “cents”; shop/stock.py does", (Evidence(text="cents"), STOCK),
     "no name of shop/stock.py says cents"),
    ("counterpart", "shop/stock.py is named like shop/basket.py", (BASKET,), "its evidence is"),
    ("terminology", "no relevant file says “SHELF”: another word, or another part of the code?",
     (Evidence(text="SHELF"), Evidence("README.md")), "no name of README.md says SHELF"),
    ("counterpart", "shop/stock.py feels right", (STOCK,), "is not understood"),
)  # fmt: skip


@pytest.mark.parametrize(("kind", "need", "evidence", "told"), LYING)
def test_a_lie_about_what_is_missing_is_found(
    asked: tuple[Context, View, Path], kind: str, need: str, evidence: tuple[Evidence, ...], told: str
) -> None:
    context, view, git_dir = asked
    gap = Gap(kind, need, False, evidence)
    lying = replace(context, files=(), supporting=(), ranking=(), gaps=(gap,), terminology=(), patterns=())
    assert any(told in violation for violation in check_context(lying, view, git_dir))


@pytest.mark.parametrize(
    ("source", "told"),
    [
        (ExpansionSource("neighbour", "", None, "0.99 alike"), "but "),
        (ExpansionSource("global", "", None, "so in the histories of 7777 repositories"), "7777"),
        (ExpansionSource("abbreviation", "", None, "stock / cents"), "is not short for"),
        (ExpansionSource("global", PRICE, 2, "so in the histories of 7 repositories"), "has a place"),
    ],
)
def test_a_pair_without_a_place_is_checked_all_the_same(
    asked: tuple[Context, View, Path], source: ExpansionSource, told: str
) -> None:
    context, view, git_dir = asked
    lying = replace(context, gaps=(), terminology=(Expansion("cents", "stock", 0.5, (source,)),))
    assert any(told in violation for violation in check_context(lying, view, git_dir))
