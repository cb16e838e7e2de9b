"""A repository of several that cannot be opened costs a warning, not the question."""

import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.repositories import repository
from zeroin import retrieve
from zeroin.corpus.source import open_source
from zeroin.errors import GitError, ZeroinError
from zeroin.index.gather import Effort
from zeroin.index.opening import Opened
from zeroin.protocols import Source
from zeroin.workspace import opening
from zeroin.workspace.members import Member
from zeroin.workspace.repository import open_tree
from zeroin.workspace.selection import SURE


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


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may enter every folder")
def test_one_that_may_not_be_entered_is_a_warning(places: list[Path]) -> None:
    places[1].chmod(0o600)
    try:
        answer = retrieve("access tokens that have expired", places, jobs=1)
    finally:
        places[1].chmod(0o700)
    assert [one.path for one in answer.ranking] == ["kept:tokens.py"]
    assert "going was not searched" in answer.warnings[0] and "Permission denied" in answer.warnings[0]


def test_what_a_file_says_to_look_in_does_not_make_its_members_searched(places: list[Path], tmp_path: Path) -> None:
    for number in range(4):
        (tmp_path / f"other{number}").mkdir()
        (tmp_path / f"other{number}/cart.py").write_text("def total(cart):\n    return cart.sum\n")
    members = [Member(f"other{n}", tmp_path / f"other{n}", includes=("*.py",)) for n in range(4)]
    task = "access tokens that have expired"
    answer = retrieve(task, [places[0], *members], jobs=1)
    assert [member.name for member in answer.members if member.searched] == ["kept"]
    answer = retrieve(task, [places[0], *members], jobs=1, includes=("kept:*", "other3:*"))
    assert {m.name for m in answer.members if m.searched} >= {"kept", "other3"}


def test_beside_a_sure_repository_those_are_searched_that_it_imports_from(places: list[Path], tmp_path: Path) -> None:
    members = []
    for name in ("clockwork", "basket", "shelf"):
        (tmp_path / name / name).mkdir(parents=True)
        (tmp_path / name / name / "__init__.py").write_text(f"def {name}_now():\n    return 1\n")
        members.append(tmp_path / name)
    (places[0] / "tokens.py").write_text(
        "from clockwork import clockwork_now\n\n\n"
        "def is_expired(token):\n    return token.access_expires < clockwork_now()\n"
    )
    answer = retrieve("kept: access tokens that have expired, is_expired in tokens.py", [places[0], *members], jobs=1)
    assert answer.members[0].share >= SURE
    assert {member.name for member in answer.members if member.searched} == {"kept", "clockwork"}


def test_where_all_go_away_the_question_fails_as_before(places: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
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
