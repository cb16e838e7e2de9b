"""Where the task's own words find nothing, files that are like it as a whole come first; elsewhere nothing changes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from zeroin.config import Options
from zeroin.engine import Repository
from zeroin.evaluate import judge
from zeroin.evaluate.likeness import REORDERED, by_likeness, likeness, reordered

NAMES = (
    "billing",
    "avatar",
    "parser",
    "matrix",
    "socket",
    "theme",
    "export",
    "calendar",
    "cookie",
    "geometry",
)
RIGHT = "net/retry_policy.py"
PLAIN = "When the other side does not answer, wait a little longer each time before asking once more."


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    monkeypatch.setenv("ZEROIN_CACHE_DIR", str(tmp_path / "cache"))
    root = tmp_path / "repo"
    said = "# Drawn on one side.\n"  # a word of the task, where it is not meant
    files = {
        f"app/{name}_{number}.py": f"{said if number < 3 else ''}def make_{name}(size):\n    return size + {number}\n"
        for name in NAMES
        for number in range(7)
    }
    files[RIGHT] = (
        "# Exponential backoff for failed requests.\n"
        "def backoff_delay(attempt, timeout):\n    return timeout * 2 ** attempt\n"
    )
    files["data/table.json"] = "{}\n"
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return Repository.open(root, jobs=1)


def best(repository: Repository, task: str, without: frozenset[str] = frozenset()) -> list[str]:
    options = Options(always_loop=True, keep=False, without=without)
    return [j.path for j in repository.ask(task, options).run().ranking]


def calls(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many candidates were handed over each time that any were put in order anew."""
    seen: list[int] = []

    def noted(query, view, docs, scores, relevance):  # type: ignore[no-untyped-def]
        seen.append(len(docs))
        return reordered(query, view, docs, scores, relevance)

    monkeypatch.setattr(judge, "reordered", noted)
    return seen


def test_the_likest_get_the_highest_values_and_no_value_changes() -> None:
    scores, relevance = np.array([2.0, 1.5, 1.0, 0.5]), np.array([0.4, 0.4, 0.1, 0.3])
    alike = np.array([[0.1, 0.1, 0.1, 0.9], [1.0, 1.0, 1.0, 8.0]], np.float32)
    moved, relevant = by_likeness(scores, relevance, alike)
    assert moved.tolist() == [1.5, 1.0, 0.5, 2.0]
    assert relevant.tolist() == [0.4, 0.3, 0.1, 0.4]


def test_without_any_likeness_the_order_stays() -> None:
    scores = np.array([2.0, 1.5, 1.0])
    moved, _ = by_likeness(scores, scores / 10, np.zeros((5, 3), np.float32))
    assert moved.tolist() == scores.tolist()


def test_a_file_about_the_task_is_the_likest_in_every_way(repository: Repository) -> None:
    view = repository.opened.view
    query = repository.ask(PLAIN, Options(keep=False)).loop.query
    found = likeness(query, view, np.arange(len(view.snapshot)))
    assert found.shape == (5, len(view.snapshot)) and np.isfinite(found).all()
    right = view.doc_of(RIGHT)
    assert [int(row.argmax()) for row in found] == [right] * 5


def test_a_task_without_words_that_the_encoder_knows(repository: Repository) -> None:
    view = repository.opened.view
    query = repository.ask("qqxyzzy zzplugh", Options(keep=False)).loop.query
    assert not likeness(query, view, np.arange(len(view.snapshot))).any()


def test_only_the_best_candidates_move(repository: Repository) -> None:
    view = repository.opened.view
    query = repository.ask(PLAIN, Options(keep=False)).loop.query
    docs = np.arange(len(view.snapshot))
    scores = -docs.astype(np.float64)
    moved, relevant = reordered(query, view, docs, scores, np.exp(scores))
    assert (moved[:REORDERED] != scores[:REORDERED]).any()
    assert (moved[REORDERED:] == scores[REORDERED:]).all()
    assert (relevant[REORDERED:] == np.exp(scores[REORDERED:])).all()


def test_plain_words_are_judged_by_likeness(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = calls(monkeypatch)
    assert best(repository, PLAIN)[0] == RIGHT
    assert seen


def test_words_that_the_code_says_are_not(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = calls(monkeypatch)
    assert best(repository, "backoff_delay ignores the timeout of the attempt")[0] == RIGHT
    assert not seen


def test_without_meaning_nothing_is(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = calls(monkeypatch)
    best(repository, PLAIN, frozenset({"meaning"}))
    assert not seen
