"""A repository with history: a core that others import, tests, files that change along, and separate parts."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tests.repositories import write

Commit = Callable[[Path, str, Mapping[str, str]], str]

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


def run_git(folder: Path, *arguments: str) -> str:
    """Runs git with a fixed identity and clock; its output."""
    fixed = {
        f"GIT_{who}_{part}": value
        for who in ("AUTHOR", "COMMITTER")
        for part, value in (("NAME", "a"), ("EMAIL", "a@example.org"), ("DATE", "2024-01-01T00:00:00Z"))
    }
    done = subprocess.run(
        ["git", "-c", "core.autocrlf=false", *arguments],
        cwd=folder,
        env={**os.environ, **fixed, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"},
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout.strip()


def write_commit(folder: Path, message: str, files: Mapping[str, str]) -> str:
    """Writes files and commits them; the commit's id."""
    run_git(write(folder, files), "add", "-A")
    run_git(folder, "commit", "-q", "-m", message)
    return run_git(folder, "rev-parse", "HEAD")


@pytest.fixture
def commit() -> Commit:
    return write_commit


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The repository; prices and `locale/prices.txt` change together, and nothing in them says so."""
    monkeypatch.setenv("ZEROIN_CACHE_DIR", str(tmp_path / "cache"))
    folder = tmp_path / "shop"
    folder.mkdir()
    run_git(folder, "init", "-q", "-b", "main")
    write_commit(folder, "Start", FILES)
    for turn in range(3):
        write_commit(
            folder,
            f"Tune it, {turn}",
            {
                "shop/pricing/totals.py": f"{PRICING}\n\nSTEP = {turn}\n",
                "locale/prices.txt": f"total: Summe\nstep: {turn}\n",
            },
        )
    return folder
