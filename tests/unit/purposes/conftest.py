"""A repository with history: a core that others import, tests, files that change along, and separate parts."""

from pathlib import Path

import pytest

from tests.repositories import commit, copy, repository

PRICING = '''"""Prices of baskets."""


def basket_total(items, rate):
    return sum(item.price for item in items) * (1 + rate)


def rounded(value):
    return round(value, 2)
'''
FILES = {
    "shop/__init__.py": "",
    "shop/pricing/__init__.py": "",
    "shop/pricing/totals.py": PRICING,
    "shop/pricing/labels.py": "def label(value):\n    return f'{value} EUR'\n",
    "shop/checkout/__init__.py": "",
    "shop/checkout/order.py": "from shop.pricing.totals import basket_total\n\n\n"
    "def place(items):\n    return basket_total(items, 0.19)\n\n\ndef cancel(order):\n    return None\n",
    "shop/mail/__init__.py": "",
    "shop/mail/sender.py": "import smtplib\n\n\ndef send(address, text):\n    return smtplib.SMTP(address), text\n\n\n"
    "def bounce(text):\n    return text\n",
    "shop/storage/__init__.py": "",
    "shop/storage/rows.py": "def load(key):\n    return key\n\n\ndef save(key, value):\n    return key, value\n\n\n"
    "ROWS = {}\n",
    "shop/search/__init__.py": "",
    "shop/search/words.py": "def split(text):\n    return text.split()\n\n\n"
    "def join(words):\n    return ' '.join(words)\n\n\nEMPTY = ()\n",
    "tests/test_totals.py": "from shop.pricing.totals import basket_total\n\n\n"
    "def test_total():\n    assert basket_total([], 0) == 0\n",
    "README.md": "# Shop\n\nBaskets, orders and mail.\n",
    "locale/prices.txt": "total: Summe\n",
}


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `shop` is a copy of."""
    folder = repository(tmp_path_factory.mktemp("built") / "shop", FILES, "Start")
    for turn in range(3):
        tuned = {
            "shop/pricing/totals.py": f"{PRICING}\n\nSTEP = {turn}\n",
            "locale/prices.txt": f"total: Summe\nstep: {turn}\n",
        }
        commit(folder, tuned, f"Tune it, {turn}")
    return folder


@pytest.fixture
def shop(built: Path, tmp_path: Path) -> Path:
    """The repository; prices and `locale/prices.txt` change together, and nothing in them says so."""
    return copy(built, tmp_path / "shop")
