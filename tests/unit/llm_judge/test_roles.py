"""What a model may do beside grading: plan and verify."""

import json
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from tests.unit.llm_judge.test_seat import FILES, TASK, Fake, Grading, only, opened
from zeroin.answer import Context
from zeroin.config import JUDGE_ROLES, Options
from zeroin.engine import Repository
from zeroin.llm_judge.contract import Reply, Request
from zeroin.llm_judge.prompt import REMINDER, SYSTEM
from zeroin.llm_judge.roles import doubted
from zeroin.types import Origin

JUDGE_MD = Path(__file__).parents[3] / "docs" / "JUDGE.md"


@dataclass
class Many(Fake):
    """A model that plans, grades and verifies as it is told, and remembers what it was sent."""

    grade: Grading = field(default_factory=only)
    plan: object = field(default_factory=lambda: {"words": ["voucher", "zzunknown"], "questions": []})
    check: object = field(default_factory=lambda: {"sufficient": True, "missing": []})

    def reply(self, request: Request) -> Reply:
        files = [{"id": file.number, "grade": int(file.number == 1)} for file in request.files]
        said = {"plan": self.plan, "verify": self.check, "evaluate": {"files": files, "words": ["refund"]}}
        return Reply(json.dumps(said[request.asking]), 100, 10)


@pytest.fixture
def repo(tmp_path: Path) -> Repository:
    return opened(tmp_path / "r", FILES)


def ask(repo: Repository, model: Many, *roles: str, task: str = TASK, **options: object) -> Context:
    chosen = Options(judge_roles=frozenset(roles), always_loop=True, **options)  # type: ignore[arg-type]
    return repo.ask(task, chosen, model=model).run()


@pytest.mark.parametrize("roles", [(), *((role,) for role in JUDGE_ROLES), JUDGE_ROLES])
def test_only_what_is_wanted_is_asked(repo: Repository, roles: tuple[str, ...]) -> None:
    model = Many()
    ask(repo, model, *roles)
    assert {request.asking for request in model.requests} == set(roles) - {"refine"}


def test_a_plan_sees_the_task_alone_and_its_words_are_searched_for_first(repo: Repository) -> None:
    model = Many(plan={"words": ["voucher", "zzunknown", "requests"], "questions": ["refund of an order", "zz yy"]})
    answer = ask(repo, model, "plan", task=f"{TASK}. password = 'hunter2hunter2X9'")
    query = answer.cycles[0].query
    learned = {keyword.text for keyword in query.keywords if keyword.origin is Origin.LEARNED}
    assert "voucher" in learned and not learned & {"zzunknown", "requests"}
    assert query.focus_areas == ("refund of an order",)
    assert any(change.what == "voucher" for change in answer.cycles[0].changes)
    (request,) = model.requests
    assert TASK in request.user and "hunter2" not in request.user
    assert not request.files and "src/" not in request.user


def test_a_check_takes_sufficient_away_and_never_gives_it(repo: Repository) -> None:
    roles = Options(judge_roles=frozenset(("verify",)))
    model = Many(check={"sufficient": False, "missing": ["Clock\x1b[31m", "x" * 300]})
    for session in (repo.ask(TASK, roles, model=Many()), repo.ask(TASK, roles, model=model)):
        answer = session.run()
        assert not answer.sufficient, "nor without a model"
        assert session.judge is not None
        sure = replace(answer, sufficient=True, warnings=())
        assert doubted(session.judge, sure).sufficient == (session.judge.model is not model)
    said = [warning for warning in answer.warnings if "not all" in warning]
    assert said == ["fake:model says that these files are not all: it misses Clock"]
    (request,) = model.requests
    assert request.files[0].path == (answer.files or answer.supporting)[0].path


@pytest.mark.parametrize("said", [{"words": 3}, {"sufficient": "yes"}, [], "no"])
def test_a_plan_or_check_that_is_none_changes_nothing(repo: Repository, said: object) -> None:
    plain = repo.ask(TASK, Options(always_loop=True)).run()
    answer = ask(repo, Many(plan=said, check=said), "plan", "verify")
    assert answer.sufficient == plain.sufficient
    assert [(j.path, j.relevance) for j in answer.ranking] == [(j.path, j.relevance) for j in plain.ranking]
    assert any("cannot be used" in warning for warning in answer.warnings)


def test_the_check_has_its_call_and_tokens_kept_for_it(repo: Repository) -> None:
    model = Many()
    answer = ask(repo, model, *JUDGE_ROLES, max_calls=3, max_judge_tokens=6_000)
    assert [request.asking for request in model.requests] == ["plan", "evaluate", "verify"]
    assert answer.judge is not None and answer.judge.calls == 3
    assert sum(request.tokens for request in model.requests) <= 6_000
    session = repo.ask(TASK, Options(judge_roles=frozenset(("verify",))), model=model)
    session.run()
    session.context()
    assert [request.asking for request in model.requests].count("verify") == 2, "once a question"


def test_the_page_has_the_prompts_as_they_are() -> None:
    page = JUDGE_MD.read_text(encoding="utf-8")
    for asking, system in SYSTEM.items():
        assert f"```text\n{system}```" in page, asking
        assert REMINDER[asking].replace("{first}", "1").replace("{last}", "28") in page, asking
