"""A small real repository with a history, and its answers without times."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import zeroin
from zeroin.context.rendering.json import render

TASK = "Access tokens are accepted after they expire"
FILES = {
    "shop/tokens.py": "from shop.clock import now\n\n\nclass TokenCheck:\n"
    '    """Access tokens expire after an hour."""\n\n'
    "    def is_expired(self, token):\n        return now() > token.expires_at\n",
    "shop/clock.py": "import time\n\n\ndef now():\n    return time.time()\n",
    "shop/sessions.py": "from shop.tokens import TokenCheck\n\n\nclass Sessions:\n    def accept(self, token):\n"
    "        return not TokenCheck().is_expired(token)\n",
    "shop/coupons.py": "def apply_coupon(total, rate):\n    return total * (1 - rate)\n",
    "shop/invoices.py": "from shop.coupons import apply_coupon\n\n\ndef bill(total):\n"
    "    return apply_coupon(total, 0.1)\n",
    "tests/test_tokens.py": "from shop.tokens import TokenCheck\n\n\ndef test_expiry():\n    assert TokenCheck()\n",
    "docs/unrelated.md": "# Opening hours\n\n" + "From nine to five, and on Saturdays to one.\n" * 9,
}


def git(folder: Path, *arguments: str, at: int = 0) -> str:
    """Output of git in `folder`, with a fixed identity and a clock of `at` seconds after the start."""
    told = {
        f"GIT_{who}_{what}": value
        for who in ("AUTHOR", "COMMITTER")
        for what, value in (
            ("NAME", "a"),
            ("EMAIL", "a@example.org"),
            ("DATE", f"{1_700_000_000 + at} +0000"),
        )
    }
    return subprocess.run(
        ["git", *arguments],
        cwd=folder,
        env={**os.environ, **told},
        check=True,
        capture_output=True,
        text=True,
    ).stdout


def build(folder: Path) -> Path:
    """A repository of `FILES` in two commits."""
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    git(folder, "init", "-q", "-b", "main", ".")
    git(folder, "add", "shop/tokens.py", "shop/clock.py")
    git(folder, "commit", "-q", "-m", "Let access tokens expire", at=1)
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "Sessions and coupons", at=2)
    return folder


def answer(task: str, folder: Path, **options: Any) -> dict[str, Any]:
    """The whole answer as JSON, less what depends on the clock and on what was in the cache."""
    session = zeroin.open_session(task, folder, **options)
    context = session.run()
    out: dict[str, Any] = json.loads(render(context, session.read))
    for name in ("seconds", "seconds_index", "analysed"):
        out["stats"].pop(name, None)
    for cycle in out["cycles"]:
        cycle.pop("seconds", None)
    return out
