"""Secrets in a real answer: in what is quoted of commits and code, in every form, also where text is shortened."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.repositories import START, commit, repository
from zeroin import engine, report
from zeroin.answer import LessonsUsed, UsedLesson
from zeroin.context.redaction.quotes import everything_of, quotes_of
from zeroin.context.redaction.redact import redact_words
from zeroin.context.rendering import FORMATS, render
from zeroin.context.rendering.wording import source_of
from zeroin.mcp.roots import Roots
from zeroin.mcp.tools import call
from zeroin.mcp.work import Work
from zeroin.session import Session
from zeroin.terms import cut, shortened
from zeroin.types import Evidence, Expansion, ExpansionSource, Gap, Reason

TASK = "The rate limit of the throttle lets every client through"
TOKEN = "ghp_" + "Ab1Cd2Ef3Gh4Ij5Kl6Mn7Op8Qr9St0Uv1Wx2"
SUBJECTS = (
    f"throttle client rate limit {TOKEN}",
    f"throttle: rate limit for every client of the api, as said by {TOKEN}",
)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository whose commits and comments say a token."""
    folder = repository(tmp_path_factory.mktemp("secrets") / "shop")
    for day, (subject, name) in enumerate(zip(SUBJECTS, ("limit", "throttle"), strict=True), start=1):
        code = f"class Throttle:\n    # rate limit of a client, with {TOKEN}\n    def allow(self, client): ...\n"
        commit(folder, {f"src/{name}.py": code}, subject, seconds=START + 86_400 * day)
    return folder


@pytest.fixture(scope="module")
def session(place: Path) -> Session:
    found = engine.open_session(TASK, place, jobs=1, always_loop=True)
    found.run()
    return found


def test_no_form_of_a_real_answer_shows_a_secret(session: Session) -> None:
    context = session.context()
    said = " ".join(j.reason for j in context.files)
    assert TOKEN in said
    assert not isinstance(context.files[0].reasons, tuple | list)  # as evaluation gives them
    shown, count = quotes_of(context)
    assert count and "ghp_" not in repr(shown.files) and "ghp_" not in repr(shown.ranking)
    assert all("ghp_" not in j.reason for cycle in shown.cycles for j in cycle.judgments)
    for format_ in FORMATS:
        for code in (True, False):
            text = render(context, session.read, format_, code=code)
            assert "ghp_" not in str(text) and "Ab1Cd2" not in str(text), format_
    assert json.loads(str(render(context, session.read, "json")))["redacted"] == count
    page = report.render(replace(context, redact=False), session.read)
    assert "ghp_" not in page and "Ab1Cd2" not in page
    result = render(replace(context, redact=False), session.read, "markdown", code=True)
    assert isinstance(result, str) and TOKEN in result


def test_no_title_of_an_earlier_task_shows_a_secret(session: Session) -> None:
    used = UsedLesson("0123456789", f"rate limit with {TOKEN}", 0.5)  # as older versions kept it
    context = replace(session.context(), learned=LessonsUsed("0123456789abcdef", 1, (used,)))
    shown, count = quotes_of(context)
    assert count == quotes_of(session.context())[1] + 1
    assert shown.learned is not None and shown.learned.used[0].id == used.id
    learned = json.loads(str(render(context, session.read, "json")))["learned"]
    assert "ghp_" not in str(learned) and learned["digest"] == "0123456789abcdef"


def test_mcp_shows_no_secret(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZEROIN_CACHE_DIR", str(place.parent / "cache"))
    text = call("find_context", {"task": TASK}, Roots((place,), place), Work()).text
    assert "src/limit.py" in text and "ghp_" not in text


def test_a_document_of_langchain_shows_no_secret(session: Session) -> None:
    langchain = pytest.importorskip("zeroin.langchain", exc_type=ImportError)
    documents = langchain.documents(session.context(), session.read)
    assert documents and "ghp_" not in repr(documents)


@pytest.mark.parametrize("before", range(0, 80, 3))
def test_a_token_is_never_cut_in_two(before: int) -> None:
    text = f"{'client ' * 12}"[:before].rstrip() + f" {TOKEN} and more words"
    for short in (shortened(text), cut(text, 60), cut(text, 20)):
        assert TOKEN in short or "ghp_" not in short
        assert len(short) <= 70
    assert cut("漢字" * 50, 60) == "漢字" * 30 and cut("short", 60) == "short"


def test_a_report_leaves_secrets_out_before_it_shortens(session: Session) -> None:
    context = session.context()
    long = "rate limit " * 30
    for size in range(60, 310, 7):
        text = f"{long[:size]} {TOKEN} end"
        source = ExpansionSource("comment", "src/limit.py", 2, text)
        result = replace(
            context,
            task=replace(context.task, text=f"{text}\n{text}"),
            files=(replace(context.files[0], reasons=(Reason("x", text),), missing_context=(text,)),),
            terminology=(Expansion("rate", "limit", 0.5, (source,), "sure"),),
            gaps=(Gap("aspect", text, True, (Evidence(text=text),), text),),
        )
        assert "ghp_" not in repr(
            [everything_of(result).task, source_of(everything_of(result).terminology[0].sources[0])]
        )
        assert "ghp_" not in report.render(result, lambda path: ""), size


@pytest.mark.parametrize("name", ["src/test/mocks/MockERC4626.sol", "src/test/k8s/aX9bQ27Zk4Lm0pRs.yaml"])
def test_a_path_in_a_sentence_stays_however_random_it_looks(session: Session, name: str) -> None:
    need = f"README.md was changed together with {name} in 2 of 9 commits read"
    gap = Gap("counterpart", need, False, (Evidence("README.md"), Evidence(name)), "README.md")
    shown, hidden = quotes_of(replace(session.context(), gaps=(gap,)))
    assert need in render(shown, session.read, "markdown") and need in shown.gaps[0].need
    assert hidden == quotes_of(replace(session.context(), gaps=()))[1]


def test_a_name_with_an_acronym_and_its_number_is_no_piece_of_a_secret() -> None:
    assert redact_words("MockERC4626, testERC4626Deposit") == ("MockERC4626, testERC4626Deposit", 0)
