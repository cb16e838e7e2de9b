"""`--report FILE`, by the real process."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.ready_process import Done, ReadyProcess
from tests.report.pages import FILES, TASK, Page, build


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "shop").mkdir()
    return build(tmp_path / "shop", FILES, "A catalogue service")


@pytest.fixture
def zeroin(folder: Path, ready: ReadyProcess) -> Callable[..., Done]:
    """Runs the command line in `folder`."""
    own = {"ZEROIN_CACHE_DIR": str(folder.parent / "cache"), "ZEROIN_DATA_DIR": str(folder.parent / "data")}
    return lambda *arguments: ready.run([*arguments, "--jobs", "1"], cwd=folder, env={**os.environ, **own})


def test_a_page_is_written_beside_the_answer_and_by_every_command(folder: Path, zeroin: Callable[..., Done]) -> None:
    target = folder.parent / "answer.html"
    done = zeroin(TASK, ".", "-f", "json", "--always-loop", "--report", str(target))
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    first = Page(target.read_text(encoding="utf-8"))
    assert f"zeroin more {answer['run']}" in first.said()
    path = answer["files"][0]["path"]
    done = zeroin("refine", answer["run"], "--irrelevant", path, "-f", "json", "--report", str(target))
    assert done.returncode == 0, done.stderr
    second = Page(target.read_text(encoding="utf-8"))
    assert "Judged irrelevant by the caller" in second.said() and second.text != first.text
    done = zeroin("show", answer["run"], "-f", "json", "--report", str(target))
    assert done.returncode == 0, done.stderr
    assert target.read_text(encoding="utf-8") == first.text


def test_a_page_that_cannot_be_written_is_an_error_before_any_work(folder: Path, zeroin: Callable[..., Done]) -> None:
    done = zeroin(TASK, ".", "-f", "paths", "--report", str(folder / "no" / "such" / "page.html"))
    assert done.returncode == 2 and not done.stdout
    assert b"cannot write" in done.stderr and b"Traceback" not in done.stderr
