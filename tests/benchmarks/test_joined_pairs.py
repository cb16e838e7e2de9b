"""Pairs of words are taken from names that write them as one, and asked for apart."""

import subprocess
from pathlib import Path

import pytest

from benchmarks.joined import main

GIT = ("git", "-c", "user.name=n", "-c", "user.email=e@example.org")


def test_the_file_that_writes_both_words_as_one_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ZEROIN_CACHE_DIR", str(tmp_path / "cache"))
    tree = tmp_path / "tree"
    (tree / "src").mkdir(parents=True)
    (tree / "src/part.py").write_text("def open_bufferpool(x):\n    return x\n")
    for i in range(12):
        (tree / f"src/entry{i}.py").write_text(f"def post{i}(amount):\n    return amount + {i}\n")
    for command in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "all of it"]):
        subprocess.run([*GIT, "-C", str(tree), *command], check=True)
    folder = tmp_path / "repos/owner+name"
    folder.mkdir(parents=True)
    subprocess.run([*GIT, "clone", "-q", "--bare", str(tree), str(folder / "repo.git")], check=True)
    assert main(["--repos", str(tmp_path / "repos")]) == 0
    out, err = capsys.readouterr()
    assert err.startswith("owner/name buffer pool")
    assert "| joined (1) | 100.0 | 100.0 | 100.0 |" in out
