"""Texts and the task's terms: passages by hand, and the same matches whether a text was read before or not."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.repositories import write
from zeroin.engine import Repository
from zeroin.evaluate.passages import Matcher, Passage
from zeroin.evaluate.task_terms import TaskTerms
from zeroin.evaluate.windows import PASSAGE_LINES
from zeroin.index import lexicon
from zeroin.index.view import View

FILES = {
    "throttle.py": "import bucket\n\n\ndef throttle(limit):\n    # the rate limit\n    return bucket.refill(limit)\n",
    "bucket.py": "def refill(rate):\n    return rate\n",
    "other.py": "from throttle import throttle\n\n\ndef unlimited():\n    return 1\n",
    "apart.py": "rate = 1\n\nlimit = 1\n",
    "far.py": "rate = 1\n" + "\n" * (PASSAGE_LINES - 1) + "limit = 1\nrate = 2\n",
}
OWN = TaskTerms({"rate": 2.0, "limit": 1.0}, frozenset({"rate"}))
EXPANDED = replace(OWN, expansions={"throttl": (("rate", 0.6),)})
OVERRIDDEN = replace(OWN, expansions={"throttl": (("rate", 0.7),)}, overridden={"limit": 0.5})
ELSE = TaskTerms({"bucket": 2.0}, frozenset({"bucket"}))


@pytest.fixture(scope="module")
def view(tmp_path_factory: pytest.TempPathFactory) -> View:
    return Repository.open(write(tmp_path_factory.mktemp("shop"), FILES)).opened.view


def test_a_passage_is_where_most_term_weight_meets(view: View) -> None:
    [near, far] = Matcher(view).read([view.numbers["throttle.py"], view.numbers["far.py"]], OWN).values()
    assert near.passages == (Passage(4, 6, 1.0, ("limit", "rate")),)
    assert (near.share, near.title_share, near.covered, near.matched_lines) == (1.0, 1.0, 1.0, 3)
    # Lines 1 and 25 are more than 24 lines apart: only 25 and 26 meet.
    assert [(p.start, p.end, p.share) for p in far.passages] == [(25, 26, 1.0), (1, 1, 2 / 3)]
    assert (near.two_lines, far.two_lines) == (1.0, 1.0)


def test_two_lines_are_two_that_follow_each_other(view: View) -> None:
    [apart] = Matcher(view).read([view.numbers["apart.py"]], OWN).values()
    assert (apart.share, apart.two_lines) == (1.0, 2 / 3)


def test_shares_of_expansions_and_overridden_terms(view: View) -> None:
    docs = [view.numbers["other.py"], view.numbers["throttle.py"]]
    other, throttle = Matcher(view).read(docs, OVERRIDDEN).values()
    assert other.terms == {"rate"}
    assert other.covered == pytest.approx(2.0 * 0.7 / 3)
    assert throttle.covered == pytest.approx((2.0 + 1.0 * (1 - 0.6 * 0.5)) / 3)


@given(st.lists(st.sampled_from([OWN, EXPANDED, OVERRIDDEN, ELSE]), min_size=1, max_size=6), st.data())
def test_what_is_kept_is_what_would_be_found_anew(view: View, cycles: list[TaskTerms], data: st.DataObject) -> None:
    matcher = Matcher(view)
    for terms in cycles:
        docs = data.draw(st.lists(st.sampled_from(range(len(FILES))), unique=True))
        assert matcher.read(docs, terms) == Matcher(view).read(docs, terms)


def test_a_text_is_matched_again_only_if_a_word_of_it_was_learned(view: View) -> None:
    matcher = Matcher(view)
    bucket, other = view.numbers["bucket.py"], view.numbers["other.py"]
    first, second = matcher.read([bucket, other], OWN), matcher.read([bucket, other], EXPANDED)
    assert second[other].share > first[other].share == 0.0
    assert second[bucket] is first[bucket]


def test_what_one_question_read_the_next_does_not_split_again(view: View, monkeypatch: pytest.MonkeyPatch) -> None:
    docs = list(range(len(FILES)))
    first = Matcher(view).read(docs, OWN)
    monkeypatch.setattr(View, "text", lambda view, doc: pytest.fail("read again"))
    assert Matcher(view).read(docs, OWN) == first
    assert Matcher(view).read(docs, ELSE) != first


def test_a_full_lexicon_makes_room_for_another(view: View, monkeypatch: pytest.MonkeyPatch) -> None:
    known = Matcher(view).read([0, 1], OWN)
    first = view.lexicon
    assert view.lexicon is first
    monkeypatch.setattr(lexicon, "_MAX_WORDS", 0)
    assert view.lexicon is not first
    assert Matcher(view).read([0, 1], OWN) == known


def test_the_weight_of_a_title_does_not_depend_on_the_order_of_a_set() -> None:
    """A set of words has another order in every process, and sums of floats depend on theirs."""
    weights = {f"word{i}": 0.1 + i / 7 for i in range(60)}
    assert TaskTerms(weights, frozenset(weights)).title_total == TaskTerms(weights, frozenset()).total
