"""The loop against asking at once: figures of rows written by hand, and the whole command on a real repository."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("ir_measures", reason="pip install 'zeroin[bench]'")
pytest.importorskip("bm25s", reason="pip install 'zeroin[bench]'")

from benchmarks import loop
from benchmarks.data import Kind, Task
from benchmarks.loop_figures import LOOP, ONE_CYCLE, ONE_SHOT, ORACLE, VARIANTS, figures, oracle, task_rows
from tests.repositories import bare, commit, git, repository
from training.mined import Mined

FILES = {
    "lib/throttle.py": "from lib.limit import limit\n\n\ndef throttle(request):\n    return limit(request)\n",
    "lib/limit.py": "def limit(request):\n    return request\n",
    "lib/session.py": "class Session:\n    pass\n",
    "docs/throttle.md": "throttle throttle throttle\n",
}


def task(name: str, repo: str = "p/1", kind: Kind = "mined", gold: tuple[str, ...] = ("a.py",)) -> Task:
    return Task(name, repo, Path("r"), "c", "Crash in the parser", gold, (), "python", kind)


def answer(
    *paths: str, cpu: float = 1.0, cycles: int = 1, relevance: float = 0.5, **more: Any
) -> dict[str, Any]:
    ranking = [{"path": path, "relevance": relevance} for path in paths]
    told = {"ranking": ranking, "files": list(paths[:2]), "cycles": cycles, "cpu_seconds": cpu, "named": []}
    return told | more


def row(useful: dict[str, float], one: dict[str, Any], last: dict[str, Any]) -> dict[str, Any]:
    return {"useful": useful, "answers": {ONE_SHOT: one, ONE_CYCLE: one, LOOP: last}}


def test_means_and_differences_are_paired() -> None:
    useful = {"a.py": 1.0, "b.py": 0.6}
    part = [
        (task("1"), row(useful, answer("x.py"), answer("a.py", "b.py", cpu=3.0, cycles=2))),
        (task("2", "p/2"), row(useful, answer("a.py"), answer("a.py", cpu=2.0, cycles=3))),
    ]
    told = figures("small trees", part)
    means = told["measures"]
    assert [means[name]["hit@1"] for name in VARIANTS] == [0.5, 0.5, 1.0]
    assert [means[name]["useful@10"] for name in (ONE_SHOT, LOOP)] == [0.25, 0.75]
    assert [means[name]["cpu"] for name in (ONE_SHOT, LOOP)] == [1.0, 2.5]
    assert told["differences"]["loop − one shot"]["hit@1"] == {"difference": 0.5, "low": 0.0, "high": 1.0}
    assert told["cycles"] == {"2": 0.5, "3": 0.5}
    # handed over: a and b, and a; all are useful
    assert told["listing"][LOOP] == {"files": 1.5, "likely": 1.5, "useful": 1.0}
    # stated 0.5 of files worth 1, 0.6 and 1
    assert told["calibration"][LOOP]["ece"] == pytest.approx(2.6 / 3 - 0.5)


def test_a_failed_answer_counts_zero_and_is_told() -> None:
    failed = {"error": "no such revision", "cpu_seconds": 0.5}
    told = figures("issues", [(task("1", kind="issue"), row({"a.py": 1.0}, failed, answer("a.py")))])
    assert told["failed"] == {ONE_SHOT: 1, ONE_CYCLE: 1, LOOP: 0}
    assert told["measures"][ONE_SHOT]["ndcg@10"] == 0.0
    assert told["listing"][ONE_SHOT] == {"files": 0.0, "likely": 0.0, "useful": None}


def test_queries_weigh_repositories() -> None:
    useful = {"a.py": 1.0}
    hit, miss = row(useful, answer("a.py"), answer("a.py")), row(useful, answer("x.py"), answer("x.py"))
    part = [(task(str(n), "p/1", "query"), miss) for n in range(3)] + [(task("3", "p/2", "query"), hit)]
    measures = figures("queries", part)["measures"]
    assert (measures[LOOP]["hit@1"], measures[ORACLE]["useful@10"]) == (0.5, 0.5)


def test_the_oracle_has_what_gaps_name() -> None:
    useful = {"a.py": 1.0, "b.py": 0.6, "c.py": 0.6, "d.py": 0.6}
    last = answer(*(f"x{n}.py" for n in range(10)), "a.py", named=["b.py", "x.py", "a.py"])
    assert oracle(task("1"), row(useful, last, last)) == 0.5  # a and b; nothing names c and d
    many = {f"u{n}.py": 0.6 for n in range(20)}
    assert oracle(task("1"), row(many, last, answer(named=list(many)))) == 0.5  # ten have room


def test_tasks_without_an_answer_are_only_listed() -> None:
    told = figures(
        "no answer", [(task("1", gold=()), row({}, answer("a.py"), answer("a.py", relevance=0.2)))]
    )
    assert "measures" not in told and told["listing"][LOOP]["likely"] == 0.0
    assert told["calibration"][LOOP]["ece"] == pytest.approx(0.2)


def test_raw_ranks_are_kept() -> None:
    last = answer("x.py", "b.py", "a.py", cycles=2)
    (line,) = task_rows(
        [(task("1"), ("small trees",), row({"a.py": 1.0, "b.py": 0.6}, {"error": "e"}, last))]
    )
    assert line["loop"] == {"ranks": [3], "useful": [2], "cpu": 1.0, "cycles": 2}
    assert line["one shot"] == {"ranks": [None], "useful": [None], "cpu": 0.0, "error": "e"}


def test_every_way_of_asking_comes_first_as_often() -> None:
    first = Counter(loop.order_of(str(number))[0] for number in range(300))
    assert set(first) == set(VARIANTS) and min(first.values()) > 70
    assert loop.order_of("1") == loop.order_of("1")
    assert set(loop.order_of("1")) == set(VARIANTS)


def test_options_of_each_way() -> None:
    below = Task("1", "p/1", Path(), "c", "x", (), (), "python", "mined", root="lib")
    made = {variant: loop.options_of(variant, below) for variant in VARIANTS}
    assert all(not options.learned for options in made.values())
    assert all(options.includes == ("lib/**",) for options in made.values())
    assert made[ONE_CYCLE].max_cycles == 1 and made[LOOP].max_cycles > 1
    assert getattr(made[ONE_SHOT], "at_once", made[ONE_SHOT].max_cycles == 1)


@pytest.fixture
def repos(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of bare repositories with one, ``o/r``, of two commits."""
    monkeypatch.setenv("ZEROIN_CACHE_DIR", str(tmp_path / "cache"))
    tree, git_dir = tmp_path / "tree", tmp_path / "repos" / "o+r" / "repo"
    repository(tree)
    for message in ("Start", "Throttle the request by session"):
        edited = {"lib/throttle.py": f"{FILES['lib/throttle.py'][:-1]}  # {message}\n"}
        commit(tree, FILES | edited, message)
    bare(tree, git_dir)
    return tmp_path / "repos"


