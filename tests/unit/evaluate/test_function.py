"""Evaluation is a function, and whoever judges gets what an answer needs besides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from zeroin.config import Options
from zeroin.engine import Repository
from zeroin.evaluate.features import retrieval as columns
from zeroin.evaluate.features.pool import Pool
from zeroin.evaluate.judge import Judge
from zeroin.evaluate.passages import Matcher
from zeroin.evaluate.task_terms import task_terms_of
from zeroin.protocols import RepositoryView
from zeroin.types import Candidate, Hit, Judgment, Query, Task

FILES = {
    "shop/basket.py": "from shop.rounding import rounded\n\n\ndef basket_total(items):\n"
    "    return rounded(sum(item.price for item in items))\n",
    "shop/rounding.py": "def rounded(value):\n    return round(value, 2)\n",
    "shop/coupon.py": "def coupon(code):\n    return code\n",
    "notes/far.py": "def far_away(x):\n    return x\n",
    "notes/passing.py": "# the basket is elsewhere\n\n\ndef passing(x):\n    return x\n",
    "tests/test_basket.py": "from shop.basket import basket_total\n\n\ndef test_basket_total():\n"
    "    assert basket_total([]) == 0\n",
} | {f"ledger/entry_{i}.py": f"class Entry{i}:\n    amount = {i}\n" for i in range(12)}
TASK = "The basket total is off by a cent"
BASKET, ROUNDING, FAR = "shop/basket.py", "shop/rounding.py", "notes/far.py"


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    root = tmp_path_factory.mktemp("shop")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ZEROIN_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        for path, text in FILES.items():
            (root / path).parent.mkdir(exist_ok=True)
            (root / path).write_text(text, encoding="utf-8")
        return Repository.open(root, jobs=1)


def test_equal_calls_give_equal_results(shop: Repository) -> None:
    """With judgments of a cycle before, after other calls, by another judge, and of candidates in another order."""
    loop, view = shop.ask(TASK, Options(always_loop=True)).loop, shop.opened.view
    judge = Judge(view, Matcher(view))
    candidates = loop.dispatcher.dispatch(loop.query)
    previous = judge.evaluate(loop.task, loop.query, candidates, (), view)
    first = judge.evaluate(loop.task, loop.query, candidates, previous, view)
    judge.evaluate(loop.task, replace(loop.query, relevant=(FAR,)), candidates[:3], (), view)
    assert judge.evaluate(loop.task, loop.query, candidates, previous, view) == first
    assert Judge(view, Matcher(view)).evaluate(loop.task, loop.query, candidates, previous, view) == first
    assert judge.evaluate(loop.task, loop.query, candidates, (), view) == previous
    assert {j.path: j.reason for j in first} == {
        j.path: j.reason for j in judge.evaluate(loop.task, loop.query, candidates, previous, view)
    }


class OnlyRelevance:
    """An evaluator that says path and relevance and nothing else."""

    def evaluate(
        self,
        task: Task,
        query: Query,
        candidates: Sequence[Candidate],
        previous: Sequence[Judgment],
        view: RepositoryView,
    ) -> Sequence[Judgment]:
        held = {BASKET: 0.6, "notes/passing.py": 0.1}
        return [Judgment(c.path, held.get(c.path, 0.3)) for c in candidates]


def test_an_evaluator_that_says_only_relevance_gets_the_rest(shop: Repository) -> None:
    session = shop.ask(TASK, Options(always_loop=True), evaluator=OnlyRelevance())
    context = session.run()
    assert len(context.cycles) == 2  # its gaps are asked
    asked = {path: gap for gap in context.cycles[1].asked for path in gap.search.paths}
    assert (asked[ROUNDING].outcome, asked[ROUNDING].closed_by) == ("closed", ROUNDING)
    assert any(ROUNDING in gap.search.paths for gap in context.cycles[0].gaps)
    basket = next(j for j in context.listed if j.path == BASKET)
    assert basket.relevance == 0.6
    assert any(span.symbol == "basket_total" for span in basket.spans)
    assert "basket" in basket.reason
    assert basket.language == "python"
    named = [text for text in basket.missing_context if ROUNDING in text]
    assert bool(named) == (ROUNDING not in {j.path for j in context.listed})
    passing = next(j for j in context.cycles[-1].judgments if j.path == "notes/passing.py")
    assert passing.irrelevant_because == "says basket on 1 line, in passing"


def test_missing_context_is_of_any_evaluator(shop: Repository) -> None:
    class Alone(OnlyRelevance):
        def evaluate(
            self,
            task: Task,
            query: Query,
            candidates: Sequence[Candidate],
            previous: Sequence[Judgment],
            view: RepositoryView,
        ) -> Sequence[Judgment]:
            return [Judgment(BASKET, 0.9)]

    context = shop.ask(TASK, Options(always_loop=True, max_cycles=1), evaluator=Alone()).run()
    assert [j.path for j in context.listed] == [BASKET]
    assert context.files[0].missing_context == (f"rounded (line 1): {ROUNDING}",)


class Told:
    """A retriever that finds one file and says why."""

    name = "oracle"

    def retrieve(self, query: Query, view: RepositoryView, limit: int) -> Sequence[Hit]:
        doc = view.doc_of(FAR)
        assert doc is not None
        return [Hit(doc, 7.0, "heard of it")]


def test_what_a_retriever_says_reaches_candidate_feature_and_reason(shop: Repository) -> None:
    options = Options(always_loop=True, max_cycles=1)
    [cycle] = shop.ask(TASK, options, retrievers=[Told()]).loop
    [plain] = shop.ask(TASK, options).loop
    found = {c.path: c for c in cycle.candidates}[FAR]
    assert found.why == {"oracle": "heard of it"}
    assert (found.scores["oracle"], found.ranks["oracle"]) == (1.0, 1)
    assert lexical(shop, cycle.query, found) == 1.0  # as the best match of the whole document
    before = {c.path: c for c in plain.candidates}.get(FAR)
    assert before is None or lexical(shop, plain.query, before) == 0.0
    judgment = {j.path: j for j in cycle.judgments}[FAR]
    assert "found by oracle: heard of it" in [r.text for r in judgment.reasons if r.kind == "retriever"]
    held = {j.path: j.score for j in plain.judgments}.get(FAR, float("-inf"))
    assert judgment.score > held


def lexical(shop: Repository, query: Query, candidate: Candidate) -> float:
    """The feature of the name of one candidate."""
    view = shop.opened.view
    pool = Pool(query, [candidate], task_terms_of(query, view), view)
    return float(np.asarray(columns.columns(pool)["lexical"])[0])
