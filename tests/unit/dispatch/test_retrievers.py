"""Every retriever with its arithmetic written out, on one small repository with a history."""

import math

import numpy as np
import pytest

from tests.repositories import commit, repository
from zeroin.config import Options
from zeroin.dispatch.change import callers, same_folder, same_stem
from zeroin.dispatch.history import cochange, history
from zeroin.dispatch.lexical import dense, document_scores, learned, reformulated, reformulated_title, title
from zeroin.dispatch.mentions import paths, quote_holders, symbols
from zeroin.dispatch.stage import Dispatcher
from zeroin.dispatch.structure import imports
from zeroin.engine import Repository
from zeroin.index.postings import Array
from zeroin.index.view import View
from zeroin.query.diff import parse_diff
from zeroin.query.task import query_of
from zeroin.terms import term_id
from zeroin.types import Expansion, ExpansionSource, Keyword, Origin, PathMention, Query, Quotation, SymbolMention, Task

FIRST = {
    "app/order.py": "from app.price import total\n\n\ndef place(order):\n    return total(order)\n",
    "app/price.py": "class Price:\n    def total(self):\n        return 1\n\n\ndef total(order):\n    return 1\n",
    "app/report.py": "from app.price import total\n\n\ndef report(order):\n    print('the ledger is closed')\n"
    "    return total(order)\n",
    "tests/test_price.py": "def test_total():\n    assert True\n",
}
SECOND = {"app/mail.py": "def send(message):\n    return message\n", "docs/mail.md": "# Mail\n\nHow to send.\n"}
FILLER = {f"parts/part{n}.py": f"def part{n}(value):\n    return value + {n}\n" for n in range(8)}


@pytest.fixture(scope="module")
def view(tmp_path_factory: pytest.TempPathFactory) -> View:
    root = repository(tmp_path_factory.mktemp("retrievers"))
    for message, files in (("parts", FILLER), ("invoices are rounded", FIRST), ("mail is sent", SECOND)):
        commit(root, files, message)
    return Repository.open(root, jobs=1).opened.view


def found(scores: Array, view: View) -> dict[str, float]:
    return {view.paths[d]: round(float(s), 4) for d, s in enumerate(scores) if s}


def seeds_of(view: View, **scores: float) -> Array:
    out = np.zeros(len(view.paths), np.float32)
    for name, score in scores.items():
        out[view.numbers[f"app/{name}.py"]] = score
    return out


def test_a_symbol_counts_by_how_few_files_define_it_and_a_qualifier_tells_which(view: View) -> None:
    alone = Query(symbols=(SymbolMention("place", 0.8, Origin.CODE),))
    assert found(symbols(alone, view), view) == {"app/order.py": 0.8}
    # `Price` counts 0.7 as an outer part; `total` inside of it 1.5.
    dotted = Query(symbols=(SymbolMention("Price.total", 1.0, Origin.CODE),))
    assert found(symbols(dotted, view), view) == {"app/price.py": 0.7 + 1.5}
    assert not symbols(Query(symbols=(SymbolMention("nobody", 1.0, Origin.CODE),)), view).any()


def test_a_frame_counts_less_the_farther_out_it_is(view: View) -> None:
    frames = tuple(
        PathMention(f"app/{name}.py", 1.0, Origin.TRACE, frame=n) for n, name in enumerate(("order", "price"))
    )
    assert found(paths(Query(paths=frames), view), view) == {"app/order.py": 1.0, "app/price.py": 0.9}


def test_files_of_a_quoted_text_are_candidates(view: View) -> None:
    text = "the ledger is closed"
    query = Query(quotations=(Quotation(text, (text,)),))
    assert [view.paths[d] for d in quote_holders(query, view)] == ["app/report.py"]
    assert [c.path for c in Dispatcher(view).dispatch(query)] == ["app/report.py"]
    assert quote_holders(Query(), view) == []


def test_commits_share_their_score_among_their_files(view: View) -> None:
    query = Query(keywords=(Keyword("invoices", 1.0, Origin.PROSE),))
    # One commit matches, so its score over the best is 1; it touched four files.
    assert found(history(query, view), view) == dict.fromkeys(FIRST, round(1 / math.sqrt(4), 4))
    assert not history(Query(), view).any()


