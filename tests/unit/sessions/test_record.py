"""A run as it is kept: named by what was asked, and the same run again when it is read."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zeroin.config import Options
from zeroin.errors import SessionError
from zeroin.query.diff import parse_diff
from zeroin.sessions.record import MAX_TURNS, SessionRecord, is_id, session_of
from zeroin.tree import TreeState
from zeroin.types import Feedback, Task

TREE = TreeState("c" * 40, "t" * 64, False)
SESSION = SessionRecord("/repo", "git:/repo/.git", Task("Fix the limit", "fix"), Options(), TREE)
DIFF = """diff --git a/a.py b/a.py
--- a/a.py
+++ b/a.py
@@ -1,2 +1,2 @@
-x = 1
+x = 2
 y = 3
"""


def test_the_name_says_what_was_asked_of_which_tree() -> None:
    assert is_id(SESSION.id)
    assert SESSION.id == replace(SESSION, at=7, parent="r-0000000000").id
    others = [
        replace(SESSION, tree=replace(TREE, tree="u" * 64)),
        replace(SESSION, place="/repo/sub"),
        replace(SESSION, task=Task("Fix the limits", "fix")),
        replace(SESSION, options=Options(excludes=("docs/**",))),
        replace(SESSION, learned="abc"),
        SESSION.continued(Feedback()),
        SESSION.continued(Feedback(relevant=("a.py",))),
    ]
    assert len({SESSION.id, *(run.id for run in others)}) == len(others) + 1


def test_what_only_says_how_it_is_shown_is_not_part_of_the_name() -> None:
    assert SESSION.id == replace(SESSION, options=Options(timeout_s=3.0, jobs=2, top=50)).id


def test_the_order_of_patterns_is_part_of_the_name_only_where_it_matters() -> None:
    def named(*globs: str) -> str:
        return replace(SESSION, options=Options(includes=globs, excludes=globs)).id

    assert named("docs/**", "*.md", "a") == named("*.md", "a", "docs/**") != named("*.md", "a")
    assert named("docs/**", "!docs/a.md") != named("!docs/a.md", "docs/**")


@given(st.text(), st.lists(st.text(), max_size=3), st.text())
def test_a_run_is_read_as_it_was_written(text: str, paths: list[str], note: str) -> None:
    options = Options(keywords=tuple(paths), excludes=("b", "a"), without=frozenset({"history", "dense"}), rev="main")
    run = SessionRecord(
        "/r\udcff", "folder:/r", Task(text, "review", parse_diff(DIFF)), options, TREE, learned="x", at=3
    )
    run = run.continued(Feedback(tuple(paths), (), ("a=b",), (text,), note))
    again = session_of(json.loads(json.dumps(run.to_json())))
    assert again == run
    assert again.id == run.id


def test_a_moved_run_names_the_one_it_goes_on_from() -> None:
    continued = SESSION.continued(Feedback(terms=("throttle",)))
    assert continued.parent == SESSION.id
    for _ in range(MAX_TURNS - 1):
        continued = continued.continued(Feedback())
    with pytest.raises(SessionError, match="ask anew"):
        continued.continued(Feedback())


def broken(path: str, value: object) -> object:
    """A kept run with one value of another kind."""
    data = SESSION.continued(Feedback(relevant=("a.py",))).to_json()
    at: object = data
    *names, last = path.split(".")
    for name in names:
        at = at[int(name)] if isinstance(at, list) else at[name]  # type: ignore[index]
    at[last] = value  # type: ignore[index]
    return json.loads(json.dumps(data))


@pytest.mark.parametrize("data", [{}, {"version": 99}, {"version": 1, "task": 3}, [], None, "r"])
def test_what_is_no_run_is_refused(data: object) -> None:
    with pytest.raises(SessionError):
        session_of(data)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        *(("at", value) for value in (1e30, 1 << 60, -1, float("inf"))),
        *(("options.rev", 3), ("options.budget", "many"), ("options.keywords", "text")),
        *(("task.purpose", "sing"), ("task.text", None), ("task.diff", 7)),
        *(("tree.dirty", "no"), ("tree", []), ("turns", {})),
        *(("turns.0.relevant", "a.py"), ("turns.0.note", 3)),
    ],
)
def test_a_value_of_another_kind_is_damage(path: str, value: object) -> None:
    with pytest.raises(SessionError, match="damaged"):
        session_of(broken(path, value))
