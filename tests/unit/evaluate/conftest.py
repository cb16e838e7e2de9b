"""One small repository with a history, and pools whose terms and candidates are chosen by hand."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from tests.worlds.history import commit_all
from zeroin.engine import Repository
from zeroin.evaluate.features.pool import Pool
from zeroin.evaluate.passages import Matcher
from zeroin.evaluate.reasons.subject import Question, Subject
from zeroin.evaluate.task_terms import TaskTerms
from zeroin.index.view import View
from zeroin.terms import stem
from zeroin.types import Candidate, Query

RETRY, CLIENT, LOG, TEST, README = ("net/retry.py", "net/client.py", "tools/log.py", "tests/test_retry.py", "README.md")
FILES = {
    RETRY: "def retry_request(attempt):\n    # wait before the next call\n    return attempt\n",
    CLIENT: "from net.retry import retry_request\n\n\nclass Client:\n    def send(self):\n"
    '        raise OSError("connection refused by the other side")\n',
    LOG: "def write_line(text):\n    return text\n",
    TEST: "from net.retry import retry_request\n\n\ndef test_retry_request():\n    assert retry_request(1)\n",
    README: "# A network client\n",
}
HISTORY = [
    ("Start", list(FILES)),
    ("Wait longer between requests", [RETRY, CLIENT]),
    ("Retry a request that failed", [RETRY]),
]
# Weights 2 + 1 + 1 = 4, those of the title 2.
TERMS = TaskTerms({stem("retry"): 2.0, stem("request"): 1.0, stem("wait"): 1.0}, frozenset({stem("retry")}))


@pytest.fixture(scope="session")
def net(tmp_path_factory: pytest.TempPathFactory) -> Iterator[View]:
    folder = tmp_path_factory.mktemp("net") / "repo"
    commit_all(folder, FILES, HISTORY)
    yield Repository.open(folder, jobs=1).opened.view


def subject(view: View, path: str, query: Query, best: str = RETRY, **candidate: object) -> Subject:
    one = replace(Candidate(view.numbers[path], path, 1.0), **candidate)  # type: ignore[arg-type]
    question = Question(query, TERMS, view, (view.numbers[best],))
    return Subject(question, one, Matcher(view).read([one.doc], TERMS)[one.doc])


def candidates(view: View, *paths: str) -> list[Candidate]:
    return [Candidate(view.numbers[path], path, 1.0) for path in paths or FILES]


def pool_of(view: View, query: Query = Query(), terms: TaskTerms = TERMS) -> Pool:  # noqa: B008
    """All files in the order of `FILES`."""
    return Pool(query, candidates(view), terms, view, history=view.history)
