"""Lessons applied to a new task: similarity, joint evidence, log odds, written out."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.repositories import write
from tests.unit.evaluate.test_judge import Fixed
from zeroin.config import Options
from zeroin.engine import Repository
from zeroin.evaluate.overrides import CallerOverrides
from zeroin.index.view import View
from zeroin.learning import recall as module
from zeroin.learning.lessons import Lesson, Lessons, identity_of, words_of
from zeroin.learning.recall import Recall, RecallingDispatcher, RecallingEvaluator, SimilarTask, log_odds, recall
from zeroin.learning.store import LessonStore
from zeroin.query.task import formulate
from zeroin.types import Candidate, Judgment, Query, Task


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    monkeypatch.setenv("ZEROIN_DATA_DIR", str(tmp_path / "data"))
    names = ("alpha", "beta", "gamma", "delta")
    files = {f"{name}/mod.py": f"def {name}() -> int:\n    return 1\n" for name in names}
    return Repository.open(write(tmp_path / "repo", files))


def lesson_of(text: str, *relevant: str, irrelevant: Sequence[str] = ()) -> Lesson:
    task, query = formulate(text, Options())
    return Lesson(identity_of(task.text), text, words_of(query), relevant, tuple(irrelevant))


def recalled(text: str, view: View, *lessons: Lesson) -> Recall:
    return recall(Lessons(lessons), words_of(formulate(text, Options())[1]), identity_of(text), view)


LIMIT = "Throttle repeated sign-in attempts"


def test_the_same_task_is_fully_similar_and_a_foreign_one_not_at_all(repository: Repository) -> None:
    view = repository.opened.view
    lesson = lesson_of(LIMIT, "beta/mod.py")
    same = recalled(LIMIT, view, lesson)
    assert same.tasks == (SimilarTask(lesson, 1.0),) and same.same is lesson
    assert same.relevant == {"beta/mod.py": 1.0}
    assert not recalled("Render tables in colour", view, lesson)
    assert not recall(Lessons(), (), "", view)


def test_similarity_is_symmetric_bounded_and_counts_rare_words_most(repository: Repository) -> None:
    view = repository.opened.view
    texts = (LIMIT, "Throttle attempts of bots", "Fix the error in tests", "Add support for attempts")
    for one in texts:
        for other in texts:
            if one != other:
                there = recalled(one, view, lesson_of(other, "a")).tasks
                back = recalled(other, view, lesson_of(one, "a")).tasks
                assert [x.similarity for x in there] == [x.similarity for x in back]
                assert all(module.LEAST <= x.similarity <= 1.0 for x in there)
    rare = recalled("Throttle this", view, lesson_of(LIMIT, "a")).tasks[0].similarity
    common = recalled("Repeated support", view, lesson_of(LIMIT, "a")).tasks
    assert not common or rare > common[0].similarity


def test_evidence_is_joined_and_a_task_of_many_files_counts_less() -> None:
    assert module._noisy_or([(("a",), 0.5)]) == {"a": 0.5}
    assert module._noisy_or([(("a",), 0.5)] * 2) == {"a": 0.75}
    assert module._noisy_or([(tuple("abcd"), 0.5)])["a"] == pytest.approx(0.5 / 4**0.25)
    assert module._noisy_or([(("a", "b"), 1.0)]) == {"a": 1.0, "b": 1.0}


def judged(view: View, said: dict[str, float], found: Recall) -> dict[str, Judgment]:
    candidates = [Candidate(doc, path, 1.0) for doc, path in enumerate(view.paths)]
    out = RecallingEvaluator(Fixed(said, 0.001), found).evaluate(Task("t"), Query(), candidates, (), view)
    return {j.path: j for j in out}


def test_earlier_tasks_add_log_odds_before_calibration() -> None:
    task = SimilarTask(lesson_of(LIMIT, "b", irrelevant=("c",)), 0.4)
    found = Recall((task,), {"b": 0.4}, {"c": 0.16})
    others = module.OTHERS * 0.4
    expected = [-others, module.RAISE * 0.4 - others, -module.LOWER * 0.16 - others]
    assert log_odds(found, ("a", "b", "c")).tolist() == pytest.approx(expected)
    assert log_odds(found, ()).tolist() == []


def test_lessons_of_the_same_task_count_most(repository: Repository) -> None:
    view = repository.opened.view
    found = recalled(LIMIT, view, lesson_of(LIMIT, "beta/mod.py", irrelevant=("alpha/mod.py",)))
    good, bad = log_odds(found, ("beta/mod.py", "alpha/mod.py")).tolist()
    assert (good, bad) == (module.SAME - module.OTHERS, -module.SAME - module.OTHERS)
    out = judged(view, {"alpha/mod.py": 0.1, "beta/mod.py": 0.9}, found)
    assert "irrelevant to this very task" in out["alpha/mod.py"].reason
    (reason,) = out["beta/mod.py"].reasons
    assert reason.kind == "learned" and not out["gamma/mod.py"].reasons


def test_files_that_the_pool_lacks_are_added_where_the_query_allows(repository: Repository) -> None:
    view = repository.opened.view

    class Nothing:
        def dispatch(self, query: Query) -> tuple[Candidate, ...]:
            return (Candidate(0, view.paths[0], 1.0),)

    found = Recall((), {"beta/mod.py": 0.5, "gone.py": 0.9, view.paths[0]: 0.5, "delta/mod.py": 0.1}, {})
    out = RecallingDispatcher(Nothing(), found, view).dispatch(Query(excludes=("delta/mod.py",)))
    assert [c.path for c in out] == [view.paths[0], "beta/mod.py"]


def test_without_lessons_the_built_in_parts_answer_alone(repository: Repository) -> None:
    def recalls(**options: Any) -> bool:
        loop = repository.ask(LIMIT, Options(**options)).loop
        assert isinstance(loop.evaluator, CallerOverrides)
        kinds = type(loop.dispatcher) is RecallingDispatcher, type(loop.evaluator.inner) is RecallingEvaluator
        assert len(set(kinds)) == 1
        return kinds[0]

    repository._store = store = LessonStore(f"folder:{repository.opened.root}")
    assert not recalls()
    store.add(lesson_of("Render tables in colour", "beta/mod.py"))
    assert not recalls()  # nothing similar
    store.add(lesson_of(LIMIT, "beta/mod.py"))
    assert recalls() and not recalls(learned=False) and not recalls(purpose="architecture")
