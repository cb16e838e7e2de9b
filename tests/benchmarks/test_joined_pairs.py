"""Pairs of words are taken from names that write them as one, and asked for apart."""

from pathlib import Path

import pytest

from benchmarks.joined import main
from tests.repositories import bare, repository


def test_the_file_that_writes_both_words_as_one_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ZEROIN_CACHE_DIR", str(tmp_path / "cache"))
    files = {f"src/entry{i}.py": f"def post{i}(amount):\n    return amount + {i}\n" for i in range(12)}
    files["src/part.py"] = "def open_bufferpool(x):\n    return x\n"
    bare(repository(tmp_path / "tree", files), tmp_path / "repos/owner+name/repo.git")
    assert main(["--repos", str(tmp_path / "repos")]) == 0
    out, err = capsys.readouterr()
    assert err.startswith("owner/name buffer pool")
    assert "| joined (1) | 100.0 | 100.0 | 100.0 |" in out
