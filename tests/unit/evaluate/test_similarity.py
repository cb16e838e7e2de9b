"""Documents as a whole are compared with a task in prose, in later cycles."""

import numpy as np
import pytest

from tests.repositories import write
from zeroin.config import Options
from zeroin.engine import Repository
from zeroin.evaluate.features.dense import document_similarity, is_prose
from zeroin.evaluate.features.table import COLUMN
from zeroin.evaluate.judge import Judge
from zeroin.evaluate.passages import Matcher
from zeroin.evaluate.task_terms import task_terms_of

NAMES = "billing avatar parser matrix socket theme export calendar cookie geometry".split()
RIGHT = "net/retry_policy.py"
PLAIN = "When the other side does not answer, wait a little longer each time before asking once more."


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    root = tmp_path_factory.mktemp("repo")
    files = {
        f"app/{name}_{number}.py": "# Drawn on one side.\n" * (number < 3)  # a word of the task, not meant
        + f"def make_{name}(size):\n    return size + {number}\n"
        for name in NAMES
        for number in range(7)
    }
    files[RIGHT] = (
        "# Exponential backoff for failed requests.\n"
        "def backoff_delay(attempt, timeout):\n    return timeout * 2 ** attempt\n"
    )
    files["data/table.json"] = "{}\n"
    write(root, files)
    return Repository.open(root, jobs=1)


@pytest.mark.parametrize(("task", "known"), [(PLAIN, True), ("qqxyzzy zzplugh", False)])
def test_a_file_about_the_task_is_the_most_similar_in_every_field(
    repository: Repository, task: str, known: bool
) -> None:
    view = repository.opened.view
    query = repository.ask(task).loop.query
    found = document_similarity(query, view, np.arange(len(view.snapshot)))
    assert found.shape == (5, len(view.snapshot)) and np.isfinite(found).all()
    assert found.any() == known
    assert not known or [view.paths[int(row.argmax())] for row in found] == [RIGHT] * 5


@pytest.mark.parametrize(
    ("task", "compared"), [(PLAIN, True), ("backoff_delay ignores the timeout of the attempt", False)]
)
def test_documents_are_compared_for_prose_that_names_nothing(repository: Repository, task: str, compared: bool) -> None:
    view, loop = repository.opened.view, repository.ask(task).loop
    candidates, terms = loop.dispatcher.dispatch(loop.query), task_terms_of(loop.query, view)
    for at_once in (False, True):
        rows = Judge(view, Matcher(view), at_once=at_once).measure(loop.query, candidates, (), terms).rows
        assert bool(rows[:, COLUMN["similarity_computed"]].any()) is (compared and at_once)
    assert is_prose(loop.query) is compared


def test_a_file_in_other_words_comes_first(repository: Repository) -> None:
    assert repository.ask(PLAIN, Options(always_loop=True)).run().ranking[0].path == RIGHT
