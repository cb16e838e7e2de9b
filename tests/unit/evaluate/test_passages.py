"""Texts and the task's terms: passages by hand, the same matches read before or not, windows as by a walk."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.repositories import write
from zeroin.engine import Repository
from zeroin.evaluate.passages import Matcher, Passage
from zeroin.evaluate.task_terms import TaskTerms
from zeroin.evaluate.windows import FEW_LINES, PASSAGE_LINES, Hits, Lines, best_apart, windows_of
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


def test_the_weight_of_a_title_does_not_depend_on_the_order_of_a_set() -> None:
    """A set of words has another order in every process, and sums of floats depend on theirs."""
    weights = {f"word{i}": 0.1 + i / 7 for i in range(60)}
    assert TaskTerms(weights, frozenset(weights)).title_total == TaskTerms(weights, frozenset()).total


WEIGHTS = [0.1, 0.7, 1.3, 2.9]
PAIRS = st.dictionaries(st.integers(0, 3), st.sampled_from([0.3, 0.8, 1.0]), max_size=4)
LINES = st.dictionaries(st.integers(1, 90), st.tuples(PAIRS, st.booleans()), max_size=25)
Text = dict[int, tuple[dict[int, float], bool]]  # by line number: task terms with shares, and whether it links


@given(st.lists(LINES, min_size=1, max_size=4), st.sampled_from([FEW_LINES, PASSAGE_LINES]))
def test_windows_are_those_of_a_walk(texts: list[Text], length: int) -> None:
    rows = [(at, number, *text[number]) for at, text in enumerate(texts) for number in sorted(text)]
    lines = Lines(
        np.array([number for _, number, _, _ in rows], np.int64),
        np.array([links for *_, links in rows], np.bool_),
        np.array([at for at, *_ in rows], np.int64),
    )
    pairs = [(row, term, share) for row, (_, _, found, _) in enumerate(rows) for term, share in found.items()]
    columns = list(zip(*pairs, strict=True)) or [(), (), ()]
    hits = Hits(*(np.array(c, t) for c, t in zip(columns, (np.int64, np.int64, np.float64), strict=True)))
    windows = windows_of(lines, hits, np.array(WEIGHTS), length)
    found = list(zip(windows.score.tolist(), windows.value.tolist(), windows.first.tolist(), strict=True))
    for at, text in enumerate(texts):
        within = lines.of_text(at)
        here = [(score, value, first - within.start) for score, value, first in found[within]]
        assert here == walk(text, length)
        assert [row - within.start for row in best_apart(windows, lines, within)] == apart(text, length)


def walk(text: Text, length: int) -> list[tuple[float, float, int]]:
    """Score, value and first line of the window that ends at each line."""
    numbers = sorted(text)
    counts: dict[int, int] = {}
    counted: dict[int, float] = {}
    value, first, out = 0.0, 0, []
    for last, number in enumerate(numbers):
        for term, share in text[number][0].items():
            if not counts.get(term, 0):
                counted[term] = WEIGHTS[term] * share
                value += counted[term]
            counts[term] = counts.get(term, 0) + 1
        while numbers[first] <= number - length:
            for term in text[numbers[first]][0]:
                counts[term] -= 1
                if not counts[term]:
                    value -= counted[term]
            first += 1
        matching = sum(not text[n][1] for n in numbers[first : last + 1])
        out.append((value * (1 + 0.015 * min(matching, 10)), value, first))
    return out


def apart(text: Text, length: int) -> list[int]:
    """The last lines of the best five windows that do not overlap."""
    numbers, windows = sorted(text), walk(text, length)
    out: list[int] = []
    for last in sorted(range(len(windows)), key=lambda i: -windows[i][0]):
        if windows[last][1] <= 1e-9 or len(out) == 5:
            break
        start, end = numbers[windows[last][2]], numbers[last]
        if all(end < numbers[windows[other][2]] or numbers[other] < start for other in out):
            out.append(last)
    return out
