"""Secrets in a real answer: in what is quoted of commits and code, in every form, also where text is shortened."""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from zeroin import engine, report
from zeroin.context.redaction.quotes import everything_of, quotes_of
from zeroin.context.redaction.redact import redact, redact_line
from zeroin.context.rendering import FORMATS, render
from zeroin.context.rendering.wording import source_of
from zeroin.evaluate.reasons.wording import shortened
from zeroin.mcp.roots import Roots
from zeroin.mcp.tools import call
from zeroin.mcp.work import Work
from zeroin.session import Session
from zeroin.terms import cut
from zeroin.types import Evidence, Expansion, ExpansionSource, Gap, Reason

TASK = "The rate limit of the throttle lets every client through"
TOKEN = "ghp_" + "Ab1Cd2Ef3Gh4Ij5Kl6Mn7Op8Qr9St0Uv1Wx2"
NPM = "npm_" + "Zq8Wx7Ev6Rb5Tn4Ym3Uk2Ij1Oh9Pg8Fd7Sa6"
HEX = "9f86d081884c7d65" + "9a2feaa0c55ad015"
AWS = "wJalrXUtnFEMI/K7MDENG/" + "bPxRfiCYzT3tKeYq9Z"
BODY = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj"
TAIL = "MzEfYyjiWA4R4/M2bS1GB4t7NXp98C3s"
SUBJECTS = (
    f"throttle client rate limit {TOKEN}",
    f"throttle: rate limit for every client of the api, as said by {TOKEN}",
)


