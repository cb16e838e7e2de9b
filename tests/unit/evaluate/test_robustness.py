"""The ranker does with what there is: no history, no grammar, one language, three words, twenty thousand characters."""

from pathlib import Path

import pytest

import zeroin
from tests.repositories import write

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
LOG = "\n".join(f"INFO {n} worker started, nothing to do for this one" for n in range(400))
LONG = f"{ASKED}\n\nSteps:\n```python\napply_discount(10, 0.5)\n```\n\nLog:\n```\n{LOG}\n```\n"


@pytest.mark.parametrize(
    ("task", "files", "right"),
    [
        (ASKED, FILES, RIGHT),
        (ASKED, {name.replace(".py", ".qqq"): text for name, text in FILES.items()}, RIGHT.replace(".py", ".qqq")),
        (ASKED, {name: text for name, text in FILES.items() if name.startswith("shop/")}, RIGHT),
        (ASKED, {RIGHT: FILES[RIGHT]}, RIGHT),
        ("wrong discount price", FILES, RIGHT),
        (LONG, FILES, RIGHT),
    ],
    ids=["no history", "no grammar", "one language", "one file", "three words", "20,000 characters"],
)  # fmt: skip
def test_the_right_file_comes_first(tmp_path: Path, task: str, files: dict[str, str], right: str) -> None:
    write(tmp_path / "repo", files)
    found = [(j.path, j.relevance) for j in zeroin.retrieve(task, tmp_path / "repo", always_loop=True).ranking]
    assert found[0][0] == right
    relevance = [relevance for _, relevance in found]
    assert relevance == sorted(relevance, reverse=True)
    assert 0.0 <= relevance[-1] <= relevance[0] <= 1.0
