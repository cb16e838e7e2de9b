"""Which repositories a task is about, with the arithmetic written out."""

import math
from pathlib import Path

import numpy as np
import pytest

from tests.repositories import write
from zeroin.config import Options
from zeroin.corpus.source import open_source
from zeroin.index.opening import open_index
from zeroin.index.postings import FieldWeights, Statistics, bm25f, build
from zeroin.index.view import View
from zeroin.query.task import formulate
from zeroin.types import Query
from zeroin.workspace.selection import (
    LEAST_MEMBERS,
    MOST_FILES,
    MOST_MEMBERS,
    evidence_of,
    selected,
    shares_of,
    signals_of,
    total,
    word_counts_of,
)


def view(folder: Path, files: dict[str, str]) -> View:
    return open_index(open_source(write(folder, files))).view


def query(text: str) -> Query:
    return formulate(text, Options())[1]


def test_statistics_are_those_of_all_documents_together() -> None:
    ids = np.array([7], np.uint64)
    one = build([(ids, np.array([[2]], np.uint16)), (ids, np.array([[1]], np.uint16))], 1)
    other = build([(np.array([9], np.uint64), np.array([[6]], np.uint16))], 1)
    both = Statistics.of([one, other], [7, 9])
    assert (both.documents, both.average.tolist(), both.frequency) == (3, [3.0], {7: 2, 9: 1})
    fields = FieldWeights((1.0,), (1.0,), k1=1.0)
    idf = math.log1p((3 - 2 + 0.5) / (2 + 0.5))
    tf = 2 / (2 / 3)  # two occurrences in a document of two terms, where three are usual
    assert bm25f(one, {7: 1.0}, fields, both)[0] == pytest.approx(idf * 2 * tf / (1 + tf))


def asked(text: str, names: list[str], views: list[View]) -> np.ndarray:
    return signals_of(evidence_of(text, query(text), names, views, word_counts_of(query(text), views)))


def test_signals_tell_repositories_apart(tmp_path: Path) -> None:
    shop = view(tmp_path / "shop", {"cart.py": "def settle_invoice(cart):\n    return cart.total\n"})
    mail = view(tmp_path / "mail", {"send.py": "def deliver(letter):\n    return letter.stamp\n"})
    signals = asked("The shop must call settle_invoice of cart.py twice", ["shop", "mail"], [shop, mail])
    assert signals[0].tolist() == [1.0, 1.0, 1.0, 1.0]
    assert signals[1].tolist() == [0.0, 0.0, 0.0, 0.0]
    half = asked("deliver letters", ["shop", "mail-server"], [shop, mail])
    assert half[1, 3] == 0.0
    assert asked("the mail is lost", ["shop", "mail-server"], [shop, mail])[1, 3] == 0.5


def test_a_name_counts_wherever_the_task_says_it(tmp_path: Path) -> None:
    views = [view(tmp_path / name, {"main.c": "int main(void) { return 0; }\n"}) for name in ("jq", "fd")]
    report = "Fractional indices are rounded\n\n```\n$ jq -n '[1,2,3] | .[1.5]'\nnull\n```\n"
    assert asked(report, ["jq", "fd"], views)[:, 3].tolist() == [1.0, 0.0]


def test_any_cut_into_parts_gives_the_same_numbers(tmp_path: Path) -> None:
    names = ["shop", "mail", "bank"]
    views = [
        view(tmp_path / name, {f"{name}.py": f"def settle_{name}(cart):\n    return cart.total\n" * (at + 1)})
        for at, name in enumerate(names)
    ]
    text = "settle the cart of the bank"
    question = query(text)
    whole = word_counts_of(question, views)
    expected = evidence_of(text, question, names, views, whole)
    for parts in ([[0], [1], [2]], [[2, 0], [1]], [[0, 1, 2], []]):
        counts = total([word_counts_of(question, [views[at] for at in part]) for part in parts])
        for part in parts:
            own = [names[at] for at in part], [views[at] for at in part]
            found = evidence_of(text, question, *own, counts)
            assert found.tobytes() == expected[part].tobytes()


def test_shares_are_a_softmax_of_weighted_signals() -> None:
    shares = shares_of(np.array([[1.0, 0.0, 0.0, 0.0], [0.5, 0.0, 0.0, 0.0]]))
    assert shares[0] == pytest.approx(1 / (1 + math.exp(-3)))
    assert shares.sum() == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("shares", "files", "chosen"),
    [
        ([0.2, 0.5, 0.3], [10, 10, 10], [0, 1, 2]),
        ([0.1, 0.2, 0.3, 0.4], [1, MOST_FILES, MOST_FILES, MOST_FILES], [1, 2, 3]),
        ([0.1, 0.2, 0.3, 0.4], [MOST_FILES, 1, 1, 1], [1, 2, 3]),
        ([0.25, 0.25, 0.25, 0.25], [MOST_FILES // 4] * 4, [0, 1, 2, 3]),
        ([0.25, 0.25, 0.25, 0.25], [MOST_FILES // 2] * 4, [0, 1, 2]),
        ([0.001, 0.99, 0.005, 0.004], [10, 10, 10, 10], [1, 2, 3]),
        ([0.03, 0.9, 0.05, 0.02], [10, 10, 10, 10], [0, 1, 2, 3]),
        ([0.01] * 100, [1] * 100, list(range(MOST_MEMBERS))),
    ],
)
def test_the_likeliest_are_searched_as_far_as_they_fit(
    shares: list[float], files: list[int], chosen: list[int]
) -> None:
    assert selected(np.array(shares), files).searched == chosen
    assert len(chosen) >= min(LEAST_MEMBERS, len(files))


@pytest.mark.parametrize(
    ("shares", "always", "companions"),
    [
        ([0.001, 0.99, 0.005, 0.004], (), {2, 3}),
        ([0.001, 0.99, 0.005, 0.004], (2,), {3}),  # the caller named 2
        ([0.6, 0.395, 0.004, 0.001], (), {2}),
        ([0.005, 0.99, 0.005], (), set()),  # who asks three asks all three
        ([0.3, 0.3, 0.2, 0.2], (), set()),
    ],
)
def test_what_is_searched_beside_the_sure_ones_is_a_companion(
    shares: list[float], always: tuple[int, ...], companions: set[int]
) -> None:
    found = selected(np.array(shares), [10] * len(shares), always)
    assert found.companions == companions <= set(found.searched)
