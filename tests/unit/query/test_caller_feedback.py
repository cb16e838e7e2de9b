"""Caller feedback applied to a query: what each part of it changes."""

from zeroin.config import Options
from zeroin.query.feedback import apply_feedback
from zeroin.query.task import query_of
from zeroin.types import Feedback, Origin, Task

QUERY = query_of(Task("Throttle sign-in of bots"), Options(excludes=("src/limit.py",)))


def test_the_last_judgment_of_a_file_holds() -> None:
    first, _ = apply_feedback(QUERY, Feedback(relevant=("a.py", "src/limit.py"), irrelevant=("b.py",)))
    assert (first.relevant, first.irrelevant) == (("a.py", "src/limit.py"), ("b.py",))
    assert first.must_read == ("a.py", "src/limit.py") and first.excludes == first.pinned == ()
    second, _ = apply_feedback(first, Feedback(irrelevant=("a.py",)))
    assert (second.relevant, second.irrelevant) == (("src/limit.py",), ("b.py", "a.py"))


def test_words_pairs_focus_and_note_are_added_and_named_as_changes() -> None:
    given = Feedback(terms=("gate", "bots=crawler"), focus=("billing",), note="see `RateGate` in src/gate.py")
    query, changes = apply_feedback(QUERY, given)
    callers = [k.text for k in query.keywords if k.origin is Origin.CALLER]
    assert callers[:3] == ["gate", "crawler", "billing"] and "RateGate" in callers
    assert [(p.task_word, p.code_word) for p in query.terminology] == [("bots", "crawler")]
    assert query.focus_areas == ("billing",)
    assert "RateGate" in {s.name for s in query.symbols} and "src/gate.py" in {p.path for p in query.paths}
    assert [c.what for c in changes] == ["crawler", "gate", "billing", given.note]


def test_a_note_weighs_half_of_the_task() -> None:
    query, _ = apply_feedback(QUERY, Feedback(note="crawler"))
    alone = query_of(Task("crawler"), Options()).keywords[0].weight
    assert next(k.weight for k in query.keywords if k.text == "crawler") == alone / 2
