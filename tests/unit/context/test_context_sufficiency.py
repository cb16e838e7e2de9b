"""`sufficient` is a fitted probability, and is never said where nothing was fitted."""

from pathlib import Path

from zeroin.config import Options
from zeroin.context.selection.sufficiency import SUFFICIENT, message_is_raised, probability_complete
from zeroin.engine import Repository, retrieve
from zeroin.query.diff import parse_diff
from zeroin.types import Judgment, Query, Task


def ranking(*relevances: float) -> list[Judgment]:
    return [Judgment(f"f{n}", relevance) for n, relevance in enumerate(relevances)]


def test_one_sure_file_and_nothing_beside_it_is_sufficient() -> None:
    assert probability_complete(ranking(0.99, 0.009), {"f0"}) >= SUFFICIENT
    # A quarter of a file is left out
    assert probability_complete(ranking(0.9, 0.15, 0.1), {"f0"}) < SUFFICIENT
    assert probability_complete(ranking(0.4), {"f0"}) < SUFFICIENT
    assert probability_complete([], ()) < SUFFICIENT


def test_what_is_left_out_lowers_the_probability() -> None:
    probabilities = [
        probability_complete(ranking(0.95, *left), {"f0"}) for left in ((), (0.1,), (0.1, 0.1), (0.19,) * 9)
    ]
    assert probabilities == sorted(probabilities, reverse=True) and probabilities[0] > probabilities[-1]
    # Hundreds of faint files are nothing
    assert probability_complete(ranking(0.95, *(0.005,) * 300), {"f0"}) == probabilities[0]


CHANGE = """--- a/pay.py
+++ b/pay.py
@@ -1,2 +1,2 @@
-def pay(total):
+def pay(total, currency):
     return total
"""


def test_a_review_never_says_that_nothing_is_missing(tmp_path: Path) -> None:
    (tmp_path / "pay.py").write_text("def pay(total):\n    return total\n")
    (tmp_path / "cart.py").write_text("from pay import pay\n\n\ndef buy():\n    return pay(3)\n")
    context = retrieve(Task("", "review", parse_diff(CHANGE)), tmp_path)
    assert context.files[0].path == "cart.py"  # which the change breaks
    assert not context.sufficient


def test_a_message_is_explained_by_the_file_that_raises_it(tmp_path: Path) -> None:
    (tmp_path / "errors.py").write_text("class BadWheel(Exception):\n    pass\n")
    (tmp_path / "chooser.py").write_text(
        "from errors import BadWheel\n\n\n"
        "def choose(name):\n    raise BadWheel(f'{name} is not a supported wheel here')\n"
    )
    session = Repository.open(tmp_path).ask("BadWheel: cat.whl is not a supported wheel here", Options())
    session.run()
    view, query = session.opened.view, session.loop.query
    number = {path: view.doc_of(path) for path in ("errors.py", "chooser.py")}
    assert message_is_raised(query, [number["chooser.py"]], view)
    assert not message_is_raised(query, [number["errors.py"]], view)  # it only names the exception
    assert message_is_raised(Query(), [], view)
