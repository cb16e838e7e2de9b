"""A judge at the command line: a real program that grades, named by the user."""

import json
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.cli.conftest import Run, refused
from tests.repositories import copy

TASK = "Sessions expire too early"
PROGRAM = """
import json, re, sys
request = json.load(sys.stdin)
files = re.findall(r"^--- [0-9a-f]{16} file (\\d+): (.*)$", request["user"], re.MULTILINE)
grades = [{"id": int(n), "grade": 3 if path in sys.argv[1:] else 0, "reason": "it says so"} for n, path in files]
print(json.dumps({"files": grades, "words": []}))
"""

TOKENS, SESSIONS = "src/auth/token-service.ts", "src/auth/session-service.ts"
COUPON = "src/billing/coupon.ts"

ROLES = """
import json, sys
asked = json.load(sys.stdin)["schema"]["properties"]
plan = {"words": ["coupon", "zzunknown"], "questions": ["zzunknown"]}
print(json.dumps(plan if "questions" in asked else {"sufficient": False, "missing": ["Clock"]}))
"""


@pytest.fixture
def judge(tmp_path: Path) -> str:
    """`--judge` for a program that grades the file named after it 3, and all others 0."""
    program = tmp_path / "judge.py"
    program.write_text(PROGRAM)
    return f'command:"{sys.executable}" "{program}"'


def test_its_grade_moves_a_file_and_the_answer_says_so(zeroin: Run, repo: Path, judge: str) -> None:
    before = json.loads(zeroin(TASK, repo, "-f", "json", "--always-loop").stdout)
    path = before["ranking"][2]["path"]
    run = zeroin(TASK, repo, "-f", "json", "--always-loop", "--judge", f"{judge} {path}")
    after = json.loads(run.stdout)
    jsonschema.Draft202012Validator(json.loads(zeroin("schema").stdout)).validate(after)
    relevance = {
        name: {r["path"]: r["relevance"] for r in value["ranking"]}
        for name, value in (("before", before), ("after", after))
    }
    assert relevance["after"][path] > relevance["before"][path]
    assert after["judge"]["calls"] >= 1
    assert after["judge"]["graded"] >= 3
    assert "judge" not in before
    table = zeroin(TASK, repo, "--always-loop", "--judge", f"{judge} {path}").stdout.decode()
    assert "graded" in table


def test_a_dry_run_prints_the_request_and_starts_nothing(zeroin: Run, repo: Path) -> None:
    run = zeroin(TASK, repo, "--always-loop", "--judge", "command:/no/such/program", "--dry-run")
    assert run.returncode == 0
    out = run.stdout.decode()
    assert out.startswith("--- system\nYou grade files")
    assert TASK in out
    assert b"nothing was sent" in run.stderr
    assert "--judge" in refused(zeroin(TASK, repo, "--dry-run"))


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("gpt", b"PROVIDER:MODEL"),
        ("nobody:model", b"no model is named"),
        ("command:no-such-program-here", b"no-such-program-here"),
    ],
)
def test_a_judge_that_cannot_be_is_one_line_and_exit_2(zeroin: Run, repo: Path, name: str, said: bytes) -> None:
    assert said.decode() in refused(zeroin(TASK, repo, "--judge", name))


def test_a_program_that_fails_leaves_the_answer_as_it_was(zeroin: Run, repo: Path, tmp_path: Path) -> None:
    program = tmp_path / "broken.py"
    program.write_text("import sys; sys.exit('out of order')")
    plain = json.loads(zeroin(TASK, repo, "-f", "json", "--always-loop").stdout)
    run = zeroin(TASK, repo, "-f", "json", "--always-loop", "--judge", f'command:"{sys.executable}" "{program}"')
    assert run.returncode == 0
    answer = json.loads(run.stdout)
    assert answer["ranking"] == plain["ranking"]
    assert any("out of order" in warning for warning in answer["warnings"])


def test_it_plans_and_verifies_where_it_is_asked_to(zeroin: Run, repo: Path, tmp_path: Path) -> None:
    program = tmp_path / "roles.py"
    program.write_text(ROLES)
    judge = f'command:"{sys.executable}" "{program}"'
    plain = json.loads(zeroin(TASK, repo, "-f", "json").stdout)
    run = zeroin(TASK, repo, "-f", "json", "--judge", judge, "--judge-roles", "plan,verify")
    answer = json.loads(run.stdout)
    assert answer["judge"]["calls"] == 2 and answer["judge"]["graded"] == 0
    assert {"coupon"} == {k["text"] for k in answer["cycles"][0]["query"]["keywords"]} - {
        k["text"] for k in plain["cycles"][0]["query"]["keywords"]
    }
    assert not answer["sufficient"]
    assert any(w.endswith("says that these files are not all: it misses Clock") for w in answer["warnings"])
    wrong = zeroin(TASK, repo, "--judge", judge, "--judge-roles", "plan,cook")
    assert "unknown role cook" in refused(wrong)


@pytest.mark.parametrize(
    ("praised", "grows"), [((TOKENS, SESSIONS), True), ((TOKENS, COUPON), False)], ids=["good", "useless"]
)
def test_verdicts_of_the_user_make_a_judge_count_for_more_or_for_less(
    zeroin: Run, repo: Path, tmp_path: Path, judge: str, praised: tuple[str, str], grows: bool
) -> None:
    """Elsewhere on this machine, said by `learn` and by `refine`; forgotten with what was learned."""
    named = f"{judge} {' '.join(praised)}"

    def asked(*given: str | Path) -> dict[str, Any]:
        done = zeroin(*given, "-f", "json", "--always-loop", "--judge", named)
        found: dict[str, Any] = json.loads(done.stdout)
        return found

    before = asked(TASK, repo)["judge"]
    assert before["verdicts"] == 0
    other = copy(repo, tmp_path / "other")
    asked("Tokens are checked late", other)
    told = ("--relevant", TOKENS, "--relevant", SESSIONS, "--irrelevant", COUPON)
    assert zeroin("learn", "Tokens are checked late", other, *told).returncode == 0
    run = asked("Claims of a token are lost", other)["run"]
    assert zeroin("refine", run, *told, "-f", "json").returncode == 0
    after = asked(TASK, repo)["judge"]
    assert after["verdicts"] == 6
    assert after["weight"] > before["weight"] if grows else after["weight"] < before["weight"] / 2
    ignored = asked(TASK, repo, "--no-learned")["judge"]
    assert (ignored["verdicts"], ignored["weight"]) == (0, before["weight"])
    right, wrong = ("4 of 4", "0 of 2") if grows else ("2 of 4", "2 of 2")
    line = f"a 2 or 3 for {right} relevant files and for {wrong} irrelevant ones"
    assert line in zeroin("learn", "--show", other).stdout.decode()
    zeroin("learn", "--forget", "all", other)
    assert asked(TASK, repo)["judge"]["verdicts"] == 3, "those of the run that is kept"
