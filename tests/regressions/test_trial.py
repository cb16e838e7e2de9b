"""What was wrong when the tool was first tried on real repositories."""

from pathlib import Path

import pytest

import zeroin
from tests.repositories import commit, repository
from zeroin.corpus.changes import change_of


def test_a_heading_that_is_a_word_of_the_task_ends_no_search(tmp_path: Path) -> None:
    """hyperfine: “Markdown table is broken …” was answered with README.md, which has a heading `Markdown`."""
    files = {
        "README.md": "# Bench\n\n## Usage\n\nRun it.\n\n### Markdown\n\nExport as a table.\n",
        "src/export.rs": 'fn table_row(command: &str) -> String {\n    format!("| {} |", command)\n}\n',
        "src/main.rs": "mod export;\n\nfn main() {\n    run();\n}\n\nfn run() {}\n"
        + "// Nothing to see here, move along.\n" * 60,
    }
    root = repository(tmp_path, files)
    answer = zeroin.retrieve("Markdown table is broken when the command contains a pipe", root, budget=300)
    assert answer.advice is None and answer.stop_reason.code != "direct"


def test_a_file_that_is_its_own_component_is_a_landmark_of_nothing(tmp_path: Path) -> None:
    """werkzeug: “is a landmark of src/werkzeug/wsgi.py” was said of src/werkzeug/wsgi.py."""
    files = {"pkg/wsgi.py": "def environ(name):\n    return name\n\n\n" + "# the environ of a request\n" * 12}
    for name in "abcdef":
        files[f"pkg/{name}.py"] = (
            f"from pkg.wsgi import environ\n\n\ndef {name}_view():\n    return environ({name!r})\n"
        )
    root = repository(tmp_path, files)
    answer = zeroin.retrieve("How does the environ reach the views?", root, purpose="explore", always_loop=True)
    for judgment in answer.ranking:
        assert f"landmark of {judgment.path}" not in judgment.reason


def test_one_line_matches_and_several_match(tmp_path: Path) -> None:
    """koa: “line 402 match trusted”."""
    root = repository(tmp_path, {"a.py": "x = 1\n\n\ndef throttle():\n    return 1\n", "b.py": "y = 2\n" * 9})
    answer = zeroin.retrieve("throttle is wrong", root, always_loop=True)
    said = [r.text for j in answer.ranking for r in j.reasons if r.kind == "passage"]
    assert said and all(t.startswith("line ") == (" matches " in t) for t in said), said


def test_uncommitted_changes_of_a_relative_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """tesla: `zeroin wt --diff` from the folder above said “must be run in a work tree”."""
    root = repository(tmp_path / "work", {"a.py": "x = 1\n"})
    (root / "a.py").write_text("x = 2\n")
    monkeypatch.chdir(tmp_path)
    assert "+x = 2" in change_of(Path("work"), "")


@pytest.mark.parametrize("spec", ["", "HEAD", "HEAD~1..HEAD"])
def test_a_change_seen_from_a_folder_of_the_work_tree(tmp_path: Path, spec: str) -> None:
    """tesla: from `wt/lib`, the uncommitted change of one line was a diff that deletes every file."""
    root = repository(tmp_path, {"lib/a.py": "x = 1\n", "top.py": "y = 1\n"})
    (root / "lib" / "a.py").write_text("x = 2\n")
    if spec:
        commit(root, {}, "second")
    text = change_of(root / "lib", spec)
    assert "diff --git a/a.py b/a.py" in text and "+x = 2" in text and "top.py" not in text


@pytest.mark.parametrize(
    ("named", "path", "said"),
    [
        ("main.rs", "src/main.go", False),
        ("notes.txt", "src/notes.py", False),
        ("settings.json", "src/settings.py", False),
        ("`main.go`", "src/main.go", True),
        ("button.js", "src/button.tsx", True),
        ("shape.h", "src/shape.cpp", True),
    ],
)
def test_a_file_of_the_user_is_no_file_of_another_language(tmp_path: Path, named: str, path: str, said: bool) -> None:
    """glow: main.go “is named by the task”, which speaks of the user's main.rs."""
    files = {path: "colours = 1\n", "src/theme.py": "def theme(colours):\n    return colours\n"}
    answer = zeroin.retrieve(f"Showing {named} has the wrong colours", repository(tmp_path, files), always_loop=True)
    texts = [r.text for j in answer.ranking if j.path == path for r in j.reasons]
    assert ("is named by the task" in texts) == said