def git(folder: Path, *arguments: str, day: int = 1) -> None:
    """Runs git; a commit is of that day of a month, so that the order of commits is the same in every run."""
    who = ("-c", "user.name=a", "-c", "user.email=a@b")
    dates = dict.fromkeys(("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"), f"2024-05-{day:02}T12:00:00Z")
    env = {**os.environ, **dates}
    subprocess.run(["git", *who, *arguments], cwd=folder, check=True, capture_output=True, env=env)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository whose commits and comments say a token."""
    folder = tmp_path_factory.mktemp("secrets") / "shop"
    (folder / "src").mkdir(parents=True)
    git(folder.parent, "init", "-q", "-b", "main", str(folder))
    for day, (subject, name) in enumerate(zip(SUBJECTS, ("limit", "throttle"), strict=True), start=1):
        code = (
            f"class Throttle:\n    # rate limit of a client, with {TOKEN}\n    def allow(self, client): ...\n"
        )
        (folder / "src" / f"{name}.py").write_text(code)
        git(folder, "add", "-A")
        git(folder, "commit", "-q", "-m", subject, day=day)
    return folder


@pytest.fixture(scope="module")
def session(place: Path) -> Session:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ZEROIN_CACHE_DIR", str(place.parent / "cache"))
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
    page = report.of(session, replace(context, redact=False))
    assert "ghp_" not in page and "Ab1Cd2" not in page
    told = render(replace(context, redact=False), session.read, "markdown", code=True)
    assert isinstance(told, str) and TOKEN in told


def test_reasons_of_what_is_not_shown_are_not_made(session: Session) -> None:
    context = session.context()
    made: list[str] = []

    class Costly(tuple[Reason, ...]):
        def __iter__(self):  # type: ignore[no-untyped-def]
            made.append("made")
            return super().__iter__()

    dear = replace(context.files[0], reasons=Costly((Reason("history", f"said {TOKEN}"),)))
    cycles = tuple(replace(cycle, judgments=(dear,)) for cycle in context.cycles)
    shown, _ = quotes_of(replace(context, cycles=cycles, ranking=(dear,)))
    assert not made
    assert "ghp_" not in shown.ranking[0].reason and made
    again, _ = quotes_of(replace(context, ranking=(dear,)))
    assert shown.ranking == again.ranking and hash(shown.ranking) == hash(again.ranking)


def test_a_model_is_told_no_secret(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZEROIN_CACHE_DIR", str(place.parent / "cache"))
    text = call("find_context", {"task": TASK}, Roots((place,), place), Work()).text
    assert "src/limit.py" in text and "ghp_" not in text


def test_a_document_of_langchain_tells_no_secret(session: Session) -> None:
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
        told = replace(
            context,
            task=replace(context.task, text=f"{text}\n{text}"),
            files=(replace(context.files[0], reasons=(Reason("x", text),), missing_context=(text,)),),
            terminology=(Expansion("rate", "limit", 0.5, (source,), "sure"),),
            gaps=(Gap("aspect", text, True, (Evidence(text=text),), text),),
        )
        assert "ghp_" not in repr(
            [everything_of(told).task, source_of(everything_of(told).terminology[0].sources[0])]
        )
        assert "ghp_" not in report.render(told, lambda path: ""), size


@pytest.mark.parametrize("end", ["", "\\n"])
def test_a_private_key_on_one_line(end: str) -> None:
    line = (
        '  "private_key": "-----BEGIN PRIVATE KEY-----\\n'
        + "\\n".join([BODY, BODY[::-1], TAIL, "Zk3=="])
        + f'\\n-----END PRIVATE KEY-----{end}",'
    )
    after = ['  "id": "a",', "digest = 'AAAAB3NzaC1yc2EAAAADAQABAAABAQDf8mLk2nQ4v7'"]
    shown, count = redact("account.json", ["{", line, *after])
    assert shown[1] == (
        '  "private_key": "-----BEGIN PRIVATE KEY-----[redacted: private key]-----END PRIVATE KEY-----'
        + f'{end}",'
    )
    assert shown[2:] == after and count == 1  # nothing is left open
    assert redact_line("", line)[0] == shown[1]


def test_every_run_of_a_private_key_without_an_end_on_its_line() -> None:
    lines = [
        f'key = "-----BEGIN RSA PRIVATE KEY-----\\n{BODY}\\n{TAIL}\\n"',
        f'"{BODY}\\n{BODY[::-1]}\\n"',
        f'"{TAIL}-----END RSA PRIVATE KEY-----"',
        "done()",
    ]
    shown, count = redact("a.py", lines)
    assert count == 5 and BODY not in "".join(shown) and BODY[::-1] not in "".join(shown)
    assert TAIL not in "".join(shown) and shown[3] == "done()"
    code = 'wrap = f"-----BEGIN PRIVATE KEY-----\\n{body}\\n-----END PRIVATE KEY-----"'
    assert redact("a.py", [code]) == ([code], 0)


@pytest.mark.parametrize(
    ("path", "line", "secret"),
    [
        ("ci.md", f"run with {NPM} once", NPM),
        ("a.py", f"# aws_secret_access_key = {AWS}", AWS),
        ("credentials", f"aws_secret_access_key={AWS}", AWS),
        ("a.py", f"    api_key: {HEX}", HEX),
        ("notes.md", f"the client-secret: {HEX}, as agreed", HEX),
        ("a.sh", f"curl -H 'Authorization: Bearer {HEX}.x_y' https://a.b", f"{HEX}.x_y"),
        ("a.http", f"Authorization: Basic {HEX}==", f"{HEX}=="),
        ("a.py", 'url = "postgresql://admin:Tr0ub4dor&3@db/app"', "Tr0ub4dor&3"),
        ("a.py", "redis://:s3cr$t+pa,ss@cache", "s3cr$t+pa,ss"),
    ],
)
def test_values_in_headers_urls_and_assignments(path: str, line: str, secret: str) -> None:
    text, count = redact_line(path, line)
    before, after = line.split(secret)
    assert count == 1 and text.startswith(before) and text.endswith(after) and secret not in text


@pytest.mark.parametrize(
    "line",
    [
        "api_key: your-api-key-goes-here-1234",
        "secret_key = settings.PAYMENT_SECRET_KEY_V2_2024_A",
        "access_token: oauth2_refresh_token_of_2023_v1",
        "token = base64UrlEncodedTokenOfSha256(value)",
        "token: components/schemas/oauth2/Token2024Response3",
        "headers = {'Authorization': f'Bearer {self.access_token_2}'}",
        '"Authorization: Bearer <YOUR_ACCESS_TOKEN_12345>"',
        "bearer authentication-schemes",
        'url = f"https://{user}:{password1}@{host}:8080"',
        "postgres://$USER:$DB_PASSWORD_2&x@host/db",
        "ssh://git@host.example:2222/a@b",
        "npm_config_registry_of_the_project_2024",
    ],
)
def test_what_only_resembles_them_stays(line: str) -> None:
    assert redact_line("src/a.py", line) == (line, 0)
