"""Bug reports of a data set as tasks, on a real repository and a real data set of three reports."""

import json
from pathlib import Path

import pytest

from benchmarks.data import load
from tests.repositories import commit, repository
from training import reports
from training.held_out import refuse

BODY = """<denchmark-h:h2>To Reproduce</denchmark-h>

 <denchmark-code>count(x for x in y)
 </denchmark-code>

 It says that a generator &lt;has&gt; no length, as <denchmark-link:https://e.org>#12</denchmark-link> did."""


def report(number: str, fix: str, summary: str = "Counting a generator fails") -> str:
    text = {"BRsummary": summary, "BRdescription": f"\n {BODY}\n \t"}
    return json.dumps({"BR": {"BR_id": number, "BR_text": text}, "commit": {"commit_id": fix}})


def test_a_report_becomes_a_task(tmp_path: Path) -> None:
    repos = tmp_path / "repos"
    counter = repository(repos / "someone+counter" / "repo")
    before = commit(counter, {"counter/core.py": "len(x)\n", "tests/test_core.py": "1\n", "README.md": "a\n"})
    edited = {"counter/core.py": "len(list(x))\n", "tests/test_core.py": "2\n", "counter/new.py": "3\n"}
    fix = commit(counter, edited, "Count generators (#7)")
    prose = commit(counter, {"README.md": "b\n"}, "Say more")
    stored = {
        f"JSonSet/simplejson/someone+counter/{number}.json": report(number, of)
        for number, of in (("7", fix), ("8", prose), ("9", "0" * 40))
    }
    repository(repos / "rosepasta+denchmark_brs" / "repo", stored)
    data = tmp_path / "data"
    data.mkdir()
    row = {"repo": "someone/counter", "commit": before, "task": "t", "gold": ["README.md"], "language": "python"}
    rows = [row | {"id": identity, "source": "x"} for identity in ("named", "other")]
    (data / "issues_tune.jsonl").write_text("".join(json.dumps(one) + "\n" for one in rows))
    (data / "tune_ids.txt").write_text("named\n")
    (data / "forks.json").write_text("{}\n")
    made = ["--repos", str(repos), "--data", str(data), "--out", str(tmp_path / "out"), "--commit", "HEAD"]
    reports.main(made)
    first, second = load(tmp_path / "out", repos, kinds=("report",)).tasks
    assert (first.id, first.rev, first.language) == ("denchmark:someone/counter#7", before, "python")
    assert (first.gold, first.tests) == (("counter/core.py",), ("tests/test_core.py",))
    assert first.task == (
        "Counting a generator fails\n\n### To Reproduce\n\n```\ncount(x for x in y)\n\n```\n\n"
        "It says that a generator <has> no length, as #12 did."
    )
    assert second.id == "other"


def test_held_out_repositories_are_left_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    repos = tmp_path / "repos"
    stored = {"JSonSet/simplejson/django+django/7.json": report("7", "0" * 40)}
    repository(repos / "rosepasta+denchmark_brs" / "repo", stored)
    repository(repos / "django+django" / "repo", {"a.py": "1\n"})
    reports.main(["--repos", str(repos), "--out", str(tmp_path / "out"), "--commit", "HEAD"])
    assert json.loads(capsys.readouterr().out)["held out"] == 1
    assert not (tmp_path / "out" / "reports.jsonl").read_text()


def test_no_repository_of_the_list_is_held_out() -> None:
    listed = json.loads(Path(reports.__file__).with_name("reports.json").read_text())
    refuse(listed["repositories"])
