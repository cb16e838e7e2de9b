"""`zeroin show`, `more` and `refine`, by the real process."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run, answered, refused, untimed

TASK = "Access tokens are accepted although they have expired"
COUPON, SERVICE = "src/billing/coupon.ts", "src/auth/token-service.ts"


@pytest.fixture
def run(zeroin: Run) -> Run:
    return zeroin


def asked(run: Run, repo: Path, *args: str, **env: str) -> dict[str, Any]:
    return answered(run(TASK, repo, "-f", "json", "--always-loop", *args, **env))


def again(run: Run, *args: object, **env: Any) -> dict[str, Any]:
    return answered(run(*args, "-f", "json", **env))


def found(answer: dict[str, Any]) -> list[tuple[str, float]]:
    return [(row["path"], row["relevance"]) for row in answer["files"]]


def test_a_run_is_shown_again_as_it_was(run: Run, repo: Path) -> None:
    first = asked(run, repo)
    assert first["run"].startswith("r-") and first["parent"] == "" and first["stale"] is False
    assert untimed(again(run, "show", first["run"], fresh=True)) == untimed(first)
    for listed in (run("show"), run(TASK, repo, "--always-loop"), run(TASK, repo, "--always-loop", "-f", "xml")):
        assert first["run"] in listed.stdout.decode()


def test_the_list_of_runs_goes_where_it_is_to_go(run: Run, repo: Path, tmp_path: Path) -> None:
    name = asked(run, repo)["run"]
    assert run("show", "-o", tmp_path / "runs.txt").stdout == b""
    assert name in (tmp_path / "runs.txt").read_text()
    for more in (("-f", "markdown"), ("--report", tmp_path / "runs.html")):
        assert "name a RUN" in refused(run("show", *more))
    both = tmp_path / "both"
    assert "cannot both be" in refused(run("show", name, "-o", both, "--report", both))
    assert not both.exists()


def test_more_is_one_cycle_more(run: Run, repo: Path) -> None:
    first = asked(run, repo, "--max-cycles", "1")
    further = again(run, "more", first["run"])
    assert len(first["cycles"]) == 1 and len(further["cycles"]) == 2
    assert further["parent"] == first["run"] != further["run"]
    assert further["cycles"][0]["judgments"] == first["cycles"][0]["judgments"]
    # The same name, the same answer
    assert untimed(again(run, "more", first["run"], fresh=True)) == untimed(further)


def test_the_callers_word_stands(run: Run, repo: Path) -> None:
    first = asked(run, repo)
    refined = again(run, "refine", first["run"], "--relevant", f"./{COUPON}", "--irrelevant", str(repo / SERVICE))
    assert found(refined)[0] == (COUPON, 1.0)
    assert SERVICE not in {row["path"] for part in ("files", "supporting", "ranking") for row in refined[part]}
    assert {"relevant", "irrelevant"} <= {change["action"] for change in refined["cycles"][-1]["changes"]}
    assert refined["files"][0]["reasons"][0]["kind"] == "caller"
    # Taken back, and gone on with: a chain of moves.
    back = again(run, "refine", refined["run"], "--relevant", SERVICE)
    assert {(SERVICE, 1.0), (COUPON, 1.0)} <= set(found(back))
    assert back["parent"] == refined["run"]


def test_terms_focus_and_notes_are_searched_for(run: Run, repo: Path) -> None:
    first = asked(run, repo, "--max-cycles", "1")
    refined = again(
        run,
        "refine",
        first["run"],
        *("--term", "expired=coupon", "--term", "discount", "--focus", "invoice total"),
        *("--note", "bill() in src/billing/invoice.ts applies it"),
    )
    query = refined["cycles"][-1]["query"]
    given = {k["text"] for k in query["keywords"] if k["origin"] == "caller"}
    assert {"coupon", "discount", "invoice", "total"} <= given
    assert "invoice total" in query["focus_areas"]
    assert "src/billing/invoice.ts" in {p["path"] for p in query["paths"]}
    assert ("expired", "coupon") in {(t["task_word"], t["code_word"]) for t in refined["terminology"]}
    assert COUPON in dict(found(refined))


def test_a_changed_tree_is_said_and_evaluated_anew(run: Run, repo: Path) -> None:
    first = asked(run, repo)
    (repo / "src/auth/expiry.ts").write_text("export class TokenExpiry { hasExpired(token: string) {} }\n")
    shown = run("show", first["run"], "-f", "json")
    answer = answered(shown)
    assert answer["stale"] and answer["run"] != first["run"] and answer["parent"] == first["run"]
    assert "the tree has changed since run" in shown.stderr.decode()
    assert "src/auth/expiry.ts" in {row["path"] for row in answer["ranking"]}


def test_what_the_caller_judged_and_is_gone_is_said(run: Run, repo: Path) -> None:
    refined = again(run, "refine", asked(run, repo)["run"], "--relevant", COUPON)
    (repo / COUPON).unlink()
    shown = run("show", refined["run"], "-f", "paths")
    assert shown.returncode == 0 and f"{COUPON} was judged by the caller and is gone" in shown.stderr.decode()


def test_a_change_as_the_task_can_be_gone_on_with(run: Run, repo: Path) -> None:
    (repo / SERVICE).write_text((repo / SERVICE).read_text().replace(">=", ">"))
    first = answered(run("--diff", "-f", "json", "--", repo))
    assert untimed(again(run, "show", first["run"])) == untimed(first)


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("show", "r-0000000000"), "no run r-0000000000 is kept here"),
        (("show", "../x"), "is no run"),
        (("more",), "Missing argument 'RUN'"),
        (("refine", "RUN"), "say what you have learned"),
        (("refine", "RUN", "--relevant", "no/such.ts"), "no/such.ts is no file that zeroin searches"),
        (("refine", "RUN", "--relevant", COUPON.rpartition("/")[2]), f"; do you mean {COUPON}?"),
        (("refine", "RUN", "--relevant", "../../etc/passwd"), "is no file that zeroin searches"),
        (("refine", "RUN", "-r", COUPON, "-n", COUPON), f"{COUPON} cannot be both relevant and irrelevant"),
        (("refine", "RUN", "--term", ""), "the term '' is no word"),
        (("refine", "RUN", "--term", "=x"), "the term '=x' is no word, and no pair such as 'rate limit=throttle'"),
        (("refine", "RUN", "--focus", ""), "a focus needs words"),
    ],
)
def test_bad_input_is_one_line_and_exit_2(run: Run, repo: Path, args: tuple[str, ...], said: str) -> None:
    name = asked(run, repo)["run"]
    assert said in refused(run(*(name if arg == "RUN" else arg for arg in args)))


def test_a_repository_that_is_gone_is_said(run: Run, repo: Path) -> None:
    name = asked(run, repo)["run"]
    shutil.rmtree(repo)
    assert "is gone" in refused(run("more", name))


def test_runs_are_kept_only_where_that_is_wanted(run: Run, repo: Path) -> None:
    assert asked(run, repo, "--no-run")["run"] == ""
    assert asked(run, repo, ZEROIN_NO_RUNS="1")["run"] == ""
    done = run("show")
    assert (done.returncode, done.stdout, done.stderr) == (1, b"", b"zeroin: no run is kept here yet\n")
    assert asked(run, repo)["run"]
    assert run("cache", "--clear", repo).returncode == 0
    assert run("show", "-f", "json").stdout == b"[]\n"
