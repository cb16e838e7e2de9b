"""Texts read in one cycle and asked again in the next: the same passages as if they were read anew."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zeroin.engine import Repository
from zeroin.evaluate.passages import Matcher, Text
from zeroin.evaluate.task_terms import TaskTerms
from zeroin.index.view import View
from zeroin.terms import WORD

FILES = {
    "throttle.py": "import bucket\n\n\ndef throttle(limit):\n    # the rate limit\n    return bucket.refill(limit)\n",
    "bucket.py": "def refill(rate):\n    return rate\n",
    "other.py": "from throttle import throttle\n\n\ndef unlimited():\n    return 1\n",
}
OWN = TaskTerms({"rate": 2.0, "limit": 1.0}, frozenset({"rate"}))
LEARNED = replace(OWN, expansions={"throttl": (("rate", 0.6),)})
SURER = replace(OWN, expansions={"throttl": (("rate", 0.7),)}, overridden={"limit": 0.5})
ELSE = TaskTerms({"bucket": 2.0}, frozenset({"bucket"}))


@pytest.fixture(scope="module")
def view(tmp_path_factory: pytest.TempPathFactory) -> View:
    root: Path = tmp_path_factory.mktemp("shop")
    for name, text in FILES.items():
        (root / name).write_text(text)
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    return Repository.open(root).opened.view


@given(st.lists(st.sampled_from([OWN, LEARNED, SURER, ELSE]), min_size=1, max_size=6), st.data())
def test_what_is_kept_is_what_would_be_found_anew(
    view: View, cycles: list[TaskTerms], data: st.DataObject
) -> None:
    matcher = Matcher(view)
    for terms in cycles:
        docs = data.draw(st.lists(st.sampled_from(range(len(FILES))), unique=True))
        assert matcher.read(docs, terms) == Matcher(view).read(docs, terms)


def test_a_text_is_looked_through_again_only_if_a_word_of_it_was_learned(view: View) -> None:
    matcher = Matcher(view)
    docs = [view.numbers[name] for name in FILES]
    first, second = matcher.read(docs, OWN), matcher.read(docs, LEARNED)
    _, bucket, other = docs
    assert second[other].share > first[other].share == 0.0
    assert second[bucket] is first[bucket]


def test_the_title_counts_for_passages(view: View) -> None:
    matcher = Matcher(view)
    docs = [view.numbers["bucket.py"]]
    assert matcher.read(docs, OWN) != matcher.read(docs, replace(OWN, title=frozenset({"limit"})))


TEXTS = st.lists(st.text("ab_.\r\x0b é", max_size=8), max_size=6)


@given(TEXTS, st.sets(st.text("ab_é", min_size=1, max_size=3)))
def test_no_line_with_a_word_is_passed_over(lines: list[str], wanted: set[str]) -> None:
    text = Text.of("\n".join(lines))
    held = text.holding(wanted)
    assert held == sorted(set(held))
    saying = {place for place, line in enumerate(text.lines) if wanted & set(WORD.findall(line))}
    assert saying <= set(held)
    assert text.words == {word for line in text.lines for word in WORD.findall(line)}


def test_what_a_title_is_worth_does_not_hang_on_the_order_of_a_set() -> None:
    """A set of words has another order in every process, and sums of floats depend on theirs."""
    worth = {f"word{i}": 0.1 + i / 7 for i in range(60)}
    assert TaskTerms(worth, frozenset(worth)).title_total == TaskTerms(worth, frozenset()).total
