"""The evaluator is a function; it reads what it must, says what speaks against a file, and the caller overrides it."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.repositories import write
from zeroin import InputError, retrieve
from zeroin.config import Options
from zeroin.engine import Repository
from zeroin.evaluate.judge import READ, READ_CONFIDENT, READ_FIRST, Judge
from zeroin.evaluate.overrides import IRRELEVANT, RELEVANT, CallerOverrides
from zeroin.evaluate.passages import Matcher
from zeroin.evaluate.task_terms import task_terms_of
from zeroin.protocols import RepositoryView
from zeroin.types import Candidate, Hit, Judgment, Query, Reason, Task

FILES = {
    "shop/basket.py": "from shop.rounding import rounded\n\n\ndef basket_total(items):\n"
    "    return rounded(sum(item.price for item in items))\n",
    "shop/rounding.py": "def rounded(value):\n    return round(value, 2)\n",
    "shop/coupon.py": "def coupon(code):\n    return code\n",
    "notes/far.py": "def far_away(x):\n    return x\n",
    "notes/passing.py": "# the basket is elsewhere\n\n\ndef passing(x):\n    return x\n",
    "tests/test_basket.py": "from shop.basket import basket_total\n\n\ndef test_basket_total():\n"
    "    assert basket_total([]) == 0\n",
} | {f"ledger/entry_{i}.py": f"class Entry{i}:\n    amount = {i}\n" for i in range(100)}
TASK = "The basket total is off by a cent"
BASKET, ROUNDING, FAR, PASSING = "shop/basket.py", "shop/rounding.py", "notes/far.py", "notes/passing.py"


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    root = tmp_path_factory.mktemp("shop")
    return Repository.open(write(root, FILES), jobs=1)


class Fixed:
    """An evaluator that gives path and relevance and nothing else."""

    def __init__(self, relevance: dict[str, float], other: float | None = None) -> None:
        self.relevance, self.other = relevance, other

    def evaluate(
        self,
        task: Task,
        query: Query,
        candidates: Sequence[Candidate],
        previous: Sequence[Judgment],
        view: RepositoryView,
    ) -> Sequence[Judgment]:
        paths = [c.path for c in candidates] if self.other is not None else list(self.relevance)
        return [Judgment(path, self.relevance.get(path, self.other or 0.0)) for path in paths]


def test_few_files_are_read_first_and_what_must_be_among_them(shop: Repository) -> None:
    view, query = shop.opened.view, replace(shop.ask(TASK).loop.query, must_read=(FAR,))
    candidates = [Candidate(doc, path, 0.0) for doc, path in enumerate(view.paths)]
    judge, terms = Judge(view, Matcher(view)), task_terms_of(query, view)

    def read(*previous: Judgment) -> set[str]:
        found = judge.measure(query, candidates, previous, terms).matches
        return {view.paths[doc] for doc in found}

    first = read()
    assert len(first) == READ_FIRST and {BASKET, FAR} <= first
    assert len(read(Judgment(BASKET, 0.5, score=-0.3))) == READ_CONFIDENT
    assert len(read(Judgment(BASKET, 0.2, score=-1.4))) == READ


def test_a_file_falls_only_with_evidence(shop: Repository) -> None:
    loop, view = shop.ask(TASK).loop, shop.opened.view
    judge = Judge(view, Matcher(view))
    candidates = loop.dispatcher.dispatch(loop.query)
    unread = [Judgment(c.path, 0.9, score=3.0, read=False) for c in candidates]
    fallen = {j.path: j for j in judge.evaluate(loop.task, loop.query, candidates, unread, view)}[PASSING]
    assert (fallen.relevance < 0.9, fallen.against) == (True, "read since: 1 line of it matches the task")
    assert fallen.reasons[-1] == Reason("against", fallen.against, fallen.reasons[-1].evidence)
    read = [replace(judgment, read=True) for judgment in unread]
    kept = {j.path: j for j in judge.evaluate(loop.task, loop.query, candidates, read, view)}[PASSING]
    assert kept.own_score == 3.0  # the score before reading


def test_earlier_tasks_add_log_odds(shop: Repository) -> None:
    loop, view = shop.ask(TASK).loop, shop.opened.view
    candidates = loop.dispatcher.dispatch(loop.query)
    plain = Judge(view, Matcher(view)).evaluate(loop.task, loop.query, candidates, (), view)
    lifted = Judge(view, Matcher(view), prior=lambda paths: np.array([4.0 * (p == PASSING) for p in paths]))
    found = {j.path: j for j in lifted.evaluate(loop.task, loop.query, candidates, (), view)}
    before = {j.path: j for j in plain}
    assert found[PASSING].relevance > before[PASSING].relevance
    assert found[PASSING].score == before[PASSING].score  # the score is without it
    assert found[BASKET] == before[BASKET]


def test_the_caller_overrides_every_evaluator() -> None:
    query = Query(relevant=("b",), irrelevant=("a",))
    judge = CallerOverrides(Fixed({"a": 0.9, "b": 0.1, "c": 0.5}))
    found = judge.evaluate(Task(""), query, (), (), None)  # type: ignore[arg-type]
    assert [(j.path, j.relevance, tuple(j.reasons)) for j in found] == [
        ("b", 1.0, (RELEVANT,)),
        ("c", 0.5, ()),
        ("a", 0.0, (IRRELEVANT,)),
    ]
    assert found[2].irrelevant_because == IRRELEVANT.text


def test_an_injected_evaluator_may_judge_a_file_lower(shop: Repository) -> None:
    judge = CallerOverrides(Fixed({FAR: 0.2, BASKET: 0.8}), injected=True)
    previous = (Judgment(FAR, 0.9), Judgment(BASKET, 0.5))
    lower, higher = judge.evaluate(Task(""), Query(), (), previous, shop.opened.view)
    assert (lower.against, higher.against) == ("judged lower since", "")


def test_an_evaluator_that_gives_only_relevance_gets_the_rest(shop: Repository) -> None:
    context = shop.ask(TASK, Options(always_loop=True), evaluator=Fixed({BASKET: 0.6, PASSING: 0.1}, 0.3)).run()
    assert len(context.cycles) == 2  # its gaps are asked
    asked = {path: gap for gap in context.cycles[1].asked for path in gap.search.paths}
    assert (asked[ROUNDING].outcome, asked[ROUNDING].closed_by) == ("closed", ROUNDING)
    basket = next(j for j in context.listed if j.path == BASKET)
    assert (basket.relevance, basket.language) == (0.6, "python")
    assert "basket_total" in {span.symbol for span in basket.spans} and "basket" in basket.reason
    passing = next(j for j in context.cycles[-1].judgments if j.path == PASSING)
    assert passing.irrelevant_because == "says only in passing, on 1 line: basket"


def test_an_evaluator_that_knows_no_file_of_the_tree_is_refused(shop: Repository) -> None:
    options = Options(always_loop=True, max_cycles=1)
    with pytest.raises(InputError, match=f"none of the files that it judged is in the tree: /srv/{BASKET}"):
        shop.ask(TASK, options, evaluator=Fixed({f"/srv/{BASKET}": 0.9})).run()
    some = shop.ask(TASK, options, evaluator=Fixed({f"/srv/{BASKET}": 0.9, ROUNDING: 0.8})).run()
    assert [j.path for j in some.listed] == [ROUNDING]


def test_an_evaluator_may_name_a_file_of_one_of_several_repositories(tmp_path: Path) -> None:
    places = [write(tmp_path / name, FILES) for name in ("till", "shelf")]
    own = Fixed({f"till:{BASKET}": 0.9})
    context = retrieve(TASK, places, always_loop=True, max_cycles=1, evaluator=own)
    assert [j.path for j in context.listed] == [f"till:{BASKET}"]


@pytest.mark.parametrize(
    ("lines", "because"), [(3, "says only in passing, on 1 line: basket"), (160_000, "")], ids=["all", "beginning"]
)
def test_a_file_says_something_in_passing_only_if_all_of_it_was_read(tmp_path: Path, lines: int, because: str) -> None:
    text = "# the basket is elsewhere\n" + "#\n" * lines + "# its total\n" * (because == "")
    repository = Repository.open(write(tmp_path, {BASKET: FILES[BASKET], PASSING: text}))
    loop = repository.ask(TASK, Options(always_loop=True)).loop
    candidate = Candidate(repository.opened.view.numbers[PASSING], PASSING, 0.0)
    [found] = loop.annotator.annotate(loop.task, loop.query, [candidate], [Judgment(PASSING, 0.1)])
    assert found.irrelevant_because == because


class Oracle:
    """A retriever that finds one file and says why."""

    name = "oracle"

    def retrieve(self, query: Query, view: RepositoryView, limit: int) -> Sequence[Hit]:
        doc = view.doc_of(FAR)
        assert doc is not None
        return [Hit(doc, 7.0, "heard of it")]


def test_a_retrievers_hit_reaches_candidate_score_and_reason(shop: Repository) -> None:
    options = Options(always_loop=True, max_cycles=1)
    [cycle] = shop.ask(TASK, options, retrievers=[Oracle()]).loop
    [plain] = shop.ask(TASK, options).loop
    found = {c.path: c for c in cycle.candidates}[FAR]
    assert (found.why, found.scores["oracle"], found.ranks["oracle"]) == ({"oracle": "heard of it"}, 1.0, 1)
    judgment = {j.path: j for j in cycle.judgments}[FAR]
    assert "found by oracle: heard of it" in [r.text for r in judgment.reasons if r.kind == "retriever"]
    assert judgment.score > {j.path: j.score for j in plain.judgments}.get(FAR, float("-inf"))
