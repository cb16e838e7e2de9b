"""Reasons that cite commits."""

from pathlib import Path

import pytest

import zeroin
from tests.repositories import commit, repository
from tests.unit.evaluate.conftest import CLIENT, FILES, LOG, RETRY, subject
from tests.worlds.history import commit_all
from zeroin.engine import Repository
from zeroin.evaluate.reasons.writer import WRITERS
from zeroin.index.view import View
from zeroin.types import Keyword, Origin, Query

WORDS = (Keyword("retry request", 1.0, Origin.TITLE),)


def test_commits_are_cited(net: View) -> None:
    query = Query(keywords=WORDS)
    matching, changes = (WRITERS[kind](subject(net, RETRY, query)) for kind in ("history", "changes"))
    assert matching is not None and changes is not None
    assert matching.text.endswith("“Retry a request that failed” resembles the task and changed it")
    assert matching.evidence[0].commit[:10] in matching.text
    assert changes.text.startswith("changed in 3 commits, last in ")


def test_counts_of_commits_say_that_some_were_not_read(tmp_path: Path) -> None:
    folder = repository(tmp_path / "r", FILES | {f"many/{n}.txt": "x\n" for n in range(100)})
    for number in range(4):
        commit(folder, {RETRY: f"A = {number}\n", LOG: f"B = {number}\n"})
    view = Repository.open(folder).opened.view
    changes, together = (WRITERS[kind](subject(view, LOG, Query())) for kind in ("changes", "cochange"))
    assert changes is not None and changes.text.startswith("changed in at least 4 commits, last in ")
    assert together is not None and together.text == f"changed together with {RETRY} in at least 4 commits"
    gaps = zeroin.retrieve("What does the retry of requests change?", folder, always_loop=True).cycles[0].gaps
    assert f"{LOG} was changed together with {RETRY} in 4 of 4 commits read" in [gap.need for gap in gaps]


def test_a_commit_that_says_one_word_of_several_is_no_reason(net: View) -> None:
    own = tuple(Keyword(word, 1.0, Origin.PROSE) for word in ("request", "elephant", "quantum"))
    assert WRITERS["history"](subject(net, RETRY, Query(keywords=own))) is None


@pytest.mark.parametrize(
    ("task", "said"),
    [
        ("a request that was retried", True),
        ("the request failed again", True),  # half of what the subject says
        ("a file of the request cannot be retried by hand, since the clock of the printer is late", True),
        ("a call of the file is slow: what does the printer wait for, and who turns the clock?", False),
    ],
)
def test_a_commit_that_shares_the_common_words_of_a_project_is_no_reason(tmp_path: Path, task: str, said: bool) -> None:
    history = [(f"Close file {n} after the call", [LOG]) for n in ("one", "two", "three", "four", "five")]
    history += [
        ("Start", list(FILES)),
        ("Retry a request that failed", [RETRY]),
        ("Call the file when it is ripe", [CLIENT]),
    ]
    commit_all(tmp_path / "r", FILES, history)
    view = Repository.open(tmp_path / "r", jobs=1).opened.view
    query = Query(keywords=(Keyword(task, 1.0, Origin.PROSE),))
    path = RETRY if "request" in task else CLIENT
    assert (WRITERS["history"](subject(view, path, query)) is not None) == said
