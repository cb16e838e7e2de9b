"""What the caller judged moves the meaning of the task: towards relevant files, away from irrelevant ones."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.repositories import write
from zeroin.config import Options
from zeroin.engine import Repository
from zeroin.index.dense import best_passages, whole_documents
from zeroin.query.task import query_of
from zeroin.types import Task

FILES = {
    "limit.py": "def throttle(client, window):\n    '''Slow down requests of one client.'''\n    return window.full\n",
    "quota.py": "def bucket(client):\n    '''Requests that a client has left.'''\n    return client.left\n",
    "price.py": "def discount(total, rate):\n    '''The price after a coupon.'''\n    return total * rate\n",
    "invoice.py": "def invoice(order):\n    '''The bill of an order with its coupon.'''\n    return order.total\n",
    "sound.py": "def volume(wave):\n    '''How loud a wave is.'''\n    return max(wave)\n",
}


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository.open(write(tmp_path / "repo", FILES))


def test_verdicts_move_what_is_near(repository: Repository) -> None:
    view = repository.opened.view
    query = query_of(Task("rate of the client"), Options())
    near = view.dense_scores(query.own, query)

    def moved(**said: tuple[str, ...]) -> dict[str, float]:
        now = view.dense_scores(query.own, replace(query, **said))  # type: ignore[arg-type]
        return {path: float(now.best[doc] - near.best[doc]) for path, doc in view.numbers.items()}

    liked = moved(relevant=("limit.py",))
    assert liked["limit.py"] > 0 and liked["limit.py"] > liked["price.py"]
    disliked = moved(irrelevant=("price.py",))
    assert disliked["price.py"] < 0 and disliked["price.py"] < disliked["limit.py"]
    assert not any(moved(relevant=("gone.py",)).values())


def test_words_that_the_encoder_does_not_know_are_not_moved(repository: Repository) -> None:
    query = replace(query_of(Task("zzqx"), Options()), relevant=("limit.py",))
    assert not repository.opened.view.dense_scores(query.own, query).best.any()


@given(st.lists(st.lists(st.sampled_from([-0.5, 0.0, 0.25, 0.75]), max_size=4), max_size=5))
def test_the_two_best_passages_of_each_document(documents: list[list[float]]) -> None:
    pointers = np.cumsum([0, *map(len, documents)])
    found = best_passages(np.array([s for passages in documents for s in passages], np.float32), pointers)
    for (row, best, second), passages, first in zip(zip(*found, strict=True), documents, pointers, strict=False):
        ordered = [*sorted(passages, reverse=True), 0.0, 0.0] if passages else [0.0, 0.0]
        assert (best, second) == (ordered[0], ordered[1] if len(passages) > 1 else 0.0)
        assert row == (first + passages.index(best) if passages else -1)


def test_a_document_as_a_whole_is_the_sum_of_its_passages_by_its_estimated_length() -> None:
    similarity = np.array([0.5, 0.4, 0.2, 0.3], np.float32)
    found = whole_documents(similarity, np.array([0, 1, 1, 4]))
    # Three passages that correlate by one half: their sum is as long as the square root of 3 + 0.5 · 3 · 2 = 6.
    assert found.tolist() == pytest.approx([0.5, 0.0, 0.9 / 6**0.5])
    assert not whole_documents(np.empty(0, np.float32), np.array([0, 0])).any()
