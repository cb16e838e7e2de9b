"""What gaps ask for: each search is a list of its own, with its arithmetic written out."""

import numpy as np
import pytest

from tests.repositories import write
from zeroin.dispatch.gap_search import search_gaps, search_scores
from zeroin.dispatch.stage import Dispatcher
from zeroin.engine import Repository
from zeroin.index.view import View
from zeroin.types import Evidence, Gap, Query, Search

FILES = {
    "app/order.py": "def place(order):\n    return registry.get(RoundingScheme)\n",
    "app/report.py": "def report(order):\n    return RoundingScheme()\n",
    "maths/scheme.py": "class RoundingScheme:\n    def apply(self, value):\n        return value\n",
    "maths/money.py": "def cents(value):\n    return int(value * 100)\n",
    "docs/voucher.md": "# Voucher\n\nA voucher is given to a customer.\n",
    "app/mail.py": "def send(message):\n    return message\n",
}


@pytest.fixture(scope="module")
def view(tmp_path_factory: pytest.TempPathFactory) -> View:
    root = tmp_path_factory.mktemp("asked")
    return Repository.open(write(root, FILES), jobs=1).opened.view


def listed(name: str, query: Query, view: View, outside: str = "") -> dict[str, float]:
    """One list of what the query's gaps ask for, by path; nothing may be returned from `outside`."""
    allowed = np.array([path != outside for path in view.paths], np.float32)
    return {view.paths[d]: round(float(s), 4) for d, s in enumerate(search_gaps(query, view, allowed)[0][name]) if s}


SCHEME = Gap(
    "reference",
    "RoundingScheme (app/order.py:2) is defined in maths/scheme.py",
    True,
    (Evidence("app/order.py", 2, "RoundingScheme"), Evidence("maths/scheme.py", symbol="RoundingScheme")),
    "RoundingScheme",
    Search(symbols=("RoundingScheme",), paths=("maths/scheme.py",)),
    user_relevance=0.8,
)
MONEY = Gap("dependency", "app/order.py imports maths/money.py", False, search=Search(paths=("maths/money.py",)))


USES = {"app/order.py": 0.4, "app/report.py": 0.4}  # less than a definition


@pytest.mark.parametrize(
    ("search", "wanted"),
    [
        (Search(symbols=("RoundingScheme",)), {"maths/scheme.py": 1.0} | USES),
        (Search(symbols=("nobody",)), {}),
        (Search(symbols=("RoundingScheme",), scope="/maths/*.py"), {"maths/scheme.py": 1.0}),
        (Search(paths=("maths/money.py", "maths/gone.py")), {"maths/money.py": 1.0}),
        (Search(words=("voucher",)), {"docs/voucher.md": 0.6}),
        (Search(paths=("maths/money.py",), words=("voucher",)), {"maths/money.py": 1.0}),
    ],
)
def test_what_a_search_finds(view: View, search: Search, wanted: dict[str, float]) -> None:
    found = search_scores(search, view)
    assert {view.paths[doc]: round(float(score), 3) for doc, score in enumerate(found) if score} == wanted


def test_a_gap_is_a_list_of_its_kind_and_does_not_bring_the_file_that_asks(view: View) -> None:
    query = Query(gaps=(SCHEME,))
    # share · relevance of the file that asks: 1 · 0.8 where it is defined, 0.4 · 0.8 where another file uses it.
    assert listed("asked_reference", query, view) == {"maths/scheme.py": 0.8, "app/report.py": 0.32}
    assert listed("asked_dependency", query, view) == {}
    assert listed("asked_reference", query, view, outside="maths/scheme.py") == {"app/report.py": 0.32}


def test_gaps_that_ask_for_the_same_file_add_up(view: View) -> None:
    other = Gap("reference", "another name", False, search=Search(paths=("maths/scheme.py",)), user_relevance=0.5)
    both = listed("asked_reference", Query(gaps=(SCHEME, other)), view)
    assert both["maths/scheme.py"] == 0.9  # 1 − (1 − 0.8) · (1 − 0.5)
    # A file without relevance may ask too, and is heard a little.
    assert listed("asked_dependency", Query(gaps=(MONEY,)), view) == {"maths/money.py": 0.05}


def test_every_candidate_knows_which_gaps_brought_it(view: View) -> None:
    plain = Dispatcher(view).dispatch(Query(), pool=1)
    assert plain == ()
    brought = {c.path: c for c in Dispatcher(view).dispatch(Query(gaps=(SCHEME, MONEY)), pool=1)}
    assert brought["maths/scheme.py"].asked_by == (SCHEME,)
    assert brought["maths/money.py"].asked_by == (MONEY,)
    assert brought["maths/scheme.py"].scores["asked_reference"] == pytest.approx(0.8)
    assert "app/mail.py" not in brought
    assert brought.get("app/order.py") is None or SCHEME not in brought["app/order.py"].asked_by