def test_files_that_change_along_with_a_seed(view: View) -> None:
    # Its only commit touched two files: 0.5 / 1 commit / √2.
    assert found(cochange(view, seeds_of(view, mail=0.5)), view) == {"docs/mail.md": round(0.5 / math.sqrt(2), 4)}


def test_neighbours_by_import_share_the_score_of_a_seed(view: View) -> None:
    assert found(imports(view, seeds_of(view, order=1.0)), view) == {"app/price.py": 1.0}
    # Two files import the seed: 0.6 · 1 / √2 each.
    importers = round(0.6 / math.sqrt(2), 4)
    assert found(imports(view, seeds_of(view, price=1.0)), view) == {
        "app/order.py": importers,
        "app/report.py": importers,
    }


DIFF = """--- a/app/price.py
+++ b/app/price.py
@@ -5,2 +5,2 @@
-def total(order):
+def total(order, tax):
     return 1
"""


def test_files_around_a_change(view: View) -> None:
    query = query_of(Task("add tax", purpose="review", diff=parse_diff(DIFF)), Options())
    assert found(same_stem(query, view), view) == {"tests/test_price.py": 1.0}  # 1 / √(one other)
    # Four files are in the folder; the changed one is left out.
    assert found(same_folder(query, view), view) == dict.fromkeys(
        ("app/mail.py", "app/order.py", "app/report.py"), round(1 / math.sqrt(4), 4)
    )
    users = found(callers(query, view), view)
    weight = next(m.weight for m in query.symbols if m.name == "total")

    assert users["app/order.py"] == round(weight * view.snapshot.names.idf(term_id("total")), 4)
    assert set(users) == {"app/order.py", "app/report.py"}
    for scorer in (same_stem, same_folder, callers):
        assert not scorer(Query(), view).any()


def test_formulations_of_a_query() -> None:
    keywords = (
        Keyword("rate", 1.0, Origin.TITLE),
        Keyword("limit", 0.5, Origin.PROSE),
        Keyword("throttle", 0.4, Origin.LEARNED),
    )
    defined = Expansion("rate", "throttle", 0.5, (ExpansionSource("definition", "a.py", 1),))
    nearby = Expansion("limit", "bound", 0.5, (ExpansionSource("nearby", "a.py", 1),))
    joined = Expansion("rate limit", "ratelimit", 0.8, (ExpansionSource("joined", "a.py", 1),))
    query = Query(keywords=keywords, title="rate", terminology=(defined, nearby))
    words = lambda keywords: [(k.text, k.weight) for k in keywords]  # noqa: E731
    assert words(title(query)) == [("rate", 1.0)]
    assert words(learned(query)) == [("throttle", 0.4)]
    # A synonym replaces its word with weight 1 · 0.5; what only stands nearby does not.
    assert words(reformulated(query)) == [("throttle", 0.5), ("limit", 0.5)]
    assert words(reformulated_title(query)) == [("throttle", 0.5)]
    # A joined form stands beside its words, with the weight of the strongest of them: 1 · 0.8.
    beside = Query(keywords=keywords, title="rate", terminology=(joined,))
    assert words(reformulated(beside)) == [("rate", 1.0), ("limit", 0.5), ("ratelimit", 0.8)]
    assert reformulated(Query(keywords=keywords)) == reformulated_title(Query(keywords=keywords)) == ()


def test_words_score_documents_and_the_encoder_scores_them_too(view: View) -> None:
    keywords = (Keyword("total", 1.0, Origin.PROSE),)
    scores = document_scores(keywords, view)
    assert max(found(scores, view), key=lambda path: scores[view.numbers[path]]) == "app/price.py"
    near = dense(Query(keywords=(Keyword("mail", 1.0, Origin.PROSE),)), view)
    assert view.paths[int(near.argmax())] in SECOND
    assert near[near > 0].min() >= 0.5


def test_what_is_switched_off_gives_no_list(view: View) -> None:
    query = Query(keywords=(Keyword("total", 1.0, Origin.PROSE),))
    parts = ("lexical", "symbols", "paths", "history", "dense", "graph", "cochange")
    assert Dispatcher(view, without=frozenset(parts)).dispatch(query) == ()
    names = {name for c in Dispatcher(view, without=frozenset({"lexical"})).dispatch(query) for name in c.scores}
    assert names and not names & {"lexical", "definitions", "path_terms", "title"}
