"""What a task or a note says that it is not about is not searched for."""

import pytest

from zeroin.config import Options
from zeroin.query.denials import denied_in_note, without_denied
from zeroin.query.feedback import apply_feedback
from zeroin.query.task import query_of
from zeroin.types import Feedback, Query, Task


def words(query: Query) -> set[str]:
    return {keyword.text.lower() for keyword in query.keywords}


@pytest.mark.parametrize(
    ("task", "asked", "denied"),
    [
        ("how are timeouts handled on the server, not the client?", "server", "client"),
        ("Virtuals are missing in toJSON (I do not mean the TypeScript types)", "virtuals", "typescript"),
        ("where are handlers opened? Not interested in the server, websockets or sockets", "opened", "websockets"),
    ],
)
def test_a_denied_clause_is_not_searched_for(task, asked, denied):
    found = words(query_of(Task(task), Options()))
    assert asked in found
    assert denied not in found


@pytest.mark.parametrize(
    "task",
    [
        "gzip is not applied to my responses",
        "fails with ENOTDIR, not a directory",
        "It should not delete the folder",
        "Not all files of the folder are listed",
        'It says "pass the name, not the object" on every start',
    ],
)
def test_what_does_not_work_is_no_denial(task):
    assert without_denied(task) == task


def test_a_pasted_message_keeps_what_it_denies():
    query = query_of(Task("ValueError: pass the name, not the object"), Options())
    assert query.quotations[0].text.endswith("pass the name, not the object")


@pytest.mark.parametrize(
    ("note", "asked", "denied"),
    [
        ("Not gevent, I use gthread", "gthread", "gevent"),
        ("look at the parser, not the printer", "parser", "printer"),
        ("no tests please, the server side", "server", "tests"),
        ("It does not work when the socket is closed", "socket", ""),
    ],
)
def test_a_note_denies_with_fewer_words(note, asked, denied):
    kept, without = denied_in_note(note)
    assert asked in kept
    assert denied in without
    assert not denied or denied not in kept


@pytest.mark.parametrize("note", ["It is not in app/arbiter.py", "app/arbiter.py is irrelevant"])
def test_a_path_that_a_note_denies_is_irrelevant(note):
    query, _ = apply_feedback(query_of(Task("workers are restarted twice"), Options()), Feedback(note=note))
    assert query.irrelevant == ("app/arbiter.py",)
    assert not query.paths