def mined(repos: Path, **given: Any) -> Mined:
    git_dir = repos / "o+r" / "repo"
    change, parent = git(git_dir, "rev-list", "HEAD").split()
    base: dict[str, Any] = {
        "id": "o/r@1", "repo": "o/r", "change": change, "commit": parent, "language": "python",
        "task": "Throttle the request by session", "gold": ("lib/throttle.py",), "tests": (), "added": (), "lines": {},
    }  # fmt: skip
    return Mined(**(base | given))


def test_the_command_asks_every_set_in_every_way(
    repos: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [
        mined(repos),  # edits one file: in no set
        mined(repos, id="o/r@2", gold=("lib/limit.py", "lib/throttle.py")),
        mined(repos, id="o/r@3", sort="young"),
        mined(repos, id="o/r@4", sort="subtree", root="lib"),
        mined(repos, id="o/r@5", sort="absent", gold=(), change=""),
        mined(repos, id="o/r@6", sort="young", commit="0" * 40),
    ]
    (tmp_path / "tasks.jsonl").write_text("".join(json.dumps(row.row()) + "\n" for row in rows))
    out, keep = tmp_path / "loop.json", tmp_path / "rows.jsonl"
    given = [
        "--repos",
        str(repos),
        "--mined",
        str(tmp_path / "tasks.jsonl"),
        "--out",
        str(out),
        "--jobs",
        "1",
    ]
    assert loop.main([*given, "--keep", str(keep)]) == 0
    made = json.loads(out.read_text())
    assert set(made["sets"]) == {"several files", "small trees", "single folders", "no answer"}
    assert made["rows"] == {"run": 4, "skipped": {"small trees: commit absent": 1}}
    folders = made["sets"]["single folders"]
    assert folders["failed"] == dict.fromkeys(VARIANTS, 0)
    assert folders["measures"][LOOP]["hit@5"] == 1.0 and folders["measures"][LOOP]["cpu"] > 0
    kept = {row["id"]: row for row in map(json.loads, keep.read_text().splitlines())}
    assert "lib/limit.py" in kept["o/r@3"]["useful"]  # what the changed line's function uses
    listed = [entry["path"] for entry in kept["o/r@4"]["answers"][LOOP]["ranking"]]
    assert listed and all(path.startswith("lib/") for path in listed)
    assert "single folders (1, 1) | one shot" in capsys.readouterr().out
    assert loop.main([*given, "--keep", str(keep)]) == 1  # what is there is not written over
    assert loop.main([*given, "--keep", str(keep), "--resume"]) == 0
    assert json.loads(out.read_text())["sets"] == made["sets"]
