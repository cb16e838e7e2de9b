"""A repository of several that cannot be opened costs a warning, not the question."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.repositories import repository
from zeroin import retrieve
from zeroin.corpus.source import open_source
from zeroin.errors import GitError, ZeroinError
from zeroin.index.opening import Opened
from zeroin.protocols import Source
from zeroin.workspace import opening
from zeroin.workspace.repository import Effort, open_tree


def _replaced(root: Path) -> None:
    shutil.rmtree(root)
    root.write_text("a file")


GOING: dict[str, tuple[Callable[[Path], object], str]] = {
    "it is removed": (shutil.rmtree, "is not there any more"),
    "a file is in its place": (_replaced, "git could not be started"),
}


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    monkeypatch.setenv("ZEROIN_CACHE_DIR", str(tmp_path / "cache"))
    files = {"tokens.py": "def is_expired(token):\n    return token.expired\n"}
    return [repository(tmp_path / name, files) for name in ("kept", "going")]


def _goes(monkeypatch: pytest.MonkeyPatch, going: list[Path], how: Callable[[Path], object]) -> None:
    """Let repositories go away after they were listed, before they are opened."""

    def late(source: Source, effort: Effort) -> Opened:
        if source.root in going:
            how(source.root)
        return open_tree(source, effort)

    monkeypatch.setattr(opening, "open_tree", late)


@pytest.mark.parametrize("why", GOING)
def test_one_that_goes_away_between_listing_and_opening_is_a_warning(
    places: list[Path], monkeypatch: pytest.MonkeyPatch, why: str
) -> None:
    how, said = GOING[why]
    _goes(monkeypatch, places[1:], how)
    answer = retrieve("access tokens that have expired", places, jobs=1)
    assert [one.path for one in answer.ranking] == ["kept:tokens.py"]
    (warning,) = [warning for warning in answer.warnings if "was not searched" in warning]
    assert warning.startswith("going was not searched") and said in warning


def test_where_all_go_away_the_question_fails_as_before(
    places: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    _goes(monkeypatch, places, shutil.rmtree)
    with pytest.raises(ZeroinError, match="not there any more"):
        retrieve("access tokens that have expired", places, jobs=1)


def test_git_is_not_blamed_for_a_folder_that_is_gone(places: list[Path]) -> None:
    source = open_source(places[1])
    shutil.rmtree(places[1])
    with pytest.raises(GitError, match="going is not there any more"):
        source.list()


def test_thousands_of_skipped_files_take_linear_time(places: list[Path]) -> None:
    for number in range(10_000):
        (places[0] / f"link{number}").symlink_to("tokens.py")
    retrieve("access tokens that have expired", places, jobs=1)
    started = time.process_time()
    answer = retrieve("access tokens that have expired", places, jobs=1)
    assert len([one for one in answer.skipped if one.path.startswith("kept:link")]) == 10_000
    assert time.process_time() - started < 2
