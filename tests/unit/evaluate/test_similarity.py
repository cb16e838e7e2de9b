"""Documents as a whole are compared with a task in prose, in later cycles."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from zeroin.config import Options
from zeroin.engine import Repository
from zeroin.evaluate.features.document_similarity import document_similarity, is_prose
from zeroin.evaluate.judge import Judge
from zeroin.evaluate.passages import Matcher
from zeroin.evaluate.task_terms import task_terms_of

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
    options = Options(always_loop=True, without=without)
    return [j.path for j in repository.ask(task, options).run().ranking]


def test_a_file_about_the_task_is_the_likest_in_every_way(repository: Repository) -> None:
    view = repository.opened.view
    query = repository.ask(PLAIN, Options()).loop.query
    found = document_similarity(query, view, np.arange(len(view.snapshot)))
    assert found.shape == (5, len(view.snapshot)) and np.isfinite(found).all()
    right = view.doc_of(RIGHT)
    assert [int(row.argmax()) for row in found] == [right] * 5


def test_a_task_without_words_that_the_encoder_knows(repository: Repository) -> None:
    view = repository.opened.view
    query = repository.ask("qqxyzzy zzplugh", Options()).loop.query
    assert not document_similarity(query, view, np.arange(len(view.snapshot))).any()


@pytest.mark.parametrize(
    ("task", "compared"), [(PLAIN, True), ("backoff_delay ignores the timeout of the attempt", False)]
)
def test_documents_are_compared_for_prose_that_names_nothing(
    repository: Repository, task: str, compared: bool
) -> None:
    view = repository.opened.view
    loop = repository.ask(task, Options()).loop
    candidates = loop.dispatcher.dispatch(loop.query)
    terms = task_terms_of(loop.query, view)
    for deep in (False, True):
        judge = Judge(view, Matcher(view), at_once=deep)
        rows = judge.measure(loop.query, candidates, (), terms).rows
        assert bool(rows.column("similarity_computed").any()) is (compared and deep)
    assert is_prose(loop.query) is compared


def test_a_file_in_other_words_comes_first(repository: Repository) -> None:
    assert best(repository, PLAIN)[0] == RIGHT
