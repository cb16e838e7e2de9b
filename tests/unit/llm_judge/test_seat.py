"""A model in the evaluator's seat, through a whole question."""

import json
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.repositories import repository
from zeroin.answer import Context
from zeroin.config import Options
from zeroin.engine import Repository
from zeroin.errors import JudgeError
from zeroin.llm_judge import choice
from zeroin.llm_judge.contract import Reply, Request, Shown
from zeroin.llm_judge.prompt import request_of
from zeroin.llm_judge.providers import Recorder
from zeroin.types import Feedback, Task

TASK = "Requests are let through although the caller has used up its quota"
FILES = {
    "src/quota/window.py": "class Window:\n    def allow(self, caller):\n        return self.used[caller] <= 9\n",
    "src/quota/store.py": "def used(caller):\n    '''Requests of a caller.'''\n    return COUNTS.get(caller, 0)\n",
    "src/http/server.py": "def handle(request):\n    if window.allow(request.caller):\n        respond(request)\n",
    "src/http/response.py": "def respond(request):\n    return Response(request.path)\n",
    "src/http/headers.py": "def caller_of(request):\n    return request.headers['Caller']\n",
    **{
        f"src/shop/{name}.py": f"def {name}(order):\n    '''{name.title()} of an order.'''\n    return order.{name}\n"
        for name in "price tax invoice basket refund voucher stock parcel label address".split()
    },
}
Grading = Callable[[Shown, Request], int]


def opened(where: Path, files: Mapping[str, str]) -> Repository:
    return Repository.open(repository(where, files))


@dataclass
class Fake:
    """A model that grades by a function; remembers what it was sent."""

    grade: Grading
    name: str = "fake:model"
    cache_name: str = ""
    words: tuple[str, ...] = ()
    requests: list[Request] = field(default_factory=list)

    def ask(self, requests: Sequence[Request], timeout_s: float) -> list[Reply | JudgeError]:
        self.requests += requests
        return [self.reply(request) for request in requests]

    def reply(self, request: Request) -> Reply:
        files = [
            {
                "id": file.number,
                "grade": self.grade(file, request),
                "reason": "because",
                "lines": [[min(file.rows), min(file.rows)]] if file.rows else [],
                "missing": ["Clock"],
            }
            for file in request.files
        ]
        return Reply(json.dumps({"files": files, "words": self.words}), 1_000, 100, 0.002)


def only(*paths: str) -> Grading:
    return lambda file, _: 3 if file.path in paths else 0


@pytest.fixture
def asked(tmp_path: Path) -> Repository:
    return opened(tmp_path / "r", FILES)


def ask(repo: Repository, model: Fake, options: Options = Options(always_loop=True)) -> Context:  # noqa: B008
    return repo.ask(TASK, options, model=model).run()


def test_a_grade_moves_a_file_and_is_its_first_reason(asked: Repository) -> None:
    before = asked.ask(TASK, Options(always_loop=True)).run()
    model = Fake(only("src/quota/window.py"))
    after = ask(asked, model)
    relevance = {j.path: j.relevance for j in before.ranking}
    best = after.ranking[0]
    assert best.path == "src/quota/window.py"
    assert best.relevance > relevance[best.path]
    assert best.reasons[0].text == "fake:model grades it 3 of 3: because"
    assert best.spans[0].why == "cited by the judge"
    assert "Clock" in best.missing_context
    others = [j for j in after.ranking if j.path != best.path]
    assert all(j.relevance <= relevance.get(j.path, 1.0) + 0.02 for j in others)
    assert after.judge is not None
    assert after.judge.model == "fake:model"
    assert after.judge.calls == len(model.requests) > 0
    assert after.judge.cost == pytest.approx(0.002 * after.judge.calls)


@pytest.mark.parametrize("grade", [0, 1, 2, 3])
def test_a_judge_that_says_the_same_of_all_changes_no_order(asked: Repository, grade: int) -> None:
    before = asked.ask(TASK, Options(always_loop=True, max_cycles=1)).run()
    after = ask(asked, Fake(lambda *_: grade), Options(always_loop=True, max_cycles=1))
    assert [j.path for j in after.ranking][:3] == [j.path for j in before.ranking][:3]
    relevance = {j.path: j.relevance for j in before.ranking}
    assert all(j.relevance <= relevance[j.path] + 1e-4 for j in after.ranking)


def test_a_batch_that_fails_costs_its_own_grades_alone(asked: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choice, "BATCH", 6)

    class Busy(Fake):
        def ask(self, requests: Sequence[Request], timeout_s: float) -> list[Reply | JudgeError]:
            came = super().ask(requests, timeout_s)
            return [came[0], JudgeError("it is busy"), *came[2:]]

    model = Busy(only("src/quota/window.py"))
    answer = ask(asked, model, Options(always_loop=True, max_cycles=1))
    assert len(model.requests) == 3
    lost = {file.path for file in model.requests[1].files}
    graded = {j.path for j in answer.ranking if j.reasons and j.reasons[0].kind == "judge"}
    assert graded and not graded & lost
    assert answer.judge is not None
    assert answer.judge.graded == sum(len(request.files) for request in model.requests) - len(lost)
    assert any("it is busy" in warning for warning in answer.warnings)


def test_a_dry_run_has_everything_that_is_sent_first(asked: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choice, "BATCH", 6)
    monkeypatch.setattr(secrets, "token_hex", lambda _: "0123456789abcdef")
    model, dry = Fake(only()), Recorder("fake:model")
    ask(asked, model, Options(always_loop=True, max_cycles=1))
    asked.ask(TASK, Options(always_loop=True), model=dry).run()
    assert len(dry.requests) == 3
    assert [(r.system, r.user) for r in dry.requests] == [(r.system, r.user) for r in model.requests]


