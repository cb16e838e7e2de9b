"""A small real repository with a history, and its answers without times."""

import json
from pathlib import Path
from typing import Any

import zeroin
from tests.repositories import START, commit, repository
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


def build(folder: Path) -> Path:
    """A repository of `FILES` in two commits."""
    first = {name: FILES[name] for name in ("shop/tokens.py", "shop/clock.py")}
    repository(folder)
    commit(folder, first, "Let access tokens expire", seconds=START + 1)
    commit(folder, FILES, "Sessions and coupons", seconds=START + 2)
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
