"""`--report FILE`, by the real process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.report.pages import FILES, TASK, Page, build


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "shop").mkdir()
    return build(tmp_path / "shop", FILES, "A catalogue service")


def zeroin(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    own = {"ZEROIN_CACHE_DIR": str(folder.parent / "cache"), "ZEROIN_DATA_DIR": str(folder.parent / "data")}
    return subprocess.run(
        [sys.executable, "-m", "zeroin", *arguments, "--jobs", "1"],
        env={**os.environ, **own},
        cwd=folder,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )


def test_a_page_is_written_beside_the_answer_and_by_every_command(folder: Path) -> None:
    target = folder.parent / "answer.html"
    done = zeroin(folder, TASK, ".", "-f", "json", "--always-loop", "--report", str(target))
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    first = Page(target.read_text(encoding="utf-8"))
    assert f"zeroin more {answer['run']}" in first.said()
    path = answer["files"][0]["path"]
    done = zeroin(
        folder, "refine", answer["run"], "--irrelevant", path, "-f", "json", "--report", str(target)
    )
    assert done.returncode == 0, done.stderr
    second = Page(target.read_text(encoding="utf-8"))
    assert "Said to be irrelevant" in second.said() and second.text != first.text
    done = zeroin(folder, "show", answer["run"], "-f", "json", "--report", str(target))
    assert done.returncode == 0, done.stderr
    assert target.read_text(encoding="utf-8") == first.text


def test_a_page_that_cannot_be_written_is_an_error_before_any_work(folder: Path) -> None:
    done = zeroin(folder, TASK, ".", "-f", "paths", "--report", str(folder / "no" / "such" / "page.html"))
    assert done.returncode == 2 and not done.stdout
    assert "cannot write" in done.stderr and "Traceback" not in done.stderr