def test_budgets_hold(asked: Repository) -> None:
    model = Fake(only("src/quota/window.py"))
    ask(asked, model, Options(always_loop=True, max_judge_tokens=2_000))
    assert sum(request.tokens for request in model.requests) <= 2_000
    dear = Fake(only("src/quota/window.py"))
    ask(asked, dear, Options(always_loop=True, max_cost=0.001))
    assert len(dear.requests) == 1


@pytest.mark.parametrize("limit", [{"max_calls": 1}, {"max_judge_tokens": 3_000}, {"max_cost": 0.001}])
def test_budgets_hold_for_a_question_however_often_it_is_asked(
    asked: Repository, monkeypatch: pytest.MonkeyPatch, limit: dict[str, Any]
) -> None:
    monkeypatch.setattr(choice, "BATCH", 4)
    model = Fake(lambda *_: 1, cache_name=f"fake {limit}")
    options = Options(always_loop=True, **limit)
    one = ask(asked, model, options)
    sent = len(model.requests)
    session = asked.ask(TASK, options, model=model)
    other = session.run()
    session.apply(Feedback(focus=("voucher refund of an order",)))
    session.run()
    assert len(model.requests) == sent > 0
    assert [(j.path, j.relevance) for j in one.ranking] == [(j.path, j.relevance) for j in other.ranking]


def test_words_that_the_code_has_are_searched_for(asked: Repository) -> None:
    model = Fake(lambda file, _: int(file.path.startswith("src/http/")), words=("voucher", "zzunknown"))
    answer = ask(asked, model)
    queries = [{k.text for k in cycle.query.keywords} for cycle in answer.cycles]
    assert len(queries) > 1
    assert "voucher" in queries[1]
    assert "zzunknown" not in queries[1]


def test_what_the_caller_judged_stays(asked: Repository) -> None:
    session = asked.ask(TASK, Options(always_loop=True), model=Fake(lambda *_: 3))
    session.run()
    session.apply(Feedback(irrelevant=("src/quota/window.py",)))
    judged = {j.path: j.relevance for j in session.run().ranking}
    assert judged.get("src/quota/window.py", 0.0) == 0.0


def test_no_call_is_made_when_no_time_is_left(asked: Repository) -> None:
    model = Fake(only())
    session = asked.ask(TASK, Options(always_loop=True), model=model, deadline=time.monotonic() + 0.5)
    assert not model.requests or session.run()
    assert any("no time is left" in warning for warning in session.run().warnings)


@pytest.mark.parametrize(("limit", "calls"), [({"max_calls": 1}, 1), ({"max_calls": 2}, 2), ({"max_cost": 0.005}, 1)])
def test_replies_that_cannot_be_used_count(asked: Repository, limit: Mapping[str, Any], calls: int) -> None:
    """And so does asking again: a model that answers nonsense was asked four times where one call was allowed."""

    class Nonsense(Fake):
        def reply(self, request: Request) -> Reply:
            return Reply("{}", input_tokens=100, cost=0.01)

    model = Nonsense(only())
    answer = ask(asked, model, Options(always_loop=True, **limit))
    assert answer.judge is not None
    assert len(model.requests) == answer.judge.calls == calls
    assert answer.judge.input_tokens == 100 * calls
    assert answer.judge.cost == pytest.approx(0.01 * calls)
    assert any("cannot be used" in warning for warning in answer.warnings)


def test_a_reply_is_kept_where_another_cannot_be_asked_for_again(
    asked: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(choice, "BATCH", 6)

    class Leaving(Fake):
        def ask(self, requests: Sequence[Request], timeout_s: float) -> list[Reply | JudgeError]:
            if self.requests:
                raise JudgeError("the endpoint is gone")
            return [Reply("{}"), *super().ask(requests, timeout_s)[1:]]

    answer = ask(asked, Leaving(only("src/quota/window.py")), Options(always_loop=True, max_cycles=1))
    assert answer.judge is not None and answer.judge.graded > 0


def test_no_half_of_a_secret_is_sent() -> None:
    key = "ghp_" + "k3Jd8sLq0ZxV7bNm2TyRw5Pf9GhC4aEu6XoI"
    before = "word " * 1_196  # the task is cut after 6,000 characters
    sent = request_of(Task(f"{before}{key} and more"), ()).user
    assert "word" in sent and key[:12] not in sent


def test_a_definition_that_is_named_with_a_secret_is_left_out(tmp_path: Path) -> None:
    key = "ghp_" + "0a1B2c3D4e" * 3 + "5F6g7H"
    far = "\n\nother\n" * 60
    text = f"# Notes\n{far}\n## Token {key}\n\nnothing\n{far}\n## Headers\n\nnothing\n{far}\n## Let through\n\n"
    model = Fake(only())
    ask(opened(tmp_path / "r", FILES | {"src/quota/README.md": text + f"{TASK}.\n" * 30}), model)
    sent = "".join(request.user for request in model.requests)
    assert "section Headers" in sent and key[:9] not in sent


def test_no_file_is_asked_about_twice(asked: Repository) -> None:
    model = Fake(only("src/quota/window.py"))
    ask(asked, model)
    paths = [file.path for request in model.requests for file in request.files]
    assert len(paths) == len(set(paths))
