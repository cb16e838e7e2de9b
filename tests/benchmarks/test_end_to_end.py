"""The harness on a real repository: load, run the baselines and a stand-in for ``zeroin batch``, score, write."""

import json
import shutil
import stat
import sys
from pathlib import Path

import pytest

pytest.importorskip("ir_measures", reason="pip install 'zeroin[bench]'")
pytest.importorskip("bm25s", reason="pip install 'zeroin[bench]'")

from benchmarks import measure
from benchmarks.baselines import answers
from benchmarks.data import load
from tests.repositories import bare, git, repository

FILES = {
    "lib/throttle.py": "def throttle(request):\n    return limit(request)\n",
    "lib/session.py": "class Session:\n    pass\n",
    "docs/throttle.md": "throttle throttle throttle\n",
    "lib/logo.bin": "throttle\0",
}


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    """(data, repos) with one repository, two issues (one of a commit that is absent) and one query below ``lib``."""
    git_dir = tmp_path / "repos" / "o+r" / "repo"
    tree = repository(tmp_path / "tree", FILES)
    commit = git(tree, "rev-parse", "HEAD")
    bare(tree, git_dir)
    data = tmp_path / "data"
    data.mkdir()
    common = {"repo": "upstream/r", "language": "python", "task": "throttle the request"}
    issues = [
        common | {"id": "i-1", "commit": commit, "gold": ["lib/throttle.py"], "tests": [], "source": "s"},
        common | {"id": "i-2", "commit": "0" * 40, "gold": ["lib/throttle.py"], "tests": [], "source": "s"},
        common | {"id": "i-3", "commit": commit, "gold": ["lib/throttle.py"], "tests": [], "source": "s"},
    ]
    query = common | {"name": "r", "commit": commit, "root": "lib", "category": "semantic"}
    query |= {"gold": ["throttle.py"]}
    (data / "issues_tune.jsonl").write_text("".join(json.dumps(row) + "\n" for row in issues))
    (data / "queries_tune.jsonl").write_text(json.dumps(query) + "\n")
    (data / "tune_ids.txt").write_text("i-1\ni-2\n")
    (data / "forks.json").write_text(json.dumps({"upstream/r": ["O/r"]}))
    return data, tmp_path / "repos"


def test_rows_whose_commit_is_absent_are_skipped_and_counted(folders: tuple[Path, Path]) -> None:
    loaded = load(*folders)
    assert [task.id for task in loaded.tasks] == ["i-1", "r:00"]
    assert loaded.skipped == {"issue: commit absent": 1}
    assert loaded.tasks[1].gold == ("lib/throttle.py",)
    assert loaded.tasks[1].row()["include"] == ["lib/**"]
    whole = load(*folders, whole=True).tasks[1]
    assert "include" not in whole.row()
    assert whole.gold == ("lib/throttle.py",)


@pytest.mark.parametrize(
    ("name", "issue"),
    [
        ("bm25", ["docs/throttle.md", "lib/throttle.py"]),  # the document is shorter and repeats the word
        ("bm25-code", ["lib/throttle.py"]),
        ("ripgrep", ["lib/throttle.py", "docs/throttle.md"]),  # throttle and request, against throttle alone
    ],
)
def test_baselines_rank_text_files_below_root(folders: tuple[Path, Path], name: str, issue: list[str]) -> None:
    if name == "ripgrep" and shutil.which("rg") is None:
        pytest.skip("ripgrep is not installed")
    found = {row["id"]: [e["path"] for e in row["ranking"]] for row in answers(name, load(*folders).tasks)}
    if name == "bm25":
        found["i-1"].sort()
        issue = sorted(issue)
    assert found == {"i-1": issue, "r:00": ["lib/throttle.py"]}


def test_measure_writes_provenance_scores_and_raw_ranks(
    folders: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program = tmp_path / "stand-in"
    program.write_text(
        f"#!{sys.executable}\n"
        "import json, sys\n"
        "assert sys.argv[1] == 'batch' and sys.argv[-2:] == ['--without', 'history'], sys.argv\n"
        "rows = [json.loads(line) for line in open(sys.argv[2])]\n"
        "first, last = [[{'path': p, 'relevance': r}] for p, r in (('lib/session.py', .3), ('lib/throttle.py', .9))]\n"
        "with open(sys.argv[4], 'w') as out:\n"
        "    for row in rows[1:]:\n"
        "        row = {'id': row['id'], 'ranking': last, 'files': ['lib/throttle.py'], 'stop_reason': 'enough'}\n"
        "        row |= {'cycles': 2, 'rankings_by_cycle': [first, last], 'seconds': .1}\n"
        "        out.write(json.dumps(row) + '\\n')\n"
        "    out.write(json.dumps({'id': rows[0]['id'], 'error': 'broken'}) + '\\n')\n"
    )
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    data, repos = folders
    where = ["--data", str(data), "--repos", str(repos), "--results", str(tmp_path / "out")]
    given = [*where, "--program", str(program), "--baselines", "bm25-code", "--without", "history"]
    assert measure.main(given) == 0
    [path] = (tmp_path / "out").iterdir()
    found = json.loads(path.read_text())
    ours = found["systems"]["zeroin"]
    assert ours["errors"] == {"count": 1, "messages": {"broken": 1}}
    assert ours["queries"]["groups"]["all"]["ndcg@10"] == 1.0
    assert ours["queries"]["per_repository"]["ndcg@10"] == 1.0
    assert ours["issues"]["groups"]["all"]["acc@1"] == 0.0
    assert ours["issues"]["groups"]["all"]["likely_f1"] == 0.0
    assert ours["cycles"]["1"]["queries"]["hit@1"] == 0.0
    assert ours["cycles"]["2"]["queries"]["hit@1"] == 1.0
    assert found["systems"]["bm25-code"]["issues"]["groups"]["all"]["acc@1"] == 1.0
    assert found["tasks"]["zeroin"][1]["ranks"] == [1]
    assert found["rows"] == {"run": 2, "skipped": {"issue: commit absent": 1}}
    assert str(tmp_path) not in path.read_text()
    table = capsys.readouterr().out
    assert "zeroin ÷ bm25-code" in table
    assert "Mean over repositories" in table
    assert "Files of relevance ≥ 0.5: precision 1.000" in table
    assert "After each cycle" in table
