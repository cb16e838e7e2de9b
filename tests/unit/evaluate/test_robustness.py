"""The ranker does with what there is: no history, no grammar, one language, three words, twenty thousand characters."""

from __future__ import annotations

from pathlib import Path

import pytest

import zeroin
from tests.worlds.history import commit_all
from zeroin.answer import Context

FILES = {
    "shop/pricing/discounts.py": "def apply_discount(price, rate):\n    return price - price * rate\n",
    "shop/pricing/taxes.py": "def add_tax(price, rate):\n    return price + price * rate\n",
    "shop/cart.py": "from shop.pricing.discounts import apply_discount\n\n\ndef total(items):\n    return sum(items)\n",
    "shop/mail.py": "def send_receipt(address):\n    return address\n",
    "tests/test_discounts.py": "from shop.pricing.discounts import apply_discount\n",
    "docs/guide.md": "# Guide\n\nHow to run the shop.\n",
}
ASKED = "apply_discount subtracts the discount twice"
RIGHT = "shop/pricing/discounts.py"


def asked(folder: Path, task: str) -> Context:
    context = zeroin.retrieve(task, folder, always_loop=True)
    assert all(0.0 <= j.relevance <= 1.0 for j in context.ranking)
    assert [j.relevance for j in context.ranking] == sorted(
        (j.relevance for j in context.ranking), reverse=True
    )
    return context


def folder_of(path: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_text(text)
    return path


@pytest.fixture(autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZEROIN_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))


def test_without_history(tmp_path: Path) -> None:
    assert asked(folder_of(tmp_path, FILES), ASKED).ranking[0].path == RIGHT


def test_with_history(tmp_path: Path) -> None:
    history = [("Start the shop", list(FILES)), ("Discounts are shares of the price", [RIGHT])]
    commit_all(tmp_path / "repo", FILES, history)
    assert asked(tmp_path / "repo", ASKED).ranking[0].path == RIGHT


def test_without_a_grammar(tmp_path: Path) -> None:
    strange = {name.replace(".py", ".qqq"): text for name, text in FILES.items()}
    assert asked(folder_of(tmp_path, strange), ASKED).ranking[0].path == RIGHT.replace(".py", ".qqq")


def test_in_one_language_alone(tmp_path: Path) -> None:
    code = {name: text for name, text in FILES.items() if name.startswith("shop/")}
    assert asked(folder_of(tmp_path, code), ASKED).ranking[0].path == RIGHT


def test_three_words(tmp_path: Path) -> None:
    assert asked(folder_of(tmp_path, FILES), "wrong discount price").ranking[0].path == RIGHT


def test_an_issue_of_twenty_thousand_characters(tmp_path: Path) -> None:
    log = "\n".join(f"INFO {n} worker started, nothing to do for this one" for n in range(400))
    task = f"{ASKED}\n\nSteps:\n```python\napply_discount(10, 0.5)\n```\n\nLog:\n```\n{log}\n```\n"
    assert len(task) > 20_000
    first = asked(folder_of(tmp_path, FILES), task)
    assert first.ranking[0].path == RIGHT
    again = asked(tmp_path, task)
    assert [(j.path, j.relevance) for j in first.ranking] == [(j.path, j.relevance) for j in again.ranking]


def test_a_single_file(tmp_path: Path) -> None:
    assert asked(folder_of(tmp_path, {RIGHT: FILES[RIGHT]}), ASKED).ranking[0].path == RIGHT
